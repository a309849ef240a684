package tui

import (
	"context"
	"errors"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// A connection that nobody waits for any more changes nothing, whenever its
// turn comes.
func TestASupersededConnectChangesNothing(t *testing.T) {
	l := NewLive("cdcseed/test", time.Now, nil)
	l.request = engine.Request{Server: "wanted"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 200 {
		if _, err := l.Connect(ctx, engine.Request{Server: "superseded"}, "secret"); !errors.Is(err, verdict.Stopped) {
			t.Fatal(err)
		}
		if l.request.Server != "wanted" || l.password != "" {
			t.Fatalf("connected to %q now", l.request.Server)
		}
	}
}

// A plan is never made, nor run, over another source than its request names.
func TestAnotherSourceIsRefused(t *testing.T) {
	l := NewLive("cdcseed/test", time.Now, nil)
	l.request = engine.Request{Server: "a", Database: "Sales"}
	r := ordersRequest()
	r.Server, r.Database, r.User = "a", "master", ""
	if _, err := l.Build(t.Context(), r, nil); !errors.Is(err, verdict.SourceUnreachable) {
		t.Error(err)
	}
	if _, err := l.Execute(t.Context(), engine.Plan{}, r, nil); !errors.Is(err, verdict.SourceUnreachable) {
		t.Error(err)
	}
}
