package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// every opens the wizard at each step with the story's answers.
func every(t *testing.T, show func(p *play)) {
	for id := connectStep; id <= doneStep; id++ {
		p := perform(t, orders(), ordersRequest())
		p.do(p.show(id))
		show(p)
	}
}

// No size makes any step panic, or draws outside the terminal.
func TestEveryStepAtEverySize(t *testing.T) {
	every(t, func(p *play) {
		for h := 1; h <= 60; h++ {
			for w := 1 + h%sizeStep; w <= 200; w += sizeStep { // sparse, they meet every width at some height
				screen := p.see(w, h)
				lines := strings.Split(screen, "\n")
				if len(lines) > h {
					t.Fatalf("%s at %dx%d has %d lines", p.step().title(), w, h, len(lines))
				}
				for _, l := range lines {
					if width(l) > w {
						t.Fatalf("%s at %dx%d: %q is %d wide", p.step().title(), w, h, l, width(l))
					}
				}
			}
		}
	})
}

// The command on the screen asks for the same: read back, it is the request.
func TestSameAsIsTrue(t *testing.T) {
	want := ordersRequest()
	p := perform(t, orders(), want)
	p.do(p.show(copyStep))
	var got engine.Request
	if err := got.SetArgs(p.command().args); err != nil {
		t.Fatal(err)
	}
	if strings.Join(got.Args(), " ") != strings.Join(want.Args(), " ") {
		t.Errorf("%q, want %q", got.Args(), want.Args())
	}
	if strings.Contains(p.command().whole(), "secret") {
		t.Error("the command holds the password:", p.command().whole())
	}
}

// ctrl+c asks; twice in a second leaves.
func TestLeavingAsksOnce(t *testing.T) {
	p := perform(t, orders(), ordersRequest())
	p.press("ctrl+c").shows("Leave cdcseed?", "[ Stay ]")
	p.press("enter").lacks("Leave cdcseed?")
	if p.quit {
		t.Fatal("enter left the wizard")
	}
	p.press("ctrl+c", "y")
	if !p.quit {
		t.Error("y did not leave")
	}
	p = perform(t, orders(), ordersRequest())
	p.hear(keyNamed(t, "ctrl+c"))
	p.hear(keyNamed(t, "ctrl+c"))
	if !p.quit {
		t.Error("ctrl+c twice did not leave")
	}
}

// Whoever cannot be asked any more leaves at once.
func TestAClosedTerminalLeaves(t *testing.T) {
	every(t, func(p *play) {
		p.hear(StopAsked{Now: true})
		if !p.quit {
			t.Error("still there at", p.step().title())
		}
	})
}

