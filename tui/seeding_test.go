package tui

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// executing is an engine whose seed does what it is told.
type executing struct {
	*script
	do func(ctx context.Context, notify func(engine.Event)) (engine.Result, error)
}

func (e executing) Execute(ctx context.Context, _ engine.Plan, _ engine.Request, notify func(engine.Event)) (engine.Result, error) {
	return e.do(ctx, notify)
}

// A seed is not held up by a screen that takes no messages, and those that it
// takes later come in their order, without counts that newer ones replace.
func TestASeedWaitsForNoScreen(t *testing.T) {
	stuck := make(chan struct{})
	var mu sync.Mutex
	var heard []tea.Msg
	job := &seeding{
		post: post{send: func(m tea.Msg) {
			<-stuck
			mu.Lock()
			heard = append(heard, m)
			mu.Unlock()
		}},
		engine: executing{do: func(_ context.Context, notify func(engine.Event)) (engine.Result, error) {
			notify(engine.PhaseStarted{Phase: engine.Stage})
			for i := range 1000 {
				notify(engine.Progress{Phase: engine.Stage, Done: int64(i)})
			}
			notify(engine.PhaseDone{Phase: engine.Stage})
			return engine.Result{Rows: 7}, nil
		}},
	}
	job.start(t.Context(), engine.Plan{Digest: "d"}, engine.Request{})
	r := job.wait()
	if r == nil || r.err != nil || r.result.Rows != 7 || r.plan.Digest != "d" {
		t.Fatalf("%+v", r)
	}
	close(stuck)
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		mu.Lock()
		n := len(heard)
		var last tea.Msg
		if n > 0 {
			last = heard[n-1]
		}
		mu.Unlock()
		if _, done := last.(finishedMsg); done {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("heard %d messages, the last is %v", n, last)
		}
	}
	if len(heard) > 5 || len(heard) < 4 {
		t.Errorf("%d messages: %v", len(heard), heard)
	}
	if p, ok := heard[len(heard)-3].(eventMsg).event.(engine.Progress); !ok || p.Done != 999 {
		t.Errorf("the last count is %v", heard[len(heard)-3])
	}
}

// A stopped seed ends by itself; nothing started is nothing to wait for.
func TestASeedIsStopped(t *testing.T) {
	job := &seeding{post: post{send: func(tea.Msg) {}}}
	job.stop()
	if job.wait() != nil {
		t.Error("something ran")
	}
	job.engine = executing{do: func(ctx context.Context, _ func(engine.Event)) (engine.Result, error) {
		<-ctx.Done()
		return engine.Result{}, &verdict.Error{Code: verdict.Stopped}
	}}
	job.start(t.Context(), engine.Plan{}, engine.Request{})
	job.stop()
	if r := job.wait(); !errors.Is(r.err, verdict.Stopped) {
		t.Errorf("%+v", r)
	}
}

// A seed that breaks says what is known of the target: before its commit
// nothing was written, in it nobody knows.
func TestASeedThatBreaks(t *testing.T) {
	for phase, want := range map[engine.Phase]verdict.Code{
		engine.Stage: verdict.Unexpected, engine.Verify: verdict.Unexpected, engine.Commit: verdict.CommitUnknown, engine.Record: verdict.CommitUnknown,
	} {
		job := &seeding{post: post{send: func(tea.Msg) {}}, engine: executing{do: func(_ context.Context, notify func(engine.Event)) (engine.Result, error) {
			notify(engine.PhaseStarted{Phase: phase})
			panic("a fault of ours")
		}}}
		job.start(t.Context(), engine.Plan{}, engine.Request{})
		if r := job.wait(); !errors.Is(r.err, want) || verdict.As(r.err).Wrote == "" {
			t.Errorf("%s: %v", phase, r.err)
		}
	}
}

// The outcome is of the seed that ran, or of the plan of the answers as they stand.
func TestOutcome(t *testing.T) {
	p := perform(t, orders(), ordersRequest())
	asked, err := ordersRequest().Absolute()
	if err != nil {
		t.Fatal(err)
	}
	plan := engine.Plan{Digest: "made", Args: asked.Args()}
	p.found.plan, p.found.kept = learn(plan, nil, "print"), "/state/plan.json"
	o := outcome(p.wizard, nil, nil)
	if o.Plan == nil || o.Plan.Digest != "made" || o.Kept == "" || o.Result != nil || !errors.Is(o.Err, verdict.Stopped) {
		t.Errorf("left: %+v", o)
	}
	p.answers.AsOf = "2026-10-25T00:41:00Z"
	if o = outcome(p.wizard, nil, nil); o.Plan != nil || o.Kept != "" {
		t.Errorf("with a plan of other answers: %+v", o)
	}
	if o = outcome(p.wizard, &ran{plan: plan, result: engine.Result{Rows: 3}}, nil); o.Plan.Digest != "made" || o.Result.Rows != 3 || o.Err != nil {
		t.Errorf("seeded: %+v", o)
	}
	failed := &ran{plan: plan, err: &verdict.Error{Code: verdict.RetentionPassed}}
	if o = outcome(p.wizard, failed, nil); !errors.Is(o.Err, verdict.Stopped) {
		t.Errorf("left long after a failure: %+v", o)
	}
	p.found.failure = verdict.As(failed.err)
	if o = outcome(p.wizard, failed, nil); !errors.Is(o.Err, verdict.RetentionPassed) || o.Result != nil {
		t.Errorf("left at a failure: %+v", o)
	}
	if o = outcome(p.wizard, nil, &Fall{Cause: "nil map"}); !errors.Is(o.Err, verdict.Unexpected) {
		t.Errorf("fallen: %+v", o)
	}
}

// What to do elsewhere to sign in is shown, on whichever step a connection opens.
func TestPromptToSignIn(t *testing.T) {
	const text = "open https://microsoft.com/devicelogin and enter the code ABC123"
	p := perform(t, orders(), ordersRequest())
	p.steps[connectStep-1].(*connectScreen).job.what = "connecting"
	p.hear(promptMsg{text})
	p.shows("ABC123")
	p = perform(t, orders(), ordersRequest())
	p.hear(promptMsg{text})
	p.lacks("ABC123") // it is connected by now
	p.do(p.show(tableStep))
	p.hear(promptMsg{text})
	p.shows("To sign in", "ABC123").press("esc").lacks("ABC123")
}
