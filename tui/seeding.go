package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// seeding is the one goroutine that writes. It belongs to Run, not to a
// screen: it is stopped and waited for whatever becomes of the screen.
type seeding struct {
	engine Engine
	post   post

	mu     sync.Mutex
	cancel context.CancelFunc
	done   chan struct{} // nil before the first start
	last   ran
}

// start executes the plan. One runs at a time.
func (s *seeding) start(ctx context.Context, plan engine.Plan, r engine.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, s.cancel = context.WithCancel(ctx)
	done := make(chan struct{})
	s.done, s.last = done, ran{plan: plan}
	cancel := s.cancel
	go func() {
		defer cancel()
		result, err := s.run(ctx, plan, r)
		s.mu.Lock()
		s.last.result, s.last.err = result, err
		s.mu.Unlock()
		close(done)
		s.post.put(finishedMsg{result, err})
	}()
}

// run is Execute, which answers also where it breaks.
func (s *seeding) run(ctx context.Context, plan engine.Plan, r engine.Request) (result engine.Result, err error) {
	committing := false
	defer func() {
		if cause := recover(); cause != nil {
			err = broken(committing, cause)
		}
	}()
	return s.engine.Execute(ctx, plan, r, func(e engine.Event) {
		if p, ok := e.(engine.PhaseStarted); ok && (p.Phase == engine.Commit || p.Phase == engine.Record) {
			committing = true
		}
		s.post.put(eventMsg{e})
	})
}

// broken is the error of a seed that panicked.
func broken(committing bool, cause any) error {
	e := &verdict.Error{
		Code: verdict.Unexpected, What: "the seed broke off", Wrote: "No rows were written. Staged files may be left; no reader sees them.",
		Hint: []string{"Please report this with its output. Another try goes on from the staged files."},
		Err:  fmt.Errorf("%v\n%s", cause, debug.Stack()),
	}
	if committing {
		e.Code, e.Wrote = verdict.CommitUnknown, "It is not known whether the commit went through."
		e.Hint = []string{"Please report this with its output. Plan the same seed again: it finds a seed that is there, and writes no second one."}
	}
	return e
}

// stop asks the running seed to stop. Before its commit it does, cleaning up;
// later it goes on to its end.
func (s *seeding) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
}

// wait waits for the end of the last seed and says what became of it, nil where
// none was started.
func (s *seeding) wait() *ran {
	s.mu.Lock()
	done := s.done
	s.mu.Unlock()
	if done == nil {
		return nil
	}
	<-done
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.last
	return &last
}
