package tui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
)

// turned turns the wheel.
func (p *play) turned(down bool) *play {
	m := tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelUp}
	if down {
		m.Button = tea.MouseButtonWheelDown
	}
	p.hear(m)
	return p
}

// The wheel moves the cursor of a list, and scrolls what has none.
func TestWheel(t *testing.T) {
	p := atTable(t, thousandTables(), "big.T0500").turned(true).shows("> big.T0503")
	p.turned(false).turned(false).shows("> big.T0497")
	p.hear(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonLeft, X: 3, Y: 9})
	p.shows("> big.T0497")

	p = atReview(t, ordersPlan(t)).press("enter", "enter")
	p.see(80, 24)
	p.turned(true)
	if top := p.review().plan.top; top != notch {
		t.Errorf("the plan is %d lines down", top)
	}
	if p.turned(false); p.review().plan.top != 0 {
		t.Error("the plan does not come back")
	}

	p = atRun(t, ordersPlan(t)).says(0, stageStarted())
	for range 100 {
		p.says(time.Second, engine.Notice{Text: "something"})
	}
	p.press("l").see(80, 24)
	if p.turned(true).turned(true); p.top != 2*notch {
		t.Errorf("the log is %d lines down", p.top)
	}
	p.press("down", "up", "up")
	if p.top != 2*notch-1 {
		t.Errorf("the log is %d lines down", p.top)
	}
	p.press("l", "ctrl+g").see(60, 18)
	if p.turned(true); p.top != notch {
		t.Errorf("the help is %d lines down", p.top)
	}
}

// On a form the wheel reads on: no answer changes, no field is left, and no server
// is tried with half a password. Nor is it by an arrow, which a wheel may send.
func TestWheelOnForms(t *testing.T) {
	r := ordersRequest()
	p := perform(t, orders(), r)
	tries := len(p.script.asked)
	p.press("tab", "tab", "tab", "tab").write("ha").shows("> Password")
	p.turned(true).turned(false).shows("> Password")
	p.press("down", "down", "up")
	if len(p.script.asked) != tries {
		t.Errorf("%d tries with half a password", len(p.script.asked)-tries)
	}
	if p.press("tab"); len(p.script.asked) != tries+1 {
		t.Errorf("%d tries once the field is left", len(p.script.asked)-tries)
	}
	p = atCopy(t, purged(), r)
	p.places().conditions = askedOfAReseed
	p.see(80, 24)
	if p.turned(true).shows("> Copy"); p.top != notch {
		t.Errorf("the page is %d lines down", p.top)
	}
}

// ctrl+z gives the terminal to the shell wherever one is, and says what stands
// still.
func TestSuspended(t *testing.T) {
	p := atRun(t, ordersPlan(t)).says(0, stageStarted())
	p.press("ctrl+z") // a system that stops no program
	var told []string
	p.suspend = func(text string) tea.Cmd {
		told = append(told, text)
		return say(backMsg{})
	}
	p.press("ctrl+z").says(0, engine.PhaseStarted{Phase: engine.Record, Text: "recording"}).press("ctrl+z")
	p.hear(resumedMsg{})
	p = perform(t, orders(), ordersRequest())
	p.suspend = func(text string) tea.Cmd {
		told = append(told, text)
		return nil
	}
	p.press("ctrl+z", "ctrl+g", "ctrl+z").shows("ctrl+z", "fg comes back")
	want := []string{
		"cdcseed is suspended, and its seed stands still: no reader sees any of it. The time that L has goes on.\nfg goes on with it.\n",
		"cdcseed is suspended: the rows are committed, and what is left to do waits.\nfg goes on with it.\n", "",
		"cdcseed is suspended. fg goes on with every answer.\n", "cdcseed is suspended. fg goes on with every answer.\n",
	}
	if len(told) != len(want) {
		t.Fatalf("%q", told)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("%q, want %q", told[i], want[i])
		}
	}
}

// A paste is one answer, whatever it holds: its letters are no keys, and a line's
// end goes nowhere on.
func TestPaste(t *testing.T) {
	p := atTable(t, sales(), "dbo.Rates").paste("u/sv\n").shows("> dbo.Rates").lacks("Filter:", "without a capture instance")
	p.press("/").paste("OrderLines\n").shows("> dbo.OrderLines")
	p = perform(t, orders(), engine.Request{}).paste("sql01\r\n").shows("sql01")
	if p.at != connectStep || p.answers.Server != "sql01" {
		t.Errorf("step %d, server %q", p.at, p.answers.Server)
	}
	p.press("ctrl+c").paste("y")
	if p.quit {
		t.Error("a paste left the wizard")
	}
}
