package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"cdcseed/engine"
	"cdcseed/tui"
)

// manner is how a person is asked.
type manner int

const (
	askNobody manner = iota
	askOnScreens
	askInLines
)

// addPlain gives c the flag that asks for lines.
func addPlain(c *cobra.Command, plain *bool) {
	c.Flags().BoolVar(plain, "plain", false, "ask and tell line by line, for screen readers and scripts (docs/plain.md) [CDCSEED_PLAIN]")
}

// manner is how whoever is there can be asked. Lines are for whom they were asked
// for, even where that is a script; beside that for a terminal that cannot be
// drawn on, for somebody who has it read out, and for one whose output goes
// elsewhere.
func (a *app) manner(plain bool) manner {
	term, _ := a.env("TERM")
	switch {
	case plain || a.on("CDCSEED_PLAIN"):
		return askInLines
	case a.screen == nil && a.terminal:
		return askInLines
	case a.screen == nil:
		return askNobody
	case term == "dumb" || a.on("ACCESSIBLE"):
		return askInLines
	}
	return askOnScreens
}

// plainWidth leaves a cell free in 80 columns.
const plainWidth = 79

// on reports whether a switch in the environment is.
func (a *app) on(name string) bool {
	v, ok := a.env(name)
	return ok && v != "" && v != "0" && v != "false"
}

// typed reports whether answers are typed at a terminal, whatever becomes of what
// is told: then it shows them, unless it is kept from it.
func (a *app) typed() bool {
	if a.terminal || a.screen != nil {
		return true
	}
	f, ok := a.in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// askPlain opens the wizard in lines. Questions go where those of every command
// do; standard output has the result alone.
func (a *app) askPlain(ctx context.Context, r engine.Request, password string, stops <-chan tui.StopAsked) (tui.Outcome, error) {
	defer outliveReaders()()
	o := tui.PlainOptions{
		Request: r, Password: password, In: a.in, Out: a.err, Version: buildVersion(), Tool: tool(),
		Now: a.now, Here: time.Local, Stops: stops, Log: a.log,
		Keep: func(p engine.Plan) (string, error) { return a.keepPlan(p, "") },
	}
	if a.terminal || a.screen != nil { // elsewhere a line has no end: a script looks for whole sentences
		o.Wide = plainWidth
	}
	if a.typed() {
		o.Secret, o.Echoes = a.password, true
	}
	out, err := tui.RunPlain(ctx, o)
	if out.Fall != nil {
		a.prompt("%s\n", out.Fall.Stack)
	}
	return out, err
}

// outliveReaders lets the program go on where whoever reads goes away, which must
// not end it where it stands, with a seed half done or a folder left behind: what
// cannot be written tells it.
func outliveReaders() (stop func()) {
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, syscall.SIGPIPE)
	return func() { signal.Stop(gone) }
}
