package tui

import (
	"io"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// runScreen shows the seed that is being written, and what it failed for. The
// writing itself is no part of it: the screen may go away, the seed is stopped
// or finished by whoever started it.
type runScreen struct {
	trip *journey // nil before the first run
	log  bool     // the whole log shows
	read logView  // it, as it is drawn
	text pane     // the failure, where it is longer than the screen
	note string   // what became of a request to copy
}

var (
	keyLog    = bind("l", "full log", "l")
	keyNoLog  = bind("l", "close the log", "l", "esc", "enter")
	keyRerun  = bind("r", "new plan", "r")
	keyReport = bind("y", "copy this report", "y")
)

func newRun() step { return &runScreen{} }

func (*runScreen) title() string { return "Run" }

// enter starts the seed that was confirmed. Review clears what a run before it
// came to, so one confirmation starts one seed however often this is shown.
func (s *runScreen) enter(d *desk) tea.Cmd {
	s.log, s.note, s.text = false, "", pane{}
	f := &d.found
	if f.running || f.result != nil || f.failure != nil || !f.plan.good(d.answers.print(reviewStep)) || f.plan.value.Refusal() != nil || f.confirmed != f.plan.value.Digest {
		return nil
	}
	f.confirmed = ""
	plan := f.plan.value
	var r engine.Request // what the plan was made for, not what was typed since
	if err := r.SetArgs(plan.Args); err != nil {
		f.failure = verdict.As(err)
		return nil
	}
	s.trip = newJourney(plan, d.now())
	f.running, f.stopping, f.phase, f.committed = true, false, engine.Recheck, false
	d.execute(plan, r)
	return nil
}

func (*runScreen) leave() {}

func (s *runScreen) update(d *desk, msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case eventMsg:
		s.hear(d, m.event)
		return nil, true
	case finishedMsg:
		return s.finished(d, m), true
	case tea.KeyMsg:
		return s.key(d, m)
	}
	return nil, false
}

func (s *runScreen) hear(d *desk, e engine.Event) {
	if s.trip == nil || !d.found.running {
		return
	}
	s.trip.hear(e, d.now())
	switch e := e.(type) {
	case engine.PhaseStarted:
		d.found.phase = e.Phase
	case engine.PhaseDone:
		if e.Phase == engine.Commit {
			d.found.committed = true
		}
	}
}

// finished takes the end. A plan is for one run: after a failure it is made again.
func (s *runScreen) finished(d *desk, m finishedMsg) tea.Cmd {
	f := &d.found
	f.running = false
	e := verdict.As(m.err)
	if s.trip != nil {
		s.trip.finish(e, d.now())
	}
	if e != nil {
		f.failure = e
		f.plan.print = ""
		d.distrust(e.Code)
		return nil
	}
	f.result, f.took = &m.result, 0
	if s.trip != nil {
		f.took = s.trip.took(d.now())
	}
	return say(nextMsg{runStep})
}

func (s *runScreen) key(d *desk, k tea.KeyMsg) (tea.Cmd, bool) {
	switch {
	case s.log && key.Matches(k, keyNoLog):
		s.log = false
		return nil, true
	case key.Matches(k, keyLog) && s.trip != nil:
		s.log = true
		return nil, true
	case !s.log && !d.found.running && d.found.failure != nil && s.text.hear(k):
		return nil, true
	case d.found.running, d.found.failure == nil, s.log:
		return nil, k.Type == tea.KeyEnter || k.Type == tea.KeyEsc
	case k.Type == tea.KeyEnter && s.fresh(d):
		return nil, true
	case k.Type == tea.KeyEnter:
		return say(goToMsg{stepFor(d.found.failure.Code)}), true
	case key.Matches(k, keyRerun):
		return say(goToMsg{reviewStep}), true
	case key.Matches(k, keyReport):
		d.copied(s.report(d))
		s.note = sentOut
		return nil, true
	}
	return nil, false
}

// fresh reports whether the failure just came: a key that was pressed before
// it could be read does not send it away.
func (s *runScreen) fresh(d *desk) bool {
	return s.trip != nil && d.now().Sub(s.trip.ended) < read
}

