package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

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
}

// Run opens the wizard and returns when it has ended, with the terminal as it
// was. A seed that runs when the screen goes away is stopped where it still
// can be, and waited for. The error is of the screen itself, which does not
// tell what became of a seed: the outcome does.
func Run(ctx context.Context, o Options) (Outcome, error) {
	return run(ctx, o, func(prompt func(string)) (Engine, func()) {
		live := NewLive(o.Tool, o.Now, prompt)
		return live, live.Close
	})
}

// run is Run over an engine of the caller's. open is given a way to tell a
// person what to do elsewhere, and answers how to close the engine.
func run(ctx context.Context, o Options, open func(prompt func(string)) (Engine, func())) (Outcome, error) {
	life, cancel := context.WithCancel(ctx)
	renderer := lipgloss.NewRenderer(o.Out)
	renderer.HasDarkBackground() // asks the terminal now: later its answer would be taken for keys
	d := &desk{
		answers: newAnswers(o.Request, o.Password), look: newTheme(renderer), glyph: glyphsFor(o.Env),
		now: o.Now, here: o.Here, life: life, keep: o.Keep,
		after: func(t time.Duration, m tea.Msg) tea.Cmd {
			return tea.Tick(t, func(time.Time) tea.Msg { return m })
		},
		copied: func(text string) { copyOut(o.Out, text) },
	}
	var shut func()
	d.engine, shut = open(func(text string) { d.send(promptMsg{text}) })
	w := newWizard(d, o.Version, steps())
	sound := &careful{wizard: w}
	in := &watched{File: o.In, gone: func() { d.send(StopAsked{Now: true}) }}
	p := tea.NewProgram(sound, tea.WithInput(in), tea.WithOutput(o.Out), tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFilter(sound.guard))
	d.send = p.Send
	job := &seeding{engine: d.engine, post: post{send: p.Send}}
	d.execute = func(plan engine.Plan, r engine.Request) { job.start(life, plan, r) }
	d.cease = job.stop
	ended := make(chan struct{})
	go relay(ctx, o.Stops, ended, job.stop, p.Send)
	_, err := p.Run()
	close(ended)
	cancel() // of the seed too, where it still can be stopped: the screen is gone, and nobody could stop it any more
	ran := job.wait()
	shut()
	return outcome(w, ran, sound.fallen()), err
}

// relay makes messages of signals, and of the end of ctx, until the program has
// ended. What cannot wait for an answer stops a running seed by itself: a
// terminal that hangs may keep the program from hearing of it.
func relay(ctx context.Context, stops <-chan StopAsked, ended <-chan struct{}, stop func(), send func(tea.Msg)) {
	over := ctx.Done()
	for {
		s := StopAsked{Now: true}
		select {
		case <-ended:
			return
		case <-over:
			over = nil
		case s = <-stops:
		}
		if s.Now {
			stop()
		}
		send(s)
	}
}

// watched is the terminal as the program reads it; it tells when the terminal
// is gone. Any other error ends the program by itself.
type watched struct {
	*os.File
	gone func()
}

func (t *watched) Read(b []byte) (int, error) {
	n, err := t.File.Read(b)
	if errors.Is(err, io.EOF) {
		t.gone()
	}
	return n, err
}
