package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

func (k *kit) diagnose(o engine.DiagnoseOptions) engine.Diagnosis {
	k.t.Helper()
	o.Tool, o.Now = "cdcseed/test", k.now
	before := k.tree()
	d, err := engine.Diagnose(k.t.Context(), k.request, o)
	if err != nil {
		k.t.Fatal(err)
	}
	same(k.t, "diagnosing", before, k.tree())
	return d
}

// names are the sections in their order.
func names(d engine.Diagnosis) string {
	var out []string
	for _, s := range d.Sections {
		out = append(out, s.Name)
	}
	return strings.Join(out, " ")
}

// said are the lines of a section: level, cause and text.
func said(d engine.Diagnosis, section string) []string {
	var out []string
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			if s.Name == section {
				out = append(out, strings.Replace(string(f.Level)+" "+string(f.Cause)+" "+f.Text, "  ", " ", 1))
			}
		}
	}
	return out
}

// has fails unless a section has a line with every word.
func has(t *testing.T, d engine.Diagnosis, section string, words ...string) {
	t.Helper()
	lines := said(d, section)
	if !slices.ContainsFunc(lines, func(l string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(l, w) })
	}) {
		t.Errorf("%s does not say %q:\n%s", section, words, strings.Join(lines, "\n"))
	}
}

// advises fails unless some finding says to do something with these words.
func advises(t *testing.T, d engine.Diagnosis, words string) {
	t.Helper()
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			if slices.ContainsFunc(f.Do, func(do string) bool { return strings.Contains(do, words) }) {
				return
			}
		}
	}
	t.Errorf("nothing says to do %q", words)
}

// Everything is told in the words of the inspections, which are planning's.
func TestDiagnosisTellsWhatTheInspectionsDo(t *testing.T) {
	k := newKit(t).withFacts()
	k.writeCopy("a.parquet", orders(3))
	d := k.diagnose(engine.DiagnoseOptions{})
	if got := names(d); got != "connection clock cdc permissions tables retention copy target as_of" {
		t.Errorf("sections %s", got)
	}
	if d.Exit() != 0 || d.Count(verdict.Stop) != 0 || d.Tool != "cdcseed/test" || d.MadeAt.String() != "2026-10-24T13:00:00Z" {
		t.Errorf("exit %d, %+v", d.Exit(), d)
	}
	all := map[string]bool{}
	for _, s := range d.Sections {
		for _, f := range s.Findings {
			all[string(f.Level)+" "+f.Text] = true
			if f.Text == "" || strings.HasSuffix(f.Text, ".") || f.Level == verdict.Stop != (f.Cause != "") || f.Level == verdict.Warn != (f.Code != "") {
				t.Errorf("no finding: %+v", f)
			}
		}
	}
	for _, c := range k.inspect().checks {
		differs := c.Text == "this login can read cdc.lsn_time_mapping" // said by that it was
		differs = differs || strings.HasPrefix(c.Text, "columns")
		if !differs && !all[string(c.Level)+" "+c.Text] {
			t.Errorf("the inspections say, and the diagnosis does not: %s %s", c.Level, c.Text)
		}
	}
	has(t, d, "tables", "dbo_orders (3 columns of dbo.orders", "keeps changes from "+lsnAt(0)+", committed 2026-10-24T12:00:00Z (server 2026-10-24T12:00:00)")
	has(t, d, "tables", "as_of may lie back 1 h, to 2026-10-24T12:00:00Z")
	has(t, d, "cdc", "newest captured position: "+lsnAt(59)+", committed 2026-10-24T12:59:00Z")
	has(t, d, "clock", "GETDATE reads 2026-10-24T13:00:00, SYSUTCDATETIME 2026-10-24T13:00:00Z: they agree")
	has(t, d, "copy", "the copy is Parquet files: 1 file, 3 rows")
	has(t, d, "copy", "columns of the copy that nothing captures are left out: etl")
	has(t, d, "copy", "columns: ", "1 left out")
	has(t, d, "as_of", "2026-10-24T12:30:30Z maps to L "+lsnAt(30)+", committed 2026-10-24T12:30:00Z")
	text, err := json.Marshal(d)
	if err != nil || strings.Contains(string(text), "s3cret") {
		t.Errorf("%v: the password is in %s", err, text)
	}
}

