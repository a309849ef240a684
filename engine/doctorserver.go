package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// connect opens the session and tells who was reached, and how. Without a
// session, the copy and the target are still looked at.
func (d *doctor) connect(ctx context.Context) error {
	o := d.options
	s, err := Open(ctx, d.request, o.Password, o.Now, o.Prompt)
	if errors.Is(err, verdict.Usage) || errors.Is(err, verdict.Stopped) || err != nil && ctx.Err() != nil {
		return stoppedInspecting(ctx, err)
	}
	if err != nil {
		d.section("connection", []Finding{stops(err)})
		return nil
	}
	d.session = s
	id, how := s.identity, s.source.Connection()
	found := finds(
		s.reached(),
		verdict.Okay(fmt.Sprintf("database %s, %s", id.Database, id.Edition), verdict.Facts("engine edition", id.EngineEdition, "database id", id.DatabaseID)...),
		encryptionCheck(how, s.onTrust()),
		verdict.Okay(fmt.Sprintf("signed in as %s with %s", id.Login, signInText(how))),
	)
	found = append(found, finds(s.onReplica()...)...)
	if !id.ReadOnly {
		found = append(found, finds(verdict.Okay("the database can be written: it is no read-only replica"))...)
	}
	d.section("connection", found)
	return nil
}

// reached says which server answered.
func (s *Session) reached() verdict.Check {
	return verdict.Okay(fmt.Sprintf("connected: %s on %s", s.identity.Product(), s.identity.Server))
}

func encryptionCheck(how sqlserver.Connection, untrusted []verdict.Check) verdict.Check {
	switch {
	case len(untrusted) > 0:
		return untrusted[0]
	case how.Encrypt == sqlserver.EncryptStrict:
		return verdict.Okay("encrypted from the first byte (TDS 8), and the server's certificate was checked")
	case how.Encrypt == sqlserver.EncryptPinned:
		return verdict.Okay("encrypted, and the server's certificate is the pinned one")
	case how.Encrypted():
		return verdict.Okay("encrypted, and the server's certificate was checked")
	}
	return verdict.Noted("not encrypted, which is offered for a server on this machine only", "")
}

func signInText(how sqlserver.Connection) string {
	switch {
	case how.SignIn != "":
		return string(how.SignIn)
	case how.User == "":
		return "the operating system's sign-on"
	}
	return "a SQL login"
}

// lookAtClock tells how the server's clock is read, and whether it holds together.
func (d *doctor) lookAtClock(ctx context.Context) []Finding {
	if d.session == nil {
		return nil
	}
	c, err := ask(ctx, d, "the server's clock", func(ctx context.Context) (sqlserver.ServerClock, error) {
		return d.session.source.Clock(ctx, d.session.zone)
	})
	if err != nil {
		return []Finding{stops(err)}
	}
	d.clock, d.here = &c, d.session.now()
	v := d.view()
	checks := clockChecks(v, c, d.here)
	switch {
	case c.Named:
		checks = append(checks, verdict.Okay(fmt.Sprintf("the server names its time zone itself: %s", c.Clock.Zone)))
	case !c.Clock.IsOffset():
		checks = append(checks, verdict.Okay(fmt.Sprintf("the time zone is the one that --time-zone names: %s", c.Clock.Zone)))
	}
	both := fmt.Sprintf("GETDATE reads %s, SYSUTCDATETIME %s", c.Wall.FloorSecond(), c.UTC.FloorSecond())
	if c.Disagrees == nil {
		checks = append(checks, verdict.Okay(both+": they agree, and no captured commit is later"))
	} else {
		checks = append(checks, verdict.Noted(both, ""))
	}
	return finds(checks...)
}

