package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// job is one kind of work that a step has done for it. Only the newest counts:
// starting it again ends the one before, whose late reply is dropped.
type job struct {
	step   stepID
	gen    int
	cancel context.CancelFunc
	what   string // the wait's name while it runs, such as "connecting to sql01"
}

// settle is the rest in typing after which what was typed is looked at.
const settle = 300 * time.Millisecond

// begin starts work. The wait is told in the words of what.
func begin[T any](d *desk, j *job, what string, work func(ctx context.Context) (T, error)) tea.Cmd {
	return beginTelling(d, j, what, func(ctx context.Context, _ func(string)) (T, error) { return work(ctx) })
}

// beginTelling starts work that says how far it is: words for its step, which
// hears them as progressed.
func beginTelling[T any](d *desk, j *job, what string, work func(ctx context.Context, tell func(text string)) (T, error)) tea.Cmd {
	ctx, tell := j.renew(d, what), j.tell(d)
	step, gen := j.step, j.gen
	return func() tea.Msg {
		v, err := work(ctx, tell)
		return reply[T]{step: step, gen: gen, value: v, err: err}
	}
}

// renew ends what runs and gives the new work its context.
func (j *job) renew(d *desk, what string) context.Context {
	j.stop()
	j.what = what
	ctx, cancel := context.WithCancel(d.life)
	j.cancel = cancel
	return ctx
}

// rest waits for typing to pause, then sends pause with the job's generation.
// What ran for the older text is of no use any more and is ended.
func (j *job) rest(d *desk) tea.Cmd {
	j.stop()
	return d.after(settle, pause{step: j.step, gen: j.gen})
}

// tell gives a running job's step words on how far it is.
func (j *job) tell(d *desk) func(text string) {
	step, gen := j.step, j.gen
	return func(text string) { d.send(progressed{step: step, gen: gen, text: text}) }
}

// stop ends the work and makes its reply a late one.
func (j *job) stop() {
	j.gen++
	j.what = ""
	if j.cancel != nil {
		j.cancel()
		j.cancel = nil
	}
}

// done takes a reply's generation: false for a late one, which changes nothing.
func (j *job) done(gen int) bool {
	if gen != j.gen {
		return false
	}
	j.what = ""
	if j.cancel != nil {
		j.cancel()
		j.cancel = nil
	}
	return true
}

// running reports whether a reply is awaited.
func (j *job) running() bool { return j.what != "" }
