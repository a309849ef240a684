package fakeserver_test

import (
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

// polling is the test world with a capture job that looks at the log every so
// many seconds.
func polling(t *testing.T, seconds int) *fakeserver.Server {
	t.Helper()
	w := load(t, "catalogue.json")
	w.Databases[0].PollingSeconds = seconds
	return serve(t, w, fakeserver.Options{})
}

const (
	maxLSN  = "SELECT CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)"
	newest  = "SELECT COUNT(*), MAX(Qty) FROM cdc.dbo_Orders_CT WHERE [__$start_lsn] > 0x00000000000000000080"
	started = "SELECT CASE WHEN start_lsn IS NULL THEN 'waits' ELSE 'runs' END FROM cdc.change_tables WHERE capture_instance = 'late'"
)

func commit(t *testing.T, s *fakeserver.Server, changes ...fakeserver.Change) fakeserver.LSN {
	t.Helper()
	l, err := s.Commit("Sales", changes...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A commit shows in its table at once and in CDC at the next scan, with the
// time that it had.
func TestCaptureLagsBehind(t *testing.T) {
	s := polling(t, 5)
	db := as(t, s, "dba")
	s.Advance(time.Second)
	first := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":10}`))
	s.Advance(3 * time.Second)
	second := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":11}`))
	want(t, db, "SELECT Qty FROM dbo.Orders WHERE Id = 1", "11")
	want(t, db, maxLSN, full(t, "0x80"))
	want(t, db, newest, "0 NULL")
	s.Advance(999 * time.Millisecond)
	want(t, db, maxLSN, full(t, "0x80"))
	s.Advance(time.Millisecond) // the scan sees both
	want(t, db, maxLSN, second.String())
	want(t, db, newest, "4 11")
	want(t, db, "SELECT CONVERT(varchar(23), tran_end_time, 126) FROM cdc.lsn_time_mapping WHERE start_lsn = "+first.String(), "2026-11-01T03:00:01")
	third := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":12}`)) // just missed it
	s.Advance(4 * time.Second)
	want(t, db, maxLSN, second.String())
	s.Advance(time.Second)
	want(t, db, maxLSN, third.String())
	want(t, db, "SELECT pollinginterval FROM msdb.dbo.cdc_jobs WHERE job_type = 'capture'", "5")
}

// A clock that is set back does not keep the job asleep.
func TestCaptureSleepsByElapsedTime(t *testing.T) {
	s := polling(t, 5)
	db := as(t, s, "dba")
	l := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":10}`))
	s.Advance(-time.Hour)
	want(t, db, maxLSN, full(t, "0x80"))
	s.Advance(5 * time.Second)
	want(t, db, maxLSN, l.String())
	s.SetNow(s.Now().Add(-24 * time.Hour))
	commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":11}`))
	s.SetNow(s.Now().Add(5 * time.Second))
	want(t, db, newest, "4 11")
}

// An idle entry and a job that starts are scans; a job that stands still makes none.
func TestScansBesideTheClock(t *testing.T) {
	s := polling(t, 5)
	db := as(t, s, "dba")
	commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":10}`))
	idle, err := s.Idle("Sales")
	if err != nil {
		t.Fatal(err)
	}
	want(t, db, maxLSN, idle.String())
	want(t, db, newest, "2 10")
	if err := s.StopCapture("Sales"); err != nil {
		t.Fatal(err)
	}
	last := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":11}`))
	s.Advance(time.Hour)
	want(t, db, maxLSN, idle.String())
	if err := s.StartCapture("Sales"); err != nil {
		t.Fatal(err)
	}
	want(t, db, maxLSN, last.String())
}

// A new instance has no low endpoint before the job has seen it.
func TestEnableIsSeenByTheNextScan(t *testing.T) {
	s := polling(t, 5)
	db := as(t, s, "dba")
	before := commit(t, s, change("dbo.Gated", "insert", `[7]`))
	if err := s.Capture("Sales", fakeserver.Instance{Name: "late", Table: "dbo.Gated"}); err != nil {
		t.Fatal(err)
	}
	after := commit(t, s, change("dbo.Gated", "insert", `[8]`))
	want(t, db, started, "waits")
	want(t, db, "SELECT CONVERT(varchar(22), sys.fn_cdc_get_min_lsn('late'), 1)", full(t, "0x0"))
	s.Advance(5 * time.Second)
	want(t, db, started, "runs")
	want(t, db, "SELECT Id FROM cdc.late_CT", "8")
	want(t, db, "SELECT COUNT(*) FROM cdc.lsn_time_mapping WHERE start_lsn IN ("+before.String()+", "+after.String()+")", "2")
}

func TestWrongPollingIsRefused(t *testing.T) {
	for from, to := range map[string]string{
		`"cdc":true,`:  `"cdc":true,"capture_polling_seconds":-1,`,
		`"cdc":true, `: `"capture_polling_seconds":5,`,
	} {
		broken := strings.Replace(minimal, strings.TrimSpace(from), to, 1)
		if _, err := fakeserver.ReadWorld(strings.NewReader(broken)); err == nil || !strings.Contains(err.Error(), "databases[0].c") {
			t.Errorf("%s: %v", to, err)
		}
	}
}