// view is the server as the inspections show it, without what is read for it.
func (d *doctor) view() SourceView {
	v := SourceView{Identity: d.session.identity, Retention: d.set}
	if c := d.clock; c != nil {
		v.Clock, v.Now, v.Ahead = c.Clock.String(), c.UTC, c.UTC.Sub(d.here)
		if c.Newest != nil {
			v.Newest = &c.Newest.UTC
		}
	}
	return v
}

// position says an LSN with its time in UTC and on the server's clock.
func (d *doctor) position(l lsn.LSN, at *clock.Instant) string {
	if at == nil {
		return l.String() + ", commit time not known"
	}
	return fmt.Sprintf("%s, committed %s", l, d.bothTimes(*at))
}

// bothTimes is a moment in UTC and on the server's clock.
func (d *doctor) bothTimes(at clock.Instant) string {
	text := at.String()
	if d.clock == nil {
		return text
	}
	if local, err := d.clock.Clock.Wall(at); err == nil {
		text += fmt.Sprintf(" (server %s)", local)
	}
	return text
}

// lookAtCDC tells whether the database has CDC, how far capture has come, and
// what the server says of the job that does it.
func (d *doctor) lookAtCDC(ctx context.Context) []Finding {
	if d.session == nil {
		return nil
	}
	_, err := ask(ctx, d, "whether CDC is on", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, d.session.source.CheckCDC(ctx)
	})
	if err != nil {
		return []Finding{stops(err)}
	}
	d.on = true
	found := d.captured(ctx)
	found = append(found, d.scans(ctx)...)
	found = append(found, d.agent(ctx)...)
	d.askRetention(ctx)
	return found
}

// captured says how far capture has come.
func (d *doctor) captured(ctx context.Context) []Finding {
	if d.clock == nil {
		return finds(verdict.Okay("CDC is on for " + d.session.identity.Database))
	}
	v := d.view()
	c := v.captures()
	top, err := ask(ctx, d, "the newest captured position", d.session.source.MaxLSN)
	switch {
	case err != nil:
		return append(finds(c), stops(err))
	case top == nil:
		f := advised(c, "Try again in a few minutes.", "If it stays so, see whether the capture job (SQL Server Agent) runs.")
		f.Level, f.Cause = verdict.Stop, verdict.NothingCaptured
		return []Finding{f}
	}
	var at *clock.Instant
	if n := d.clock.Newest; n != nil && n.LSN == *top {
		at = &n.UTC
	}
	if v.Newest != nil && v.Now.Sub(*v.Newest) > captureStands {
		c = verdict.Warned(verdict.CaptureStopped, c.Text, c.Why, c.Facts...)
	}
	return append(finds(c), finds(verdict.Okay("newest captured position: "+d.position(*top, at)))...)
}

// captureStands is how old the newest captured commit is where as_of would be
// warned of a capture job that stands still.
const captureStands = 6 * captureLate

// scans tells what the server remembers of reading the log.
func (d *doctor) scans(ctx context.Context) []Finding {
	const grant = "GRANT VIEW DATABASE STATE TO {user};"
	var found []Finding
	x, ok := optional(ctx, d, optionalRead{name: "sys.dm_cdc_log_scan_sessions", shows: "when capture last read the log", grant: grant}, d.session.source.ScanSession)
	if ok {
		found = append(found, d.scan(x))
	}
	list, ok := optional(ctx, d, optionalRead{name: "sys.dm_cdc_errors", shows: "errors that capture met", grant: grant}, d.session.source.ScanErrors)
	if ok && len(list) == 0 {
		found = append(found, finds(verdict.Okay("the server remembers no error of capture"))...)
	}
	for _, e := range list {
		text := fmt.Sprintf("capture met error %d at %s on the server's clock", e.Number, e.At.FloorSecond())
		if e.Text != "" {
			text += ": " + e.Text
		}
		found = append(found, advised(verdict.Noted(text, "The message itself is left out here: it may hold a row's values."),
			"SELECT * FROM sys.dm_cdc_errors shows it in full."))
	}
	return found
}

