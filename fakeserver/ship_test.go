package fakeserver_test

import (
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

func replica(t *testing.T, lag fakeserver.ReplicaLag) *fakeserver.Server {
	t.Helper()
	w := load(t, "catalogue.json")
	w.Server.ReadOnly, w.Server.ReplicaLag = true, &lag
	return serve(t, w, fakeserver.Options{})
}

const state = "SELECT (SELECT Qty FROM dbo.Orders WHERE Id = 1), (SELECT COUNT(*) FROM cdc.dbo_Orders_CT), CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)"

// A replica shows the primary as it was so many seconds ago: tables, change
// tables and mapping alike. Its clock is the server's.
func TestReplicaLagsByTime(t *testing.T) {
	s := replica(t, fakeserver.ReplicaLag{Seconds: 30})
	db := as(t, s, "dba")
	old := "2 6 " + full(t, "0x80")
	want(t, db, "SELECT DATABASEPROPERTYEX('Sales', 'Updateability')", "READ_ONLY")
	want(t, db, state, old)
	first := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":10}`))
	s.Advance(20 * time.Second)
	second := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":11}`))
	want(t, db, state, old)
	if l, err := s.MaxLSN("Sales"); err != nil || *l != lsn(t, "0x80") {
		t.Errorf("MaxLSN = %v, %v", l, err)
	}
	s.Advance(10 * time.Second)
	want(t, db, state, "10 8 "+first.String())
	want(t, db, "SELECT CONVERT(varchar(19), GETDATE(), 126), CONVERT(varchar(19), MAX(tran_end_time), 126) FROM cdc.lsn_time_mapping", "2026-11-01T03:00:30 2026-11-01T03:00:00")
	s.Advance(time.Minute)
	want(t, db, state, "11 10 "+second.String())
	_, have := s.Rows("Sales", "dbo", "Orders", (*[10]byte)(&first))
	if have[0][3] != int64(10) {
		t.Errorf("at the first commit: %v", have[0])
	}
}

// Cleaning up, enabling and disabling reach the replica in their order.
func TestReplicaLagsByChanges(t *testing.T) {
	s := replica(t, fakeserver.ReplicaLag{Changes: 2})
	db := as(t, s, "dba")
	commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":10}`))
	if _, err := s.Cleanup("Sales", lsn(t, "0x50")); err != nil {
		t.Fatal(err)
	}
	want(t, db, state, "2 6 "+full(t, "0x80"))
	if err := s.Capture("Sales", fakeserver.Instance{Name: "late", Table: "dbo.Gated"}); err != nil {
		t.Fatal(err)
	}
	want(t, db, "SELECT (SELECT Qty FROM dbo.Orders WHERE Id = 1), (SELECT COUNT(*) FROM cdc.dbo_Orders_CT)", "10 8")
	if err := s.DropInstance("Sales", "dbo_Gated"); err != nil {
		t.Fatal(err)
	}
	want(t, db, "SELECT (SELECT COUNT(*) FROM cdc.dbo_Orders_CT), COUNT(*) FROM cdc.change_tables", "4 3")
	if _, err := s.Idle("Sales"); err != nil {
		t.Fatal(err)
	}
	last, err := s.Idle("Sales")
	if err != nil {
		t.Fatal(err)
	}
	want(t, db, "SELECT capture_instance FROM cdc.change_tables ORDER BY 1", "dbo_Fresh", "dbo_Orders", "late")
	// What the primary refuses is not shipped, and what it answers is its own.
	if _, err := s.Commit("Sales", change("dbo.Orders", "update", `{"Id":77,"Qty":1}`)); err == nil {
		t.Error("a row that is not there was updated")
	}
	if next := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":12}`)); strings.Compare(next.String(), last.String()) <= 0 {
		t.Errorf("%s does not follow %s", next, last)
	}
}

// The primary's capture job scans by the clock, and the replica hears of it later.
func TestReplicaOfAPrimaryThatPolls(t *testing.T) {
	w := load(t, "catalogue.json")
	w.Server.ReadOnly, w.Server.ReplicaLag = true, &fakeserver.ReplicaLag{Seconds: 10}
	w.Databases[0].PollingSeconds = 5
	s := serve(t, w, fakeserver.Options{})
	db := as(t, s, "dba")
	l := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":10}`))
	for range 4 { // second by second, as a watcher would
		s.Advance(5 * time.Second)
		if _, err := s.MaxLSN("Sales"); err != nil {
			t.Fatal(err)
		}
		if s.Now().Second() == 10 {
			want(t, db, state, "10 6 "+full(t, "0x80")) // the commit is here, its capture is not
		}
	}
	want(t, db, state, "10 8 "+l.String())
}

func TestOfflineReplica(t *testing.T) {
	s := replica(t, fakeserver.ReplicaLag{Seconds: 30})
	db := as(t, s, "dba")
	want(t, db, "SELECT 1", "1")
	if err := s.SetOffline("Sales", true); err != nil {
		t.Fatal(err)
	}
	wantError(t, db, "SELECT 1", 942)
}

func TestWrongLagIsRefused(t *testing.T) {
	for _, lag := range []string{`"replica_lag":{"seconds":5}`, `"read_only_replica":true,"replica_lag":{}`, `"read_only_replica":true,"replica_lag":{"seconds":-1}`} {
		broken := strings.Replace(minimal, `"now":`, lag+`,"now":`, 1)
		if _, err := fakeserver.ReadWorld(strings.NewReader(broken)); err == nil || !strings.Contains(err.Error(), "server.replica_lag: seconds or changes") {
			t.Errorf("%s: %v", lag, err)
		}
	}
}
