package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
	"cdcseed/tui"
)

// Where nobody can be asked, nothing is: what seed needs to be told is listed.
func TestWizardWithoutATerminal(t *testing.T) {
	c := newConsole(t)
	_, messages := c.want(2)
	wants(t, messages, "Nobody can be asked: standard input and output are not both a terminal.", "Nothing was written.",
		"missing --server --table --copy --target --as-of", "flags of cdcseed seed", "cdcseed tables", "cdcseed lsn", "(usage, exit status 2)")
	fits(t, messages)
	c.env["CDCSEED_SERVER"] = "sql01"
	_, messages = c.want(2, "--table", "dbo.Orders", "--copy", "/lake/copy")
	wants(t, messages, "missing --target --as-of")
	_, messages = c.want(2, "--table", "dbo.Orders", "--copy", "/lake/copy", "--target", "/lake/bronze", "--as-of", "2026-10-25T00:40:00Z")
	wants(t, messages, "cdcseed seed --server sql01 --table dbo.Orders --copy /lake/copy --target /lake/bronze --as-of 2026-10-25T00:40:00Z --dry-run")
	if strings.Contains(messages, "missing") {
		t.Error(messages)
	}
	_, messages = c.want(2, "--server", "sqlserver://svc:s3cret@sql01", "--table", "dbo.Orders", "--copy", "/lake/copy", "--target", "/lake/bronze", "--as-of", "2026-10-25T00:40:00Z")
	wants(t, messages, "sqlserver://svc@sql01")
	if strings.Contains(messages, "s3cret") {
		t.Error(messages)
	}
}

// What was lost is printed behind the result of a wizard on screens, once.
func TestLossesArePrinted(t *testing.T) {
	var plan engine.Plan
	plan.Columns.Columns = []cast.ColumnPlan{{Target: schema.TargetColumn{Name: "price"}}}
	plan.Preview.Rows, plan.Preview.Depth = 2000, engine.CheckAll
	plan.Preview.Report.Columns = map[string]cast.ColumnReport{"price": {Effects: map[cast.Effect]int64{cast.Rounded: 40}}}
	seeded, found := engine.Result{State: engine.Ready}, engine.Result{State: engine.AlreadySeeded}
	const want = "\nLost in the cast, as the plan saw it in 2,000 rows:\n  price: 40 rounded\n"
	for _, c := range []struct {
		plan   engine.Plan
		result engine.Result
		how    manner
		want   string
	}{
		{plan, seeded, askOnScreens, want}, {plan, seeded, askInLines, ""}, {plan, found, askOnScreens, ""}, {engine.Plan{}, seeded, askOnScreens, ""},
	} {
		var out strings.Builder
		(&app{streams: streams{out: &out}}).tellLost(tui.Outcome{Plan: &c.plan, Result: &c.result}, c.how)
		if out.String() != c.want {
			t.Errorf("%d: %q", c.how, out.String())
		}
	}
}

// What is wrong whatever else is answered is refused before anything is asked.
func TestWizardRefusesWrongFlags(t *testing.T) {
	c := newConsole(t)
	for says, args := range map[string][]string{
		`--check "most" is no choice`:                       {"--check", "most"},
		"names no warning":                                  {"--accept", "everything"},
		`cdcseed has no command "sed"`:                      {"--server", "sql01", "sed"},
		"the wizard is for a person and writes no JSON":     {"--json"},
		"--exclude-deleted and --keep-deleted contradict":   {"--exclude-deleted", "--keep-deleted"},
		"cdcseed has no flag --dry-run":                     {"--dry-run"},
		"standard input and output are not both a terminal": {"--facts", "/lake/facts"}, // its app id is asked for
	} {
		out, messages := c.want(2, args...)
		if !strings.Contains(flatWords(out+messages), says) {
			t.Errorf("%v lacks %q: %s%s", args, says, out, messages)
		}
	}
}

func flatWords(s string) string { return strings.Join(strings.Fields(s), " ") }

