package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/bronze"
)

// olderPlaces are an older target and an older facts table on disk, below a folder.
func (k *kit) olderPlaces(t *testing.T, folder string) engine.Request {
	t.Helper()
	r := k.request
	r.Target, r.Facts = k.path(folder, "bronze"), k.path(folder, "facts")
	makeOlder(t, k.store(t, r.Target))
	makeOlderFacts(t, k.store(t, r.Facts))
	return r
}

// migratedAndSeeded checks both tables as a seed leaves them: one migration each,
// the rows once and their one record.
func (k *kit) migratedAndSeeded(t *testing.T, r engine.Request, rows map[string]int) {
	t.Helper()
	target, facts := k.store(t, r.Target), k.store(t, r.Facts)
	for _, w := range []struct{ name, version string }{{r.Target, "2"}, {r.Facts, "14"}} {
		snap := openNow(t, k.store(t, w.name))
		h := history(t, k.store(t, w.name))
		if !slices.Equal(h, []string{"CREATE TABLE", "SET TBLPROPERTIES", "WRITE"}) || snap.Metadata.Configuration[bronze.VersionProperty] != w.version {
			t.Errorf("%s: %q, %v", w.name, h, snap.Metadata.Configuration)
		}
	}
	if now := standsIn(t, target); !maps.Equal(now.seed, rows) || now.commits != 1 {
		t.Errorf("%d kinds of rows in %d commits", len(now.seed), now.commits)
	}
	if recorded, all := bootstraps(t, facts); recorded != 1 || all != 1 {
		t.Errorf("%d facts rows, %d record a seed", all, recorded)
	}
}

// TestKilledBetweenMigrationAndRows lets processes die around each log entry of a
// seed into older tables. A rerun goes on from the migrated table, and takes over
// the files that were staged for it.
func TestKilledBetweenMigrationAndRows(t *testing.T) {
	t.Parallel()
	k := newKit(t).withFacts()
	k.writeCopy("a.parquet", orders(200))
	k.writeCopy("b.parquet", orders(500)[200:])
	rows := seeded(lsnAt(30), orders(500))
	o := childOrder{Request: k.olderPlaces(t, "undisturbed")}
	c := startChild(t, o)
	c.release(t)
	r := c.wait(t)
	if r == nil || r.Err != "" || len(r.Commits) != 4 {
		t.Fatalf("undisturbed: %+v", r)
	}
	k.migratedAndSeeded(t, o.Request, rows)
	var moments []int
	for _, at := range r.Commits {
		moments = append(moments, at, min(at+1, r.Changes))
	}
	slices.Sort(moments)
	ends := map[string]int{}
	for _, n := range slices.Compact(moments) {
		o := childOrder{Request: k.olderPlaces(t, fmt.Sprint("change ", n)), DieAt: n}
		c := startChild(t, o)
		c.release(t)
		if r := c.wait(t); r != nil {
			t.Fatalf("the child lived: %+v", r)
		}
		target := k.store(t, o.Request.Target)
		left := standsIn(t, target)
		state := fmt.Sprintf("target %d, facts %d", left.version, openNow(t, k.store(t, o.Request.Facts)).Version)
		ends[state]++
		names, _ := left.staged()
		k.dateFiles(t, o.Request.Target, names, worldNow)
		got, err := seedIn(t.Context(), o.Request, engine.Stores{Copy: k.store(t, o.Request.Copy), Target: target, Facts: k.store(t, o.Request.Facts)})
		if err != nil {
			t.Fatalf("%s: %v", state, err)
		}
		if len(left.seed) == 0 && got.Adopted != 2 {
			t.Errorf("%s: %d files adopted of %q", state, got.Adopted, names)
		}
		k.migratedAndSeeded(t, o.Request, rows)
	}
	t.Logf("%v", ends)
	for _, want := range []string{"target 0, facts 0", "target 1, facts 0", "target 2, facts 0", "target 2, facts 1"} {
		if ends[want] == 0 {
			t.Errorf("no kill left %s: %v", want, ends)
		}
	}
}

// TestTwoProcessesMigrateAtOnce releases two processes together on older tables.
func TestTwoProcessesMigrateAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t).withFacts()
	k.writeCopy("a.parquet", orders(500))
	rows := seeded(lsnAt(30), orders(500))
	for i := range 4 {
		r := k.olderPlaces(t, fmt.Sprint(i))
		one, two := startChild(t, childOrder{Request: r}), startChild(t, childOrder{Request: r})
		one.release(t)
		two.release(t)
		oneSeeded(t, rows, k.store(t, r.Target), k.store(t, r.Facts), one.outcome(t), two.outcome(t))
		k.migratedAndSeeded(t, r, rows)
	}
}
