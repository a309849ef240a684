package tui

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// overlay lies over the body until it is answered.
type overlay interface {
	update(*wizard, tea.KeyMsg) (overlay, tea.Cmd) // nil closes it
	view(w *wizard, width, height int) page
	status(*wizard) string
	keys(*wizard) []key.Binding
}

// sheet is an overlay that is only read.
type sheet struct {
	heading string
	draw    func(w *wizard, width int) []string
	copies  string // what c copies to the clipboard; empty for nothing
	note    string // what became of it
}

var (
	keyClose = bind("esc", "close", "esc", "enter", "q")
	keyCopy  = bind("c", "copy to the clipboard", "c")
)

func (s *sheet) update(w *wizard, k tea.KeyMsg) (overlay, tea.Cmd) {
	switch {
	case key.Matches(k, keyClose), key.Matches(k, keyCommand, keyWhy, keyHelp):
		w.scroll = false
		return nil, nil
	case s.copies != "" && key.Matches(k, keyCopy):
		w.copied(s.copies)
		s.note = sentOut
	case key.Matches(k, keyPageUp, keyPageDn):
		w.page(key.Matches(k, keyPageDn))
	case k.Type == tea.KeyUp, k.Type == tea.KeyDown:
		w.scrollBy(arrow(k))
	}
	return s, nil
}

func (s *sheet) view(w *wizard, width, _ int) page {
	lines := append([]string{" " + w.look.bold.Render(s.heading), ""}, s.draw(w, width)...)
	return page{lines: lines, focus: -1}
}

// status is the sheet's own: that of the step under it is not what enter does now.
func (s *sheet) status(w *wizard) string {
	if s.note == "" {
		return w.look.word(verdict.Note) + "esc or enter closes this."
	}
	return s.note
}

func (s *sheet) keys(*wizard) []key.Binding {
	if s.copies == "" {
		return []key.Binding{keyClose, keyPageUp, keyPageDn}
	}
	return []key.Binding{keyClose, keyCopy, keyPageUp, keyPageDn}
}

// commandOverlay is the command line, whole.
func commandOverlay(w *wizard) overlay {
	whole := w.command().whole()
	return &sheet{heading: "The command that does the same", copies: whole, draw: func(w *wizard, width int) []string {
		lines := append(w.command().lines(width-4), "")
		if user, _ := w.answers.PasswordUser(); user != "" {
			lines = append(lines, wrap("   ", "   ", "It holds no password: it is asked for, or comes from CDCSEED_PASSWORD or --password-file.", width-2)...)
		}
		return lines
	}}
}

// whyOverlay is what forbids the step, then its warnings or else its findings,
// with their reasons.
func whyOverlay(w *wizard) overlay {
	checks := w.step().checks(w.desk)
	if open := w.answers.open(checks); len(open) > 0 {
		checks = open
	}
	refused := w.refused(w.at)
	return &sheet{heading: "Why", draw: func(w *wizard, width int) []string {
		const indent = "        "
		var lines []string
		for _, err := range refused {
			lines = append(append(lines, w.refusal(err, width)...), "")
		}
		for _, c := range checks {
			lines = append(lines, w.finding(c, width)...)
			if c.Why != "" {
				lines = append(lines, wrap(indent, indent, clean(c.Why), width)...)
			}
			for _, f := range c.Facts {
				lines = append(lines, wrap(indent, indent+"  ", clean(f.Name+": "+f.Value), width)...)
			}
			if c.Level == verdict.Warn {
				lines = append(lines, wrap(indent, indent, "On the command line: --accept "+string(c.Code), width)...)
			}
			lines = append(lines, "")
		}
		if len(lines) == 0 {
			lines = wrap("   ", "   ", "Nothing is found here yet that has a reason. "+clean(w.status().text), width-2)
		}
		return lines
	}}
}

// refused are the refusals that the engine gave at a step, of the answers as
// they stand.
func (d *desk) refused(at stepID) []error {
	f, print := &d.found, d.answers.print
	var all []error
	switch at {
	case connectStep:
		all = append(all, f.source.refusal(print(connectStep)))
	case tableStep:
		all = append(all, f.tables.refusal(print(connectStep)), f.table.refusal(print(tableStep)))
	case copyStep:
		all = append(all, f.copy.refusal(d.answers.printWith(tableStep, "copy")), f.target.refusal(print(copyStep)))
	case asOfStep:
		all = append(all, f.asOf.err)
	case columnsStep:
		all = append(all, f.columns.err)
		if e := f.columns.value.Stop; e != nil {
			all = append(all, e)
		}
	case reviewStep:
		all = append(all, f.plan.refusal(print(reviewStep)))
		if f.plan.good(print(reviewStep)) {
			for _, s := range f.plan.value.Stops {
				all = append(all, s.Err())
			}
		}
	}
	return slices.DeleteFunc(all, func(err error) bool { return err == nil })
}

// promptOverlay is what to do elsewhere to sign in again.
func promptOverlay(text string) overlay {
	return &sheet{heading: "To sign in", draw: func(_ *wizard, width int) []string {
		return wrap("   ", "   ", clean(text), width-2)
	}}
}