// Each cause is found where it is, with its status; the other checks go on.
func TestDiagnosisFindsCauses(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*kit)
		exit    int
		section string
		cause   verdict.Code
	}{
		"purged":         {func(k *kit) { k.cleanUpTo(40); k.request.AsOf = lsnAt(30) }, 4, "as_of", verdict.RetentionPassed},
		"CDC not on yet": {func(k *kit) { k.request.AsOf = "2026-10-24T10:00:00Z" }, 4, "as_of", verdict.CDCNotOnYet},
		"no zone":        {func(k *kit) { k.request.AsOf = "2026-10-24T12:30:30" }, 2, "as_of", verdict.AsOfNoZone},
		"no such table":  {func(k *kit) { k.request.Table = "dbo.nothing" }, 3, "tables", verdict.NoInstance},
		"zone":           {func(k *kit) { k.request.TimeZone = "Nowhere Standard Time" }, 3, "clock", verdict.ZoneUnknown},
		"no copy":        {func(k *kit) { k.request.Copy = k.path("nothing") }, 3, "copy", verdict.CopyNotFound},
		"other files":    {func(k *kit) { k.put("bronze/readme.txt") }, 3, "target", verdict.TargetNotDelta},
		"facts":          {func(k *kit) { k.request.Facts = k.path("facts") }, 2, "target", verdict.FactsIncomplete},
		"another seed": {func(k *kit) {
			if _, err := k.seed(); err != nil {
				k.t.Fatal(err)
			}
			k.request.AsOf = "2026-10-24T12:20:30Z"
		}, 6, "as_of", verdict.TargetHoldsSnapshot},
		"unreachable": {func(k *kit) { k.request.Server = "127.0.0.1,1"; k.request.Encrypt = "none" }, 7, "connection", verdict.SourceUnreachable},
		"login":       {func(k *kit) { k.request.Server = strings.Replace(k.request.Server, "s3cret", "wrong", 1) }, 7, "connection", verdict.LoginFailed},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			k.writeCopy("a.parquet", orders(3))
			c.change(k)
			d := k.diagnose(engine.DiagnoseOptions{})
			if d.Exit() != c.exit {
				t.Errorf("exit %d, want %d", d.Exit(), c.exit)
			}
			has(t, d, c.section, "stop "+string(c.cause))
			for _, s := range d.Sections {
				for _, f := range s.Findings {
					if f.Level == verdict.Stop && len(f.Do) == 0 {
						t.Errorf("nothing to do about: %s", f.Text)
					}
				}
			}
			if !strings.HasSuffix(names(d), "copy target as_of") && c.section != "connection" || !strings.Contains(names(d), "copy target") {
				t.Errorf("only %s", names(d))
			}
		})
	}
}

