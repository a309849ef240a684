package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// hasty is an engine whose looks last until the conversation waits for them, so
// that what is answered meanwhile is answered while they go on.
type hasty struct {
	*columnsStage
	waits chan struct{} // closed when it waits
	gated stepID        // whose looks last
	one   sync.Mutex    // one call at a time, as of a server

	mu    sync.Mutex
	asked []engine.Request // of every look that was begun
}

func (h *hasty) looked(ctx context.Context, at stepID, r engine.Request) error {
	h.mu.Lock()
	h.asked = append(h.asked, r)
	h.mu.Unlock()
	if at != h.gated {
		return nil
	}
	select {
	case <-time.After(30 * time.Second):
		return errors.New("nobody waited for it")
	case <-h.waits:
		return nil
	case <-ctx.Done():
		return &verdict.Error{Code: verdict.Stopped, What: "stopped on request", Err: ctx.Err()}
	}
}

func (h *hasty) Connect(ctx context.Context, r engine.Request, password string) (engine.SourceView, error) {
	if err := h.looked(ctx, connectStep, r); err != nil {
		return engine.SourceView{}, err
	}
	h.one.Lock()
	defer h.one.Unlock()
	return h.columnsStage.Connect(ctx, r, password)
}

func (h *hasty) Copy(ctx context.Context, r engine.Request, tell func(done, total int)) (engine.CopyView, error) {
	if err := h.looked(ctx, copyStep, r); err != nil {
		return engine.CopyView{}, err
	}
	h.one.Lock()
	defer h.one.Unlock()
	return h.columnsStage.Copy(ctx, r, tell)
}

func (h *hasty) Target(ctx context.Context, r engine.Request) (engine.TargetView, error) {
	if err := h.looked(ctx, copyStep, r); err != nil {
		return engine.TargetView{}, err
	}
	h.one.Lock()
	defer h.one.Unlock()
	return h.columnsStage.Target(ctx, r)
}

// An answer that is there before a look is over waits for that look, and for the
// one that it asks for itself: a script sends all its answers at once.
func TestPlainAnswersInHaste(t *testing.T) {
	for name, c := range map[string]struct {
		without func(*engine.Request)
		lines   []string
		waits   string // what is told when a look is awaited
		asked   func(engine.Request) bool
		at      stepID
	}{
		"a target while the copy is looked at": {
			func(r *engine.Request) { r.Target, r.TargetName, r.Facts, r.AppID = "", "", "", "" },
			[]string{"", "", "/lake/bronze/orders", "", "", "", "next", "quit"},
			"Working: Looking at the copy.",
			func(r engine.Request) bool { return r.Target == "/lake/bronze/orders" && r.Copy != "" }, copyStep,
		},
		"a copy while the target is looked at": {
			func(r *engine.Request) { r.Copy = "" },
			[]string{"", "", "/lake/sales/orders", "next", "quit"},
			"Working: Looking at the",
			func(r engine.Request) bool { return r.Copy == "/lake/sales/orders" && r.Target != "" }, copyStep,
		},
		"a database while it connects": {
			func(r *engine.Request) { r.Database = "" },
			[]string{"Sales", "1", "", "", "next", "quit"},
			"Working: Connecting",
			func(r engine.Request) bool { return r.Database == "Sales" }, connectStep,
		},
	} {
		t.Run(name, func(t *testing.T) {
			stage, on := story(t)
			r := ordersRequest()
			c.without(&r)
			k := converseWith(t, nil, r, c.lines...)
			on(k)
			h := &hasty{columnsStage: stage, waits: make(chan struct{}), gated: c.at}
			k.engine, k.spawn = h, func(f func()) { go f() }
			k.out = &hook{&k.heard, c.waits, func() { close(h.waits) }}
			k.talked()
			if k.at != c.at+1 || !slices.ContainsFunc(h.asked, c.asked) {
				t.Errorf("at step %d, looked at %+v:\n%s", k.at, h.asked, k.heard.String())
			}
			if k.found.copy.set && k.found.copy.err != nil || k.found.target.set && k.found.target.err != nil {
				t.Errorf("%v, %v", k.found.copy.err, k.found.target.err)
			}
		})
	}
}