// helpOverlay is every key and what the marks mean.
func helpOverlay(*wizard) overlay {
	return &sheet{heading: "Keys and marks", draw: func(w *wizard, width int) []string {
		var lines []string
		row := func(name, what string) {
			lines = append(lines, wrap("   "+fill(name, 12), strings.Repeat(" ", 15), what, width)...)
		}
		row("enter", "goes on; where a warning is open it names it first, and another enter accepts it")
		row("esc", "goes back one step; every answer is kept")
		row("tab, arrows", "move between fields and lines; space chooses")
		for _, b := range w.step().keys(w.desk) {
			if b.Enabled() && b.Help().Key != keyNext.Help().Key && b.Help().Key != keyBack.Help().Key {
				row(b.Help().Key, b.Help().Desc)
			}
		}
		row("ctrl+o", "the whole command that does the same, to copy")
		row("ctrl+y", "why: the rule and the values behind what is found")
		row("ctrl+l", "draws the screen again")
		row("pgup, pgdn", "scroll where a page is longer than the screen; so do up, down and the wheel, where they move no cursor")
		if w.suspend != nil {
			row("ctrl+z", "suspends, as in any program of a shell; fg comes back")
		}
		row("ctrl+c", "asks before it leaves; while a seed runs, before it stops")
		lines = append(lines, "")
		row("rail", w.glyph.done+" answered   ? answered before an earlier answer changed   ! what has to change")
		row("corner", "whether anything was written. Until step 7 cdcseed only reads.")
		row("ok note", "found; nothing is asked of you")
		row("warn", "costs something that only you can weigh: accepted one by one")
		row("STOP", "cannot be accepted: something has to change")
		return lines
	}}
}

// question is an overlay that asks yes or no; no is what enter means.
type question struct {
	heading string
	lines   []string
	no, yes string // in words
	answer  func(*wizard) tea.Cmd
}

var (
	keyNo  = bind("enter", "", "enter", "esc", "n")
	keyYes = bind("y", "", "y", "Y")
)

func (q *question) update(w *wizard, k tea.KeyMsg) (overlay, tea.Cmd) {
	switch {
	case key.Matches(k, keyYes) && !k.Paste:
		return nil, q.answer(w)
	case key.Matches(k, keyNo):
		w.asked = time.Time{} // answered: the next ctrl+c is not its second
		return nil, nil
	}
	return q, nil
}

func (q *question) view(w *wizard, width, _ int) page {
	lines := []string{"", " " + w.look.bold.Render(q.heading), ""}
	for _, l := range q.lines {
		lines = append(lines, wrap("   ", "   ", l, width-2)...)
	}
	lines = append(lines, "", "   "+w.look.accent.Render("[ "+q.no+" ]")+"     y  "+q.yes)
	return page{lines: lines, focus: -1}
}

func (q *question) status(*wizard) string {
	return "enter: " + strings.ToLower(q.no) + "   y: " + q.yes
}

func (q *question) keys(*wizard) []key.Binding {
	return []key.Binding{bind("enter", strings.ToLower(q.no), "enter"), bind("y", q.yes, "y")}
}

// leaveOverlay asks before the wizard ends.
func leaveOverlay(w *wizard) overlay {
	wrote := verdict.NothingWritten
	if f := w.found.failure; f != nil {
		wrote = f.WroteText()
	}
	return &question{
		heading: "Leave cdcseed?",
		lines: []string{
			clean(wrote),
			"The command that opens the wizard with your answers is printed when you leave. Warnings are asked again.",
		},
		no: "Stay", yes: "leave",
		answer: func(w *wizard) tea.Cmd {
			w.left = true
			return tea.Quit
		},
	}
}

// stopAsk asks before a running seed is stopped. What it says is of the moment
// at which it is read and answered, not of when it was opened.
type stopAsk struct{}

func (s stopAsk) update(w *wizard, k tea.KeyMsg) (overlay, tea.Cmd) {
	if over, cmd := s.now(w).update(w, k); over == nil {
		return nil, cmd
	}
	return s, nil
}

func (s stopAsk) view(w *wizard, width, height int) page { return s.now(w).view(w, width, height) }
func (s stopAsk) status(w *wizard) string                { return s.now(w).status(w) }
func (s stopAsk) keys(w *wizard) []key.Binding           { return s.now(w).keys(w) }

func (stopAsk) now(w *wizard) overlay {
	told := func(heading, text string) overlay {
		return &sheet{heading: heading, draw: func(_ *wizard, width int) []string { return wrap("   ", "   ", text, width-2) }}
	}
	ask := &question{
		heading: "Stop the seed?", no: "Go on", yes: "stop and clean up",
		lines: []string{"Staged files are removed, and nothing becomes visible to any reader.", "Your answers stay: you can run it again."},
		answer: func(w *wizard) tea.Cmd {
			w.found.stopping = true
			w.cease()
			return nil
		},
	}
	switch {
	case w.found.committed || w.found.phase == engine.Record:
		return told("It cannot be stopped now", "The rows are committed; what is left is to record them. It takes moments.")
	case w.found.stopping:
		return told("It is being stopped", "What is read or written at this moment ends first. A commit that has begun is finished.")
	case w.found.phase == engine.Commit:
		ask.lines[0] = "A commit that has begun is finished: half a commit does not exist. Before that the seed stops, and nothing becomes visible."
		ask.yes = "stop if it still can"
	case w.found.plan.value.Stage.OnStop == "keep":
		ask.lines[0], ask.yes = "Staged files are kept for the next try, and nothing becomes visible to any reader.", "stop and keep them"
	}
	return ask
}
