package engine_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// silentAfter is a store that stops answering about its log with the creation of
// version n, which it makes or not.
func silentAfter(w store.Writer, n int, made bool) store.Writer {
	var asked atomic.Bool // files are staged side by side
	entry := fmt.Sprintf("%020d.json", n)
	return storetest.Intercept(w, func(op storetest.Op) storetest.Fault {
		create := op.Name == "CreateOnce" && strings.HasSuffix(op.Key, entry)
		if create {
			asked.Store(true)
		}
		if asked.Load() && strings.Contains(op.Key, "_delta_log/") {
			return storetest.Fault{Err: errors.New("no answer"), Done: create && made}
		}
		return storetest.Fault{}
	})
}

// TestACommitOfUnknownOutcome keeps the data files, says what to look for, and
// leaves it to a rerun, which finds the seed or takes the files over.
func TestACommitOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	for _, made := range []bool{true, false} {
		t.Run(fmt.Sprint("made ", made), func(t *testing.T) {
			onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
				s, target, facts := b.places(t)
				silent := s
				silent.Target = silentAfter(target, 1, made)
				_, err := b.try(t.Context(), silent)
				e := verdict.As(err)
				if !errors.Is(err, verdict.CommitUnknown) || e.Code.Exit() != verdict.ExitUnreachable || !strings.Contains(err.Error(), "txnId") {
					t.Fatalf("%v", err)
				}
				left := standsIn(t, target)
				files, err := engine.Staged(t.Context(), target)
				if err != nil || made != maps.Equal(left.seed, b.copied) || made == (len(files) == 2) {
					t.Fatalf("%d kinds of rows, %v, %v", len(left.seed), files, err)
				}
				for _, f := range files {
					if err := target.SetModified(f.Key, worldNow); err != nil {
						t.Fatal(err)
					}
				}
				got, err := b.try(t.Context(), s)
				if err != nil || (got.State == engine.AlreadySeeded) != made || !made && got.Adopted != 2 {
					t.Errorf("%+v, %v", got, err)
				}
				b.whole(t, target, facts)
			})
		})
	}
}

// TestAMigrationOfUnknownOutcome names no data file, so that those go; a rerun
// goes on from the table as it is then.
func TestAMigrationOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	for _, made := range []bool{true, false} {
		t.Run(fmt.Sprint("made ", made), func(t *testing.T) {
			onOlder(t, func(t *testing.T, b *faultBench) {
				s, target, facts := b.places(t)
				silent := s
				silent.Target = silentAfter(target, 1, made)
				_, err := b.try(t.Context(), silent)
				e := verdict.As(err)
				if e == nil || e.Code != verdict.StoreUnreachable || !strings.Contains(e.WroteText(), "may have been migrated from schema version 1 to 2, which changes no row. No rows were written.") {
					t.Fatalf("%v (%s)", err, e.WroteText())
				}
				if now := standsIn(t, target); len(now.beside) != 0 || (now.version == 1) != made {
					t.Errorf("version %d, beside %v", now.version, now.beside)
				}
				if got, err := b.try(t.Context(), s); err != nil || got.Version != 2 {
					t.Errorf("%+v, %v", got, err)
				}
				b.whole(t, target, facts)
			})
		})
	}
}

// TestAnUnclearAnswerToALostRace is settled by reading the version back: it is
// another writer's, so that the next one is tried.
func TestAnUnclearAnswerToALostRace(t *testing.T) {
	t.Parallel()
	onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
		s, target, facts := b.places(t)
		tries := 0
		s.Target = storetest.Intercept(target, func(op storetest.Op) storetest.Fault {
			if op.Name != "CreateOnce" || !strings.Contains(op.Key, "_delta_log/") {
				return storetest.Fault{}
			}
			if tries++; tries > 1 {
				return storetest.Fault{}
			}
			streamCommit(t, target, 1, 100)
			return storetest.Fault{Err: errors.New("connection reset")}
		})
		got, err := b.try(t.Context(), s)
		if err != nil || tries != 2 || got.Version != 2 {
			t.Fatalf("%d tries, %+v, %v", tries, got, err)
		}
		b.whole(t, target, facts)
	})
}