// report is the failure as the command line prints it, and the plan's digest.
func (s *runScreen) report(d *desk) string {
	text := reported(func(w io.Writer) { report.Failure(w, d.found.failure) })
	if s.trip != nil {
		text += "\n(plan " + s.trip.plan.Digest + ")"
	}
	return text + "\n"
}

func (s *runScreen) view(d *desk, w, h int) page {
	switch {
	case s.log && s.trip != nil:
		return page{lines: s.read.lines(d, s.trip, w), focus: -1}
	case d.found.failure != nil && !d.found.running:
		return s.text.page(d, s.failureLines(d, w, h), w, h)
	case s.trip == nil:
		return page{lines: wrap(" ", " ", "No seed runs. "+verdict.NothingWritten, w), focus: -1}
	}
	return page{lines: s.tripLines(d, w, h), focus: -1}
}

// tripLines are the running seed.
func (s *runScreen) tripLines(d *desk, w, h int) []string {
	j := s.trip
	room := h >= fullHeight-fullFrame
	what := "Seeding " + j.plan.Table.String()
	if j.plan.State == engine.AlreadySeeded {
		what = "Checking the seed of " + j.plan.Table.String()
	}
	right := lasted(j.took(d.now())) + " "
	if room {
		right = "plan " + j.plan.Digest[:8] + "    " + right
	}
	lines := []string{apart(" "+d.look.bold.Render(clean(what)), right, w)}
	lines = spaced(lines, room)
	lines = append(lines, j.phaseLines(d, w)...)
	lines = spaced(lines, room)
	lines = append(lines, j.leftLines(d, w)...)
	lines = spaced(lines, room)
	for i := len(j.log) - 1; i >= 0 && len(lines) < h; i-- {
		lines = append(lines, cut(j.log[i].line(d.found.source.value.Ahead), w))
	}
	return lines
}

// spaced adds an empty line where there is room for one.
func spaced(lines []string, room bool) []string {
	if room && len(lines) > 0 && lines[len(lines)-1] != "" {
		return append(lines, "")
	}
	return lines
}

func (s *runScreen) keys(d *desk) []key.Binding {
	if s.log {
		return []key.Binding{keyNoLog}
	}
	var out []key.Binding
	if f := d.found.failure; f != nil && !d.found.running {
		to := stepFor(f.Code)
		if to < reviewStep {
			out = append(out, bind("enter", "to "+titleOf(to), "enter"), keyRerun)
		} else {
			out = append(out, bind("enter", "new plan", "enter"))
		}
		out = append(out, keyReport)
	}
	if s.trip != nil {
		out = append(out, keyLog)
	}
	return out
}

func (s *runScreen) ready(d *desk) status {
	f := d.found
	switch {
	case f.failure != nil && !f.running:
		return s.failed(f.failure)
	case !f.running && f.result == nil:
		return await("Nothing runs. A seed is confirmed on Review.")
	case !f.running:
		return fine("Done.")
	case f.committed:
		return status{level: verdict.Note, text: "The rows are committed. It cannot be stopped now, it takes moments."}
	case f.phase == engine.Record:
		return status{level: verdict.Note, text: "Recording the seed: it cannot be stopped now, it takes moments."}
	case f.phase == engine.Commit:
		return status{level: verdict.Note, text: "Committing: it cannot be stopped now, it takes moments."}
	case f.stopping:
		if s.keeps() {
			return status{level: verdict.Note, text: "Stopping: staged files are kept for the next try; nothing becomes visible."}
		}
		return status{level: verdict.Note, text: "Stopping: staged files are being removed; nothing becomes visible."}
	case s.trip.plan.State == engine.AlreadySeeded:
		return fine("Safe to stop: no rows are written.")
	}
	if s.keeps() {
		return fine("Safe to stop until phase 4: staged files stay, nothing becomes visible.")
	}
	return fine("Safe to stop until phase 4: staged files go, nothing becomes visible.")
}

// keeps reports whether staged files outlive a stop.
func (s *runScreen) keeps() bool { return s.trip.plan.Stage.OnStop == "keep" }

func (s *runScreen) checks(*desk) []verdict.Check { return nil }
