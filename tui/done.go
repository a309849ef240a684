package tui

import (
	"io"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// doneScreen tells what the seed came to and what to do next.
type doneScreen struct {
	note  string // what became of a request to copy
	text  pane
	since time.Time // when it was shown
}

var (
	keyLeave = bind("enter", "leave", "enter")
	keyCopyL = bind("c", "copy L", "c")
)

func newDone() step { return &doneScreen{} }

func (*doneScreen) title() string { return "Done" }

func (s *doneScreen) enter(d *desk) tea.Cmd {
	s.note, s.since, s.text = "", d.now(), pane{}
	return nil
}

func (*doneScreen) leave() {}

func (s *doneScreen) update(d *desk, msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyMsg)
	switch {
	case !ok:
		return nil, false
	case k.Type == tea.KeyEnter && d.now().Sub(s.since) < read:
		return nil, true // it was pressed before there was anything to read
	case k.Type == tea.KeyEnter:
		return tea.Quit, true
	case s.text.hear(k):
		return nil, true
	case key.Matches(k, keyCopyL) && d.found.result != nil:
		d.copied(d.found.result.L.String())
		s.note = "L: " + sentOut
		return nil, true
	}
	return nil, false
}

func (s *doneScreen) view(d *desk, w, h int) page {
	r := d.found.result
	if r == nil {
		return page{lines: wrap(" ", " ", "No seed was made. "+verdict.NothingWritten, w), focus: -1}
	}
	plain := *r
	plain.Follow = nil // told below, each command on a line of its own
	lines := d.printed(reported(func(w io.Writer) { report.Result(w, plain) }), w)
	if len(lines) > 0 {
		took := ""
		if r.State != engine.AlreadySeeded && d.found.took > 0 {
			took = "took " + lasted(d.found.took) + " "
		}
		lines[0] = apart(d.look.bold.Render(lines[0]), took, w)
	}
	lost, others := castLines(d, *r, w)
	lines = append(lines, lost...)
	lines = append(lines, nextLines(d, r.Follow, w)...)
	return s.text.page(d, tightened(append(lines, others...), h), w, h)
}

// castLines are what the casts did to the values that were written: what lost
// something, and then what did not.
func castLines(d *desk, r engine.Result, w int) (lost, others []string) {
	p := d.found.plan.value
	if r.State == engine.AlreadySeeded || p.Digest != r.Plan {
		return nil, nil
	}
	under := func(heading string, told []string) []string {
		if len(told) == 0 {
			return nil
		}
		lines := []string{""}
		for _, l := range wrap(" ", " ", heading+report.Counted(p, r), w) {
			lines = append(lines, d.look.bold.Render(l))
		}
		for _, t := range told {
			lines = append(lines, wrapQuoted("   ", "     ", clean(t), min(w, proseWidth))...)
		}
		return lines
	}
	losing, harmless := p.Effects(r.Report)
	return under(report.LostHeading, losing), under("Cast without a loss", harmless)
}

func (s *doneScreen) keys(d *desk) []key.Binding {
	if d.found.result == nil {
		return []key.Binding{keyLeave}
	}
	return []key.Binding{keyLeave, keyCopyL}
}

func (s *doneScreen) ready(d *desk) status {
	switch {
	case s.note != "":
		return status{level: verdict.Note, text: s.note}
	case d.found.result == nil:
		return await("No seed was made.")
	case d.found.result.State == engine.AlreadySeeded:
		return fine("Already seeded. This is printed again below your prompt when you leave.")
	}
	return fine("Done. This is printed again below your prompt when you leave.")
}

func (*doneScreen) checks(*desk) []verdict.Check { return nil }
