package engine_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
)

// Sizes of the copy of many files: most are small, and a few so large that reading
// one and looking at its page headers cannot be mistaken for each other.
const (
	diedFiles  = 1000
	diedAt     = 400 // files that stand when the seed dies
	largeEvery = 200
	smallRows  = 5
	largeOnes  = 16_000
	footerRead = 64 << 10 // bytes that one look at a footer asks for
)

// diedBench is a bench of a copy of many files.
func diedBench(t *testing.T) *faultBench {
	t.Helper()
	k := newKit(t).withFacts()
	b := &faultBench{kit: k, copied: map[string]int{}, prepare: makeBronze, links: true}
	id := 0
	for i := range diedFiles {
		rows := make([]order, smallRows)
		if i%largeEvery == 0 {
			rows = make([]order, largeOnes)
		}
		for j := range rows {
			id++
			rows[j] = order{id: int32(id), name: fmt.Sprintf("%020d", scramble(id)), amount: int64(scramble(id) % 9_999_999)}
		}
		k.writeCopy(fmt.Sprintf("part-%04d.parquet", i), rows)
		maps.Copy(b.copied, seeded(lsnAt(30), rows))
	}
	b.session, _ = k.open()
	b.acceptAll(t)
	return b
}

var errDead = errors.New("the machine is gone")

// dyingStore answers nothing any more once so many files stand in it.
func dyingStore(w store.Writer, files int) store.Writer {
	var mu sync.Mutex
	finished := 0
	return storetest.Intercept(w, func(op storetest.Op) storetest.Fault {
		mu.Lock()
		defer mu.Unlock()
		if finished >= files {
			return storetest.Fault{Err: errDead}
		}
		if op.Name == "Finish" {
			finished++
		}
		return storetest.Fault{}
	})
}

// TestASeedOfManyFilesGoesOnWhereItDied lets the store die in the middle of a seed
// of a thousand spliced files. The rerun takes over each file that stands, by its
// footer and page headers alone, and writes the others.
func TestASeedOfManyFilesGoesOnWhereItDied(t *testing.T) {
	b := diedBench(t)
	s, undisturbed, _ := b.places(t)
	if _, err := b.try(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	s, target, facts := b.places(t)
	s.Target = dyingStore(target, diedAt)
	if _, err := b.try(t.Context(), s); !errors.Is(err, errDead) {
		t.Fatalf("the seed that died: %v", err)
	}
	left, _ := standsIn(t, target).staged()
	if len(left) != diedAt {
		t.Fatalf("%d files stand, want %d", len(left), diedAt)
	}
	b.dated(t, target, left, worldNow)
	sizes := map[string]int64{}
	for _, key := range left {
		o, err := target.Stat(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		sizes[key] = o.Size
	}

	read := countReads(target)
	writes := storetest.Intercept(read, func(storetest.Op) storetest.Fault { return storetest.Fault{} })
	s.Target = writes
	got, err := b.try(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if got.State != engine.Ready || got.Adopted != diedAt || got.Files != diedFiles || got.Rows != int64(len(b.copied)) {
		t.Errorf("%+v", got)
	}
	if made := madeKeys(writes.Ops()); len(made) != diedFiles-diedAt {
		t.Errorf("%d files were written, want %d", len(made), diedFiles-diedAt)
	}
	now := standsIn(t, target)
	if !maps.Equal(now.seed, b.copied) || now.commits != 1 {
		t.Errorf("%d kinds of rows in %d commits, want %d", len(now.seed), now.commits, len(b.copied))
	}
	if recorded, all := bootstraps(t, facts); recorded != 1 || all != 1 {
		t.Errorf("%d facts rows, %d of them record a seed; want one", all, recorded)
	}
	if !maps.Equal(statsByIndex(t, now), statsByIndex(t, standing{stats: loggedStats(t, undisturbed)})) {
		t.Error("the statistics are not those of a seed that nothing disturbed")
	}
	unread(t, read, sizes)
}

// loggedStats are the statistics of a table's files, by the log alone.
func loggedStats(t *testing.T, r store.Reader) map[string]string {
	t.Helper()
	snap, err := delta.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, add := range snap.Files {
		key, err := add.Key()
		if err != nil {
			t.Fatal(err)
		}
		out[key] = add.Stats
	}
	return out
}

// madeKeys are the data files that were begun.
func madeKeys(ops []storetest.Op) (out []string) {
	for _, op := range ops {
		if _, ours := rewrite.ParseStageName(op.Key); ours && op.Name == "Create" {
			out = append(out, op.Key)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// unread checks that of each file that was taken over the footer and page headers
// were read, and no page.
func unread(t *testing.T, read *counting, sizes map[string]int64) {
	t.Helper()
	large, asked, all := 0, int64(0), int64(0)
	for key, size := range sizes {
		n := read.read[key]
		switch {
		case n == 0:
			t.Errorf("%s was taken over and never looked at", key)
		case size < 4*footerRead: // its footer's read is most of it
		case n > footerRead+size/32:
			t.Errorf("%s: %d bytes of %d were read", key, n, size)
		default:
			large++
		}
		if size >= 4*footerRead {
			asked, all = asked+n, all+size
		}
	}
	t.Logf("of %d large files %d bytes of %d were read", large, asked, all)
	if large == 0 {
		t.Error("no large file was taken over")
	}
}
