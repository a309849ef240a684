package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/verdict"
)

func impatient() *doctor {
	return &doctor{options: DiagnoseOptions{Limit: time.Millisecond}, grace: time.Millisecond}
}

// A check that breaks is a refusal of its own; what it held is not told, and the
// next one runs.
func TestAskSurvivesAFall(t *testing.T) {
	d := &doctor{options: DiagnoseOptions{Limit: time.Minute}}
	_, err := ask(t.Context(), d, "the weather", func(context.Context) (int, error) { panic("row 1: Anna Müller") })
	e := verdict.As(err)
	if e.Code != verdict.Unexpected || e.What != "the weather: the check broke" || strings.Contains(err.Error(), "Anna") || len(e.Hint) == 0 {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(err.Error(), "TestAskSurvivesAFall") {
		t.Errorf("it does not say where: %v", err)
	}
	_, err = ask(t.Context(), d, "a list", func(context.Context) (int, error) { return []int{}[len(d.stuck)], nil })
	if !strings.Contains(err.Error(), "index out of range") {
		t.Errorf("the runtime's own fault is not told: %v", err)
	}
	if n, err := ask(t.Context(), d, "a number", func(context.Context) (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("the next one: %d, %v", n, err)
	}
}

// A question that takes too long is broken off and told so, whatever it answers then.
func TestAskIsBounded(t *testing.T) {
	d := impatient()
	d.grace = time.Minute
	_, err := ask(t.Context(), d, "the clock", func(ctx context.Context) (int, error) {
		<-ctx.Done()
		return 0, errors.New("whatever a driver says then")
	})
	if !errors.Is(err, verdict.SourceUnreachable) || !strings.Contains(err.Error(), "the clock: no answer within 1 ms") || d.stuck != "" {
		t.Errorf("got %v, stuck %q", err, d.stuck)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	own := errors.New("stopped")
	if _, err := ask(stopped, d, "the clock", func(context.Context) (int, error) { return 0, own }); !errors.Is(err, own) {
		t.Errorf("a stop is taken for slowness: %v", err)
	}
}

// A question that never comes back keeps its connection: nothing else is asked on it.
func TestAskAfterOneThatIsStuck(t *testing.T) {
	d := impatient()
	release := make(chan struct{})
	defer close(release)
	if _, err := ask(t.Context(), d, "the lock", func(context.Context) (int, error) { <-release; return 0, nil }); !errors.Is(err, verdict.SourceUnreachable) {
		t.Error(err)
	}
	asked := false
	_, err := ask(t.Context(), d, "the clock", func(context.Context) (int, error) { asked = true; return 0, nil })
	if asked || !strings.Contains(err.Error(), "the clock: not asked, for the lock has not come back") {
		t.Errorf("asked %v, %v", asked, err)
	}
}

// The status is that of the cause beside which nothing else matters.
func TestDiagnosisExit(t *testing.T) {
	of := func(codes ...verdict.Code) Diagnosis {
		d := Diagnosis{Sections: []Section{{Name: "clock", Findings: finds(verdict.Okay("fine"), verdict.Warned(verdict.NoZone, "late", "why"))}, {Name: "cdc"}}}
		for _, c := range codes {
			d.Sections[1].Findings = append(d.Sections[1].Findings, stops(&verdict.Error{Code: c, What: "no"}))
		}
		return d
	}
	for want, d := range map[int]Diagnosis{
		verdict.ExitDone:        of(),
		verdict.ExitRefused:     of(verdict.SourceDenied, verdict.AsOfNoZone),
		verdict.ExitNotKept:     of(verdict.SourceDenied, verdict.TargetHoldsSnapshot, verdict.RetentionPassed),
		verdict.ExitForeign:     of(verdict.Unexpected, verdict.TargetHoldsSnapshot, verdict.CopyEmpty),
		verdict.ExitUnreachable: of(verdict.NoCommit, verdict.LoginFailed),
		verdict.ExitUsage:       of(verdict.FactsIncomplete, verdict.Unexpected),
		verdict.ExitUnexpected:  of(verdict.Unexpected),
	} {
		if got := d.Exit(); got != want {
			t.Errorf("%v: exit %d, want %d", d.Sections[1].Findings, got, want)
		}
	}
	for _, c := range verdict.Codes() {
		if of(c).Exit() == verdict.ExitDone {
			t.Errorf("%s ends with 0", c)
		}
	}
}
