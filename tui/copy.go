package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// copyScreen asks where the copy lies and where the seed goes. Both places are
// looked at when typing rests, each for itself.
type copyScreen struct {
	form   form
	copy   job
	target job
	far    string // how far the look at the copy is, in words
	ntz    bool   // the target can only be written with the upgrade that a field allows
	held   bool   // the target holds a snapshot already

	conditions func(engine.TargetView, engine.CopyView, engine.AsOfView) []engine.ReseedCondition
}

// The fields, in their order.
const (
	fieldCopy = iota
	fieldTarget
	fieldName
	fieldFacts
	fieldApp
	fieldProtocol
	fieldReseed
)

func newCopy() step {
	s := &copyScreen{
		copy: job{step: copyStep},
		// The pauses of the two jobs are told apart by their generations.
		target:     job{step: copyStep, gen: 1 << 30},
		conditions: engine.TargetView.ReseedConditions,
	}
	s.form.fields = []*field{
		fieldCopy:     placeField("Copy", "a folder of Parquet files, one file, or a Delta table", func(a *answers) *string { return &a.Copy }),
		fieldTarget:   placeField("Target", "the bronze table's folder; made if it is missing", func(a *answers) *string { return &a.Target }),
		fieldName:     placeField("In the job", "target as the Python job passes it, as bronze.orders", func(a *answers) *string { return &a.TargetName }),
		fieldFacts:    placeField("Facts", "the facts table's folder; empty where the job has none", func(a *answers) *string { return &a.Facts }),
		fieldApp:      placeField("App id", "app_id as the Python job passes it; needed with Facts", func(a *answers) *string { return &a.AppID }),
		fieldProtocol: s.protocolField(),
		fieldReseed:   s.reseedField(),
	}
	return s
}

// placeField is a line of text that is often pasted: blanks and quotes around
// it are none of it.
func placeField(name, hint string, at func(*answers) *string) *field {
	f := textField(name, hint, at)
	f.set = func(a *answers, s string) { *at(a) = unquoted(s) }
	return f
}

// unquoted is s without blanks and one pair of quotes around it.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return strings.TrimSpace(s[1 : n-1])
	}
	return s
}

// protocolField asks for the one change to an existing target that older
// readers notice. It shows only where it matters.
func (s *copyScreen) protocolField() *field {
	const yes = "yes"
	return &field{
		name:    "Protocol",
		choices: []option{{"", "leave it: the seed stops"}, {yes, "enable timestampNtz"}},
		shown:   func(a *answers) bool { return s.ntz || a.UpgradeProtocol },
		get: func(a *answers) string {
			if a.UpgradeProtocol {
				return yes
			}
			return ""
		},
		set: func(a *answers, v string) { a.UpgradeProtocol = v == yes },
	}
}

func (*copyScreen) title() string { return "Copy" }

func (s *copyScreen) enter(d *desk) tea.Cmd {
	s.form.load(d.answers)
	if n, st, asks := s.asks(d); asks && st.wait {
		s.form.to(d.answers, n)
	}
	var cmds []tea.Cmd
	if !d.found.copy.good(s.copyPrint(d)) {
		cmds = append(cmds, s.lookAtCopy(d))
	}
	if !d.found.target.good(s.targetPrint(d)) {
		cmds = append(cmds, s.lookAtTarget(d))
	}
	return tea.Batch(cmds...)
}

func (s *copyScreen) leave() {
	s.copy.stop()
	s.target.stop()
}

// copyPrint is of the answers that the look at the copy depends on; targetPrint
// of those that the look at the target does, which must lie apart from the copy.
func (s *copyScreen) copyPrint(d *desk) string   { return d.answers.printWith(tableStep, "copy") }
func (s *copyScreen) targetPrint(d *desk) string { return d.answers.print(copyStep) }

// progressEvery is how often the screen is told how far a look is.
const progressEvery = 100 * time.Millisecond

