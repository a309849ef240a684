package engine_test

import (
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// TestStoppedBetweenMigrationAndRows says that the migration stands, and a rerun
// goes on from it with the files that were kept.
func TestStoppedBetweenMigrationAndRows(t *testing.T) {
	t.Parallel()
	for how, files := range map[string]int{"remove": 0, "keep": 2} {
		t.Run(how, func(t *testing.T) {
			onOlder(t, func(t *testing.T, b *faultBench) {
				b.request.OnStop = how
				s, target, facts := b.places(t)
				_, err := b.stoppedRun(t, s, func(e engine.Event) bool {
					n, ok := e.(engine.Notice)
					return ok && strings.Contains(n.Text, "schema version 1 became 2")
				})
				e := verdict.As(err)
				if e == nil || e.Code != verdict.Stopped || !strings.Contains(e.WroteText(), "was migrated from schema version 1 to 2, which changes no row") {
					t.Fatalf("%v (%s)", err, e.WroteText())
				}
				now := standsIn(t, target)
				left, _ := now.staged()
				if now.version != 1 || len(now.seed) != 0 || len(left) != files {
					t.Errorf("version %d, %d kinds of rows, left %q", now.version, len(now.seed), left)
				}
				for _, key := range left {
					if err := target.SetModified(key, worldNow); err != nil {
						t.Fatal(err)
					}
				}
				got, err := b.try(t.Context(), s)
				if err != nil || got.Version != 2 || got.Adopted != files {
					t.Errorf("%+v, %v", got, err)
				}
				b.whole(t, target, facts)
			})
		})
	}
}

// TestAnOlderFactsTableThatTakesNoRow leaves the seed without its row: exit 8, and
// a rerun migrates the facts table and writes it.
func TestAnOlderFactsTableThatTakesNoRow(t *testing.T) {
	t.Parallel()
	onOlder(t, func(t *testing.T, b *faultBench) {
		s, target, facts := b.places(t)
		makeOlderFacts(t, facts)
		p := b.planned(t, s)
		silent := s
		silent.Facts = silentAfter(facts, 1, false)
		got, err := engine.Execute(t.Context(), p, b.session, silent, nil)
		e := verdict.As(err)
		if e == nil || e.Code != verdict.FactsFailed || e.Code.Exit() != verdict.ExitFactsFailed || got.Version != 2 || !strings.Contains(e.WroteText(), "at version 2") {
			t.Fatalf("%+v, %v", got, err)
		}
		if snap := openNow(t, facts); snap.Version != 0 || len(filesOf(t, facts)) != 1 {
			t.Errorf("version %d of the facts table, %d files", snap.Version, len(filesOf(t, facts)))
		}
		before := openNow(t, target).Version
		got, err = b.try(t.Context(), s)
		if err != nil || got.State != engine.AlreadySeeded || got.FactsRow != "written" || openNow(t, target).Version != before || openNow(t, facts).Version != 2 {
			t.Errorf("%+v, %v", got, err)
		}
		b.whole(t, target, facts)
	})
}