// The flags reach the wizard, and the commands: those of the root are no others'.
func TestFlagsBeforeACommand(t *testing.T) {
	c := newConsole(t)
	c.serve()
	out, _ := c.want(0, "tables", "--database", demoDatabase)
	wants(t, out, "dbo.Orders")
	before, _ := c.want(0, "--database", demoDatabase, "tables")
	if before != out {
		t.Errorf("a flag before the command:\n%s", before)
	}
}

// What a wizard came to without a result is told with the way back.
func TestToldAfterTheWizard(t *testing.T) {
	a := &app{}
	plan := &engine.Plan{Digest: strings.Repeat("7f3a91c2", 8), State: engine.Ready, Table: engine.TablePlan{Schema: "dbo", Name: "Orders"}}
	left := &verdict.Error{Code: verdict.Stopped, What: "left"}
	request := engine.Request{Server: "sql01", AsOf: "2026-10-25T00:40:00Z"}
	wizardAgain, planAgain := "cdcseed --server sql01 --as-of 2026-10-25T00:40:00Z", "cdcseed seed --plan 7f3a91c2 --confirm dbo.Orders"
	for name, c := range map[string]struct {
		outcome tui.Outcome
		plan    bool // can be run as it was shown
	}{
		"no plan":   {tui.Outcome{Request: request, Err: left}, false},
		"not kept":  {tui.Outcome{Request: request, Plan: plan, Err: left}, false},
		"kept":      {tui.Outcome{Request: request, Plan: plan, Kept: "f", Err: left}, true},
		"blocked":   {tui.Outcome{Request: request, Plan: &engine.Plan{State: engine.Blocked, Stops: []engine.Stop{{Code: verdict.RetentionPassed}}}, Kept: "f", Err: left}, false},
		"no writes": {tui.Outcome{Request: request, Plan: &engine.Plan{State: engine.AlreadySeeded}, Kept: "f", Err: left}, false},
		"failed":    {tui.Outcome{Request: request, Plan: plan, Kept: "f", Err: &verdict.Error{Code: verdict.PlanStale}}, false},
	} {
		got := a.again(c.outcome, askOnScreens)
		wants(t, got, wizardAgain)
		if strings.Contains(got, planAgain) != c.plan {
			t.Errorf("%s: %s", name, got)
		}
	}
	gone := broken(tui.Outcome{Err: left}, syscall.EIO)
	if !errors.Is(gone, verdict.Stopped) || !errors.Is(gone, syscall.EIO) || verdict.As(gone).Wrote != "" {
		t.Error(gone)
	}
	wrote := &verdict.Error{Code: verdict.FactsFailed, What: "no facts", Wrote: "The rows are in."}
	if got := verdict.As(broken(tui.Outcome{Err: wrote}, syscall.EIO)); got.What != "no facts" || got.Err != nil {
		t.Error(got)
	}
}

// Signals go to the one whose turn it is, and back.
func TestSignalsAreDiverted(t *testing.T) {
	var first, second []os.Signal
	s := &signals{to: func(sig os.Signal) { first = append(first, sig) }}
	s.pass(syscall.SIGINT)
	back := s.divert(func(sig os.Signal) { second = append(second, sig) })
	s.pass(syscall.SIGTERM)
	back()
	s.pass(syscall.SIGHUP)
	if len(first) != 2 || len(second) != 1 || second[0] != syscall.SIGTERM {
		t.Errorf("%v and %v", first, second)
	}
}

// Where nobody can be asked, what is printed instead holds no password.
func TestUnaskedTellsNoPassword(t *testing.T) {
	for _, server := range []string{"sqlserver://u:hunter2%zz@h", "sqlserver://h?user id=u&password=hunter2", "server=h;user id=u;password=hunter2", "sqlserver://u:hunter2@h"} {
		r := engine.Request{Server: server, Database: "d", Table: "dbo.T", Copy: "/c", Target: "/t", AsOf: "0x00000000000000000001"}
		if text := fmt.Sprintf("%+v", verdict.As(unasked(r))); strings.Contains(text, "hunter2") {
			t.Errorf("%s: %s", server, text)
		}
	}
}