// kitOn is a kit on a world that is built in.
func kitOn(t *testing.T, w *fakeserver.World) *kit {
	t.Helper()
	s, err := fakeserver.Start(w, fakeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	k := &kit{t: t, server: s, dir: t.TempDir(), now: s.Now}
	k.request.Server = s.URL()
	return k
}

func (k *kit) put(name string) {
	k.t.Helper()
	if err := os.MkdirAll(k.path("bronze"), 0o755); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(k.path(name), []byte("x"), 0o600); err != nil {
		k.t.Fatal(err)
	}
}

func (k *kit) cleanUpTo(minute int) {
	k.t.Helper()
	mark, err := fakeserver.ParseLSN(lsnAt(minute))
	if err != nil {
		k.t.Fatal(err)
	}
	if _, err := k.server.Cleanup("Sales", mark); err != nil {
		k.t.Fatal(err)
	}
}

// Without a server the copy and the target are looked at by themselves.
func TestDiagnosisWithoutASource(t *testing.T) {
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	k.request.Server, k.request.Encrypt = "127.0.0.1,1", "none"
	d := k.diagnose(engine.DiagnoseOptions{})
	if got := names(d); got != "connection copy target" {
		t.Errorf("sections %s", got)
	}
	has(t, d, "copy", "ok the copy is Parquet files: 1 file, 3 rows")
	has(t, d, "copy", "note the copy is not compared with the table")
	has(t, d, "target", "ok the target is missing: it is made first")
}

// held is a world whose login may do something else there, in the words of a
// world file.
func held(text, user string) string {
	return strings.Replace(text, `"select": [{"on": "dbo"}]`, user, 1)
}

const owner = `"roles": ["db_owner"]`

// sourceOnly asks for nothing but the server and the table.
func (k *kit) sourceOnly() *kit {
	k.request.Copy, k.request.Target, k.request.AsOf = "", "", ""
	return k
}

// What cleanup keeps stands beside what is kept, and whether they agree (case 49).
func TestDiagnosisRetentionSideBySide(t *testing.T) {
	w := held(world, owner)
	k := kitOf(t, strings.Replace(w, "2026-10-24T11:00:00", "2026-10-20T11:00:00", 1)).sourceOnly()
	k.cleanUpTo(50)
	d := k.diagnose(engine.DiagnoseOptions{})
	has(t, d, "retention", "ok CDC keeps changes for 3 d")
	has(t, d, "retention", "note dbo_orders: as set 3 d, as seen 10 m", "they do not agree, something else cleans the change tables")
	advises(t, d, "sys.sp_cdc_cleanup_change_table")

	d = kitOf(t, strings.Replace(w, "2026-10-24T11:00:00", "2026-10-24T11:30:00", 1)).sourceOnly().diagnose(engine.DiagnoseOptions{})
	has(t, d, "retention", "ok dbo_orders: as set 3 d, as seen 1 h", "it was created only then")

	k = kitOf(t, strings.Replace(strings.Replace(w, "4320", "60", 1), "2026-10-24T13:00:00Z", "2026-10-25T20:00:00Z", 1)).sourceOnly()
	if _, err := k.server.Idle("Sales"); err != nil {
		t.Fatal(err)
	}
	has(t, k.diagnose(engine.DiagnoseOptions{}), "retention", "note dbo_orders: as set 1 h, as seen 1 d 8 h", "they do not agree, cleanup seems not to run")

	k = kitOf(t, strings.Replace(strings.Replace(w, "4320", "30", 1), "2026-10-24T11:00:00", "2026-10-20T11:00:00", 1)).sourceOnly()
	has(t, k.diagnose(engine.DiagnoseOptions{}), "retention", "ok dbo_orders: as set 30 m, as seen 1 h", ": they agree")

	k = kitOf(t, strings.Replace(w, `, "cleanup": {"retention_minutes": 4320}`, "", 1)).sourceOnly()
	d = k.diagnose(engine.DiagnoseOptions{})
	has(t, d, "retention", "note there is no cleanup job")
	has(t, d, "retention", "ok dbo_orders: as set not known, as seen 1 h")
}

// Each right is told by itself; what only tells more is a note with its grant.
func TestDiagnosisOfRights(t *testing.T) {
	optional := []string{"sys.dm_cdc_log_scan_sessions", "sys.dm_cdc_errors", "sys.dm_server_services", "msdb.dbo.sysjobs", "sys.sp_cdc_help_jobs", "msdb.dbo.cdc_jobs"}

	d := newKit(t).sourceOnly().diagnose(engine.DiagnoseOptions{})
	for _, name := range optional {
		has(t, d, "permissions", "note optional, denied: "+name)
	}
	has(t, d, "permissions", "ok SELECT on all 3 columns of dbo.orders that dbo_orders captures")
	has(t, d, "permissions", "note this login may not read the change table of dbo_orders")
	advises(t, d, "GRANT SELECT ON [cdc].[dbo_orders_CT] TO [reader];")
	advises(t, d, "GRANT VIEW DATABASE STATE TO [reader];")
	advises(t, d, "USE msdb; IF USER_ID(N'reader') IS NULL CREATE USER [reader]; GRANT SELECT ON dbo.cdc_jobs TO [reader];")
	if d.Exit() != 0 {
		t.Errorf("what is optional fails: exit %d", d.Exit())
	}

	d = kitOf(t, strings.Replace(held(world, owner), `"password": "s3cret"`, `"password": "s3cret", "sysadmin": true`, 1)).sourceOnly().diagnose(engine.DiagnoseOptions{})
	for _, name := range optional {
		has(t, d, "permissions", "ok optional, readable: "+name)
	}
	has(t, d, "cdc", "ok the log was last read until 2026-10-24T13:00:00 on the server's clock", "0 errors")
	has(t, d, "cdc", "ok the server remembers no error of capture")
	has(t, d, "cdc", "ok SQL Server Agent runs")
	has(t, d, "cdc", "ok the capture job cdc.Sales_capture runs since")

	d = kitOf(t, held(world, `"select": [{"on": "dbo.orders", "columns": ["id"]}]`)).sourceOnly().diagnose(engine.DiagnoseOptions{})
	has(t, d, "permissions", "stop source_denied SELECT is missing on 2 of the 3 columns of dbo.orders")
	has(t, d, "tables", "stop source_denied")
	advises(t, d, "GRANT SELECT ON [dbo].[orders] TO [reader];")

	gated := strings.Replace(world, `"created": "2026-10-24T11:00:00"`, `"created": "2026-10-24T11:00:00", "role": "cdc_readers"`, 1)
	d = kitOf(t, gated).sourceOnly().diagnose(engine.DiagnoseOptions{})
	has(t, d, "permissions", "stop source_denied SELECT on every column of dbo.orders is there, so it is the gating role that is missing")
	d = kitOf(t, held(gated, `"select": [{"on": "dbo"}, {"on": "cdc"}], "roles": ["cdc_readers"]`)).sourceOnly().diagnose(engine.DiagnoseOptions{})
	has(t, d, "permissions", "ok member of cdc_readers, the gating role of dbo_orders")
	has(t, d, "permissions", "ok SELECT on the change table of dbo_orders")

	k := kitOf(t, held(world, `"select": []`)).sourceOnly()
	k.request.Table = ""
	d = k.diagnose(engine.DiagnoseOptions{})
	has(t, d, "permissions", "stop no_instance no captured table may be used by this login")
}

// A capture job that stands still is told from each side that shows it.
func TestDiagnosisOfAStoppedCapture(t *testing.T) {
	w, err := fakeserver.Named("capture-stopped")
	if err != nil {
		t.Fatal(err)
	}
	w.Server.AgentStopped = true
	w.Logins = slices.DeleteFunc(w.Logins, func(l fakeserver.Login) bool { return l.Name != "dba" })
	k := kitOn(t, w).sourceOnly()
	k.request.Table = ""
	d := k.diagnose(engine.DiagnoseOptions{})
	has(t, d, "cdc", "warn", "newest captured commit is 2 d 22 h")
	has(t, d, "cdc", "warn", "SQL Server Agent does not run: Stopped")
	has(t, d, "cdc", "warn", "the capture job cdc.Sales_capture ended at 2026-10-02T11:00:00")
	has(t, d, "cdc", "note the log was last read until 2026-10-02T11:00:00", "2 d 22 h")
	has(t, d, "cdc", "note capture met error 9002 at 2026-10-02T11:05:03", "%.*ls")
	if text, err := json.Marshal(d); err != nil || strings.Contains(string(text), "LOG_BACKUP") {
		t.Errorf("%v: a message's values are in %s", err, text)
	}
	if d.Exit() != 0 {
		t.Errorf("exit %d: a seed could still be made", d.Exit())
	}
}

// Nothing captured, CDC off, an instance that has not started, two of them.
func TestDiagnosisOfCDC(t *testing.T) {
	empty := strings.Replace(world, `"lsn_time_mapping": [{"lsn": "0x10", "local_time": "2026-10-24T12:00:00", "idle": true, "repeat": {"count": 60, "every_seconds": 60, "lsn_step": 16}}]`, `"capture_stopped": true`, 1)
	d := kitOf(t, strings.Replace(empty, `"start_lsn": "0x10", `, "", 1)).sourceOnly().diagnose(engine.DiagnoseOptions{})
	has(t, d, "cdc", "stop nothing_captured CDC is on for Sales; nothing is captured yet")
	has(t, d, "tables", "note dbo_orders (3 columns of dbo.orders", "has no start yet: capture has not seen it")

	off := `{"format": 1, "server": {"product_version": "16.0.4125.3", "time_zone": "UTC", "now": "2026-10-24T13:00:00Z"},
		"logins": [{"name": "reader", "password": "s3cret", "users": [{"database": "Sales"}]}], "databases": [{"name": "Sales"}]}`
	d = kitOf(t, off).diagnose(engine.DiagnoseOptions{})
	has(t, d, "cdc", "stop cdc_off")
	has(t, d, "target", "ok the target is missing")

	w, err := fakeserver.Named("orders-two-instances")
	if err != nil {
		t.Fatal(err)
	}
	k := kitOn(t, w).sourceOnly()
	k.request.Table = "dbo_Orders"
	d = k.diagnose(engine.DiagnoseOptions{})
	has(t, d, "permissions", "ok use 2 capture instances of 1 table")
	has(t, d, "tables", "also captures this table")
	kept := 0
	for _, line := range said(d, "tables") {
		if strings.Contains(line, "keeps changes from") {
			kept++
		}
	}
	if kept != 2 {
		t.Errorf("%d windows", kept)
	}
}

// A question that the server does not answer in time is a line; the rest is told.
func TestDiagnosisOfASlowServer(t *testing.T) {
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	if err := k.server.SetFault(fakeserver.Fault{Match: "cdcseed: max_lsn", Delay: "10m"}); err != nil {
		t.Fatal(err)
	}
	d := k.diagnose(engine.DiagnoseOptions{Limit: 200 * time.Millisecond})
	has(t, d, "cdc", "stop source_unreachable the newest captured position: no answer within 200 ms")
	has(t, d, "tables", "keeps changes from")
	has(t, d, "copy", "the copy is Parquet files")
	if d.Exit() != verdict.ExitUnreachable {
		t.Errorf("exit %d", d.Exit())
	}
}

func TestDiagnosisStops(t *testing.T) {
	k := newKit(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := engine.Diagnose(ctx, k.request, engine.DiagnoseOptions{Now: k.now}); !errors.Is(err, verdict.Stopped) {
		t.Errorf("got %v", err)
	}
	k.request.Encrypt = "maybe"
	if _, err := engine.Diagnose(t.Context(), k.request, engine.DiagnoseOptions{Now: k.now}); !errors.Is(err, verdict.Usage) {
		t.Errorf("got %v", err)
	}
}

// With --reseed each of its conditions is told, met or not.
func TestDiagnosisOfAReseed(t *testing.T) {
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	k.request.Reseed = true
	for _, asOf := range []string{"", "2026-10-24T12:20:30Z", "2026-10-24 12:20"} { // without, with one that is mapped, and with one that is not
		k.request.AsOf = asOf
		d := k.diagnose(engine.DiagnoseOptions{})
		if got := said(d, "reseed"); slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, "ok ") }) {
			t.Errorf("%q: a target without a snapshot meets conditions: %q", asOf, got)
		}
		if all := strings.Join(append(said(d, "reseed"), said(d, "as_of")...), "\n"); strings.Count(all, "stop nothing_to_reseed") != 1 || d.Exit() == verdict.ExitDone {
			t.Errorf("%q: a seed is refused, and the doctor says, with exit %d:\n%s", asOf, d.Exit(), all)
		}
	}
	k.request.Reseed, k.request.AsOf = false, "2026-10-24T12:20:30Z"
	if _, err := k.seed(); err != nil {
		t.Fatal(err)
	}
	k.request.Reseed, k.request.AsOf = true, "2026-10-24T12:20:30Z"
	d := k.diagnose(engine.DiagnoseOptions{})
	has(t, d, "reseed", "stop copy_same_as_seed")
	has(t, d, "reseed", "ok no stream of the target has an unfinished snapshot")
	has(t, d, "reseed", "note not known yet whether the stream that starts from the reseed has an app id")
	if got := strings.Join(said(d, "reseed"), "\n"); len(said(d, "reseed")) != 4 {
		t.Errorf("got\n%s", got)
	}
}
