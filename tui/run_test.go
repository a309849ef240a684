//go:build !windows

package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// stage is a terminal of its own with the wizard on it.
type stage struct {
	t      *testing.T
	person *os.File // where keys go in and the screen comes out
	stops  chan StopAsked
	came   chan Outcome

	mu     sync.Mutex
	screen bytes.Buffer
}

// lit opens the wizard over an engine.
func lit(t *testing.T, ctx context.Context, e Engine, r engine.Request) *stage {
	t.Helper()
	person, line, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(person, &pty.Winsize{Cols: 100, Rows: 30}); err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, person: person, stops: make(chan StopAsked, 1), came: make(chan Outcome, 1)}
	emulator := vt.NewSafeEmulator(100, 30)
	go func() { _, _ = io.Copy(person, emulator) }() // what the terminal answers
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := person.Read(b)
			_, _ = emulator.Write(b[:n])
			s.mu.Lock()
			s.screen.Write(b[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() {
		o, _ := run(ctx, Options{
			Request: r, Password: "secret", In: line, Out: line, Env: func(string) (string, bool) { return "", false }, Version: "0.1.0", Tool: "cdcseed/test",
			Now: time.Now, Here: time.UTC, Stops: s.stops,
			Keep: func(engine.Plan) (string, error) { return "/state/plan.json", nil },
		}, func(func(string)) (Engine, func()) { return e, func() {} })
		_ = line.Close() // the last one that has it
		s.came <- o
	}()
	t.Cleanup(func() { _ = person.Close() })
	return s
}

// wrote waits for a text on the screen.
func (s *stage) wrote(text string) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		seen := strings.Contains(s.screen.String(), text)
		s.mu.Unlock()
		if seen {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("the screen never showed %q:\n%q", text, s.screen.String())
		}
	}
}

// outcome waits for the wizard's end.
func (s *stage) outcome() Outcome {
	s.t.Helper()
	select {
	case o := <-s.came:
		return o
	case <-time.After(time.Minute):
		s.t.Fatal("the wizard does not end")
		return Outcome{}
	}
}

// breaking is an engine that panics where it is asked to connect.
type breaking struct{ *script }

func (breaking) Connect(context.Context, engine.Request, string) (engine.SourceView, error) {
	panic("a fault of ours")
}

// A panic ends the wizard with the terminal as it was, and is told.
func TestAPanicEndsTheWizardInOrder(t *testing.T) {
	s := lit(t, t.Context(), breaking{orders()}, ordersRequest())
	o := s.outcome()
	s.wrote("\x1b[?1049l") // the other screen is left
	s.wrote("\x1b[?25h")   // the cursor shows
	if o.Fall == nil || o.Fall.Cause != "a fault of ours" || !strings.Contains(o.Fall.Stack, "breaking") || !errors.Is(o.Err, verdict.Unexpected) {
		t.Errorf("%+v", o)
	}
}

// A context that ends and a signal end it.
func TestTheWizardEnds(t *testing.T) {
	for name, end := range map[string]func(*stage, context.CancelFunc){
		"context": func(_ *stage, cancel context.CancelFunc) { cancel() },
		"signal":  func(s *stage, _ context.CancelFunc) { s.stops <- StopAsked{Now: true} },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s := lit(t, ctx, orders(), ordersRequest())
			s.wrote("Ready.")
			end(s, cancel)
			o := s.outcome()
			if !errors.Is(o.Err, verdict.Stopped) || o.Request.Table != "dbo.Orders" || o.Fall != nil || o.Plan != nil {
				t.Errorf("%+v", o)
			}
		})
	}
}
