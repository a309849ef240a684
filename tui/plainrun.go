package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// longestSilence is how long a running seed tells nothing at most. How far it is
// is told for each further tenth, but not more often than beatEvery.
const longestSilence = 3 * beatEvery

// following is how far a running seed was told.
type following struct {
	tenth int64     // of the present phase
	last  time.Time // when anything was told
	asks  bool      // whether to stop is the question now
	later []tea.Msg // told when that is answered: a question stays the last on its line
}

// run is Run as it is told: the seed's phases as lines, and what it failed for.
func (p *plain) run(s *runScreen) error {
	if p.found.running {
		p.tell("Seeding " + clean(s.trip.plan.Table.String()) + ", plan " + s.trip.plan.Digest[:8] + ". ctrl+c asks whether to stop.")
		p.standing()
	}
	p.follow(s)
	if err := p.settle(); err != nil && !errors.Is(err, errCutOff) { // the step after a seed that ended well
		return err
	}
	if p.leaving || p.at != runStep {
		if p.leaving {
			return errLeave
		}
		return nil
	}
	if p.found.failure == nil {
		p.standing()
		return goToError{reviewStep}
	}
	return p.failed(s)
}

// follow tells what the running seed says, until it has ended.
func (p *plain) follow(s *runScreen) {
	ticks, stop := p.beat()
	defer stop()
	t := &following{last: p.now()}
	over := p.ctx.Done()
	for p.found.running {
		var lines <-chan typed
		if t.asks {
			lines = p.keys.next()
		}
		select {
		case m := <-p.mail:
			p.hear(m)
			if t.asks {
				t.later = append(t.later, m)
				break
			}
			p.tellEvent(s, t, m)
		case <-ticks:
			if !t.asks && p.now().Sub(t.last) >= longestSilence {
				p.tellProgress(s, t)
			}
		case l := <-lines:
			p.keys.busy, t.asks = false, false
			if !p.echoes {
				p.write("\n")
			}
			if l.err != nil && !errors.Is(l.err, errTooLong) { // nobody is there who could answer
				p.tell("Nobody can answer: it stops where it still can.")
				p.askStop(t, StopAsked{Now: true})
			} else {
				p.answerStop(l)
			}
			p.catchUp(s, t)
		case a := <-p.stops:
			p.askStop(t, a)
		case <-over:
			over = nil // it was cancelled with it; its end is waited for
		}
		if p.deaf != nil && !p.leaving {
			p.askStop(t, StopAsked{Now: true})
		}
	}
	if t.asks {
		p.tell("")
	}
	p.catchUp(s, t)
}

// catchUp tells what was said while a question stood.
func (p *plain) catchUp(s *runScreen, t *following) {
	later := t.later
	t.later = nil
	for _, m := range later {
		p.tellEvent(s, t, m)
	}
}

// tellEvent tells what a message was about.
func (p *plain) tellEvent(s *runScreen, t *following, m tea.Msg) {
	e, ok := m.(eventMsg)
	if !ok || s.trip == nil {
		return
	}
	switch e := e.event.(type) {
	case engine.PhaseStarted:
		rows := phaseRows(s.trip.plan)
		if at := slices.IndexFunc(rows, func(r phaseRow) bool { return r.phase == e.Phase }); at >= 0 {
			p.tell(fmt.Sprintf("Phase %d of %d: %s. %s.", at+1, len(rows), rows[at].name, p.state()))
		}
		t.tenth, t.last = 0, p.now()
	case engine.PhaseDone:
		p.tell("Done: " + clean(e.Text) + ".")
		t.last = p.now()
	case engine.Notice:
		p.tell("note: " + clean(e.Text))
		t.last = p.now()
	case engine.Progress:
		if tenth := int64(s.trip.gauge.share()*10 + 0.001); e.Phase == engine.Stage && tenth > t.tenth && p.now().Sub(t.last) >= beatEvery {
			t.tenth = tenth
			p.tellProgress(s, t)
		}
	}
}

