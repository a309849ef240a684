package splice_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/schema"
)

var (
	benchRows   = flag.Int("splice.rows", 1_000_000, "rows that BenchmarkSplice copies, in files of two row groups; 20000000 is the shape of the measurements")
	benchDir    = flag.String("splice.dir", "", "folder that the benchmarks' files are left in; without one they are made anew each time")
	benchRounds = flag.Int("splice.rounds", 5, "rounds of BenchmarkSplice, each of all cases in another order")
)

// BenchmarkSplice copies a table beside cp, in the same sitting, from the same
// files into the same file system, with the same number of files at a time. Only
// the ratios of the medians say something: warm without any sync on either side,
// synced with every file synced on both.
func BenchmarkSplice(b *testing.B) {
	for _, sync := range []bool{false, true} {
		b.Run(syncName(sync), func(b *testing.B) {
			for b.Loop() {
				beside(b, sync).report(b)
			}
		})
	}
}

func syncName(sync bool) string {
	if sync {
		return "synced"
	}
	return "warm"
}

// beside runs the cases of BenchmarkSplice.
func beside(b *testing.B, sync bool) sitting {
	b.Helper()
	for _, tool := range []string{"cp", "sync"} {
		if _, err := exec.LookPath(tool); err != nil {
			b.Skip(err)
		}
	}
	dir := benchSource(b)
	files := benchFiles(b, dir, *benchRows)
	oneCast := map[string]schema.SQLType{"qty": {Name: "bigint"}}
	twoCasts := map[string]schema.SQLType{"qty": {Name: "bigint"}, "changed": {Name: "datetime2", Scale: 7}}
	s := sitting{from: dir, files: files, out: benchOut(b, dir), sync: sync}
	s.run(b, *benchRounds, []benchCase{
		{name: "cp", do: byCp()},
		{name: "splice", do: bySplice(benchTable(b, nil))},
		{name: "cp-1-worker", workers: 1, do: byCp()},
		{name: "splice-1-worker", workers: 1, do: bySplice(benchTable(b, nil))},
		{name: "splice-1-cast", do: bySplice(benchTable(b, oneCast))},
		{name: "splice-2-casts", do: bySplice(benchTable(b, twoCasts))},
	})
	few := s // a rewrite takes long
	few.files, few.taken = files[:min(len(files), runtime.GOMAXPROCS(0))], nil
	few.run(b, *benchRounds, []benchCase{
		{name: "rewrite", do: byRewrite(benchTable(b, nil))},
		{name: "splice-beside-rewrite", do: bySplice(benchTable(b, nil))},
	})
	s.taken = append(s.taken, few.taken...)
	s.ratios = []ratio{
		{"x-cp", "splice", "cp"},
		{"x-cp-1-worker", "splice-1-worker", "cp-1-worker"},
		{"x-cp-1-cast", "splice-1-cast", "cp"},
		{"x-cp-2-casts", "splice-2-casts", "cp"},
		{"rewrite/splice", "rewrite", "splice-beside-rewrite"},
	}
	return s
}

// benchSource is where the files that are copied lie.
func benchSource(b *testing.B) string {
	if *benchDir != "" {
		return *benchDir
	}
	return b.TempDir()
}

// benchOut is a folder beside those files that is removed at the end.
func benchOut(b *testing.B, dir string) string {
	b.Helper()
	out, err := os.MkdirTemp(filepath.Dir(dir), "splice-out-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := os.RemoveAll(out); err != nil {
			b.Error(err)
		}
	})
	return out
}

// benchCase is one way to copy the files.
type benchCase struct {
	name    string
	workers int // files at a time; 0 is the number of cores
	do      copyFiles
}

// sitting is cases that are run in turns, and what they took.
type sitting struct {
	from, out string
	files     []string
	sync      bool
	taken     []taken
	ratios    []ratio
}

// taken is how long the rounds of a case took, sorted.
type taken struct {
	name string
	all  []time.Duration
}

func (t taken) median() time.Duration { return t.all[len(t.all)/2] }

// ratio is named for what it says: the medians of one case and of another.
type ratio struct{ name, of, to string }

func (s *sitting) run(b *testing.B, rounds int, cases []benchCase) {
	b.Helper()
	times := map[string][]time.Duration{}
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range rounds + 1 { // the first one warms the caches
		for _, at := range rnd.Perm(len(cases)) {
			d := s.one(b, cases[at])
			if round > 0 {
				times[cases[at].name] = append(times[cases[at].name], d)
			}
		}
	}
	for _, c := range cases {
		slices.Sort(times[c.name])
		s.taken = append(s.taken, taken{c.name, times[c.name]})
	}
}

// one copies all files once, and answers how long it took. Nothing of what went
// before is still to be written when it begins.
func (s *sitting) one(b *testing.B, c benchCase) time.Duration {
	b.Helper()
	to := filepath.Join(s.out, "to")
	if err := os.RemoveAll(to); err != nil {
		b.Fatal(err)
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		b.Fatal(err)
	}
	if err := run("sync"); err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	workers := c.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs := make(chan error, workers)
	shares := s.shares(workers)
	start := time.Now()
	for _, share := range shares {
		go func() { errs <- c.do(b, s.from, to, share, s.sync) }()
	}
	var err error
	for range shares {
		err = errors.Join(err, <-errs)
	}
	d := time.Since(start)
	if err != nil {
		b.Fatalf("%s: %v", c.name, err)
	}
	return d
}

// shares gives each worker its files, all of them ready: an equal number, by turns.
func (s *sitting) shares(workers int) []chan string {
	out := make([]chan string, workers)
	for i := range out {
		out[i] = make(chan string, len(s.files))
	}
	for i, f := range s.files {
		out[i%workers] <- f
	}
	for _, c := range out {
		close(c)
	}
	return out
}

func (s sitting) of(name string) taken {
	return s.taken[slices.IndexFunc(s.taken, func(t taken) bool { return t.name == name })]
}

func (s sitting) ratio(r ratio) float64 {
	return s.of(r.of).median().Seconds() / s.of(r.to).median().Seconds()
}

func (s sitting) report(b *testing.B) {
	b.Helper()
	var text strings.Builder
	for _, t := range s.taken {
		fmt.Fprintf(&text, "\n%-22s median %8.3f s, from %.3f to %.3f", t.name, t.median().Seconds(), t.all[0].Seconds(), t.all[len(t.all)-1].Seconds())
	}
	b.Log(text.String())
	for _, r := range s.ratios {
		b.ReportMetric(s.ratio(r), r.name)
	}
}
