package engine_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// stoppedRun plans, and executes until a stop that when asks for.
func (b *faultBench) stoppedRun(t *testing.T, s engine.Stores, when func(engine.Event) bool) (engine.Result, error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	p, err := engine.Build(ctx, b.session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
	if err == nil {
		err = p.Refusal()
	}
	if err != nil {
		t.Fatal(err)
	}
	return engine.Execute(ctx, p, b.session, s, func(e engine.Event) {
		if when(e) {
			stop()
		}
	})
}

func begins(p engine.Phase) func(engine.Event) bool {
	return func(e engine.Event) bool {
		started, ok := e.(engine.PhaseStarted)
		return ok && started.Phase == p
	}
}

func ends(p engine.Phase) func(engine.Event) bool {
	return func(e engine.Event) bool {
		done, ok := e.(engine.PhaseDone)
		return ok && done.Phase == p
	}
}

// TestStoppedInEachPhase stops a seed where each phase begins or ends.
func TestStoppedInEachPhase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		when   func(engine.Event) bool
		staged int // files that are there when it stops
		done   bool
	}{
		{"recheck", begins(engine.Recheck), 0, false},
		{"stage", begins(engine.Stage), 0, false},
		{"staged", ends(engine.Stage), 2, false},
		{"verify", begins(engine.Verify), 2, false},
		{"commit", begins(engine.Commit), 2, false},
		{"committed", ends(engine.Commit), 2, true},
		{"record", begins(engine.Record), 2, true},
		{"recorded", ends(engine.Record), 2, true},
	} {
		for _, how := range []string{"remove", "keep"} {
			t.Run(c.name+", "+how, func(t *testing.T) {
				onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
					b.request.OnStop = how
					s, target, facts := b.places(t)
					before := filesOf(t, target)
					got, err := b.stoppedRun(t, s, c.when)
					if c.done {
						if err != nil || got.State != engine.Ready || got.FactsRow != "written" {
							t.Errorf("%+v %v", got, err)
						}
						b.whole(t, target, facts)
						return
					}
					kept := 0
					if how == "keep" {
						kept = c.staged
					}
					b.isStopped(t, c.name, err, before, target, facts, kept)
					b.again(t, c.name, s, target, facts)
				})
			})
		}
	}
}

// isStopped checks a stop before the commit, and what it left: kept files, named,
// or nothing.
func (b *faultBench) isStopped(t *testing.T, where string, err error, before map[string]string, target, facts *storetest.Mem, kept int) {
	t.Helper()
	e := verdict.As(err)
	if e == nil || e.Code != verdict.Stopped || e.Code.Exit() != 130 || len(e.Hint) == 0 {
		t.Fatalf("%s: want a stop, got %v", where, err)
	}
	now := b.look(t, target)
	if names, _ := now.staged(); kept >= 0 && len(names) != kept {
		t.Errorf("%s: %d staged files are kept, want %d", where, len(names), kept)
	}
	told := truth{t: t, where: where, e: e, state: b.allowed(t, where, before, now), now: now}
	told.check(maps.Equal(before, filesOf(t, target)) && len(filesOf(t, facts)) == 0)
}

// TestStoppedAtEveryOperation stops a seed when each operation of a store is
// about to happen. Whatever comes of it, what is told is true.
func TestStoppedAtEveryOperation(t *testing.T) {
	t.Parallel()
	for i, how := range []string{"keep", "remove"} {
		onTarget(t, faultTargets[2*i], func(t *testing.T, b *faultBench) {
			b.request.OnStop = how
			stops, finished := 0, 0
			for n := 1; ; n++ {
				s, target, facts := b.places(t)
				before := filesOf(t, target)
				ctx, stop := context.WithCancel(t.Context())
				f := &nth{n: n, then: stop}
				_, err := b.try(ctx, f.around(s))
				stop()
				if f.struck == nil {
					break
				}
				where := fmt.Sprintf("%s of %s %q (%d)", f.struck.Name, f.place, f.struck.Key, n)
				if err == nil {
					finished++
					b.whole(t, target, facts)
					continue
				}
				if !strings.HasPrefix(f.place, "copy") || verdict.As(err).Code == verdict.Stopped {
					stops++
				}
				b.isStopped(t, where, err, before, target, facts, -1)
				if len(filesOf(t, target)) > len(before) {
					b.again(t, where, s, target, facts)
				}
				if t.Failed() {
					t.Fatalf("after a stop at %s: %v", where, err)
				}
			}
			t.Logf("%d stops, %d runs that had committed", stops, finished)
			if stops == 0 || finished == 0 {
				t.Error("no stop, or no commit that was finished")
			}
		})
	}
}
