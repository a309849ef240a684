package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// connectAndTry seeds over a connection of its own.
func (b *faultBench) connectAndTry(t *testing.T, s engine.Stores) error {
	t.Helper()
	_, err := seedIn(t.Context(), b.request, s)
	return err
}

// unreachable checks a refusal because of the source, with both tables untouched.
func (b *faultBench) unreachable(t *testing.T, where string, err error, codes ...verdict.Code) {
	t.Helper()
	e := verdict.As(err)
	if e == nil {
		t.Fatalf("%s: no refusal", where)
	}
	known := false
	for _, c := range codes {
		known = known || e.Code == c
	}
	if !known || e.Code.Exit() != verdict.ExitUnreachable || e.WroteText() != verdict.NothingWritten || len(e.Hint) == 0 {
		t.Errorf("%s: %s, exit %d, %q: %v", where, e.Code, e.Code.Exit(), e.WroteText(), err)
	}
	if strings.Contains(err.Error(), "s3cret") {
		t.Errorf("%s: the password is told: %v", where, err)
	}
}

// statements counts what an undisturbed seed asks the server.
func (b *faultBench) statements(t *testing.T) int {
	t.Helper()
	s, _, _ := b.places(t)
	b.server.ForgetStatements()
	if err := b.connectAndTry(t, s); err != nil {
		t.Fatal(err)
	}
	return len(b.server.Statements())
}

// TestTheSourceIsGoneForGood loses the source with a statement: one in the middle of
// a seed, and one right before its commit. Each waits a little for the source
// to come back.
func TestTheSourceIsGoneForGood(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[0], func(t *testing.T, b *faultBench) {
		all := b.statements(t)
		for _, n := range []int{all / 2, all - 1} {
			s, target, facts := b.places(t)
			if err := b.server.SetFault(fakeserver.Fault{Nth: n, Drop: true}); err != nil {
				t.Fatal(err)
			}
			where := fmt.Sprintf("statement %d of %d", n, all)
			err := b.connectAndTry(t, s)
			e := verdict.As(err)
			if !errors.Is(err, verdict.SourceUnreachable) || e.Code.Exit() != verdict.ExitUnreachable || len(e.Hint) == 0 {
				t.Fatalf("%s: %v", where, err)
			}
			now := standsIn(t, target)
			told := truth{t: t, where: where, e: e, state: b.allowed(t, where, nil, now), now: now}
			told.check(len(filesOf(t, target))+len(filesOf(t, facts)) == 0)
		}
	})
}

// TestTheSourceFailsOnce lets statements fail once in a way that passes, or the
// connection break once: the seed goes on.
func TestTheSourceFailsOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]fakeserver.Fault{
		"deadlock": {Error: &fakeserver.FaultError{Number: 1205}, Times: 1},
		"drop":     {Drop: true, Times: 1},
	} {
		t.Run(name, func(t *testing.T) {
			onTarget(t, faultTargets[0], func(t *testing.T, b *faultBench) {
				all := b.statements(t)
				for n := 1; n <= all; n += 12 {
					s, target, facts := b.places(t)
					fault.Nth = n
					if err := b.server.SetFault(fault); err != nil {
						t.Fatal(err)
					}
					if err := b.connectAndTry(t, s); err != nil {
						t.Errorf("statement %d of %d: %v", n, all, err)
					}
					b.whole(t, target, facts)
				}
			})
		})
	}
}

// TestTheSourceIsNotThere cannot connect, or may not, in every way.
func TestTheSourceIsNotThere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, b *faultBench)
		codes []verdict.Code
	}{
		{"another password", func(_ *testing.T, b *faultBench) {
			b.request.Server = strings.Replace(b.request.Server, "s3cret", "other", 1)
		}, []verdict.Code{verdict.LoginFailed}},
		{"another login", func(_ *testing.T, b *faultBench) {
			b.request.Server = strings.Replace(b.request.Server, "reader", "nobody", 1)
		}, []verdict.Code{verdict.LoginFailed}},
		{"no such database", func(_ *testing.T, b *faultBench) { b.request.Database = "Nowhere" }, []verdict.Code{verdict.LoginFailed}},
		{"offline", func(t *testing.T, b *faultBench) {
			if err := b.server.SetOffline("Sales", true); err != nil {
				t.Fatal(err)
			}
		}, []verdict.Code{verdict.LoginFailed, verdict.SourceUnreachable}},
		{"nothing listens", func(t *testing.T, b *faultBench) {
			if err := b.server.Close(); err != nil {
				t.Fatal(err)
			}
		}, []verdict.Code{verdict.SourceUnreachable}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onTarget(t, faultTargets[0], func(t *testing.T, b *faultBench) {
				s, target, facts := b.places(t)
				c.spoil(t, b)
				b.unreachable(t, c.name, b.connectAndTry(t, s), c.codes...)
				if len(filesOf(t, target))+len(filesOf(t, facts)) > 0 {
					t.Error("something was written")
				}
			})
		})
	}
}

// TestTheSourceGoesAwayMeanwhile loses the source once files are staged: none of
// them stays, and a rerun with the source back ends well.
func TestTheSourceGoesAwayMeanwhile(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*faultBench) error{
		"offline": func(b *faultBench) error { return b.server.SetOffline("Sales", true) },
		"drop":    func(b *faultBench) error { return b.server.SetFault(fakeserver.Fault{Drop: true}) },
	} {
		t.Run(name, func(t *testing.T) {
			onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
				s, target, facts := b.places(t)
				before := filesOf(t, target)
				p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{})
				if err != nil {
					t.Fatal(err)
				}
				_, err = engine.Execute(context.Background(), p, b.session, s, func(e engine.Event) {
					if ends(engine.Stage)(e) {
						if err := lose(b); err != nil {
							t.Error(err)
						}
					}
				})
				b.unreachable(t, name, err, verdict.SourceUnreachable, verdict.LoginFailed)
				if !maps.Equal(before, filesOf(t, target)) {
					t.Error("the target changed")
				}
				if err := errors.Join(b.server.SetOffline("Sales", false), b.server.SetFault()); err != nil {
					t.Fatal(err)
				}
				if err := b.connectAndTry(t, s); err != nil {
					t.Errorf("the source is back: %v", err)
				}
				b.whole(t, target, facts)
			})
		})
	}
}

// TestCleanupPassesLMeanwhile lets cleanup take the changes right after L once
// files are staged (case 16): no commit, no staged files.
func TestCleanupPassesLMeanwhile(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
		s, target, _ := b.places(t)
		before := filesOf(t, target)
		p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		mark, err := fakeserver.ParseLSN(lsnAt(45))
		if err != nil {
			t.Fatal(err)
		}
		_, err = engine.Execute(t.Context(), p, b.session, s, func(e engine.Event) {
			if ends(engine.Verify)(e) {
				if _, err := b.server.Cleanup("Sales", mark); err != nil {
					t.Error(err)
				}
			}
		})
		e := verdict.As(err)
		if e == nil || e.Code != verdict.RetentionPassed || e.Code.Exit() != verdict.ExitNotKept || e.WroteText() != verdict.NothingWritten {
			t.Errorf("want retention_passed, got %v", err)
		}
		if !maps.Equal(before, filesOf(t, target)) {
			t.Error("the target changed")
		}
	})
}