// tellProgress tells how far the present phase is, and how long L has left.
func (p *plain) tellProgress(s *runScreen, t *following) {
	if s.trip == nil {
		return
	}
	t.last = p.now()
	g := &s.trip.gauge
	if g.at.Total <= 0 {
		p.tell("Working, " + lasted(s.trip.took(p.now())) + " so far.")
		return
	}
	parts := []string{g.percent()}
	for _, pair := range g.counts(p.now()) {
		for _, text := range pair {
			if text != "" {
				parts = append(parts, text)
			}
		}
	}
	p.tell("Progress: " + strings.Join(parts, ", ") + ".")
	for _, l := range s.trip.leftLines(p.desk, unbroken) {
		p.tell(strings.NewReplacer(".   ", ". ", "   ", "; ").Replace(strings.TrimSpace(l)))
	}
}

// askStop asks whether to stop the seed. Where nobody can answer, or ctrl+c is
// pressed again at that question, it is stopped where it still can be.
func (p *plain) askStop(t *following, a StopAsked) {
	if a.Now {
		p.do(p.stopAsked(a))
		return
	}
	switch now := (stopAsk{}).now(p.wizard).(type) {
	case *sheet:
		p.tell("")
		p.tell(now.heading + ".")
		p.tellAll(now.draw(p.wizard, unbroken))
	case *question:
		if t.asks {
			t.asks = false
			p.tell("")
			p.do(now.answer(p.wizard))
			return
		}
		p.tell("")
		p.tell(now.heading)
		for _, l := range now.lines {
			p.tell(l)
		}
		p.last = now.heading
		p.write(fmt.Sprintf("Type yes to %s [no]: ", now.yes))
		t.asks = true
	}
}

// answerStop takes the answer. The seed may be another way by now: what is asked
// is asked of it as it stands.
func (p *plain) answerStop(l typed) {
	now, ok := stopAsk{}.now(p.wizard).(*question)
	switch low := strings.ToLower(strings.TrimSpace(l.text)); {
	case l.err != nil, low != "yes" && low != "y":
		p.tell("It goes on.")
	case !ok:
		p.tell("It cannot be stopped any more.")
	default:
		p.do(now.answer(p.wizard))
		p.tell("Stopping.")
	}
}

// failed tells what a seed failed for, and leads on.
func (p *plain) failed(s *runScreen) error {
	e := p.found.failure
	p.tell("STOPPED. " + clean(e.WroteText()))
	told := *e
	if e.Code == verdict.Stopped {
		told.Err, told.Hint = nil, nil
	}
	p.refuse(&told)
	if s.cleaned(e) {
		p.tell("Cleaned: the files that this run staged were removed")
	}
	to := min(stepFor(e.Code), reviewStep)
	for {
		text, err := p.ask(asked{
			prompt: fmt.Sprintf("Code %s. Go to step %d, %s [%d]:", e.Code, to, titleOf(to), to),
			help:   "Every answer is kept. review plans anew; quit leaves, and the failure is told once more with what to do.",
			words:  "review",
		})
		switch {
		case errors.Is(err, errBack), err == nil && strings.EqualFold(text, "review"):
			return goToError{reviewStep}
		case err != nil:
			return err
		case text == "" || text == fmt.Sprint(int(to)):
			return goToError{to}
		}
		p.tell(fmt.Sprintf("Type %d, review or quit.", to))
	}
}

// done tells what the casts did, and the command that finds the seed again. The
// result itself is told by whoever opened the wizard.
func (p *plain) done() error {
	if r := p.found.result; r != nil {
		lost, others := castLines(p.desk, *r, unbroken)
		p.tellAll(lost)
		p.tellAll(others)
		if took := p.found.took; r.State != engine.AlreadySeeded && took > 0 {
			p.tell("It took " + lasted(took) + ".")
		}
		p.sameAs()
	}
	p.tell("")
	return errDone
}