// Text from the server cannot steer the terminal.
func TestCleanText(t *testing.T) {
	for in, want := range map[string]string{
		"dbo.Orders": "dbo.Orders", "a\x1b[2Jb": "a<001B>[2Jb", "a\u202eb": "a<202E>b", "naïve 名": "naïve 名", "a\tb\n": "a b<000A>", "a\x9b31m": "a<9B>31m", "\ufffd": "\ufffd",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

var _ tea.Model = (*wizard)(nil)

// A seed that is being stopped is not asked about again, and files that are to
// be kept are not said to be removed.
func TestStoppingIsAskedOnce(t *testing.T) {
	for onStop, says := range map[string]string{"remove": "Staged files are removed", "keep": "Staged files are kept"} {
		plan := ordersPlan(t)
		plan.Stage.OnStop = onStop
		p := atRun(t, plan).says(0, stageStarted())
		p.press("ctrl+c").shows("Stop the seed?", says)
		if p.press("enter"); p.stops != 0 {
			t.Fatal("enter stopped the seed")
		}
		if p.press("ctrl+c", "y"); p.stops != 1 || p.quit {
			t.Fatalf("%d stops, quit %v", p.stops, p.quit)
		}
		if p.press("ctrl+c").shows("It is being stopped").press("y"); p.stops != 1 {
			t.Error("stopped twice")
		}
	}
	p := atRun(t, ordersPlan(t)).says(0, stageStarted())
	p.press("ctrl+c").shows("Staged files are removed")
	p.says(0, engine.PhaseStarted{Phase: engine.Commit, Text: "committing"}).shows("A commit that has begun is finished", "stop if it still can")
	p.says(0, engine.PhaseDone{Phase: engine.Commit, Text: "committed"}).shows("It cannot be stopped now")
	if p.press("y"); p.stops != 0 {
		t.Error("a seed that is committed was stopped")
	}
}

// A key pressed twice goes on once: what is confirmed is run, and shown.
func TestConfirmedTwiceRunsOnce(t *testing.T) {
	p := atReview(t, ordersPlan(t)).press("enter", "enter").write("dbo.Orders")
	_, first := p.Update(keyNamed(t, "enter"))
	_, second := p.Update(keyNamed(t, "enter"))
	p.do(first)
	p.do(second)
	if p.at != runStep || len(p.runs) != 1 {
		t.Errorf("at step %d with %d runs", p.at, len(p.runs))
	}
	p.press("enter", "enter").shows("[7 Run]", stateWriting)
}

// The short command keeps its verb, its table and whole flags.
func TestShortCommand(t *testing.T) {
	r := ordersRequest()
	c := command{"lsn", argsOf(r, lsnFlags())}
	for w, want := range map[int]string{
		300: c.whole(),
		70:  "cdcseed lsn --table dbo.Orders ... --as-of 2026-10-25T00:40:00Z",
		40:  "cdcseed lsn --table dbo.Orders ...",
		20:  "cdcseed lsn ...",
	} {
		if got := c.short(w); got != want || width(got) > w {
			t.Errorf("%d: %q, want %q", w, got, want)
		}
	}
	got := strings.Join(c.lines(60), "\n")
	if back := strings.Join(strings.Fields(strings.ReplaceAll(got, "\\\n", " ")), " "); back != c.whole() {
		t.Errorf("%q, want %q", back, c.whole())
	}
}

// No password gets into a command, however the server was typed.
func TestNoPasswordInCommands(t *testing.T) {
	for _, server := range []string{
		"sqlserver://sa:hush@host", "sqlserver://sa:hush@host:1433?database=x", "sqlserver://host?password=hush", "server=h;password=hush", "Server=h;Pwd=hush",
		"sa:hush@host", "jdbc:sqlserver://sa:hush@host", "sqlserver://sa:hu%sh@host",
	} {
		r := ordersRequest()
		p := perform(t, orders(), r)
		p.answers.Server = server
		for id := connectStep; id <= reviewStep; id++ {
			p.at = id
			if c := p.command().whole(); strings.Contains(c, "hush") || strings.Contains(c, "hu%") {
				t.Errorf("%s at %d: %s", server, id, c)
			}
		}
		if o := outcome(p.wizard, nil, nil); strings.Contains(o.Request.Server, "hu") {
			t.Errorf("%s: the outcome has %s", server, o.Request.Server)
		}
	}
	p := perform(t, orders(), ordersRequest())
	p.answers.Server = "sqlserver://sa@host:1433"
	if c := p.command().whole(); !strings.Contains(c, "sqlserver://sa@host:1433") {
		t.Error("a server without a password is left out:", c)
	}
}

// Where nothing can be seen, nothing is done.
func TestTooSmallDoesNothing(t *testing.T) {
	p := atReview(t, ordersPlan(t)).press("enter", "enter")
	p.see(20, 5)
	p.write("dbo.Orders").press("enter")
	if p.at != reviewStep || len(p.runs) != 0 {
		t.Error("a seed was confirmed on a screen that shows nothing")
	}
	p.press("ctrl+c", "y")
	if !p.quit {
		t.Error("ctrl+c does not leave")
	}
}

// Letters that are read at once are letters.
func TestKeysReadAtOnce(t *testing.T) {
	p := atTable(t, sales(), "dbo.Orders")
	p.hear(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/rat")})
	p.shows("> dbo.Rates")
}

// Two warnings of one code are accepted one after the other.
func TestTwoWarningsOfOneCode(t *testing.T) {
	a := newAnswers(ordersRequest(), "")
	checks := []verdict.Check{verdict.Warned(verdict.CutOffText, "first", ""), verdict.Warned(verdict.CutOffText, "second", "")}
	a.accept(checks[0])
	if got := a.codes(checks); len(got) != 0 || len(a.open(checks)) != 1 {
		t.Errorf("%q are accepted with one of two open", got)
	}
	a.accept(checks[1])
	if got := a.codes(checks); len(got) != 1 || len(a.open(checks)) != 0 {
		t.Errorf("%q are accepted", got)
	}
}

// What runs is the plan whose table was named, and no other.
func TestOnlyTheConfirmedPlanRuns(t *testing.T) {
	p := atReview(t, ordersPlan(t)).press("enter", "enter").write("dbo.Orders")
	_, next := p.Update(keyNamed(t, "enter"))
	p.found.plan.value.Digest = "another plan that came meanwhile"
	p.do(next)
	if len(p.runs) != 0 || p.found.running {
		t.Error("a plan that nobody confirmed was run")
	}
	p.lacks(stateWriting)
}
