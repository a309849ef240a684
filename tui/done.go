package tui

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// doneScreen tells what the seed came to and what to do next.
type doneScreen struct {
	note  string    // what became of a request to copy
	since time.Time // when it was shown
}

var (
	keyLeave = bind("enter", "leave", "enter")
	keyCopyL = bind("c", "copy L", "c")
)

func newDone() step { return &doneScreen{} }

func (*doneScreen) title() string { return "Done" }

func (s *doneScreen) enter(d *desk) tea.Cmd {
	s.note, s.since = "", d.now()
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
	case key.Matches(k, keyCopyL) && d.found.result != nil:
		d.copied(d.found.result.L.String())
		s.note = "L was sent to the terminal's clipboard, where the terminal allows it."
		return nil, true
	}
	return nil, false
}

func (s *doneScreen) view(d *desk, w, h int) page {
	r := d.found.result
	if r == nil {
		return page{lines: wrap(" ", " ", "No seed was made. "+verdict.NothingWritten, w), focus: -1}
	}
	lines := d.printed(reported(func(w io.Writer) { report.Result(w, *r) }), w)
	if len(lines) > 0 {
		lines[0] = d.look.bold.Render(lines[0])
	}
	return page{lines: tightened(append(lines, castLines(d, *r, w)...), h), focus: -1}
}

// castLines are what the casts did to values, as the plan saw it before they
// were written.
func castLines(d *desk, r engine.Result, w int) []string {
	p := d.found.plan.value
	if r.State == engine.AlreadySeeded || p.Digest != r.Plan {
		return nil
	}
	var lines []string
	for _, c := range p.Columns.Columns {
		for _, effect := range engine.EffectLines(p.Preview.Report.Columns[c.Target.Name]) {
			lines = append(lines, wrap("   ", "     ", clean(c.Target.Name+": "+effect), min(w, 100))...)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	looked := verdict.Plural(p.Preview.Rows, "row", "rows")
	if p.Preview.Depth != "all" {
		looked += " sampled"
	}
	heading := fmt.Sprintf(" Cast, as the plan saw it in %s", looked)
	return slices.Concat([]string{"", d.look.bold.Render(cut(heading, w))}, lines)
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
