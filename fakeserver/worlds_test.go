package fakeserver_test

import (
	"database/sql"
	"slices"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

// Every built-in world answers its first login, with the rights that a seed
// needs and the stream after it.
func TestBuiltInWorldsAnswer(t *testing.T) {
	for _, name := range fakeserver.Names() {
		s := named(t, name)
		db := connect(t, s.URL())
		want(t, db, "SELECT SUSER_SNAME(), DB_NAME(), HAS_PERMS_BY_NAME('dbo.Orders', 'OBJECT', 'SELECT')", "svc_cdc_ro Sales 1")
		got, err := rows(db, "EXEC sys.sp_cdc_get_captured_columns @capture_instance = N'dbo_Orders'")
		if err != nil || len(got) < 20 {
			t.Errorf("%s: captured columns %q, %v", name, got, err)
		}
		if _, err := rows(db, "SELECT TOP (1) [__$start_lsn] FROM cdc.dbo_Orders_CT"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wantError(t, db, "EXEC sys.sp_cdc_help_jobs", 22902)
		want(t, db, "SELECT CASE WHEN COUNT(*) >= 500 THEN 'rows' END FROM dbo.Orders", "rows")
		want(t, db, "SELECT COUNT(*) FROM dbo.Orders WHERE LineTotal <> Quantity * UnitPrice", "0")
	}
}

// The demo's clock goes back at 03:00 on 25 October, within the mapping, with
// commits in both passes of the hour.
func TestClockChangeWorld(t *testing.T) {
	s := named(t, "orders-clock-change")
	db := connect(t, s.URL())
	want(t, db, "SELECT GETDATE(), CURRENT_TIMEZONE_ID()", "2026-10-26T10:00:00Z W. Europe Standard Time")
	got, err := rows(db, "SELECT tran_end_time FROM cdc.lsn_time_mapping ORDER BY start_lsn")
	if err != nil {
		t.Fatal(err)
	}
	backwards, repeated := 0, 0
	for i := range got {
		if i > 0 && got[i] < got[i-1] {
			backwards++
		}
		if got[i] >= "2026-10-25T02" && got[i] < "2026-10-25T03" {
			repeated++
		}
	}
	if backwards != 1 || len(got) < 900 || repeated < 30 {
		t.Errorf("%d rows, %d steps back, %d rows in the repeated hour", len(got), backwards, repeated)
	}
	want(t, db, "SELECT COUNT(*) FROM cdc.lsn_time_mapping WHERE tran_id <> 0x00 AND tran_end_time >= '2026-10-25T02:00:00' AND tran_end_time < '2026-10-25T03:00:00'", "17")
	min, max := orderTimes(t, db)
	if min > "2026-10-23T02:05" || max < "2026-10-26T09:" {
		t.Errorf("the mapping reaches from %s to %s", min, max)
	}
	// As it stood when the copy began, in the first pass of the hour.
	all, err := s.MaxLSN("Sales")
	if err != nil {
		t.Fatal(err)
	}
	columns, now := s.Rows("Sales", "dbo", "Orders", (*[10]byte)(all))
	_, then := s.Rows("Sales", "dbo", "Orders", (*[10]byte)(firstPass(t, db)))
	if len(columns) != 23 || len(now) != 3001 || len(then) < 2990 || equalRows(now, then) {
		t.Errorf("%d columns, %d rows now, %d rows then", len(columns), len(now), len(then))
	}
}

func equalRows(a, b [][]any) bool {
	return slices.EqualFunc(a, b, func(x, y []any) bool { return x[2] == y[2] && x[0] == y[0] })
}

func TestRetentionPassedWorld(t *testing.T) {
	db := connect(t, named(t, "orders-retention-passed").URL())
	want(t, db, "SELECT CONVERT(varchar(22), sys.fn_cdc_map_time_to_lsn(N'largest less than or equal', '2026-10-05T22:00:00'), 1)", "NULL")
	want(t, db, "SELECT MIN(tran_end_time) FROM cdc.lsn_time_mapping", "2026-10-09T10:00:00.03Z")
}

func TestTwoInstancesWorld(t *testing.T) {
	db := connect(t, named(t, "orders-two-instances").URL())
	want(t, db, "SELECT capture_instance FROM cdc.change_tables ORDER BY start_lsn", "dbo_Orders", "dbo_Orders_v2")
	want(t, db, "SELECT CASE WHEN MIN([__$start_lsn]) >= sys.fn_cdc_get_min_lsn(N'dbo_Orders_v2') THEN 1 END FROM cdc.dbo_Orders_v2_CT", "1")
	wantError(t, db, "SELECT Note FROM cdc.dbo_Orders_CT", 207)
}

func TestCaptureStoppedWorld(t *testing.T) {
	s := named(t, "capture-stopped")
	db := connect(t, s.URL())
	newest := "SELECT MAX(tran_end_time) FROM cdc.lsn_time_mapping"
	want(t, db, newest, "2026-10-02T11:00:00.153Z")
	if d := s.Now().Sub(time.Date(2026, 10, 2, 11, 0, 0, 0, time.UTC)).Round(time.Hour); d != 71*time.Hour {
		t.Errorf("the newest entry is %v old", d)
	}
	if _, err := s.Commit("Sales", change("dbo.Orders", "update", `{"OrderId":1000001,"StatusCode":9}`)); err != nil {
		t.Fatal(err)
	}
	want(t, db, newest, "2026-10-02T11:00:00.153Z")
}

func orderTimes(t *testing.T, db *sql.DB) (first, last string) {
	t.Helper()
	got, err := rows(db, "SELECT tran_end_time FROM cdc.lsn_time_mapping ORDER BY start_lsn")
	if err != nil || len(got) == 0 {
		t.Fatal(err)
	}
	return got[0], got[len(got)-1]
}

// firstPass is the last LSN before the clock went back.
func firstPass(t *testing.T, db *sql.DB) *fakeserver.LSN {
	t.Helper()
	got, err := rows(db, `SELECT TOP (1) CONVERT(varchar(22), m.start_lsn, 1) FROM cdc.lsn_time_mapping AS m
		WHERE m.tran_end_time >= '2026-10-25T02:59:00' AND m.tran_end_time < '2026-10-25T03:00:00' OR m.tran_end_time = '2026-10-25T02:25:00.030' ORDER BY m.start_lsn`)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	l := lsn(t, got[0])
	return &l
}
