package tui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// planOf is one of the plans that the report's tests keep, with the answers'
// command line.
func planOf(t testing.TB, name string) engine.Plan {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "engine", "report", "testdata", "plan-"+name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var p engine.Plan
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	p.MadeAt, p.Accepted, p.Args = at("2026-10-26T21:14:20Z"), nil, ordersRequest().Args()
	return p
}

// ordersPlan is the story's plan, with one warning.
func ordersPlan(t testing.TB) engine.Plan {
	t.Helper()
	p := planOf(t, "ready")
	p.Source.Server, p.Source.Database, p.Source.Version, p.Source.Clock = "sqlprod07", "Sales", "16.0.4135.4", "W. Europe Standard Time"
	p.Table.Schema, p.Table.Name, p.Table.Instance = "dbo", "Orders", "dbo_Orders"
	a := &p.AsOf
	a.Asked, a.Time, a.CommitTS, a.KeptUntil = "2026-10-25T00:40:00Z", atp("2026-10-25T00:40:00Z"), atp("2026-10-24T23:39:58Z"), atp("2026-10-27T23:39:58Z")
	a.L = position("0x0000003100000A280001")
	looked := *a.LookedUp
	looked = looked.Add(at("2026-10-25T01:40:00Z").Time().Sub(looked.Time()))
	a.LookedUp = &looked
	c := &p.Copy
	c.Kind, c.URL, c.Version, c.Files, c.Rows, c.Bytes, c.Filter = "delta", "/lake/sales/orders", ptr(int64(412)), 1984, 2_128_904_113, 612_400_000_000, nil
	p.Target.URL, p.Target.Name, p.Target.Version, p.Target.Create = "/lake/bronze/orders", "bronze.orders", 0, false
	p.Facts.URL = "/lake/ops/ingestion_facts"
	p.Columns.LeftOut = []string{"year", "month"}
	p.Preview.Depth, p.Preview.Rows = "sample", 200_000
	var checks []verdict.Check
	for _, check := range p.Checks {
		if check.Level != verdict.Note {
			checks = append(checks, check)
		}
	}
	p.Checks = append(checks, verdict.Noted("L stays readable for about 1 d 2 h 25 m", "An estimate, by the cleanup job's setting."))
	return p
}

var streamStopped = verdict.Warned(verdict.StreamStopped,
	"the target holds rows: the stream that writes it must stay stopped until the seed is committed",
	"A stream that commits meanwhile may pass the position that the seed is made for.")

// atReview opens the wizard on Review with a plan.
func atReview(t testing.TB, plan engine.Plan) *play {
	t.Helper()
	s := orders()
	s.plan = plan
	p := perform(t, s, ordersRequest())
	p.found.source = learn(s.source, nil, p.answers.print(connectStep))
	for id := connectStep; id < reviewStep; id++ {
		p.prints[id] = p.answers.print(id)
	}
	p.do(p.show(reviewStep))
	return p
}

// atRun opens the wizard with the story's seed running.
func atRun(t testing.TB, plan engine.Plan) *play {
	t.Helper()
	p := atReview(t, plan)
	for len(p.answers.open(p.found.plan.value.Checks)) > 0 {
		p.press("enter")
	}
	p.paste(plan.Table.String()).press("enter")
	if p.at != runStep || len(p.runs) != 1 {
		t.Fatalf("at %d with %d seeds running", p.at, len(p.runs))
	}
	return p
}

// says has the running seed say something, a while after what it said before.
func (p *play) says(later time.Duration, events ...engine.Event) *play {
	for _, e := range events {
		p.clock = p.clock.Add(later)
		p.hear(eventMsg{e})
	}
	return p
}

// The phases of the story, as the engine tells them.
func rechecked() []engine.Event {
	return []engine.Event{
		engine.PhaseStarted{Phase: engine.Recheck, Text: "Re-check the plan"},
		engine.Progress{Phase: engine.Recheck, Done: 9, Total: 9, Unit: "preconditions"},
		engine.PhaseDone{Phase: engine.Recheck, Text: "9 preconditions hold"},
	}
}

