package engine_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/store"
)

var planFiles = flag.Int("plan.files", 1000, "files of a hundred columns that BenchmarkPlanManyFiles plans")

// BenchmarkPlanManyFiles plans a seed of a folder of many files, and opens each
// file once for itself, without reading a byte of it, which is what nothing can save.
func BenchmarkPlanManyFiles(b *testing.B) {
	p := newWidePlanner(b)
	dir := b.TempDir()
	wideFolder(b, dir, *planFiles)
	from, err := store.OpenLocal(dir)
	if err != nil {
		b.Fatal(err)
	}
	var took, opening time.Duration
	var plan engine.Plan
	var peak uint64
	for b.Loop() {
		most := sampleHeap()
		at := time.Now()
		plan, err = p.plan(context.Background(), from, nil)
		took += time.Since(at)
		peak = max(peak, most())
		if err != nil || len(plan.Stops) > 0 {
			b.Fatal(err, plan.Stops)
		}
		opening += openAll(b, from)
	}
	text, err := json.Marshal(plan)
	if err != nil {
		b.Fatal(err)
	}
	lines, err := plan.FileLines()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(*planFiles)*float64(b.N)/took.Seconds(), "files/s")
	b.ReportMetric(took.Seconds()/opening.Seconds(), "plan/open")
	b.ReportMetric(float64(peak)/(1<<20), "peak-heap-MB")
	b.ReportMetric(float64(peakMemory())/(1<<20), "peak-resident-MB")
	b.ReportMetric(float64(len(text))/1024, "plan-KB")
	b.ReportMetric(float64(len(lines))/float64(*planFiles), "list-B/file")
}

// wideFolder writes the wide copy to a folder, a few files of each kind over and over.
func wideFolder(b *testing.B, dir string, files int) {
	b.Helper()
	kinds := wideKinds()
	made := make([][]byte, len(kinds))
	for i, o := range kinds {
		made[i] = wideFile(b, 3*i, 3, o)
	}
	at := worldNow.Add(-29 * time.Minute).Time()
	for i := range files {
		path := filepath.Join(dir, wideKey(i))
		err := os.WriteFile(path, made[i%len(made)], 0o600)
		if err == nil {
			err = os.Chtimes(path, at, at)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// openAll is how long it takes to open and close every file, one after the other.
func openAll(b *testing.B, r store.Reader) time.Duration {
	b.Helper()
	from := time.Now()
	for o, err := range r.List(context.Background(), "", "") {
		if err != nil {
			b.Fatal(err)
		}
		f, err := r.Open(context.Background(), o.Key)
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(from)
}

// sampleHeap looks at the heap every few milliseconds until the answer is asked
// for: the most that was in use.
func sampleHeap() (most func() uint64) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var peak uint64
	wg.Go(func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	})
	return func() uint64 {
		close(stop)
		wg.Wait()
		return peak
	}
}
