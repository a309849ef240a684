package tui

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"golang.org/x/term"

	"cdcseed/engine"
	_ "cdcseed/tui/quiet" // before the library that it quiets
)

// Options are what the wizard is opened with.
type Options struct {
	Request  engine.Request // answers that flags and the environment gave
	Password string
	In       *os.File // a terminal
	Out      *os.File // a terminal
	Env      func(string) (string, bool)
	Version  string // of the program
	Tool     string // the program and its version, as plans record it
	Now      func() time.Time
	Here     *time.Location                    // this machine's zone, for a time that is typed without one
	Keep     func(engine.Plan) (string, error) // saves a plan and says where
	Stops    <-chan StopAsked                  // signals
	Suspend  func(over <-chan struct{})        // stops the program until its terminal is its own again, or over; nil where a system cannot
	Log      *slog.Logger                      // of every call to the engine and every event; nil for none
	Resumed  <-chan struct{}                   // the program went on after somebody else had stopped it
}

// ErrStuck is a terminal that takes nothing any more. Whoever writes to it waits
// for ever; what was begun is finished or tidied up all the same.
var ErrStuck = errors.New("the terminal takes nothing any more")

// Run opens the wizard and returns when it has ended, with the terminal as it
// was. A seed that runs when the screen goes away is stopped where it still
// can be, and waited for. The error is of the screen itself, which does not
// tell what became of a seed: the outcome does.
func Run(ctx context.Context, o Options) (Outcome, error) {
	return run(ctx, o, func(prompt func(string)) (Engine, func()) {
		live := NewLive(o.Tool, o.Now, prompt)
		return withLog(live, o.Log, o.Now), live.Close
	})
}

// run is Run over an engine of the caller's. open is given a way to tell a
// person what to do elsewhere, and answers how to close the engine.
func run(ctx context.Context, o Options, open func(prompt func(string)) (Engine, func())) (Outcome, error) {
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	before, _ := term.GetState(int(o.Out.Fd())) // nil where it is none: there is nothing to give back
	d := newDesk(life, o)
	over := make(chan struct{})      // closed when nobody can be asked any more
	parted := make(chan struct{}, 1) // told to end while the terminal was the shell's
	d.suspend = suspending(o.Out, o.Suspend, over, parted)
	var shut func()
	d.engine, shut = open(func(text string) { d.send(promptMsg{text}) })
	w := newWizard(d, o.Version, steps())
	sound := &careful{wizard: w}
	p := tea.NewProgram(sound, programOptions(o, d, sound)...)
	d.send = p.Send
	job := &seeding{engine: d.engine, post: post{send: p.Send}}
	d.execute = func(plan engine.Plan, r engine.Request) { job.start(life, plan, r) }
	d.cease = job.stop
	ended := make(chan struct{})
	go relay(relayed{stops: o.Stops, resumed: o.Resumed, done: ctx.Done(), ended: ended, over: over}, job.stop, p.Send)
	err := shown(p, o, job, over, parted)
	close(ended)
	cancel() // of the seed too, where it still can be stopped: the screen is gone, and nobody could stop it any more
	ran := job.wait()
	shut()
	if errors.Is(err, ErrStuck) {
		if before != nil {
			_ = term.Restore(int(o.Out.Fd()), before) // it may be gone altogether
		}
		unseen := &wizard{desk: newDesk(life, o)} // the other one belongs to whoever still waits
		unseen.found.running = ran != nil
		return outcome(unseen, ran, nil), err
	}
	return outcome(w, ran, sound.fallen()), err
}

// newDesk is a desk with the answers that the wizard is opened with.
func newDesk(life context.Context, o Options) *desk {
	renderer := lipgloss.NewRenderer(o.Out)
	dark, asked := darkAtFirst(o.Env)
	renderer.SetHasDarkBackground(dark)
	d := &desk{
		answers: newAnswers(o.Request, o.Password), look: newTheme(renderer), glyph: glyphsFor(o.Env),
		now: o.Now, here: o.Here, life: life, keep: o.Keep,
		after: func(t time.Duration, m tea.Msg) tea.Cmd {
			return tea.Tick(t, func(time.Time) tea.Msg { return m })
		},
		copied: func(text string) { copyOut(o.Out, text) },
		dark:   renderer.SetHasDarkBackground,
	}
	d.begin = func() tea.Msg {
		_, _ = o.Out.WriteString(wheelKeys)
		if asked {
			askBackground(o.Out, o.Env)
		}
		return nil
	}
	return d
}

// programOptions are how the library runs the wizard.
func programOptions(o Options, d *desk, sound *careful) []tea.ProgramOption {
	in := &typedInput{
		File: o.In, gone: func() { d.send(StopAsked{Now: true}) },
		background: func(dark bool) { go d.send(backgroundMsg{dark}) }, // whoever reads keys waits for nobody
	}
	out := []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(o.Out), tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFilter(sound.guard)}
	if takesMouse(o.Env) {
		out = append(out, tea.WithMouseCellMotion())
	}
	return out
}

// patience is how long the screen may take to end once nothing else runs: behind
// it, its terminal takes nothing any more.
const patience = 3 * time.Second

// shown runs the program until its screen has ended, or can end no more. One that
// was suspended and told to end has given its terminal back already.
func shown(p *tea.Program, o Options, job *seeding, over, parted <-chan struct{}) error {
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	select {
	case err := <-ended:
		_, _ = o.Out.WriteString(wheelAsItWas)
		return err
	case <-over:
	}
	job.wait() // it was asked to stop, and tidies up
	select {
	case <-parted:
		return nil
	case err := <-ended:
		_, _ = o.Out.WriteString(wheelAsItWas)
		return err
	case <-time.After(patience):
		return ErrStuck
	}
}
