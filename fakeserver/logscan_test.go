package fakeserver_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver"
)

const scan = "SELECT session_id, start_time, end_time, scan_phase, error_count, latency, empty_scan_count, last_commit_lsn FROM sys.dm_cdc_log_scan_sessions ORDER BY session_id"

// A running capture job goes on in its session while nothing is committed; one
// that stands still ended with what it captured last.
func TestLogScanSessions(t *testing.T) {
	s := serve(t, load(t, "catalogue.json"), fakeserver.Options{})
	db := as(t, s, "dba")
	newest := "SELECT COUNT(*) FROM sys.dm_cdc_log_scan_sessions AS x WHERE x.start_time = (SELECT MAX(m.tran_end_time) FROM cdc.lsn_time_mapping AS m WHERE m.start_lsn = sys.fn_cdc_get_max_lsn())"
	want(t, db, newest, "2")
	want(t, db, "SELECT COUNT(*) FROM sys.dm_cdc_log_scan_sessions WHERE end_time = GETDATE() AND session_id = 1", "1")
	s.Advance(time.Hour)
	want(t, db, "SELECT empty_scan_count FROM sys.dm_cdc_log_scan_sessions WHERE end_time = GETDATE() AND session_id = 1 AND empty_scan_count > 700", rowOf(t, db, "SELECT MAX(empty_scan_count) FROM sys.dm_cdc_log_scan_sessions"))
	if err := s.StopCapture("Sales"); err != nil {
		t.Fatal(err)
	}
	want(t, db, "SELECT COUNT(*) FROM sys.dm_cdc_log_scan_sessions WHERE end_time = start_time AND empty_scan_count = 0", "2")
	want(t, db, "SELECT COUNT(*) FROM Plain.sys.dm_cdc_log_scan_sessions", "0")
}

// demo logs in to a built-in world.
func demo(t *testing.T, s *fakeserver.Server, login string) *sql.DB {
	t.Helper()
	return connect(t, dsn(s, login, "Demo-only!1", "Sales"))
}

func rowOf(t *testing.T, db querier, query string) string {
	t.Helper()
	got, err := rows(db, query)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	return got[0]
}

// The stopped world tells why it stands still, to those who may know.
func TestCaptureErrorsAreShown(t *testing.T) {
	s := named(t, "capture-stopped")
	db := demo(t, s, "dba")
	want(t, db, scan,
		"0 2026-10-02T11:00:00.153Z 2026-10-02T11:00:00.153Z Done 1 0 0 0000002a:00030d01:0001",
		"1 2026-10-02T11:00:00.153Z 2026-10-02T11:00:00.153Z Done 1 0 0 0000002a:00030d01:0001")
	want(t, db, "SELECT e.error_number, e.phase_number, e.entry_time, m.text FROM sys.dm_cdc_errors AS e "+
		"LEFT JOIN sys.messages AS m ON m.message_id = e.error_number AND m.language_id = 1033",
		"9002 7 2026-10-02T11:05:03Z The transaction log for database '%.*ls' is full due to '%ls'.")
	want(t, demo(t, s, "clerk"), "SELECT OrderId FROM dbo.Orders WHERE OrderId = 1000001 AND StatusCode >= 0", "1000001")
	wantError(t, demo(t, s, "clerk"), "SELECT CustomerName FROM dbo.Orders", 230)
}

func TestScanViewsAreDenied(t *testing.T) {
	s := catalogue(t)
	nothing, watcher := as(t, s, "nothing"), as(t, s, "watcher")
	for _, v := range []string{"sys.dm_cdc_log_scan_sessions", "sys.dm_cdc_errors"} {
		wantError(t, nothing, "SELECT session_id FROM "+v, 297)
		if _, err := rows(watcher, "SELECT session_id FROM "+v); err != nil {
			t.Errorf("%s: %v", v, err)
		}
	}
	wantError(t, watcher, "SELECT status_desc FROM sys.dm_server_services", 300, "VIEW SERVER SECURITY STATE")
	wantError(t, watcher, "SELECT name FROM msdb.dbo.sysjobs", 229, "'sysjobs'", "'msdb'")
	wantError(t, nothing, "SELECT start_execution_date FROM msdb.dbo.sysjobactivity", 229, "'sysjobactivity'")
	want(t, nothing, "SELECT severity FROM sys.messages WHERE message_id = 9002", "17")
	want(t, watcher, "SELECT HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER SECURITY STATE'), HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'VIEW DATABASE PERFORMANCE STATE')", "0 1")
}

