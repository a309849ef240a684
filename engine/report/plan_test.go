package report_test

import (
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/report"
)

func TestPlanText(t *testing.T) {
	for _, name := range []string{"ready", "blocked", "append", "seeded", "reseed"} {
		var b strings.Builder
		report.PlanNotRun(&b, plan(t, name))
		golden(t, "plan-"+name+".txt", b.String())
	}
}

// A plan at three in the morning: what it says of each state, in words.
func TestPlanSaysWhatItWouldDo(t *testing.T) {
	for name, says := range map[string][]string{
		"ready": {
			"Nothing was written.", "2 snapshot rows", "made first (version 0), then one commit", "2026-11-01T00:30:00 on the server's clock",
			"committed 2026-11-01T04:20:00Z", "app id orders-v1", "fell_back (accepted): looked up an hour earlier", "2 rounded, such as -0.0050 -> -0.01",
		},
		"blocked": {"open  note is captured", "--missing note=stop|null", "STOP  The copy carries marks of other tools", "STOP  The copy lacks captured columns"},
		"append":  {"version 1 -> 2", "adds columns, which are NULL in the rows there: amount", "stream_must_be_stopped"},
		"reseed": {
			"version 3 -> 4", "the snapshot at 0x000000000000000000B0, 3 rows, committed 2026-10-24T12:10:00Z: silver rebuilds from the new one",
			"reseed (accepted): the seed follows the snapshot at", "app id orders-v2",
		},
		"seeded": {"no rows: the seed is in the target already", "has the row of app id orders-v1 already"},
	} {
		var b strings.Builder
		report.PlanNotRun(&b, plan(t, name))
		text := strings.Join(strings.Fields(b.String()), " ")
		for _, s := range says {
			if !strings.Contains(text, strings.Join(strings.Fields(s), " ")) {
				t.Errorf("%s does not say %q:\n%s", name, s, b.String())
			}
		}
	}
}

// Case 4: whoever agrees to another protocol reads what it costs.
func TestPlanSaysThatTheProtocolGoesUp(t *testing.T) {
	p := plan(t, "append")
	p.Target.UpgradeNTZ = true
	var b strings.Builder
	report.PlanNotRun(&b, p)
	if text := strings.Join(strings.Fields(b.String()), " "); !strings.Contains(text, "enables timestampNtz: protocol 3/7, which older readers can no longer read") {
		t.Error(b.String())
	}
	narrow(t, "protocol", b.String())
}

// A warning that is accepted does not look as if it still had to be.
func TestPlanTellsAcceptedWarnings(t *testing.T) {
	p := plan(t, "reseed")
	p.Accepted = []string{"reseed"}
	var b strings.Builder
	report.PlanNotRun(&b, p)
	if text := b.String(); !strings.Contains(text, "  warn  reseed (accepted): the seed follows") || !strings.Contains(text, "  warn  stream_must_be_stopped: ") {
		t.Error(text)
	}
}

// A seed that is there may still get a facts row.
func TestSeededPlanThatWritesAFactsRow(t *testing.T) {
	p := plan(t, "seeded")
	p.Facts.Present = false
	var b strings.Builder
	report.PlanNotRun(&b, p)
	if !strings.Contains(b.String(), "write      the facts row, and no rows: the seed is in the target already") {
		t.Error(b.String())
	}
}

// Only a plan that is not run says that nothing was written.
func TestPlanThatGoesOnToRun(t *testing.T) {
	p := plan(t, "ready")
	var runs, shown strings.Builder
	report.Plan(&runs, p)
	report.PlanNotRun(&shown, p)
	head, body, _ := strings.Cut(runs.String(), "\n")
	_, same, _ := strings.Cut(shown.String(), "\n")
	if head != "Plan 01234567" || body != same {
		t.Errorf("got\n%s\nand\n%s", runs.String(), shown.String())
	}
}

// A seed that is in the target asks for no answers, whatever was asked once.
func TestSeededPlanAsksNothing(t *testing.T) {
	p := plan(t, "blocked")
	p.State, p.Stops = engine.AlreadySeeded, nil
	var b strings.Builder
	report.PlanNotRun(&b, p)
	if strings.Contains(b.String(), "answer with") {
		t.Error(b.String())
	}
}

// What changes L from the record's is said where L is.
func TestPlanSaysWhereTheRecordIs(t *testing.T) {
	p := plan(t, "ready")
	record := p.AsOf.L.Next()
	p.AsOf.Record, p.AsOf.CommitTS, p.AsOf.CopyLag = &record, nil, 90e9
	var b strings.Builder
	report.PlanNotRun(&b, p)
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, s := range []string{"earlier than the plain rule's " + record.String(), "pass this LSN to every later call", "_commit_ts is NULL", "less a lag of"} {
		if !strings.Contains(text, s) {
			t.Errorf("does not say %q:\n%s", s, b.String())
		}
	}
	narrow(t, "record", b.String())
}

// A table with long names and many rows keeps to the measure too.
func TestWidePlan(t *testing.T) {
	p := plan(t, "ready")
	long := strings.Repeat("a_very_long_column_name_", 5)
	p.Columns.Columns[0].Target.Name, p.Columns.Columns[2].Target.Name = long, long+"2"
	p.Copy.URL, p.Target.URL, p.Copy.Rows = "/"+long+"/copy", "/"+long+"/bronze", 10_000_000_000
	p.Copy.Filter, p.State = nil, engine.Ready
	for range 40 {
		p.Columns.LeftOut = append(p.Columns.LeftOut, "column_left_out")
	}
	var b strings.Builder
	report.PlanNotRun(&b, p)
	narrow(t, "wide", b.String())
	if !strings.Contains(b.String(), "10,000,000,000 snapshot rows") {
		t.Error(b.String())
	}
}
