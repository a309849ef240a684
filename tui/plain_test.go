package tui

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// talk is the wizard in plain lines over a script: what it asks is work that is
// done at once, and its clock stands still.
type talk struct {
	*plain
	t     *testing.T
	clock time.Time
	heard strings.Builder // what was told, and what was answered
	lines []string        // answers to come
	stops chan StopAsked
	runs  []engine.Plan
	fell  *Fall
	err   error
}

// converseWith opens the wizard over a script with answers, one a line.
func converseWith(t *testing.T, s *script, r engine.Request, lines ...string) *talk {
	t.Helper()
	k := &talk{t: t, clock: time.Date(2026, 10, 26, 21, 14, 30, 0, time.UTC), lines: lines, stops: make(chan StopAsked, 4)}
	k.plain = newPlain(t.Context(), PlainOptions{
		Request: r, Password: "secret", In: k, Out: &k.heard, Echoes: true, Wide: 79, Version: "0.1.0", Here: time.UTC,
		Now: k.now1, Stops: k.stops,
		Keep: func(engine.Plan) (string, error) { return "/state/plan.json", nil },
	})
	if s != nil {
		k.engine = s
	}
	k.spawn = func(f func()) { f() }
	k.beat = func() (<-chan time.Time, func()) { return nil, func() {} }
	k.execute = func(plan engine.Plan, _ engine.Request) { k.runs = append(k.runs, plan) }
	k.cease = func() {}
	return k
}

// now1 is the clock. It goes on while a seed runs.
func (k *talk) now1() time.Time {
	if k.plain != nil && k.found.running {
		k.clock = k.clock.Add(30 * time.Second)
	}
	return k.clock
}

// Read gives the next answer, and writes it down where a person would see it.
func (k *talk) Read(b []byte) (int, error) {
	if len(k.lines) == 0 {
		return 0, io.EOF
	}
	line := k.lines[0] + "\n"
	k.lines = k.lines[1:]
	k.heard.WriteString(line)
	return copy(b, line), nil
}

// talked has the conversation.
func (k *talk) talked() *talk {
	k.t.Helper()
	k.fell, k.err = k.converse()
	close(k.ended)
	if k.fell != nil {
		k.t.Fatalf("%s\n%s\n%s", k.fell.Cause, k.fell.Stack, k.heard.String())
	}
	return k
}

// screenKeys are names of keys, which do nothing where lines are read.
var screenKeys = regexp.MustCompile(`ctrl\+[^c]|\besc\b|\bpgdn\b|\bpgup\b|press [a-z]\b|\btab to\b|space`)

// golden compares the transcript with testdata/plain-NAME.txt. No line of prose
// is wider than a screen of 80 cells, nothing in it moves a cursor, and no key of
// the screens is named.
func (k *talk) golden(name string) *talk {
	k.t.Helper()
	got := k.heard.String()
	if d := k.found.plan.value.Digest; len(d) > 8 { // it changes with whatever a plan holds
		got = strings.ReplaceAll(got, d[:8], "7f3a91c2")
	}
	if i := strings.IndexFunc(got, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }); i >= 0 {
		k.t.Errorf("a control character at %d: %q", i, got[max(0, i-20):i+1])
	}
	for _, l := range strings.Split(got, "\n") {
		if m := screenKeys.FindString(l); m != "" {
			k.t.Errorf("the key %q is named: %s", m, l)
		}
	}
	file := filepath.Join("testdata", "plain-"+name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			k.t.Fatal(err)
		}
		return k
	}
	want, err := os.ReadFile(file)
	if err != nil {
		k.t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		k.t.Errorf("%s (-want +got):\n%s", name, diff)
	}
	return k
}

// story is an engine for the whole of the first seed.
func story(t *testing.T) (*columnsStage, func(*talk)) {
	t.Helper()
	s := lake()
	s.asOf, s.plan = fellBackView(), ordersPlan(t)
	s.plan.Checks = slices.DeleteFunc(s.plan.Checks, func(c verdict.Check) bool { return c.Level == verdict.Warn })
	for _, c := range s.asOf.Checks {
		if c.Level == verdict.Warn {
			s.plan.Checks = append(s.plan.Checks, c)
		}
	}
	s.plan.Checks = append(s.plan.Checks, streamStopped)
	stage := &columnsStage{script: s, scene: ordersColumns}
	return stage, func(k *talk) {
		stage.clock = &k.clock
		k.engine = stage
		k.execute = func(plan engine.Plan, _ engine.Request) {
			k.runs = append(k.runs, plan)
			k.seed(plan, nil)
		}
	}
}

// seed has the story's seed say what it does, and end.
func (k *talk) seed(plan engine.Plan, err error) {
	events := append(rechecked(), stageStarted())
	for i := range int64(10) {
		events = append(events, staging(ordersRows*(i+1)/10, int(198*(i+1)), 60_000_000_000*(i+1)))
	}
	if err == nil {
		events = append(events, engine.PhaseDone{Phase: engine.Stage, Text: "2,128,904,113 rows in 1,984 files"},
			engine.PhaseStarted{Phase: engine.Verify, Text: "Check staged files, and again what may have moved"},
			engine.PhaseDone{Phase: engine.Verify, Text: "1,984 files are whole"},
			engine.PhaseStarted{Phase: engine.Commit, Text: "Commit to the Delta log"}, engine.PhaseDone{Phase: engine.Commit, Text: "version 1"})
	}
	for _, e := range events {
		k.put(eventMsg{e})
	}
	result := engine.Result{}
	if err == nil {
		result = ordersResult(plan)
	}
	k.put(finishedMsg{result, err})
}

var typedAll = []string{
	"sqlprod07.corp.local,1433", "Sales", "1", "svc_cdc_ro", "secret", "", "", "next",
	"next",
	"/lake/sales/orders", "/lake/bronze/orders", "bronze.orders", "/lake/ops/ingestion_facts", "orders-v1", "next",
	"2026-10-25T00:40:00Z", "", "fell_back", "next",
	"round", "UTC", "null", "next",
}

// A first seed, everything typed.
func TestPlainFirstSeed(t *testing.T) {
	_, on := story(t)
	k := converseWith(t, nil, engine.Request{}, append(slices.Clone(typedAll), "stream_must_be_stopped", "dbo.orders", "dbo.Orders")...)
	on(k)
	k.answers.password = ""
	k.talked().golden("first-seed")
	if len(k.runs) != 1 || k.found.result == nil {
		t.Errorf("%d seeds ran", len(k.runs))
	}
}

// The page shows the first seed as it is heard.
func TestPlainPage(t *testing.T) {
	file := filepath.Join("..", "docs", "plain.md")
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	heard, err := os.ReadFile(filepath.Join("testdata", "plain-first-seed.txt"))
	if err != nil {
		t.Fatal(err)
	}
	const opens = "```text\n"
	head, _, found := strings.Cut(string(page), opens)
	want := head + opens + strings.TrimRight(string(heard), "\n") + "\n```\n"
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !found || string(page) != want {
		t.Errorf("%s shows another transcript than the test has: go test ./tui -run Plain -update", file)
	}
}
