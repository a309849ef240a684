package tui

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// reviewScreen shows the plan, asks for the warnings that are still open, and
// has the person type the table's name. What is confirmed is the plan that was
// read, and nothing else.
type reviewScreen struct {
	build, save job
	told        string // how far planning is
	accepts     acceptance
	name        *field // what is typed to confirm
	plan        pane
	sheet       bool  // where the plan is kept lies over it
	saveErr     error // why it is kept nowhere
	copied      bool
}

// planAge is how old a plan may get before it is made again on a return.
const planAge = 5 * time.Minute

var (
	keyReplan = bind("ctrl+r", "plan again", "ctrl+r")
	keySave   = bind("ctrl+x", "save plan", "ctrl+x")
)

func newReview() step {
	s := &reviewScreen{build: job{step: reviewStep}, save: job{step: reviewStep}}
	s.name = &field{input: newInput()}
	s.name.input.Focus()
	return s
}

func (*reviewScreen) title() string { return "Review" }

func (s *reviewScreen) print(d *desk) string { return d.answers.print(reviewStep) }

func (s *reviewScreen) enter(d *desk) tea.Cmd {
	s.unconfirm()
	k := d.found.plan
	if !k.good(s.print(d)) || len(k.value.Stops) > 0 {
		return s.make(d)
	}
	if age := d.now().Sub(k.value.MadeAt.Time()); age < 0 || age >= planAge {
		return s.make(d)
	}
	return s.settle(d)
}

// unconfirm forgets what was typed: it was for the plan as it was read then.
func (s *reviewScreen) unconfirm() {
	s.name.input.SetValue("")
	s.accepts, s.plan, s.sheet = acceptance{}, pane{}, false
}

// leave ends planning. The plan that is being kept is small, and kept it is.
func (s *reviewScreen) leave() { s.build.stop() }

// make builds the plan. The one before stays on the screen until then.
func (s *reviewScreen) make(d *desk) tea.Cmd {
	s.unconfirm()
	s.told = ""
	s.save.stop()
	d.found.kept, s.saveErr = "", nil
	r := d.answers.asked()
	var tell func(string)
	cmd := begin(d, &s.build, "planning the seed", func(ctx context.Context) (engine.Plan, error) {
		r, err := r.Absolute()
		if err != nil {
			return engine.Plan{}, err
		}
		return d.engine.Build(ctx, r, func(e engine.Event) {
			if n, ok := e.(engine.Notice); ok {
				tell(n.Text)
			}
		})
	})
	tell = s.build.tell(d)
	return cmd
}

// settle takes the accepted warnings into the plan once none is open, and
// keeps the plan, so that any shell can run exactly it.
func (s *reviewScreen) settle(d *desk) tea.Cmd {
	p := d.found.plan.value
	if len(p.Stops) > 0 || len(d.answers.open(p.Checks)) > 0 {
		return nil
	}
	was := p.Digest
	p, err := p.WithAccepted(d.answers.codes(p.Checks))
	d.found.plan = learn(p, err, s.print(d))
	if err != nil {
		return nil
	}
	if f := d.found.failure; f != nil && stepFor(f.Code) < reviewStep {
		d.found.failure = nil // what had to change did: the new plan can run
	}
	if d.found.kept != "" && p.Digest == was {
		return nil
	}
	d.found.kept, s.saveErr = "", nil
	return begin(d, &s.save, "keeping the plan", func(context.Context) (string, error) { return d.keep(p) })
}

func (s *reviewScreen) update(d *desk, msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case reply[engine.Plan]:
		if !s.build.done(m.gen) {
			return nil, true
		}
		d.found.plan = learn(m.value, m.err, s.print(d))
		if m.err != nil {
			return nil, true
		}
		return s.settle(d), true
	case reply[string]:
		if s.save.done(m.gen) {
			if s.saveErr = m.err; m.err == nil {
				d.found.kept = m.value
			}
		}
		return nil, true
	case progressed:
		if m.gen == s.build.gen && s.build.running() {
			s.told = m.text
		}
		return nil, true
	case tea.KeyMsg:
		return s.key(d, m)
	}
	return s.typed(d, msg)
}

func (s *reviewScreen) key(d *desk, m tea.KeyMsg) (tea.Cmd, bool) {
	switch {
	case s.sheet:
		s.readSheet(d, m)
		return nil, true
	case key.Matches(m, keyPageUp, keyPageDn):
		s.plan.turn(key.Matches(m, keyPageDn))
		return nil, true
	case m.Type == tea.KeyCtrlR:
		return s.make(d), true
	case m.Type == tea.KeyCtrlX:
		s.sheet, s.copied = true, false
		return nil, true
	case m.Type == tea.KeyEnter:
		return s.forward(d), true
	case m.Type == tea.KeyEsc:
		return nil, false
	}
	return s.typed(d, m)
}

// typed gives the name's field what it hears, where it is asked for.
func (s *reviewScreen) typed(d *desk, m tea.Msg) (cmd tea.Cmd, handled bool) {
	if at := s.stands(d); at != planUnnamed && at != planConfirmed {
		return nil, false
	}
	s.name.input, cmd = s.name.input.Update(m)
	return cmd, true
}

// forward is what enter does.
func (s *reviewScreen) forward(d *desk) tea.Cmd {
	k := d.found.plan
	switch s.stands(d) {
	case planAwaited, planUnnamed:
		return nil
	case planMissing:
		return s.make(d)
	case planRefused, planBlocked:
		if to := s.mustChange(d); to < reviewStep {
			return say(goToMsg{to})
		}
		return s.make(d)
	case planOpen:
		if s.accepts.press(d.answers, k.value.Checks, d.now()) {
			return s.settle(d)
		}
		return nil
	default:
		f := &d.found // the run to come has nothing of one before it
		f.result, f.failure, f.phase, f.committed, f.stopping = nil, nil, "", false, false
		return say(nextMsg{})
	}
}

