package tui

import (
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
)

// The messages around a stop by the shell's job control.
type (
	resumedMsg struct{} // the program went on after somebody else had stopped it
	backMsg    struct{} // the screen is there again
)

// away gives the terminal back for as long as the program is stopped. Nothing of
// it goes on meanwhile, a seed neither.
type away struct {
	out  io.Writer
	told string // what is said on the normal screen
	stop func() // returns when the program may use the terminal again

	over   <-chan struct{} // closed when nobody can be asked any more
	parted chan<- struct{} // hears that the screen does not come back
}

// Run stops the program. Told to end meanwhile, it never returns: whoever called
// it would take the terminal back, which is somebody else's now.
func (a *away) Run() error {
	_, _ = io.WriteString(a.out, wheelAsItWas+a.told) // a terminal that is gone tells it by itself
	a.stop()
	select {
	case <-a.over:
		a.parted <- struct{}{}
		select {}
	default:
	}
	_, _ = io.WriteString(a.out, wheelKeys)
	return nil
}

// SetStdin does nothing: no other program is run.
func (*away) SetStdin(io.Reader) {}

// SetStdout does nothing, as SetStdin.
func (*away) SetStdout(io.Writer) {}

// SetStderr does nothing, as SetStdin.
func (*away) SetStderr(io.Writer) {}

var _ tea.ExecCommand = (*away)(nil)

// suspending makes the command that gives the terminal to the shell, nil where
// the system has no job control.
func suspending(out io.Writer, suspend func(over <-chan struct{}), over <-chan struct{}, parted chan<- struct{}) func(told string) tea.Cmd {
	if suspend == nil {
		return nil
	}
	return func(told string) tea.Cmd {
		a := &away{out: out, told: told, stop: func() { suspend(over) }, over: over, parted: parted}
		if told == "" { // it was stopped already: all that is left is to draw
			a.stop, a.over = func() {}, nil
		}
		return tea.Exec(a, func(err error) tea.Msg {
			if err != nil { // there is no terminal to come back to
				return StopAsked{Now: true}
			}
			return backMsg{}
		})
	}
}

// whileAway says what stands still, so that nobody forgets a seed over it.
func (w *wizard) whileAway() string {
	switch {
	case w.running() && !w.found.committed && w.found.phase != engine.Record:
		return "cdcseed is suspended, and its seed stands still: no reader sees any of it. The time that L has goes on.\nfg goes on with it.\n"
	case w.running():
		return "cdcseed is suspended: the rows are committed, and what is left to do waits.\nfg goes on with it.\n"
	}
	return "cdcseed is suspended. fg goes on with every answer.\n"
}

// suspended is the command that leaves the screen for a while, nil where the
// system has none.
func (w *wizard) suspended(told string) tea.Cmd {
	if w.suspend == nil {
		return nil
	}
	return w.suspend(told)
}