const ordersRows = 2_128_904_113

func staging(done int64, files int, bytes int64) engine.Progress {
	return engine.Progress{Phase: engine.Stage, Done: done, Total: ordersRows, Unit: "rows", Files: files, FileCount: 1984, Bytes: bytes}
}

func stageStarted() engine.Event {
	return engine.PhaseStarted{Phase: engine.Stage, Text: "Cast and stage files"}
}

// stagedTo is the story up to a share of its rows.
func (p *play) stagedTo(percent int64) *play {
	p.says(time.Second, rechecked()...).says(time.Second, stageStarted())
	for i := range percent * 10 {
		done := ordersRows * (i + 1) / 1000
		p.says(1500*time.Millisecond, staging(done, int(1984*(i+1)/1000), 300*done))
	}
	return p
}

func (p *play) committed() *play {
	return p.stagedTo(100).says(time.Second,
		engine.PhaseDone{Phase: engine.Stage, Text: "2,128,904,113 rows in 1,984 files"},
		engine.PhaseStarted{Phase: engine.Verify, Text: "Check staged files, and again what may have moved"},
		engine.PhaseDone{Phase: engine.Verify, Text: "1,984 files are whole"},
		engine.PhaseStarted{Phase: engine.Commit, Text: "Commit to the Delta log"})
}

func ordersResult(plan engine.Plan) engine.Result {
	return engine.Result{
		State: engine.Ready, L: plan.AsOf.L, CommitTS: plan.AsOf.CommitTS, Rows: ordersRows, Files: 1984, Bytes: 640_200_000_000, Version: 1,
		Target: plan.Target.URL, FactsURL: plan.Facts.URL, FactsRow: "written", Plan: plan.Digest, Retention: plan.AsOf.KeptUntil,
		Follow: []string{
			"Register the name before the stream starts: CREATE TABLE IF NOT EXISTS bronze.orders USING DELTA LOCATION '/lake/bronze/orders'",
			`Start the stream with to_delta(bootstrap=True), app_id "orders-v1" and a new checkpoint: it goes on right after 0x0000003100000A280001 and does not read the table.`,
			"Cleanup passes L at about 2026-10-27T23:39:58Z: start it before that.",
		},
	}
}

// No size makes any state of these screens draw outside the terminal.
func TestSeedScreensAtManySizes(t *testing.T) {
	for name, p := range map[string]*play{
		"ready": accepted1(t, ordersPlan(t)), "open": atReview(t, ordersPlan(t)), "blocked": atReview(t, blockedPlan(t)), "refused": refusedPlay(t),
		"kept": accepted1(t, ordersPlan(t)).press("ctrl+x"), "running": atRun(t, ordersPlan(t)).stagedTo(43), "log": atRun(t, ordersPlan(t)).stagedTo(2).press("l"),
		"record": atRun(t, ordersPlan(t)).committed(), "failed": failing(t, factsFailed()), "values": failing(t, manyRefused()),
		"done": doneWith(t, func(*engine.Result) {}),
	} {
		for h := 1; h <= 60; h += 3 {
			for w := 1; w <= 200; w += 7 {
				p.hear(tea.WindowSizeMsg{Width: w, Height: h})
				lines := strings.Split(p.View(), "\n")
				if w >= leastWidth { // below it the steps are not drawn
					lines = append(lines, p.step().view(p.desk, w, h).lines...)
				}
				for _, l := range lines {
					if width(l) > w {
						t.Fatalf("%s at %dx%d: %q is %d wide", name, w, h, l, width(l))
					}
				}
				if len(strings.Split(p.View(), "\n")) > h {
					t.Fatalf("%s at %dx%d has %d lines", name, w, h, len(lines))
				}
			}
		}
	}
}