func (s *copyScreen) lookAtCopy(d *desk) tea.Cmd {
	s.far = ""
	if d.answers.Copy == "" {
		s.copy.stop()
		return nil
	}
	r := d.answers.asked()
	return beginTelling(d, &s.copy, "looking at the copy", func(ctx context.Context, tell func(string)) (engine.CopyView, error) {
		return d.engine.Copy(ctx, r, footers(tell, d.now))
	})
}

func (s *copyScreen) lookAtTarget(d *desk) tea.Cmd {
	if d.answers.Target == "" {
		s.target.stop()
		return nil
	}
	r := d.answers.asked()
	if placesRefusal(r) != nil { // it is shown; the target itself can be looked at
		r.Facts = ""
	}
	return begin(d, &s.target, "looking at the target", func(ctx context.Context) (engine.TargetView, error) {
		return d.engine.Target(ctx, r)
	})
}

// placesRefusal is what the facts table's answers still lack, by the rule that
// the flags are checked with.
func placesRefusal(r engine.Request) error {
	const asked = "-" // elsewhere
	part := engine.Request{
		Server: asked, Table: asked, Copy: asked, Target: r.Target, AsOf: asked,
		TargetName: r.TargetName, Facts: r.Facts, AppID: r.AppID,
	}
	if part.Target == "" {
		part.Target = asked
	}
	return part.Validate()
}

func (s *copyScreen) update(d *desk, msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case reply[engine.CopyView]:
		if s.copy.done(m.gen) {
			d.found.copy = learn(m.value, m.err, s.copyPrint(d))
		}
		return nil, true
	case reply[engine.TargetView]:
		if s.target.done(m.gen) {
			d.found.target = learn(m.value, m.err, s.targetPrint(d))
			s.ntz, s.held = m.value.NeedsNTZ != nil, m.value.Recovery != nil
			s.form.to(d.answers, s.form.at)
		}
		return nil, true
	case progressed:
		if m.gen == s.copy.gen && s.copy.running() {
			s.far = m.text
		}
		return nil, true
	case pause:
		switch { // what was typed may be what is known again
		case m.gen == s.copy.gen && !d.found.copy.good(s.copyPrint(d)):
			return s.lookAtCopy(d), true
		case m.gen == s.target.gen && !d.found.target.good(s.targetPrint(d)):
			return s.lookAtTarget(d), true
		}
		return nil, true
	case tea.KeyMsg:
		return s.key(d, m)
	}
	return nil, false
}

func (s *copyScreen) key(d *desk, k tea.KeyMsg) (tea.Cmd, bool) {
	if key.Matches(k, keyRecheck) {
		return tea.Batch(s.lookAtCopy(d), s.lookAtTarget(d)), true
	}
	if n, _, asks := s.asks(d); asks && key.Matches(k, keyNext) {
		s.form.to(d.answers, n)
		return nil, true
	}
	copied, target := s.copyPrint(d), s.targetPrint(d)
	cmd, changed, moved, handled := s.form.update(d.answers, k)
	if moved || changed && k.Paste {
		s.form.load(d.answers) // without quotes and blanks around it
	}
	cmds := []tea.Cmd{cmd}
	if s.copyPrint(d) != copied {
		s.far = ""
		cmds = append(cmds, s.copy.rest(d))
	}
	if s.targetPrint(d) != target {
		cmds = append(cmds, s.target.rest(d))
	}
	return tea.Batch(cmds...), handled
}

