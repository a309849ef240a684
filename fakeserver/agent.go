package fakeserver

import (
	"strings"
	"time"

	"cdcseed/fakeserver/tsql"
)

// servicesView is sys.dm_server_services: the engine and the Agent, which runs
// the CDC jobs. Azure SQL Database has neither the view nor an Agent.
func servicesView(h *host) *view {
	if h.azure() {
		return nil
	}
	return &view{
		columns: "servicename nvarchar(256)!, startup_type int, startup_type_desc nvarchar(256)!, status int, status_desc nvarchar(256)!, process_id int, " +
			"last_startup_time datetimeoffset(7), service_account nvarchar(256)!, filename nvarchar(256)!, is_clustered nvarchar(1)!, cluster_nodename nvarchar(256)",
		rows: func(*session, *database) [][]any {
			service := func(name string, runs bool, program string) []any {
				row := []any{name + " (MSSQLSERVER)", int64(2), "Automatic", int64(4), "Running", int64(1388), createdAt(), `NT Service\` + name, program, "N", nil}
				if !runs {
					row[3], row[4], row[5], row[6] = int64(1), "Stopped", nil, nil
				}
				return row
			}
			return [][]any{
				service("SQL Server", true, "sqlservr.exe"),
				service("SQL Server Agent", !h.settings.AgentStopped, "SQLAGENT.EXE"),
			}
		},
		denied: func(s *session, _ *database) error {
			if s.login.SysAdmin || s.login.ServerState {
				return nil
			}
			what := "VIEW SERVER STATE"
			if h.major >= 16 {
				what = "VIEW SERVER SECURITY STATE"
			}
			return tsql.Errorf(300, 14, "%s permission was denied on object 'server', database 'master'.", what)
		},
	}
}

var msdbTables = []string{"cdc_jobs", "sysjobs", "sysjobactivity"}

// msdbTable is a table of msdb, which holds the Agent's jobs, by its name.
// They need SELECT like any table.
func msdbTable(h *host, name string) *view {
	var v *view
	switch name = strings.ToLower(name); name {
	case "cdc_jobs":
		v = cdcJobs(h)
	case "sysjobs":
		v = agentJobs(h)
	case "sysjobactivity":
		v = jobActivity(h)
	default:
		return nil
	}
	v.denied = func(s *session, d *database) error {
		if s.mayRead(d, "dbo", name, "") {
			return nil
		}
		return errNoSelect(d, "dbo", name)
	}
	return v
}

// cdcJobs is msdb.dbo.cdc_jobs.
func cdcJobs(h *host) *view {
	return &view{
		columns: "database_id int!, job_type nvarchar(20)!, job_id uniqueidentifier, maxtrans int, maxscans int, continuous bit, " +
			"pollinginterval bigint, retention bigint, threshold bigint",
		rows: h.eachJob(func(d *database, j job) []any {
			return []any{d.id, j.kind, j.id, j.maxTrans, j.maxScans, j.continuous, j.polling, j.retention, j.threshold}
		}),
	}
}

// agentJobs is msdb.dbo.sysjobs, with the CDC jobs only.
func agentJobs(h *host) *view {
	return &view{
		columns: "job_id uniqueidentifier!, originating_server_id int!, name sysname!, enabled tinyint!, description nvarchar(512), start_step_id int!, " +
			"category_id int!, date_created datetime!, date_modified datetime!, version_number int!",
		rows: h.eachJob(func(d *database, j job) []any {
			return []any{j.id, int64(0), jobName(d, j), int64(1), "CDC " + j.kind + " job", int64(1), int64(16), createdAt(), createdAt(), int64(1)}
		}),
	}
}

// jobActivity is msdb.dbo.sysjobactivity: a capture job that runs was started
// and has not stopped; the cleanup job ran at the last 02:00.
func jobActivity(h *host) *view {
	return &view{
		columns: "session_id int!, job_id uniqueidentifier!, run_requested_date datetime, run_requested_source sysname, queued_date datetime, " +
			"start_execution_date datetime, last_executed_step_id int, last_executed_step_date datetime, stop_execution_date datetime, job_history_id int, " +
			"next_scheduled_run_date datetime",
		rows: h.eachJob(func(d *database, j job) []any {
			start, stop := createdAt(), any(nil)
			switch {
			case j.kind == "cleanup":
				start = h.lastCleanup()
				stop = start.Add(time.Second)
			case d.captureStopped && len(d.mapping) > 0:
				stop = d.mapping[len(d.mapping)-1].end
			case d.captureStopped:
				stop = start
			}
			return []any{int64(1), j.id, start, "4", nil, start, int64(1), start, stop, nil, nil}
		}),
	}
}

// lastCleanup is the last 02:00 on the server's clock.
func (h *host) lastCleanup() time.Time {
	now := h.local()
	at := time.Date(now.Year(), now.Month(), now.Day(), 2, 0, 0, 0, time.UTC)
	if at.After(now) {
		at = at.AddDate(0, 0, -1)
	}
	return at
}

func (h *host) eachJob(row func(*database, job) []any) func(*session, *database) [][]any {
	return func(*session, *database) [][]any {
		var out [][]any
		for _, d := range h.databases {
			for _, j := range d.jobs() {
				out = append(out, row(d, j))
			}
		}
		return out
	}
}

func jobName(d *database, j job) string { return "cdc." + d.name + "_" + j.kind }
