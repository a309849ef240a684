package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

// notes are the plan's notes that speak of an older table.
func olderNotes(p engine.Plan) []verdict.Check {
	var out []verdict.Check
	for _, c := range p.Checks {
		if strings.Contains(c.Text, "older mssql-cdc-pyspark") {
			out = append(out, c)
		}
	}
	return out
}

// TestAnOlderTargetIsMigratedAndSeeded seeds into tables of every older version:
// one commit for the migration, one for the rows, and the same for the facts.
func TestAnOlderTargetIsMigratedAndSeeded(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"", "0", "1"} {
		t.Run("version "+version, func(t *testing.T) {
			k := newKit(t).withFacts()
			k.writeCopy("a.parquet", orders(3))
			k.bronzeTable(olderBronze(version))
			k.factsTable(olderFacts())
			before := k.tree()
			p, err := k.build()
			if err != nil || p.State != engine.Ready {
				t.Fatal(p.Stops, err)
			}
			if !maps.Equal(before, k.tree()) {
				t.Error("planning wrote something")
			}
			m, f := p.Target.Migrate, p.Facts.Migrate
			if m == nil || fmt.Sprint(m.From) != max(version, "0") || m.To != 2 || !slices.Equal(m.AddColumns, []string{"_snapshot", "_chunk"}) || p.Target.SettledHash == "" {
				t.Errorf("%+v", m)
			}
			if f == nil || f.From != 4 || f.To != 14 || !slices.Equal(f.AddColumns, []string{"end_lsn", "end_commit_ts", "detail"}) {
				t.Errorf("%+v", f)
			}
			if notes := olderNotes(p); len(notes) != 2 || notes[0].Level != verdict.Note || len(p.Unaccepted()) != 0 {
				t.Errorf("%+v", notes)
			}
			got, err := k.execute(p)
			if err != nil || got.Version != 2 || got.Rows != 3 || got.FactsRow != "written" {
				t.Fatalf("%+v, %v", got, err)
			}
			w, snap := k.snapshot("bronze")
			if h := history(t, w); !slices.Equal(h, []string{"CREATE TABLE", "SET TBLPROPERTIES", "WRITE"}) || bronzeOf(snap) != `"2" _snapshot _chunk` {
				t.Error(h, bronzeOf(snap))
			}
			facts, snap := k.snapshot("facts")
			if h := history(t, facts); !slices.Equal(h, []string{"CREATE TABLE", "SET TBLPROPERTIES", "WRITE"}) || snap.Metadata.Configuration[bronze.VersionProperty] != "14" {
				t.Error(h, snap.Metadata.Configuration)
			}
			if now := standsIn(t, w); !maps.Equal(now.seed, seeded(lsnAt(30), orders(3))) || len(now.beside) != 0 {
				t.Errorf("%v, beside %v", now.seed, now.beside)
			}
			rerunWritesNothing(t, k)
		})
	}
}

// rerunWritesNothing seeds again, by a new plan.
func rerunWritesNothing(t *testing.T, k *kit) {
	t.Helper()
	before := k.tree()
	p, err := k.build()
	if err != nil || p.State != engine.AlreadySeeded || p.Target.Migrate != nil || p.Writes() {
		t.Fatalf("%s %+v, %v", p.State, p.Target, err)
	}
	if got, err := k.execute(p); err != nil || got.State != engine.AlreadySeeded {
		t.Errorf("%+v, %v", got, err)
	}
	if !maps.Equal(before, k.tree()) {
		t.Error("a rerun wrote something")
	}
}

// wholeRow is a row of a snapshot at l in a table before version 2.
func wholeRow(l string) string {
	return fmt.Sprintf(`[{"_capture_instance": "DBO_Orders", "_start_lsn": %q, "_operation": 0, "_commit_ts": "2026-10-24 12:30:00", "id": 1}]`, l)
}

// TestASeedInAnOlderTargetIsFound finds whole snapshots by _start_lsn alone, and
// migrates nothing for them; their missing facts row needs its own table's columns.
func TestASeedInAnOlderTargetIsFound(t *testing.T) {
	t.Parallel()
	k := newKit(t).withFacts()
	k.writeCopy("a.parquet", orders(3))
	k.bronzeTable(olderBronze("1"))
	k.appendRows("bronze", wholeRow(lsnAt(30)))
	k.factsTable(olderFacts())
	before := k.tree("bronze")
	p, err := k.build()
	if err != nil || p.State != engine.AlreadySeeded || p.Target.Migrate != nil || p.Facts.Migrate == nil || len(olderNotes(p)) != 1 {
		t.Fatalf("%s %+v %+v %+v, %v", p.State, p.Target, p.Facts, olderNotes(p), err)
	}
	got, err := k.execute(p)
	if err != nil || got.State != engine.AlreadySeeded || got.FactsRow != "written" {
		t.Fatalf("%+v, %v", got, err)
	}
	if !maps.Equal(before, k.tree("bronze")) {
		t.Error("the target changed")
	}
	rerunWritesNothing(t, k)
}

