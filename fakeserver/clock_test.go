package fakeserver_test

import (
	"testing"
	"time"

	"cdcseed/fakeserver"
)

func TestClockFunctions(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "nothing")
	all := "SELECT GETDATE(), GETUTCDATE(), SYSDATETIME(), SYSUTCDATETIME(), SYSDATETIMEOFFSET(), CURRENT_TIMESTAMP, CURRENT_TIMEZONE_ID(), CURRENT_TIMEZONE()"
	want(t, db, all, "2026-11-01T03:00:00Z 2026-11-01T08:00:00Z 2026-11-01T03:00:00Z 2026-11-01T08:00:00Z 2026-11-01T03:00:00-05:00 2026-11-01T03:00:00Z "+
		"Eastern Standard Time (UTC-05:00) Eastern Standard Time")
	s.SetNow(time.Date(2026, 11, 1, 5, 30, 0, 5_000_100, time.UTC)) // 01:30 of the first pass
	want(t, db, all, "2026-11-01T01:30:00.007Z 2026-11-01T05:30:00.007Z 2026-11-01T01:30:00.0050001Z 2026-11-01T05:30:00.0050001Z 2026-11-01T01:30:00.0050001-04:00 "+
		"2026-11-01T01:30:00.007Z Eastern Standard Time (UTC-05:00) Eastern Standard Time")
	s.Advance(time.Hour) // 01:30 again
	want(t, db, "SELECT SYSDATETIMEOFFSET(), DATEPART(TZOFFSET, SYSDATETIMEOFFSET())", "2026-11-01T01:30:00.0050001-05:00 -300")
}

func TestAtTimeZone(t *testing.T) {
	db := as(t, catalogue(t), "nothing")
	want(t, db, "SELECT CAST('2026-11-01T01:30:00' AS datetime2(0)) AT TIME ZONE 'Eastern Standard Time'", "2026-11-01T01:30:00-04:00")
	want(t, db, "SELECT CAST('2026-11-01T06:30:00' AS datetime2(0)) AT TIME ZONE 'UTC' AT TIME ZONE 'eastern standard time'", "2026-11-01T01:30:00-05:00")
	wantError(t, db, "SELECT SYSUTCDATETIME() AT TIME ZONE 'America/New_York'", 9820, "'America/New_York'")
}

// A commit's tran_end_time is the server's local datetime.
func TestCommitTimesAreLocalTicks(t *testing.T) {
	s := catalogue(t)
	s.SetNow(time.Date(2026, 12, 24, 17, 0, 0, 998_000_000, time.UTC))
	l, err := s.Commit("Sales", change("dbo.Orders", "update", `{"Id":2,"Name":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	want(t, as(t, s, "dba"), "SELECT CONVERT(varchar(23), tran_end_time, 126) FROM cdc.lsn_time_mapping WHERE start_lsn = "+l.String(), "2026-12-24T12:00:00.997")
}

func TestOldServer(t *testing.T) {
	s := named(t, "old-server-2017")
	db := connect(t, s.URL())
	wantError(t, db, "SELECT CURRENT_TIMEZONE_ID()", 195)
	wantError(t, db, "SELECT CURRENT_TIMEZONE()", 195)
	want(t, db, "SELECT SYSDATETIMEOFFSET(), CAST(SERVERPROPERTY('ProductMajorVersion') AS int), compatibility_level FROM sys.databases WHERE name = DB_NAME()",
		"2026-10-08T10:00:00+01:00 14 140")
	want(t, db, "SELECT COUNT(*) FROM sys.time_zone_info", "139")
}

// A server before 2016 has neither the zones' view nor their names.
func TestVeryOldServer(t *testing.T) {
	w := load(t, "catalogue.json")
	w.Server.ProductVersion = "12.0.6024.0"
	db := as(t, serve(t, w, fakeserver.Options{}), "dba")
	wantError(t, db, "SELECT * FROM sys.time_zone_info", 208)
	wantError(t, db, "SELECT CURRENT_TIMEZONE_ID()", 195)
	want(t, db, "SELECT SYSDATETIMEOFFSET()", "2026-11-01T03:00:00-05:00")
}

func TestAzure(t *testing.T) {
	w := load(t, "catalogue.json")
	w.Server.ProductVersion, w.Server.EngineEdition = "12.0.2000.8", 5
	w.Logins = w.Logins[:2]
	db := as(t, serve(t, w, fakeserver.Options{}), "dba")
	want(t, db, "SELECT CURRENT_TIMEZONE_ID()", "Eastern Standard Time")
	wantError(t, db, "SELECT * FROM msdb.dbo.cdc_jobs", 40515)
	wantError(t, db, "USE Plain", 40508)
	want(t, db, "SELECT name FROM sys.databases ORDER BY name", "master", "Sales")
}

func TestTickingClock(t *testing.T) {
	outside := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	w := load(t, "catalogue.json")
	w.Server.Clock = "ticking"
	s := serve(t, w, fakeserver.Options{Clock: func() time.Time { return outside }})
	outside = outside.Add(90 * time.Second)
	if got := s.Now(); !got.Equal(w.Server.Now.Add(90 * time.Second)) {
		t.Errorf("Now() = %v", got)
	}
	s.SetNow(w.Server.Now.Add(time.Hour))
	outside = outside.Add(time.Second)
	if got := s.Now(); !got.Equal(w.Server.Now.Add(time.Hour + time.Second)) {
		t.Errorf("after SetNow: Now() = %v", got)
	}
}

func TestReadOnlyReplica(t *testing.T) {
	w := load(t, "catalogue.json")
	w.Server.ReadOnly = true
	db := as(t, serve(t, w, fakeserver.Options{}), "nothing")
	want(t, db, "SELECT CAST(DATABASEPROPERTYEX(DB_NAME(), 'Updateability') AS nvarchar(20)), is_read_only FROM sys.databases WHERE name = DB_NAME()", "READ_ONLY true")
}
