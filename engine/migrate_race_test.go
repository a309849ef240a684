package engine_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// bothSteps are how the package brings the kit's older table to version 2.
var bothSteps = []string{"add _snapshot", "add _chunk", "comment _start_lsn", "number 2"}

// TestAnotherMigratesMeanwhile lets another job migrate the target, wholly or in
// part, at every moment of a planned seed: whoever did it, the seed goes on.
func TestAnotherMigratesMeanwhile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		at    int // the seed's try to commit before which it happens; -1: before it is executed
		steps []string
		does  []string // what the log says at the end
	}{
		{"before the seed", -1, bothSteps, []string{"CREATE TABLE", "THEIRS", "THEIRS", "THEIRS", "THEIRS", "WRITE"}},
		{"half, before the seed", -1, bothSteps[:2], []string{"CREATE TABLE", "THEIRS", "THEIRS", "SET TBLPROPERTIES", "WRITE"}},
		{"before our migration", 0, bothSteps, []string{"CREATE TABLE", "THEIRS", "THEIRS", "THEIRS", "THEIRS", "WRITE"}},
		{"half, before our migration", 0, bothSteps[:1], []string{"CREATE TABLE", "THEIRS", "SET TBLPROPERTIES", "WRITE"}},
		{"in other words, before our rows", 1, []string{"comment _start_lsn"}, []string{"CREATE TABLE", "SET TBLPROPERTIES", "THEIRS", "WRITE"}},
		// A job that began at an older number writes it once we are done.
		{
			"from an older number, before our rows", 1,
			[]string{"comment _capture_instance", "number 1"},
			[]string{"CREATE TABLE", "SET TBLPROPERTIES", "THEIRS", "THEIRS", "SET TBLPROPERTIES", "WRITE"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			onOlder(t, func(t *testing.T, b *faultBench) {
				s, target, facts := b.places(t)
				p := b.planned(t, s)
				if c.at < 0 {
					packageMigrates(t, target, c.steps...)
				}
				s.Target = beforeCommit(target, func(i int) {
					if i == c.at {
						packageMigrates(t, target, c.steps...)
					}
				})
				got, err := engine.Execute(t.Context(), p, b.session, s, nil)
				if err != nil || got.State != engine.Ready {
					t.Fatalf("%+v, %v", got, err)
				}
				b.whole(t, target, facts)
				if h := history(t, target); !slices.Equal(h, c.does) {
					t.Error(h)
				}
				if snap := openNow(t, target); bronzeOf(snap) != `"2" _snapshot _chunk` {
					t.Error(bronzeOf(snap))
				}
			})
		})
	}
}

// TestAStreamCommitsBeforeTheMigration loses races for the migration's version to
// commits that change nothing about the table.
func TestAStreamCommitsBeforeTheMigration(t *testing.T) {
	t.Parallel()
	onOlder(t, func(t *testing.T, b *faultBench) {
		s, target, facts := b.places(t)
		p := b.planned(t, s)
		s.Target = beforeCommit(target, func(i int) {
			if i < 3 || i == 4 {
				streamCommit(t, target, i+1, 100+int32(i))
			}
		})
		got, err := engine.Execute(t.Context(), p, b.session, s, nil)
		if err != nil || got.Version != 6 {
			t.Fatalf("%+v, %v", got, err)
		}
		b.whole(t, target, facts)
		if now := standsIn(t, target); len(now.stream) != 4 {
			t.Errorf("%d rows of the stream", len(now.stream))
		}
	})
	onOlder(t, func(t *testing.T, b *faultBench) {
		s, target, _ := b.places(t)
		s.Target = beforeCommit(target, func(i int) { streamCommit(t, target, i+1, 100) })
		_, err := b.try(t.Context(), s)
		b.stopped(t, err, verdict.TargetChanged, "20 times in a row while the table was to be migrated", target)
	})
}

// TestAnOlderTargetChangesMeanwhile stops the seed at any change but a migration,
// before ours and after it, and says which of ours stands.
func TestAnOlderTargetChangesMeanwhile(t *testing.T) {
	t.Parallel()
	for _, c := range tableChanges("schema or its properties changed") {
		for at, wrote := range []string{verdict.NothingWritten, "was migrated from schema version 1 to 2, which changes no row. No rows were written."} {
			t.Run(c.name, func(t *testing.T) {
				onOlder(t, func(t *testing.T, b *faultBench) {
					s, target, _ := b.places(t)
					s.Target = beforeCommit(target, func(i int) {
						if i == at {
							c.change(t, target)
						}
					})
					_, err := b.try(t.Context(), s)
					e := verdict.As(err)
					if e == nil || e.Code != verdict.TargetChanged || !strings.Contains(e.Error(), c.says) || !strings.HasSuffix(e.WroteText(), wrote) {
						t.Fatalf("%v (%s)", err, e.WroteText())
					}
					if now := standsIn(t, target); len(now.seed) != 0 || len(now.beside) != 0 || now.version != int64(at+1) {
						t.Errorf("version %d, %d rows, beside %v", now.version, len(now.seed), now.beside)
					}
				})
			})
		}
	}
}