func TestAnotherSnapshotInAnOlderTargetRefuses(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	k.bronzeTable(olderBronze(""))
	k.appendRows("bronze", wholeRow(lsnAt(20)))
	before := k.tree()
	_, err := k.seed()
	if e := verdict.As(err); err == nil || e.Code != verdict.TargetHoldsSnapshot || e.WroteText() != verdict.NothingWritten {
		t.Errorf("%v", err)
	}
	if !maps.Equal(before, k.tree()) {
		t.Error("something was written")
	}
}

// TestAnOlderTargetThatTheStreamWroteTo keeps the rows of an older release, whose
// files lack the new columns.
func TestAnOlderTargetThatTheStreamWroteTo(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.request.Accept = []string{"stream_must_be_stopped"}
	k.writeCopy("a.parquet", orders(3))
	k.bronzeTable(olderBronze("0"))
	k.appendRows("bronze", fmt.Sprintf(`[{"_capture_instance": "dbo_orders", "_start_lsn": %q, "_operation": 2, "id": 7}]`, lsnAt(40)))
	_, was := k.snapshot("bronze")
	got, err := k.seed()
	if err != nil || got.Version != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	w, now := k.snapshot("bronze")
	if len(now.Files) != 2 || !slices.ContainsFunc(now.Files, func(a delta.Add) bool { return a.Path == was.Files[0].Path && a.Stats == was.Files[0].Stats }) {
		t.Errorf("%+v", now.Files)
	}
	held, err := bronze.Lookup(t.Context(), w, now, []string{"dbo_orders"})
	if err != nil || len(held.Held) != 1 || held.NewestWhole().Rows != 3 {
		t.Errorf("%+v, %v", held, err)
	}
}

// TestAReseedIntoAnOlderTarget follows a snapshot that only _start_lsn tells of.
func TestAReseedIntoAnOlderTarget(t *testing.T) {
	t.Parallel()
	k := newKit(t).withFacts()
	k.writeCopy("a.parquet", orders(3))
	k.bronzeTable(olderBronze("1"))
	k.appendRows("bronze", wholeRow(lsnAt(20)))
	k.factsTable(olderFacts())
	k.request.Reseed, k.request.AppID = true, "orders-v2"
	k.request.Accept = []string{"stream_must_be_stopped", "reseed"}
	got, err := k.seed()
	if err != nil || got.Version != 3 || got.Follows == nil || got.Follows.String() != lsnAt(20) {
		t.Fatalf("%+v, %v", got, err)
	}
	if rows := k.snapshotRows(); rows[lsnAt(20)] != 1 || rows[lsnAt(30)] != 3 || len(rows) != 2 {
		t.Error(rows)
	}
	rerunWritesNothing(t, k)
}

// TestTheWizardTellsOfAnOlderTarget has the plan's own words for it.
func TestTheWizardTellsOfAnOlderTarget(t *testing.T) {
	t.Parallel()
	k := newKit(t).withFacts()
	k.writeCopy("a.parquet", orders(3))
	k.bronzeTable(olderBronze("1"))
	k.factsTable(olderFacts())
	session, _ := k.open()
	v, err := engine.InspectTarget(t.Context(), session, k.request)
	if err != nil {
		t.Fatal(err)
	}
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range olderNotes(p) {
		if !slices.ContainsFunc(v.Checks, func(c verdict.Check) bool { return fmt.Sprint(c) == fmt.Sprint(note) }) {
			t.Errorf("the target's view lacks %q", note.Text)
		}
	}
	if v.Migrate == nil || v.Facts.Migrate == nil {
		t.Errorf("%+v %+v", v.TargetPlan, v.Facts)
	}
}

// TestAPlanSaysWhetherItMigrates has another digest where it does.
func TestAPlanSaysWhetherItMigrates(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	k.bronzeTable(olderBronze("1"))
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	p.Target.Migrate = nil
	if err := p.Verify(); verdict.As(err) == nil || verdict.As(err).Code != verdict.PlanInvalid {
		t.Errorf("a plan whose migration was taken out: %v", err)
	}
}