func (d *doctor) scan(x *sqlserver.ScanSession) Finding {
	if x == nil {
		return advised(verdict.Noted("the log was not read since the server was started", "Capture reads it; without that there are no changes."),
			"See whether the capture job runs.")
	}
	if x.Ended == nil {
		return Finding{Check: verdict.Okay(fmt.Sprintf("the log is being read since %s on the server's clock (session %d, phase %s)", x.Started.FloorSecond(), x.ID, x.Phase))}
	}
	text := fmt.Sprintf("the log was last read until %s on the server's clock (session %d, phase %s, latency %s, %s)",
		x.Ended.FloorSecond(), x.ID, x.Phase, words(x.Latency), verdict.Plural(x.Errors, "error", "errors"))
	if d.clock != nil {
		if age := d.clock.Wall.Sub(*x.Ended); age > captureLate {
			return advised(verdict.Noted(fmt.Sprintf("%s, %s ago", text, words(age)), "A capture job that runs reads it every few seconds."), "See whether the capture job runs.")
		}
	}
	return Finding{Check: verdict.Okay(text)}
}

// agent tells whether SQL Server Agent runs, and the jobs of CDC in it.
func (d *doctor) agent(ctx context.Context) []Finding {
	const stands = "L is safe, but the stream gets no changes until capture runs again."
	var found []Finding
	status, ok := optional(ctx, d, optionalRead{name: "sys.dm_server_services", shows: "whether SQL Server Agent runs", grant: "USE master; GRANT VIEW SERVER STATE TO {login};"},
		d.session.source.AgentService)
	switch {
	case ok && status == "Running":
		found = finds(verdict.Okay("SQL Server Agent runs"))
	case ok && status == "":
		found = finds(verdict.Noted("the server lists no SQL Server Agent", "Where it is not used, something else runs the jobs of CDC."))
	case ok:
		found = []Finding{advised(verdict.Warned(verdict.CaptureStopped, "SQL Server Agent does not run: "+status, stands), "Let the server's administrator start it.")}
	}
	jobs, ok := optional(ctx, d, optionalRead{
		name: "msdb.dbo.sysjobs and sysjobactivity", shows: "whether the jobs of CDC are enabled and run",
		grant: "USE msdb; " + msdbUser + " GRANT SELECT ON dbo.cdc_jobs TO {login}; GRANT SELECT ON dbo.sysjobs TO {login}; GRANT SELECT ON dbo.sysjobactivity TO {login};",
	}, d.session.source.AgentJobs)
	if ok && !slices.ContainsFunc(jobs, func(j sqlserver.AgentJob) bool { return j.Kind == "capture" }) {
		found = append(found, finds(verdict.Noted("SQL Server Agent has no capture job for this database", "Something else captures, or nothing does."))...)
	}
	for _, j := range jobs {
		found = append(found, jobFinding(j, stands))
	}
	return found
}

func jobFinding(j sqlserver.AgentJob, stands string) Finding {
	name := fmt.Sprintf("the %s job %s", j.Kind, j.Name)
	switch {
	case !j.Enabled:
		return advised(verdict.Noted(name+" is disabled", ""), "Ask the server's administrator whether that is meant.")
	case j.Started == nil:
		return Finding{Check: verdict.Noted(name+" has not been started since the Agent was", "")}
	case j.Ended == nil:
		return Finding{Check: verdict.Okay(fmt.Sprintf("%s runs since %s on the server's clock", name, j.Started.FloorSecond()))}
	case j.Kind == "capture":
		return advised(verdict.Warned(verdict.CaptureStopped, fmt.Sprintf("%s ended at %s on the server's clock", name, j.Ended.FloorSecond()), stands),
			"Let a database owner run EXEC sys.sp_cdc_start_job; and see why it ended.")
	}
	return Finding{Check: verdict.Okay(fmt.Sprintf("%s ran last until %s on the server's clock", name, j.Ended.FloorSecond()))}
}