// asks is the first thing that is in the way and that an answer here changes: its
// field, and words for it.
func (s *copyScreen) asks(d *desk) (field int, st status, asks bool) {
	wrong := verdict.As(placesRefusal(d.answers.asked()))
	c, t := d.found.copy, d.found.target
	switch {
	case d.answers.Copy == "":
		return fieldCopy, await("Give the copy's path."), true
	case c.err != nil && c.of(s.copyPrint(d)) && !s.copy.running() && !elsewhere(c.err):
		code := verdict.As(c.err).Code
		return fieldCopy, stopFor(code, onCopy(code)), true
	case d.answers.Target == "":
		return fieldTarget, await("Give the target's path."), true
	case wrong != nil && d.answers.AppID == "":
		return fieldApp, stopFor(wrong.Code, "Give the app id, or leave Facts empty."), true
	case wrong != nil:
		return fieldName, stopFor(wrong.Code, "Give the name in the job, or leave Facts empty."), true
	case !t.of(s.targetPrint(d)) || s.target.running() || elsewhere(t.err):
		return 0, status{}, false
	case t.err != nil:
		e := verdict.As(t.err)
		text, field := onTarget(e)
		return field, stopFor(e.Code, text), true
	case t.value.NeedsNTZ != nil:
		text, field := onTarget(t.value.NeedsNTZ)
		return field, stopFor(t.value.NeedsNTZ.Code, text), true
	}
	return s.reseedAsks(d)
}

// failed is what the looks met that lies before this step, nil for nothing.
func (s *copyScreen) failed(d *desk) *verdict.Error {
	switch c, t := d.found.copy, d.found.target; {
	case c.of(s.copyPrint(d)) && elsewhere(c.err):
		return verdict.As(c.err)
	case t.of(s.targetPrint(d)) && elsewhere(t.err):
		return verdict.As(t.err)
	}
	return nil
}

func (*copyScreen) keys(*desk) []key.Binding { return []key.Binding{keyField, keyRecheck} }

func (s *copyScreen) ready(d *desk) status {
	c, t := d.found.copy, d.found.target
	running := s.copy.running() || s.target.running()
	if e := s.failed(d); e != nil && !running {
		return stopFor(e.Code, onSource(e.Code))
	}
	if _, st, asks := s.asks(d); asks {
		return st
	}
	switch {
	case !c.of(s.copyPrint(d)) || s.copy.running():
		return await(s.waiting())
	case !t.of(s.targetPrint(d)) || s.target.running():
		return await("Looking at the target.")
	}
	for _, x := range append(s.copyDoubts(d), s.targetDoubts(d)...) {
		return status{level: verdict.Warn, text: x.short}
	}
	if s.lost(d) && !d.answers.Reseed {
		return status{level: verdict.Note, text: "Its stream lost changes: Reseed, or another Target."}
	}
	return fine(fmt.Sprintf("Ready: %s. Next: when the copy began.", verdict.Plural(c.value.Rows, "row", "rows")))
}

// waiting names what is awaited of the copy.
func (s *copyScreen) waiting() string {
	if s.far != "" {
		return "Copy: " + s.far + "."
	}
	return "Looking at the copy."
}

// footers tells how many footers are read, not more often than one can see.
func footers(tell func(string), clock func() time.Time) func(done, total int) {
	var last time.Time
	return func(done, total int) {
		if now := clock(); done == total || now.Sub(last) >= progressEvery {
			last = now
			tell(fmt.Sprintf("reading %s of %s", verdict.Count(done), verdict.Plural(total, "file footer", "file footers")))
		}
	}
}

// checks are the findings about both places.
func (s *copyScreen) checks(d *desk) []verdict.Check {
	var out []verdict.Check
	if c := d.found.copy; c.good(s.copyPrint(d)) {
		out = append(out, c.value.Checks...)
	}
	if d.found.target.good(s.targetPrint(d)) {
		out = append(out, s.targetChecks(d)...)
	}
	return out
}

// targetChecks are those of the target, and whether it has room for the copy.
func (s *copyScreen) targetChecks(d *desk) []verdict.Check {
	t := d.found.target.value
	if !d.found.copy.good(s.copyPrint(d)) {
		return t.Checks
	}
	return append(slices.Clone(t.Checks), t.Room(d.found.copy.value))
}
