package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/store"
)

// crashBench kills seeds of one copy, each into a target of its own.
type crashBench struct {
	*kit
	copied  map[string]int // the seed's rows
	stats   map[int]string // of each file of an undisturbed seed
	changes int            // an undisturbed seed makes
	commits []int          // those of them that make a log entry
	takes   time.Duration  // an undisturbed seed, from its release on
	adopted atomic.Int64   // files that reruns adopted
	ends    [4]atomic.Int64
}

// What a kill may leave, as ends counts it.
const (
	killedBefore = iota // the target is missing
	killedEmpty         // made and empty
	killedSeeded        // seeded, without its facts row
	killedDone          // seeded with it
)

func newCrashBench(t *testing.T) *crashBench {
	k := newKit(t).withFacts()
	b := &crashBench{kit: k, copied: map[string]int{}}
	all := orders(3000)
	for i := range 5 {
		part := all[600*i : 600*(i+1)]
		k.writeCopy(fmt.Sprintf("%c.parquet", 'a'+i), part)
		maps.Copy(b.copied, seeded(lsnAt(30), part))
	}
	o := childOrder{Request: b.into("undisturbed")}
	c := startChild(t, o)
	from := time.Now()
	c.release(t)
	r := c.wait(t)
	b.takes = time.Since(from)
	if r == nil || r.Err != "" {
		t.Fatalf("undisturbed: %+v", r)
	}
	b.changes, b.commits = r.Changes, r.Commits
	b.stats = statsByIndex(t, standsIn(t, b.store(t, o.Request.Target)))
	return b
}

// into is the request with places of its own below a folder.
func (b *crashBench) into(folder string) engine.Request {
	r := b.request
	r.Target, r.Facts = b.path(folder, "bronze"), b.path(folder, "facts")
	return r
}

func (k *kit) store(t *testing.T, path string) store.Writer {
	t.Helper()
	s, err := store.OpenLocal(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func statsByIndex(t *testing.T, s standing) map[int]string {
	t.Helper()
	out := map[int]string{}
	for key, text := range s.stats {
		name, ok := rewrite.ParseStageName(key)
		if !ok || out[name.Index] != "" {
			t.Fatalf("%q is no staged file's name, or the second of its index", key)
		}
		out[name.Index] = text
	}
	return out
}

// survived checks what a killed seed left, and that a rerun ends well.
func (b *crashBench) survived(t *testing.T, r engine.Request) {
	t.Helper()
	target, facts := b.store(t, r.Target), b.store(t, r.Facts)
	left := standsIn(t, target)
	recorded, _ := bootstraps(t, facts)
	switch {
	case left.version == -1 && recorded == 0:
		b.ends[killedBefore].Add(1)
	case left.version == 0 && len(left.seed) == 0 && len(left.stream) == 0 && recorded == 0:
		b.ends[killedEmpty].Add(1)
	case left.version == 1 && maps.Equal(left.seed, b.copied):
		b.ends[killedSeeded+recorded].Add(1)
	default:
		t.Fatalf("version %d, %d kinds of seed rows, %d facts rows", left.version, len(left.seed), recorded)
	}
	whole := b.listed(t, target, r.Target, left)
	got, err := seedIn(t.Context(), r, engine.Stores{Copy: b.store(t, r.Copy), Target: target, Facts: facts})
	if err != nil {
		t.Fatalf("rerun: %v", err)
	}
	now := standsIn(t, target)
	if !maps.Equal(now.seed, b.copied) || now.commits != 1 {
		t.Errorf("rerun: %d kinds of rows in %d commits", len(now.seed), now.commits)
	}
	if recorded, all := bootstraps(t, facts); recorded != 1 || all != 1 {
		t.Errorf("rerun: %d facts rows, %d record a seed", all, recorded)
	}
	if got.State == engine.Ready && got.Adopted != len(whole) {
		t.Errorf("rerun: %d files adopted of %d that were whole: %q", got.Adopted, len(whole), whole)
	}
	if stats := statsByIndex(t, now); !maps.Equal(stats, b.stats) {
		t.Errorf("rerun: statistics are %v, an undisturbed seed's are %v", stats, b.stats)
	}
	b.adopted.Add(int64(got.Adopted))
}

// listed checks that every file that a kill left is listed by its name, and
// answers those that are whole. They are given the world's time.
func (b *crashBench) listed(t *testing.T, target store.Writer, root string, left standing) (whole []string) {
	t.Helper()
	files, err := engine.Staged(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	var names, beside []string
	for _, f := range files {
		names = append(names, f.Key)
		if f.Whole {
			whole = append(whole, f.Key)
		}
	}
	for _, o := range left.beside {
		beside = append(beside, o.Key)
	}
	slices.Sort(names)
	if !slices.Equal(names, beside) {
		t.Errorf("listed are %q, left are %q", names, beside)
	}
	b.dateFiles(t, root, whole, worldNow)
	return whole
}

// moments are the changes before which processes die: evenly over the run, and
// around every log entry.
func (b *crashBench) moments(n int) []int {
	var out []int
	for i := range n {
		out = append(out, 1+i*(b.changes-1)/(n-1))
	}
	for _, c := range b.commits {
		out = append(out, c, min(c+1, b.changes))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// killedAt kills a seed some time after its release.
func (b *crashBench) killedAt(t *testing.T, after time.Duration) {
	t.Parallel()
	o := childOrder{Request: b.into(t.Name())}
	c := startChild(t, o)
	c.release(t)
	time.Sleep(after)
	if err := c.cmd.Process.Kill(); err != nil {
		t.Logf("ended before it was killed: %v", err)
	}
	c.wait(t)
	b.survived(t, o.Request)
}

// diesAt lets a seed end itself right before a change.
func (b *crashBench) diesAt(t *testing.T, change int) {
	t.Parallel()
	o := childOrder{Request: b.into(t.Name()), DieAt: change}
	c := startChild(t, o)
	c.release(t)
	if r := c.wait(t); r != nil {
		t.Fatalf("the child lived: %+v", r)
	}
	b.survived(t, o.Request)
}

// TestKilledSeedsEndWell kills processes at graded moments of their run, and
// lets others die right before a change of the target or the facts table.
func TestKilledSeedsEndWell(t *testing.T) {
	b := newCrashBench(t)
	const kills = 20
	t.Run("kills", func(t *testing.T) {
		for i := range kills {
			t.Run(fmt.Sprintf("time %d", i), func(t *testing.T) {
				b.killedAt(t, b.takes*time.Duration(i)/(kills*2/3))
			})
		}
		for _, n := range b.moments(kills - len(b.commits)) {
			t.Run(fmt.Sprintf("change %d", n), func(t *testing.T) { b.diesAt(t, n) })
		}
	})
	t.Logf("%d changes in %s; left missing %d, empty %d, seeded without facts row %d, done %d; %d files adopted", b.changes, b.takes,
		b.ends[killedBefore].Load(), b.ends[killedEmpty].Load(), b.ends[killedSeeded].Load(), b.ends[killedDone].Load(), b.adopted.Load())
	if b.adopted.Load() == 0 {
		t.Error("no rerun adopted a file of a killed seed")
	}
}
