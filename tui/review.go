package tui

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// reviewScreen shows the plan, asks for the warnings that are still open, and
// has the person type the table's name. What is confirmed is the plan that was
// read, and nothing else.
type reviewScreen struct {
	build, save job
	told        string // how far planning is
	began       time.Time
	name        *field // what is typed to confirm
	plan        pane
	reads       bool   // the plan is scrolled and has the room of what weighs
	changes     int    // of the name, counted
	fresh       bool   // it changed just now: an enter with it is none of a person's own
	seen        string // the copy and the target as they were looked at when it was made
	sheet       bool   // where the plan is kept lies over it
	saveErr     error  // why it is kept nowhere
	copied      bool
}

// planAge is how old a plan may get before it is made again on a return.
const planAge = 5 * time.Minute

var (
	keyReplan  = bind("ctrl+r", "plan again", "ctrl+r")
	keySave    = bind("ctrl+x", "save plan", "ctrl+x")
	keyCount   = bind("ctrl+k", "count keys", "ctrl+k")
	keyUncount = bind("ctrl+k", "leave keys", "ctrl+k")
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
	if !k.good(s.print(d)) || len(k.value.Stops) > 0 || s.seen != seenAs(d) {
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
	s.plan, s.sheet, s.fresh = pane{}, false, false
	s.changes++
}

// leave ends planning. The plan that is being kept is small, and kept it is.
func (s *reviewScreen) leave() { s.build.stop() }

// make builds the plan. The one before stays on the screen until then.
func (s *reviewScreen) make(d *desk) tea.Cmd {
	s.unconfirm()
	d.accepts = d.accepts.anew()
	s.told, s.seen, s.began = "", seenAs(d), d.now()
	s.save.stop()
	d.found.kept, s.saveErr = "", nil
	r := d.answers.asked()
	return beginTelling(d, &s.build, "planning the seed", func(ctx context.Context, tell func(string)) (engine.Plan, error) {
		r, err := r.Absolute()
		if err != nil {
			return engine.Plan{}, err
		}
		return d.engine.Build(ctx, r, func(e engine.Event) {
			switch e := e.(type) {
			case engine.Notice:
				tell(e.Text)
			case engine.Progress:
				tell(furtherWith(e))
			}
		})
	})
}

// furtherWith tells how far planning is.
func furtherWith(e engine.Progress) string {
	did := "looked at"
	if e.Unit == engine.CheckKeys {
		did = "compared"
	}
	return fmt.Sprintf("%s %s of %s %s", did, verdict.Count(e.Done), verdict.Count(e.Total), e.Unit)
}

// countKeys has the copy's keys counted, or not any more, and the plan made again.
func (s *reviewScreen) countKeys(d *desk) tea.Cmd {
	d.answers.CountKeys = !d.answers.CountKeys
	return s.make(d)
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
	case acceptedMsg:
		return s.settle(d), true
	case pause:
		s.fresh = s.fresh && m.gen != s.changes
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
	case s.plan.hear(m):
		return nil, true
	case m.Type == tea.KeyCtrlR:
		return s.make(d), true
	case m.Type == tea.KeyCtrlK && s.countable(d):
		return s.countKeys(d), true
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
	if s.reads { // what weighs is in sight when the name is typed
		s.plan.top = 0
	}
	was := s.name.input.Value()
	s.name.input, cmd = s.name.input.Update(m)
	if s.name.input.Value() == was {
		return cmd, true
	}
	// A line that is pasted may end in an enter, which terminals do not tell from
	// one that is pressed: none that comes with the name writes.
	s.changes++
	s.fresh = true
	return tea.Batch(cmd, d.after(quiet, pause{step: reviewStep, gen: s.changes})), true
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
			if k.err != nil {
				d.distrust(verdict.As(k.err).Code)
			}
			return say(goToMsg{to})
		}
		return s.make(d)
	case planOpen:
		_, later := d.accepts.press(d, k.value.Checks)
		return later
	default:
		d.found.confirmed = k.value.Digest
		f := &d.found // the run to come has nothing of one before it
		f.result, f.failure, f.phase, f.committed, f.stopping = nil, nil, "", false, false
		return say(nextMsg{reviewStep})
	}
}

func (s *reviewScreen) checks(d *desk) []verdict.Check {
	if k := d.found.plan; !s.build.running() && k.good(s.print(d)) {
		return k.value.Checks
	}
	return nil
}