// TestTheSeedAppearsBeforeTheMigration leaves an older table as it is once another
// run's seed stands in it.
func TestTheSeedAppearsBeforeTheMigration(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	k.bronzeTable(olderBronze("1"))
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	session, stores := k.open()
	got, err := engine.Execute(t.Context(), p, session, stores, func(e engine.Event) {
		if ends(engine.Verify)(e) {
			k.appendRows("bronze", wholeRow(lsnAt(30)))
		}
	})
	w, snap := k.snapshot("bronze")
	if err != nil || got.State != engine.AlreadySeeded || snap.Version != 1 || bronzeOf(snap) != `"1" ` {
		t.Errorf("%+v, %v; version %d, %s", got, err, snap.Version, bronzeOf(snap))
	}
	if left, err := engine.Staged(t.Context(), w); err != nil || len(left) != 0 {
		t.Error(left, err)
	}
}

// TestAMigrationSurvivesAnyFailure strikes every operation of a seed into an older
// target with an older facts table: what stands is told, and a rerun ends well.
func TestAMigrationSurvivesAnyFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		only  []string
		fault storetest.Fault
		ends  []string
	}{
		"fails":                {nil, storetest.Fault{Err: errInjected}, []string{"as before", "migrated", "seeded"}},
		"is done, answer lost": {changes, storetest.Fault{Err: errInjected, Done: true}, []string{"as before", "seeded"}},
	} {
		t.Run(name, func(t *testing.T) {
			onOlder(t, func(t *testing.T, b *faultBench) {
				ends := map[string]int{}
				for n := 1; ; n++ {
					s, target, facts := b.places(t)
					makeOlderFacts(t, facts)
					before := len(filesOf(t, target)) + len(filesOf(t, facts))
					f := &nth{n: n, fault: c.fault, only: c.only}
					_, err := b.try(t.Context(), f.around(s))
					if f.struck == nil {
						break
					}
					where := f.struck.Name + " " + f.place + " " + f.struck.Key
					ends[b.migratedTruth(t, where, err, target)]++
					if len(filesOf(t, target))+len(filesOf(t, facts)) == before {
						continue // the run without a fault is its rerun
					}
					b.again(t, where, s, target, facts)
					if snap := openNow(t, target); bronzeOf(snap) != `"2" _snapshot _chunk` || snap.Version != 2 {
						t.Errorf("%s: version %d, %s", where, snap.Version, bronzeOf(snap))
					}
					if t.Failed() {
						t.Fatalf("after %s: %v", where, err)
					}
				}
				t.Logf("%v", ends)
				for _, want := range c.ends {
					if ends[want] == 0 {
						t.Errorf("no failure left the table %s", want)
					}
				}
			})
		})
	}
}

// migratedTruth names the state that a struck run left an older target in, and
// checks that its error says so.
func (b *faultBench) migratedTruth(t *testing.T, where string, err error, target store.Reader) string {
	t.Helper()
	now := standsIn(t, target)
	state := map[bool]string{false: "as before", true: "migrated"}[now.version == 1]
	switch {
	case now.version == 2 && maps.Equal(now.seed, b.copied):
		state = "seeded"
	case now.version > 1 || len(now.seed) != 0:
		t.Errorf("%s: version %d, %d kinds of rows", where, now.version, len(now.seed))
	}
	e := verdict.As(err)
	if err == nil {
		if state != "seeded" {
			t.Errorf("%s: no error, and the table is %s", where, state)
		}
		return state
	}
	if exit := e.Code.Exit(); exit != verdict.ExitUnreachable && exit != verdict.ExitFactsFailed || len(e.Hint) == 0 {
		t.Errorf("%s: %s, exit %d", where, e.Code, exit)
	}
	if (e.Code == verdict.FactsFailed) && state != "seeded" {
		t.Errorf("%s: %v, and the table is %s", where, err, state)
	}
	text, maybe := e.WroteText(), strings.Contains(e.WroteText(), "may have been migrated")
	if !maybe && e.Code != verdict.CommitUnknown && state != "seeded" && strings.Contains(text, "was migrated from schema version 1 to 2") != (state == "migrated") {
		t.Errorf("%s: says %q, and the table is %s", where, text, state)
	}
	if state == "seeded" && !errors.Is(err, verdict.FactsFailed) && !errors.Is(err, verdict.CommitUnknown) {
		t.Errorf("%s: seeded, and the error is %v", where, err)
	}
	return state
}

// TestCleanupPassesBeforeTheMigration leaves an older table as it is when no seed
// can follow its migration any more.
func TestCleanupPassesBeforeTheMigration(t *testing.T) {
	t.Parallel()
	onOlder(t, func(t *testing.T, b *faultBench) {
		s, target, _ := b.places(t)
		p := b.planned(t, s)
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
		b.stopped(t, err, verdict.RetentionPassed, lsnAt(30), target)
		if snap := openNow(t, target); snap.Version != 0 {
			t.Errorf("version %d", snap.Version)
		}
	})
}
