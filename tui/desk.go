package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/clock"
)

// desk is what every step works with.
type desk struct {
	answers *answers
	found   found
	accepts acceptance // of the step that is shown
	engine  Engine
	look    theme
	glyph   glyphs
	now     func() time.Time
	here    *time.Location  // this machine's zone
	life    context.Context //nolint:containedctx // of the wizard: every job's context hangs on it
	send    func(tea.Msg)   // from another goroutine, to the wizard
	after   func(time.Duration, tea.Msg) tea.Cmd
	keep    func(engine.Plan) (string, error)
	execute func(engine.Plan, engine.Request) // starts the seed; its events come as messages
	cease   func()                            // asks the running seed to stop, where it still can
	copied  func(text string)                 // to the clipboard, on request
	suspend func(told string) tea.Cmd         // gives the terminal to the shell; nil where that is not possible
	begin   func() tea.Msg                    // asks the terminal for what the screen needs of it; nil for nothing
	dark    func(bool)                        // the terminal's background is, or is not
}

// server is the server's time: what L has left is counted on its clock, not on
// this machine's.
func (d *desk) server() clock.Instant {
	return clock.Of(d.now().Add(d.found.source.value.Ahead))
}

// found is what the engine said about the answers. Each value stands beside the
// print of the answers that it was found for; a step asks again where that
// differs.
type found struct {
	source    known[engine.SourceView]
	tables    known[[]engine.Table]
	table     known[engine.TableView]
	copy      known[engine.CopyView]
	target    known[engine.TargetView]
	asOf      known[engine.AsOfView]
	columns   known[engine.ColumnsView]
	plan      known[engine.Plan]
	kept      string // where the plan is kept
	confirmed string // digest of the plan whose table was named; one run uses it up

	running   bool          // the seed is being written
	stopping  bool          // and was asked to stop
	phase     engine.Phase  // of the running seed
	committed bool          // its rows are visible
	took      time.Duration // of the seed that ended well
	result    *engine.Result
	failure   *engine.Error
}

// known is an answer of the engine, or its refusal, and what it was given for.
// A refusal may come with what was found before it.
type known[T any] struct {
	value T
	err   error
	print string
	set   bool
}

// of reports whether the value was found for these answers.
func (k known[T]) of(print string) bool { return k.set && k.print == print }

// refusal is the refusal for these answers, nil where there is none.
func (k known[T]) refusal(print string) error {
	if k.of(print) {
		return k.err
	}
	return nil
}

// good reports whether there is a value for these answers and no refusal.
func (k known[T]) good(print string) bool { return k.of(print) && k.err == nil }

func learn[T any](value T, err error, print string) known[T] {
	return known[T]{value: value, err: err, print: print, set: true}
}
