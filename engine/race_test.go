package engine_test

import (
	"fmt"
	"maps"
	"sync"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// outcome is what one of two seeds came to.
type outcome struct {
	state engine.State
	rows  int64
	err   error
}

// oneSeeded checks that exactly one of two seeds wrote the rows, and the other
// found them and left nothing.
func oneSeeded(t *testing.T, b map[string]int, target, facts store.Reader, a, c outcome) {
	t.Helper()
	for _, o := range []outcome{a, c} {
		if o.err != nil {
			t.Fatalf("a seed failed: %v", o.err)
		}
	}
	if a.state == engine.AlreadySeeded {
		a, c = c, a
	}
	if a.state != engine.Ready || a.rows != 500 || c.state != engine.AlreadySeeded || c.rows != 0 {
		t.Errorf("one came to %+v, the other to %+v", a, c)
	}
	now := standsIn(t, target)
	if !maps.Equal(now.seed, b) || now.commits != 1 || len(now.beside) > 0 {
		t.Errorf("%d kinds of seed rows in %d commits; beside the table lie %v", len(now.seed), now.commits, now.beside)
	}
	if recorded, all := bootstraps(t, facts); recorded != 1 || all != 1 {
		t.Errorf("%d facts rows, %d record a seed", all, recorded)
	}
}

// TestTwoSeedsAtOnce executes two plans of the same seed, made before either began.
func TestTwoSeedsAtOnce(t *testing.T) {
	t.Parallel()
	eachTarget(t, func(t *testing.T, b *faultBench) {
		other, _ := b.open()
		for range 6 {
			s, target, facts := b.places(t)
			var got [2]outcome
			var wg sync.WaitGroup
			start := make(chan struct{})
			for i, session := range []*engine.Session{b.session, other} {
				p, err := engine.Build(t.Context(), session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
				if err != nil || p.State != engine.Ready {
					t.Fatal(p.State, err)
				}
				wg.Go(func() {
					<-start
					r, err := engine.Execute(t.Context(), p, session, s, nil)
					got[i] = outcome{r.State, r.Rows, err}
				})
			}
			close(start)
			wg.Wait()
			oneSeeded(t, b.copied, target, facts, got[0], got[1])
		}
	})
}

// TestTwoProcessesAtOnce releases two processes together on one place on disk.
func TestTwoProcessesAtOnce(t *testing.T) {
	t.Parallel()
	for _, c := range faultTargets[:2] {
		onTarget(t, c, func(t *testing.T, b *faultBench) {
			for i := range 4 {
				r := b.request
				r.Target, r.Facts = b.path(fmt.Sprint(i), "bronze"), b.path(fmt.Sprint(i), "facts")
				target, facts := b.store(t, r.Target), b.store(t, r.Facts)
				b.prepare(t, target)
				one, two := startChild(t, childOrder{Request: r}), startChild(t, childOrder{Request: r})
				one.release(t)
				two.release(t)
				oneSeeded(t, b.copied, target, facts, one.outcome(t), two.outcome(t))
			}
		})
	}
}

func (c *child) outcome(t *testing.T) outcome {
	t.Helper()
	r := c.wait(t)
	if r == nil {
		t.Fatal("a child died")
	}
	o := outcome{state: r.Result.State, rows: r.Result.Rows}
	if r.Err != "" {
		o.err = fmt.Errorf("%w: %s", r.Code, r.Err)
	}
	return o
}

// TestTwoSeedsOfOtherPositions lets one of two seeds at different positions win.
func TestTwoSeedsOfOtherPositions(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
		b.request.Facts, b.request.AppID, b.request.TargetName = "", "", ""
		s, target, _ := b.places(t)
		s.Facts = nil
		earlier := b.request
		earlier.AsOf = lsnAt(29)
		p, err := engine.Build(t.Context(), b.session, s.Readers(), earlier, engine.BuildOptions{})
		if err != nil || p.State != engine.Ready {
			t.Fatal(p.Stops, err)
		}
		raced := s
		raced.Target = beforeCommit(target, func(i int) {
			if i == 0 {
				if _, err := b.try(t.Context(), s); err != nil {
					t.Error(err)
				}
			}
		})
		_, err = engine.Execute(t.Context(), p, b.session, raced, nil)
		e := verdict.As(err)
		if e == nil || e.Code != verdict.TargetHoldsSnapshot || e.Code.Exit() != 6 || e.WroteText() != verdict.NothingWritten {
			t.Fatalf("%v", err)
		}
		now := standsIn(t, target)
		if !maps.Equal(now.seed, b.copied) || now.commits != 1 || len(now.beside) > 0 {
			t.Errorf("%d kinds of rows in %d commits; beside lie %v", len(now.seed), now.commits, now.beside)
		}
	})
}
