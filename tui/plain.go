package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// PlainOptions are what the wizard is opened with where it only writes lines.
type PlainOptions struct {
	Request  engine.Request // answers that flags and the environment gave
	Password string
	In       io.Reader
	Out      io.Writer
	Secret   func(context.Context) (string, error) // reads a line without an echo; nil where In is no terminal
	Echoes   bool                                  // what is typed shows, with the end of its line
	Wide     int                                   // the cells that a line of prose takes at most; 0 for no end
	Version  string                                // of the program
	Tool     string                                // the program and its version, as plans record it
	Now      func() time.Time
	Here     *time.Location                    // this machine's zone, for a time that is typed without one
	Keep     func(engine.Plan) (string, error) // saves a plan and says where
	Stops    <-chan StopAsked                  // signals
	Log      *slog.Logger                      // as in Options
}

// plain is the wizard without a screen: the same steps, asked and told line by
// line. It moves no cursor and draws nothing twice, so that a screen reader can
// read it and a script can answer it.
type plain struct {
	*wizard
	out    io.Writer
	keys   *lineReader
	secret func(context.Context) (string, error)
	echoes bool
	wide   int // unbroken where lines have no end
	stops  <-chan StopAsked
	ctx    context.Context //nolint:containedctx // of the whole conversation: its end is a stop
	mail   chan tea.Msg    // what jobs and the running seed say
	ended  chan struct{}   // closed when nobody reads mail any more
	spawn  func(func())    // has a job done; a test does it at once
	beat   func() (ticks <-chan time.Time, stop func())

	flying int    // commands whose answers are awaited
	epoch  int    // raised when they are awaited no more
	warned bool   // ctrl+c was pressed, and nothing typed since
	last   string // the question that was asked last
	spoken string // the plan that was read out
	deaf   error  // why nothing can be told any more; nil while it can
	eof    bool   // the input is at its end
}

// beatEvery is how often a wait says that it goes on.
const beatEvery = 10 * time.Second

// RunPlain is Run for whoever reads lines: a screen reader, a terminal that
// cannot be drawn on, a script. What ends the input ends it as a stop does.
func RunPlain(ctx context.Context, o PlainOptions) (Outcome, error) {
	return runPlain(ctx, o, func(prompt func(string)) (Engine, func()) {
		live := NewLive(o.Tool, o.Now, prompt)
		return withLog(live, o.Log, o.Now), live.Close
	})
}

// runPlain is RunPlain over an engine of the caller's.
func runPlain(ctx context.Context, o PlainOptions, open func(prompt func(string)) (Engine, func())) (Outcome, error) {
	life, cancel := context.WithCancel(ctx)
	p := newPlain(life, o)
	p.spawn = func(f func()) { go f() }
	p.beat = func() (<-chan time.Time, func()) {
		t := time.NewTicker(beatEvery)
		return t.C, t.Stop
	}
	var shut func()
	p.engine, shut = open(func(text string) { p.put(promptMsg{text}) })
	job := &seeding{engine: p.engine, post: post{send: p.put}}
	p.execute = func(plan engine.Plan, r engine.Request) { job.start(life, plan, r) }
	p.cease = job.stop
	fall, err := p.converse()
	close(p.ended)
	cancel() // of the seed too, where it still can be stopped: nobody listens any more
	ran := job.wait()
	shut()
	return p.outcome(ran, fall, err), p.deaf
}

// newPlain makes the conversation; how it has work done is the caller's.
func newPlain(life context.Context, o PlainOptions) *plain {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.Ascii)
	renderer.SetHasDarkBackground(true) // nothing is coloured, and no terminal is asked
	p := &plain{
		out: o.Out, keys: newLineReader(o.In), secret: o.Secret, echoes: o.Echoes, wide: cmp.Or(o.Wide, unbroken), stops: o.Stops, ctx: life,
		mail: make(chan tea.Msg, 256), ended: make(chan struct{}),
	}
	d := &desk{
		answers: newAnswers(o.Request, o.Password), look: newTheme(renderer), glyph: plainGlyphs,
		now: o.Now, here: o.Here, life: life, keep: o.Keep, send: p.put,
		after: func(_ time.Duration, m tea.Msg) tea.Cmd {
			if _, tick := m.(second); tick {
				return nil
			}
			return say(m) // a line that was entered is whole: there is no rest in typing to wait for
		},
		copied: func(string) {},
	}
	p.wizard = newWizard(d, o.Version, steps())
	return p
}

// What ends a step's questions, beside their answers.
var (
	errBack   = errors.New("back")
	errLeave  = errors.New("leave")
	errChange = errors.New("change an answer")
	errCutOff = errors.New("the wait was cut off")
	errDone   = errors.New("done")
)

// goToError leads back to a step that has to change.
type goToError struct{ step stepID }

func (e goToError) Error() string { return "to " + titleOf(e.step) }

// converse leads through the steps until the end or until the person leaves. A
// panic ends it in order, and is told afterwards.
func (p *plain) converse() (fall *Fall, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			fall, err = &Fall{Cause: fmt.Sprint(cause), Stack: string(debug.Stack())}, errLeave
		}
	}()
	p.tell("cdcseed " + p.version + ", the wizard in plain lines. Type ? at a question for help.")
	p.do(p.Init())
	for {
		at := p.at
		err := p.speak()
		var to goToError
		switch {
		case err == nil && p.at == at:
			p.do(p.next())
		case err == nil:
		case errors.As(err, &to):
			p.do(p.goTo(to.step))
		case errors.Is(err, errBack) && p.at == connectStep:
			p.tell("This is the first step.")
		case errors.Is(err, errBack):
			p.do(p.back())
		case errors.Is(err, errDone):
			return nil, nil
		default:
			return nil, err
		}
	}
}

// speak is the conversation on the step that it stands on.
func (p *plain) speak() error {
	p.tell("")
	p.tell(fmt.Sprintf("Step %d of %d, %s. %s.", p.at, len(p.steps), p.step().title(), p.state()))
	switch s := p.step().(type) {
	case *connectScreen:
		return p.filled(p.connecting(s))
	case *tableScreen:
		return p.table(s)
	case *copyScreen:
		return p.filled(p.places(s))
	case *asOfScreen:
		return p.filled(p.moment(s))
	case *columnsScreen:
		return p.columnsStep(s)
	case *reviewScreen:
		return p.review(s)
	case *runScreen:
		return p.run(s)
	}
	return p.done()
}

// outcome is the wizard's, with a word on an input that ended too soon: a
// script that stopped answering is told where.
func (p *plain) outcome(r *ran, fall *Fall, err error) Outcome {
	o := outcome(p.wizard, r, fall)
	e := verdict.As(o.Err)
	if !p.eof || e == nil || e.Code != verdict.Stopped || !errors.Is(err, errLeave) {
		return o
	}
	ended := *e
	ended.What = "the input ended before the last question was answered"
	if p.last != "" {
		ended.Facts = append(verdict.Facts("asked last", p.last), e.Facts...)
	}
	o.Err = &ended
	return o
}