// planStanding is how far the plan is from being run.
type planStanding int

const (
	planAwaited   planStanding = iota // it is being made
	planMissing                       // there is none for these answers
	planRefused                       // none could be made
	planBlocked                       // something has to change first
	planOpen                          // warnings are open
	planUnnamed                       // the table's name is not typed yet, or is another
	planConfirmed                     // enter runs it
	planIdle                          // it writes nothing: enter runs it, without a name
)

func (s *reviewScreen) stands(d *desk) planStanding {
	k := d.found.plan
	switch {
	case s.build.running():
		return planAwaited
	case !k.of(s.print(d)):
		return planMissing
	case k.err != nil:
		return planRefused
	case len(k.value.Stops) > 0:
		return planBlocked
	case len(d.answers.open(k.value.Checks)) > 0:
		return planOpen
	case !writes(k.value):
		return planIdle
	case s.names(k.value):
		return planConfirmed
	default:
		return planUnnamed
	}
}

// writes reports whether running the plan changes anything: rows, or the facts
// row of a seed that is in the target already.
func writes(p engine.Plan) bool {
	return p.State != engine.AlreadySeeded || p.Facts != nil && !p.Facts.Present
}

// names reports whether the plan's table was typed, case included. Blanks
// around it come along with a paste.
func (s *reviewScreen) names(p engine.Plan) bool {
	typed, name := s.name.input.Value(), p.Table.String()
	return typed == name || strings.TrimSpace(typed) == name
}

// stops are what has to change, in the order of the steps.
func (s *reviewScreen) stops(d *desk) []engine.Stop {
	out := slices.Clone(d.found.plan.value.Stops)
	slices.SortStableFunc(out, func(a, b engine.Stop) int { return cmp.Compare(stepFor(a.Code), stepFor(b.Code)) })
	return out
}

// mustChange is the first step on the way whose answer has to change.
func (s *reviewScreen) mustChange(d *desk) stepID {
	k := d.found.plan
	if k.err != nil {
		return stepFor(verdict.As(k.err).Code)
	}
	return stepFor(s.stops(d)[0].Code)
}

func (s *reviewScreen) keys(d *desk) []key.Binding {
	if s.sheet {
		return []key.Binding{bind("esc", "close", "esc"), keyCopy}
	}
	does := "(off)"
	switch s.stands(d) {
	case planMissing:
		does = "plan"
	case planRefused, planBlocked:
		does = "plan again"
		if to := s.mustChange(d); to < reviewStep {
			does = "to " + titleOf(to)
		}
	case planOpen:
		does = "accept"
	case planConfirmed:
		does = "WRITE"
	case planIdle:
		does = "finish"
	}
	out := []key.Binding{bind("enter", does, "enter")}
	if s.settled(d) {
		out = append(out, keySave)
	}
	return append(out, keyReplan)
}

// settled reports whether the plan can run as it stands.
func (s *reviewScreen) settled(d *desk) bool { return s.stands(d) >= planUnnamed }

func (s *reviewScreen) ready(d *desk) status {
	k := d.found.plan
	switch s.stands(d) {
	case planAwaited:
		return await(s.waiting() + ". Nothing is written.")
	case planMissing:
		return await("There is no plan for these answers. ctrl+r makes it.")
	case planRefused:
		return stop(string(verdict.As(k.err).Code) + ": " + s.wayOut(d))
	case planBlocked:
		return stop(string(s.stops(d)[0].Code) + ": " + s.wayOut(d))
	case planOpen:
		st, _ := s.accepts.status(d.answers, k.value.Checks)
		return st
	case planUnnamed:
		return s.unnamed(k.value)
	case planIdle:
		return fine("Nothing is left to write, so no name is asked. enter goes to the end.")
	default:
		return fine("enter writes to " + k.value.Target.URL + ".")
	}
}

func (s *reviewScreen) waiting() string {
	if s.told == "" {
		return "Planning the seed"
	}
	return "Planning the seed: " + s.told
}

func (s *reviewScreen) wayOut(d *desk) string {
	if to := s.mustChange(d); to < reviewStep {
		return "enter goes to " + titleOf(to) + ". Every answer is kept."
	}
	return "enter plans again; esc goes back to change an answer."
}

// unnamed tells what to type: that it is another name only once it cannot
// become the right one any more.
func (s *reviewScreen) unnamed(p engine.Plan) status {
	name, typed := p.Table.String(), strings.TrimSpace(s.name.input.Value())
	switch {
	case strings.HasPrefix(name, typed):
		return await("Type " + name + " to enable enter. esc goes back and keeps everything.")
	case strings.EqualFold(name, typed):
		return status{level: verdict.Warn, wait: true, text: fmt.Sprintf("You typed %s, the table is %s: case counts.", typed, name)}
	default:
		return status{level: verdict.Warn, wait: true, text: fmt.Sprintf("You typed %s, the plan's table is %s.", typed, name)}
	}
}

func (s *reviewScreen) checks(d *desk) []verdict.Check {
	if k := d.found.plan; !s.build.running() && k.good(s.print(d)) {
		return k.value.Checks
	}
	return nil
}

// accepted are the plan's warnings that were accepted, as they stand in it.
func accepted(p engine.Plan) []verdict.Check {
	var out []verdict.Check
	for _, c := range p.Checks {
		if c.Level == verdict.Warn && slices.Contains(p.Accepted, string(c.Code)) {
			out = append(out, c)
		}
	}
	return out
}

// planText is the plan as seed --dry-run prints it.
func planText(p engine.Plan) string {
	return reported(func(w io.Writer) { report.PlanNotRun(w, p) })
}