// What was not given is asked for where something is missing that the step needs;
// what was given is told with its number.
func TestPlainAsksWhatIsMissing(t *testing.T) {
	s := lake()
	r := ordersRequest()
	r.Target, r.TargetName, r.Facts, r.AppID = "", "", "", ""
	k := converseWith(t, s, r, "", "", "/lake/bronze/orders", "bronze.orders", "/lake/ops/ingestion_facts", "orders-v1", "next", "quit").talked()
	for _, text := range []string{"\n1. Copy: /lake/sales/orders\n", "\nTarget [none]: ", "\nIn the job [none]: ", "\nFacts [none]: ", "\nApp id [none]: "} {
		if !strings.Contains(k.heard.String(), text) {
			t.Errorf("it lacks %q:\n%s", text, k.heard.String())
		}
	}
	if k.answers.AppID != "orders-v1" || k.at != asOfStep {
		t.Errorf("app id %q at step %d", k.answers.AppID, k.at)
	}
}

// What cannot be an answer is told where it was typed and is no default of the
// question that comes again; an empty line leaves what was there before.
func TestPlainRefusedAnswers(t *testing.T) {
	stage, on := story(t)
	r := ordersRequest()
	r.AsOf = ""
	k := converseWith(t, nil, r, "", "", "", "soon", "2026-10-25T00:40:00Z", "2026-12-09 02:00Z", "why", "", "quit")
	on(k)
	k.engine = stage
	k.talked()
	heard := k.heard.String()
	for _, text := range []string{
		"As of [none]: soon\nSTOP: ", "\nAs of [none]: 2026-10-25T00:40:00Z\n",
		"Copy lag [none]: 2026-12-09 02:00Z\nSTOP: Copy lag: ", "Copy lag [none]: \n", "To accept it, type fell_back",
	} {
		if !strings.Contains(heard, text) {
			t.Errorf("it lacks %q:\n%s", text, heard)
		}
	}
	if m := screenKeys.FindString(heard); m != "" {
		t.Errorf("the key %q is named:\n%s", m, heard)
	}

	// A value that was given beforehand and is refused is none either.
	r.AsOf = "soon"
	s := lake()
	s.asOfErr = &verdict.Error{Code: verdict.AsOfInvalid, What: `"soon" is no time`}
	k = converseWith(t, s, r, "", "", "", "", "", "2026-10-25T00:40:00Z", "quit").talked()
	if heard = k.heard.String(); !strings.Contains(heard, "As of, in place of soon: \nType another answer") || k.answers.AsOf != "2026-10-25T00:40:00Z" {
		t.Errorf("as of %q:\n%s", k.answers.AsOf, heard)
	}
}

// What a time without a zone means is asked before the next question.
func TestPlainZoneAtOnce(t *testing.T) {
	s := noZoneScene("2026-10-24 02:40", plainReadings()...)
	s.copy, s.target = lake().copy, lake().target
	r := ordersRequest()
	r.AsOf = ""
	k := converseWith(t, s, r, "", "", "", "2026-10-24 02:40", "change", "2026-10-24 02:40", "3", "15m", "quit").talked()
	heard := k.heard.String()
	clock, lag := strings.Index(heard, "Which clock was it read from?"), strings.Index(heard, "Copy lag [none]: 15m")
	if clock < 0 || lag < clock || strings.Count(heard, "As of [none]: 2026-10-24 02:40") != 2 {
		t.Errorf("%d, %d:\n%s", clock, lag, heard)
	}
}

// Where lines have no end, nothing of what is told is broken.
func TestPlainUnbroken(t *testing.T) {
	_, on := story(t)
	k := converseWith(t, nil, ordersRequest(), "", "", "", "quit")
	on(k)
	k.wide = unbroken
	k.talked()
	if text := "A plain look-up could pick a commit up to an hour too late. An hour earlier is always safe; the stream replays that hour.\n"; !strings.Contains(k.heard.String(), text) {
		t.Errorf("it lacks %q:\n%s", text, k.heard.String())
	}
}
