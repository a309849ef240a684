package sqlserver

import (
	"context"
	"database/sql"
	"time"

	"cdcseed/engine/clock"
)

// OwnersRetention is how long the cleanup job keeps changes, by the procedure
// that only a database's owners may call; nil where there is no such job. The
// server's refusal is an error here: see Denied.
func (s *Source) OwnersRetention(ctx context.Context) (keeps *time.Duration, err error) {
	err = s.read(ctx, "help_jobs", func(rows *sql.Rows) error {
		keeps = nil
		scan, err := newNamedScan(rows)
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := scan.next(rows); err != nil {
				return err
			}
			if scan.text("job_type") == "cleanup" {
				d := time.Duration(scan.integer("retention")) * time.Minute
				keeps = &d
			}
		}
		return nil
	})
	return keeps, err
}

// MsdbRetention reads the same from msdb, for which a grant there is enough.
func (s *Source) MsdbRetention(ctx context.Context) (*time.Duration, error) {
	var minutes sql.NullInt64
	found, err := s.row(ctx, "msdb_jobs", []any{&minutes})
	if err != nil || !found || !minutes.Valid {
		return nil, err
	}
	d := time.Duration(minutes.Int64) * time.Minute
	return &d, nil
}

// AgentJob is how SQL Server Agent runs a CDC job. Times are on the server's clock.
type AgentJob struct {
	Kind    string // capture or cleanup
	Name    string
	Enabled bool
	Started *clock.Local // when it was last started, nil where never since the Agent was
	Ended   *clock.Local // when that run ended; nil while it runs
}

// AgentJobs reads how the Agent runs the database's CDC jobs.
func (s *Source) AgentJobs(ctx context.Context) (jobs []AgentJob, err error) {
	err = s.read(ctx, "agent_jobs", func(rows *sql.Rows) error {
		jobs = nil
		for rows.Next() {
			var j AgentJob
			var started, ended sql.NullTime
			if err := rows.Scan(&j.Kind, &j.Name, &j.Enabled, &started, &ended); err != nil {
				return err
			}
			j.Started, j.Ended = wallOf(started), wallOf(ended)
			jobs = append(jobs, j)
		}
		return nil
	})
	return jobs, err
}

func wallOf(t sql.NullTime) *clock.Local {
	if !t.Valid {
		return nil
	}
	l := clock.WallOf(t.Time)
	return &l
}

// AgentService is what the server says of SQL Server Agent: "Running",
// "Stopped"; empty where it lists none.
func (s *Source) AgentService(ctx context.Context) (string, error) {
	var name, status sql.NullString
	_, err := s.row(ctx, "agent_service", []any{&name, &status})
	return status.String, err
}

// ScanSession is one stretch of reading the log. While nothing is to be captured,
// the newest one goes on. Times are on the server's clock.
type ScanSession struct {
	ID      int64
	Started clock.Local
	Ended   *clock.Local // nil while it reads
	Phase   string
	Errors  int64
	Latency time.Duration // from a commit to its capture
	Empty   int64         // times that it found nothing since
}

// ScanSession is the newest log scan session, nil where there is none since the
// server was started.
func (s *Source) ScanSession(ctx context.Context) (*ScanSession, error) {
	var x ScanSession
	var started, ended sql.NullTime
	var phase sql.NullString
	var failed, latency, empty sql.NullInt64
	found, err := s.row(ctx, "scan_session", []any{&x.ID, &started, &ended, &phase, &failed, &latency, &empty})
	if err != nil || !found {
		return nil, err
	}
	x.Started, x.Ended = clock.WallOf(started.Time), wallOf(ended)
	x.Phase, x.Errors, x.Empty = phase.String, failed.Int64, empty.Int64
	x.Latency = time.Duration(latency.Int64) * time.Second
	return &x, nil
}

// ScanError is an error that capture met. Its text is the one that the server
// has for the number, with places for values: what the message itself says may
// hold a row's.
type ScanError struct {
	At     clock.Local // on the server's clock
	Number int64
	Text   string // empty for a number that the server has no text for
}

// ScanErrors are the newest errors of capture that the server remembers, newest
// first, five at most.
func (s *Source) ScanErrors(ctx context.Context) (list []ScanError, err error) {
	err = s.read(ctx, "scan_errors", func(rows *sql.Rows) error {
		list = nil
		for rows.Next() {
			var at sql.NullTime
			var number sql.NullInt64
			var text sql.NullString
			if err := rows.Scan(&at, &number, &text); err != nil {
				return err
			}
			list = append(list, ScanError{clock.WallOf(at.Time), number.Int64, text.String})
		}
		return nil
	})
	return list, err
}