// A column's name in HAS_PERMS_BY_NAME stands without brackets.
func TestRightsOnColumns(t *testing.T) {
	partial := as(t, catalogue(t), "partial")
	want(t, partial, "SELECT c.name, HAS_PERMS_BY_NAME(N'dbo.Orders', N'OBJECT', N'SELECT', c.name, N'COLUMN') FROM sys.columns AS c "+
		"WHERE c.object_id = OBJECT_ID(N'dbo.Orders') AND c.column_id < 5 ORDER BY c.column_id", "Id 1", "Name 1", "Secret 0")
	want(t, partial, "SELECT HAS_PERMS_BY_NAME(N'dbo.Orders', N'OBJECT', N'SELECT', N'[Name]', N'COLUMN')", "0")
}

// The Agent runs the jobs: while it is stopped, none can be started.
func TestAgent(t *testing.T) {
	s := named(t, "orders-clock-change")
	db := demo(t, s, "dba")
	jobs := "SELECT c.job_type, j.name, j.enabled, a.start_execution_date, a.stop_execution_date FROM msdb.dbo.cdc_jobs AS c " +
		"JOIN msdb.dbo.sysjobs AS j ON j.job_id = c.job_id JOIN msdb.dbo.sysjobactivity AS a ON a.job_id = c.job_id WHERE c.database_id = DB_ID() ORDER BY c.job_type"
	want(t, db, jobs, "capture cdc.Sales_capture 1 2024-05-13T09:31:00Z NULL", "cleanup cdc.Sales_cleanup 1 2026-10-26T02:00:00Z 2026-10-26T02:00:01Z")
	services := "SELECT servicename, status_desc FROM sys.dm_server_services ORDER BY servicename"
	want(t, db, services, "SQL Server (MSSQLSERVER) Running", "SQL Server Agent (MSSQLSERVER) Running")

	w, err := fakeserver.Named("capture-stopped")
	if err != nil {
		t.Fatal(err)
	}
	w.Server.AgentStopped = true
	s = serve(t, w, fakeserver.Options{})
	db = demo(t, s, "dba")
	want(t, db, services, "SQL Server (MSSQLSERVER) Running", "SQL Server Agent (MSSQLSERVER) Stopped")
	want(t, db, jobs, "capture cdc.Sales_capture 1 2024-05-13T09:31:00Z 2026-10-02T11:00:00.153Z", "cleanup cdc.Sales_cleanup 1 2026-10-05T02:00:00Z 2026-10-05T02:00:01Z")
	for what, err := range map[string]error{"capture": s.StartCapture("Sales"), "cleanup": second(s.RunCleanup("Sales"))} {
		if err == nil || !strings.Contains(err.Error(), "Agent is stopped") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func second(_ *fakeserver.LSN, err error) error { return err }

func TestAgentAndErrorsInWorlds(t *testing.T) {
	for says, break_ := range map[string]func(*fakeserver.World){
		"capture_stopped: true is needed": func(w *fakeserver.World) { w.Databases[0].CaptureStopped, w.Server.AgentStopped = false, true },
		"capture_errors[0].local_time":    func(w *fakeserver.World) { w.Databases[0].CaptureErrors[0].LocalTime = "soon" },
		"a number and a message":          func(w *fakeserver.World) { w.Databases[0].CaptureErrors[0].Message = "" },
		"9 is not 0 to 8":                 func(w *fakeserver.World) { w.Databases[0].CaptureErrors[0].Phase = 9 },
	} {
		w, err := fakeserver.Named("capture-stopped")
		if err != nil {
			t.Fatal(err)
		}
		break_(w)
		if _, err := fakeserver.Start(w, fakeserver.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// Azure SQL Database has no Agent.
func TestAzureHasNoAgent(t *testing.T) {
	w := load(t, "catalogue.json")
	w.Server.EngineEdition = 5
	for i := range w.Logins {
		for k := len(w.Logins[i].Users) - 1; k >= 0; k-- {
			if w.Logins[i].Users[k].Database == "msdb" {
				w.Logins[i].Users = append(w.Logins[i].Users[:k], w.Logins[i].Users[k+1:]...)
			}
		}
		if w.Logins[i].DefaultDatabase == "" && w.Logins[i].SysAdmin {
			w.Logins[i].DefaultDatabase = "Sales"
		}
	}
	db := as(t, serve(t, w, fakeserver.Options{}), "dba")
	wantError(t, db, "SELECT status FROM sys.dm_server_services", 208)
}
