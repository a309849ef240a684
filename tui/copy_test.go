package tui

import (
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// lake is the story with its copy and an empty target found.
func lake() *script {
	s := orders()
	s.copy = engine.CopyView{
		Kind: "delta", URL: "/lake/sales/orders", Version: ptr(int64(412)), Files: 1984, Rows: 2_128_904_113, Bytes: 612_400_000_000,
		First: at("2026-10-25T00:52:10Z"), Last: at("2026-10-25T03:51:40Z"), Evidence: at("2026-10-25T00:52:10Z"),
		SeenIn: "version 400, CREATE TABLE AS SELECT", Columns: 15, Matched: 13, Missing: []string{"channel_code"}, Extra: []string{"year", "month"},
	}
	s.target = engine.TargetView{
		TargetPlan: engine.TargetPlan{URL: "/lake/bronze/orders", Name: "bronze.orders"}, Protocol: "3/7 (timestampNtz)",
		Facts: &engine.FactsPlan{URL: "/lake/ops/ingestion_facts", AppID: "orders-v1", Version: 7}, Free: ptr(int64(3_100_000_000_000)),
		Checks: []verdict.Check{
			verdict.Okay("the target is a Delta table, version 0, protocol 3/7 (timestampNtz)"),
			verdict.Okay("no snapshot of the table is in the target"),
			verdict.Okay(`the facts table is version 7 and has no row of app id "orders-v1" yet`),
			verdict.Okay("this user can write there"),
		},
	}
	return s
}

func streamRuns() verdict.Check {
	return verdict.Warned(verdict.StreamStopped, "the target holds rows: the stream that writes it must stay stopped until the seed is committed",
		"A stream that commits meanwhile may pass the position that the seed is made for.", verdict.Facts("files", 12, "version", 31)...)
}

func needsNTZ() *verdict.Error {
	return &verdict.Error{
		Code: verdict.TargetNeedsNTZ, What: "the target has no timestampNtz, which placed_at needs",
		Facts: verdict.Facts("protocol", "1/2"), Why: "Enabling it is for good, and older readers can then no longer read the table.",
		Hint: []string{"Add --upgrade-protocol, or run ALTER TABLE ... SET TBLPROPERTIES."},
	}
}

// atCopy opens the wizard on the copy step.
func atCopy(t *testing.T, s *script, r engine.Request) *play {
	t.Helper()
	p := perform(t, s, r)
	p.press("enter", "enter")
	if p.at != copyStep {
		t.Fatalf("the wizard is at %s:\n%s", p.step().title(), p.View())
	}
	return p
}

func (p *play) places() *copyScreen { return p.steps[copyStep-1].(*copyScreen) }

func TestCopyGoldens(t *testing.T) {
	atCopy(t, lake(), ordersRequest()).golden("copy").shows("Ready: 2,128,904,113 rows", "enter next")

	r := ordersRequest()
	r.Copy, r.Target, r.TargetName, r.Facts, r.AppID = "", "", "", "", ""
	atCopy(t, lake(), r).golden("copy-empty").shows("note  Give the copy's path.", "enter (off)")

	s := lake()
	s.copy, s.copyErr = engine.CopyView{}, &verdict.Error{
		Code: verdict.CopyNotFound, What: `there is nothing at "/lake/sales/orders"`,
		Hint: []string{"Check the path: the nearest folder that is there is /lake/sales, with invoices, lines."},
	}
	atCopy(t, s, ordersRequest()).golden("copy-not-found").shows("STOP  Copy: nothing is there. Correct the path. (copy_not_found)")

	s = lake()
	s.copy, s.copyErr = engine.CopyView{}, &verdict.Error{
		Code: verdict.CopyUnreadable, What: `data file "part-00017.parquet" of "/lake/sales/orders" cannot be read`,
		Facts: verdict.Facts("bytes", 1024), Why: "It ends before its footer: it is still being written, or was cut.", Hint: []string{"Wait until the copy is whole, or copy the file again."},
	}
	atCopy(t, s, ordersRequest()).golden("copy-unreadable").shows("copy_unreadable")

	s = lake()
	s.target.Protocol, s.target.NeedsNTZ = "1/2", needsNTZ()
	s.target.Checks[0].Text = "the target is a Delta table, version 0, protocol 1/2"
	atCopy(t, s, ordersRequest()).golden("copy-needs-ntz").shows("(o) leave it: the seed stops   ( ) enable timestampNtz", "target_needs_ntz")

	s = lake()
	s.target.Version, s.target.Files = 31, 12
	s.target.Checks = append([]verdict.Check{streamRuns()}, s.target.Checks...)
	s.target.Checks[2] = verdict.Noted("the target holds a snapshot of the table at 0x0000003100000A280001",
		"With an as_of that maps there, the seed is found and nothing is written; with another it is refused.")
	s.target.Free = ptr(int64(200_000_000_000))
	atCopy(t, s, ordersRequest()).golden("copy-warned").shows("warn  1 warning: enter names it", "has 200.0 GB free, and the copy has 612.4 GB")

	s = lake()
	s.target, s.targetErr = engine.TargetView{}, &verdict.Error{
		Code: verdict.TargetFeature, What: `the target needs the table feature "rowTracking", which a seed cannot honour`,
		Facts: verdict.Facts("target", "/lake/bronze/orders"), Why: "Rows without it would make the table unreadable.", Hint: []string{"Seed a target without it."},
	}
	atCopy(t, s, ordersRequest()).golden("copy-target-feature").shows("STOP  Target: it needs what a seed lacks. Change it. (target_feature)")

	r = ordersRequest()
	r.TargetName = ""
	atCopy(t, lake(), r).golden("copy-facts-incomplete").shows("facts_incomplete", "the target is a Delta table")
}

// While footers are read, how many is told, and what was found before stays.
func TestCopyProgress(t *testing.T) {
	s := lake()
	p := atCopy(t, s, ordersRequest())
	s.footers = func(progress func(done, total int)) {
		progress(40, 1984)
		p.golden("copy-checking").shows("reading 40 of 1,984 file footers", "2,128,904,113 rows", "enter (off)")
		progress(41, 1984) // too soon to be seen
		p.lacks("reading 41")
		progress(1984, 1984)
		p.shows("reading 1,984 of 1,984 file footers")
	}
	p.press("ctrl+r").lacks("footers", "checking").shows("Ready")
}

// A place is looked at when typing rests, and only the one that changed.
func TestCopyLooksWhenTypingRests(t *testing.T) {
	s := lake()
	p := atCopy(t, s, ordersRequest())
	asked := len(s.asked)
	release := p.hold()
	p.write("_new")
	if len(s.asked) != asked {
		t.Error("looked at while one typed")
	}
	p.shows("checking ...", "1,984 files", "enter (off)").press("enter")
	if p.at != copyStep {
		t.Error("went on with a copy that nobody has seen")
	}
	release()
	if last := s.asked[len(s.asked)-1]; last.Copy != "/lake/sales/orders_new" || len(s.asked) != asked+2 {
		t.Errorf("asked %d times, last for %q: once for the copy, once for the target beside it", len(s.asked)-asked, last.Copy)
	}
	asked = len(s.asked)
	p.press("tab", "tab").write("2")
	if len(s.asked) != asked+1 || s.asked[asked].TargetName != "bronze.orders2" {
		t.Errorf("a target's name asked %d times", len(s.asked)-asked)
	}
	asked = len(s.asked)
	release = p.hold()
	p.write("3").press("backspace")
	release()
	if len(s.asked) != asked {
		t.Error("what is known was looked at again")
	}
	p.shows("Ready")
}

func TestCopyPaste(t *testing.T) {
	r := ordersRequest()
	r.Copy, r.Target = "", ""
	p := atCopy(t, lake(), r)
	p.paste(" '/lake/my orders' \n").shows("/lake/my orders_").lacks("'/lake")
	p.press("tab").paste(`"C:\lake\t"`)
	if p.answers.Copy != "/lake/my orders" || p.answers.Target != `C:\lake\t` {
		t.Errorf("%q, %q", p.answers.Copy, p.answers.Target)
	}
	p.press("shift+tab").write("'") // one quote alone belongs to the path
	if p.answers.Copy != "/lake/my orders'" {
		t.Errorf("%q", p.answers.Copy)
	}
}

// Relative paths are shown as what they are.
func TestCopyShowsWholePaths(t *testing.T) {
	r := ordersRequest()
	r.Copy, r.Target = "sales/orders", "./bronze/orders"
	s := lake()
	s.target.URL = "/home/ana/bronze/orders"
	atCopy(t, s, r).shows("At         /lake/sales/orders", "At         /home/ana/bronze/orders")
}

// Enter goes to what is missing.
func TestCopyMissing(t *testing.T) {
	r := ordersRequest()
	r.Copy, r.Target, r.TargetName, r.AppID = "", "", "", ""
	p := atCopy(t, lake(), r).shows("Give the copy's path.")
	p.write("/lake/c").press("enter").write("/lake/t").shows("Give the app id")
	p.press("enter").write("orders-v2").shows("Give the name in the job").press("enter").write("bronze.o")
	want := ordersRequest()
	want.Copy, want.Target, want.TargetName, want.AppID = "/lake/c", "/lake/t", "bronze.o", "orders-v2"
	if got := p.answers.Request; strings.Join(got.Args(), " ") != strings.Join(want.Args(), " ") {
		t.Errorf("%q, want %q", got.Args(), want.Args())
	}
	p.shows("Ready").press("enter")
	if p.at != asOfStep {
		t.Error("not on as of")
	}
}

// A facts table that nothing can be recorded in yet hides nothing of the target.
func TestCopyFactsAreOptional(t *testing.T) {
	r := ordersRequest()
	r.Facts, r.AppID = "", ""
	p := atCopy(t, lake(), r).shows("Ready", "no facts table: the stream finds the seed by its rows in the target")
	p.press("tab", "tab", "tab").write("/lake/f").shows("facts_incomplete", "without the stream's app id", "the target is a Delta table", "enter (off)")
	if last := p.script.asked[len(p.script.asked)-1]; last.Facts != "" {
		t.Errorf("facts table %q was asked for without its app id", last.Facts)
	}
	p.press("tab").write("orders-v1").shows("Ready")
	if last := p.script.asked[len(p.script.asked)-1]; last.Facts != "/lake/f" {
		t.Errorf("the facts table was not looked at: %q", last.Facts)
	}
}

// The question on the protocol comes when it matters; its answer is part of the command.
func TestCopyProtocol(t *testing.T) {
	s := lake()
	p := atCopy(t, s, ordersRequest()).lacks("Protocol")
	s.target.NeedsNTZ = needsNTZ()
	p.press("ctrl+r").shows("Protocol", "enter (off)", "target_needs_ntz")
	p.press("enter").shows("> Protocol")
	if p.at != copyStep {
		t.Fatal("went on with a target that cannot be written")
	}
	s.target.NeedsNTZ = nil
	s.target.UpgradeNTZ = true
	p.press(" ").shows("(o) enable timestampNtz", "Ready", "--upgrade-protocol")
	if !s.asked[len(s.asked)-1].UpgradeProtocol {
		t.Error("the engine was not told")
	}
	s.target.NeedsNTZ = needsNTZ()
	p.press(" ").shows("(o) leave it", "enter (off)")
}

// A warning is accepted by another enter; told with other values it is asked again.
func TestCopyWarning(t *testing.T) {
	s := lake()
	s.target.Checks = append(s.target.Checks, streamRuns())
	p := atCopy(t, s, ordersRequest())
	p.press("enter").shows("stream_must_be_stopped: enter again accepts it")
	p.press("enter")
	if p.at != asOfStep {
		t.Fatal("not accepted")
	}
	p.press("esc").shows("(accepted)")
	s.target.Checks[len(s.target.Checks)-1].Facts = verdict.Facts("files", 13, "version", 32)
	p.press("ctrl+r").lacks("(accepted)").shows("1 warning: enter names it")
}

func TestCopyLateReplies(t *testing.T) {
	p := atCopy(t, lake(), ordersRequest())
	late := engine.CopyView{Kind: "parquet", Files: 1, Rows: 1}
	p.hear(reply[engine.CopyView]{step: copyStep, gen: p.places().copy.gen - 1, value: late})
	p.hear(reply[engine.TargetView]{step: copyStep, gen: p.places().copy.gen, err: needsNTZ()})
	p.hear(progressed{step: copyStep, gen: p.places().copy.gen, text: "reading 1 of 2 file footers"}) // its job has ended
	p.hear(pause{step: copyStep, gen: p.places().target.gen - 1})
	p.shows("1,984 files", "Ready").lacks("reading 1", "checking")
}

// Going back keeps answers; another table makes both be looked at again.
func TestCopyAfterAnEarlierChange(t *testing.T) {
	s := lake()
	s.tables = sales().tables
	s.tableOf = s.lookAt
	r := ordersRequest()
	r.Table = "dbo.Rates"
	p := atCopy(t, s, r)
	p.press("tab", "tab").write("x")
	asked := len(s.asked)
	p.press("esc", "enter").shows("bronze.ordersx")
	if len(s.asked) != asked {
		t.Error("nothing changed, and was looked at again")
	}
	p.press("esc", "up", "enter").shows("bronze.ordersx", "Ready")
	if len(s.asked) != asked+2 || s.asked[asked].Table != "dbo_Orders_v2" {
		t.Errorf("%d more looks after the table changed", len(s.asked)-asked)
	}
}

// A failed look is tried again when the step is entered again.
func TestCopyFailedLook(t *testing.T) {
	s := lake()
	s.targetErr = &verdict.Error{Code: verdict.StoreUnreachable, What: "listing the target: the network is down"}
	p := atCopy(t, s, ordersRequest()).shows("store_unreachable", "the network is down")
	s.targetErr = nil
	p.press("esc", "enter").shows("Ready")
}

func TestCopyLeaving(t *testing.T) {
	p := atCopy(t, lake(), ordersRequest())
	c, target := p.places().copy.renew(p.desk, "looking"), p.places().target.renew(p.desk, "looking")
	p.press("esc")
	if c.Err() == nil || target.Err() == nil {
		t.Error("a look goes on after its step was left")
	}
}

// Names from the copy cannot steer the terminal, and many of them stay few lines.
func TestCopyColumns(t *testing.T) {
	v := engine.CopyView{Columns: 9, Matched: 2, Extra: []string{"a\x1b[2J", "b", "c", "d", "e", "f"}, Missing: []string{"z"}}
	if got, want := columnsFound(v), "9: 2 match by name; missing z; extra a<001B>[2J, b, c, d and 2 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, c := range [][3]string{
		{"2026-10-25T00:52:10Z", "2026-10-25T03:51:00Z", "2026-10-25 00:52Z to 03:51Z"},
		{"2026-10-25T00:52:10Z", "2026-10-26T03:51:00Z", "2026-10-25 00:52Z to 2026-10-26 03:51Z"},
		{"2026-10-25T00:52:10Z", "2026-10-25T00:52:40Z", "2026-10-25 00:52Z"},
	} {
		if got := span(at(c[0]), at(c[1])); got != c[2] {
			t.Errorf("%q, want %q", got, c[2])
		}
	}
}

func notFound() *verdict.Error {
	return &verdict.Error{Code: verdict.CopyNotFound, What: `there is nothing at "/nope/copy"`}
}

// lineOf is the first line of a screen that begins with a text, -1 for none.
func lineOf(screen, text string) int {
	return slices.IndexFunc(strings.Split(screen, "\n"), func(l string) bool { return strings.HasPrefix(l, text) })
}
