package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// Bounds of what planning holds of a copy's files.
const (
	heldPerFile  = 6 << 10 // bytes, of a file with a hundred columns
	mostFootOpen = 8
)

// live is how many bytes are in use once what nobody needs is collected.
func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestPlanningHoldsLittleOfEachFile looks at the memory in use where most is held:
// when the last footer is read for the copy, and the last one for the choice of
// ways. A footer of a hundred columns has 20 KB, and what Go makes of it more. What
// is held whatever the number of files goes away between a few and many.
func TestPlanningHoldsLittleOfEachFile(t *testing.T) {
	const few, more = 300, 1500
	p := newWidePlanner(t)
	first, then := p.held(t, few), p.held(t, few+more)
	for phase, bytes := range then {
		each := (bytes - first[phase]) / more
		t.Logf("%s: %d bytes are held of each file", phase, each)
		if each > heldPerFile {
			t.Errorf("%s: %d bytes are held of each file, want at most %d", phase, each, heldPerFile)
		}
	}
	if len(first) != 3 || len(then) != 3 {
		t.Errorf("looked at memory in %v and %v", first, then)
	}
}

// held plans a copy of so many files and answers the memory in use when a phase has
// opened as many, the last one not yet, and at the end.
func (p *widePlanner) held(t *testing.T, files int64) map[string]int64 {
	t.Helper()
	from := countReads(wideCopy(t, int(files), 3))
	var opens atomic.Int64
	var mu sync.Mutex
	phase, out := "", map[string]int64{}
	from.before = func(op, _ string) {
		if op != "Open" || opens.Add(1) != files {
			return
		}
		for from.now() > 0 { // the others are read to their end
			runtime.Gosched()
		}
		mu.Lock()
		defer mu.Unlock()
		out[phase] = live()
	}
	plan, err := p.plan(t.Context(), from, func(e engine.Event) {
		if n, ok := e.(engine.Notice); ok {
			mu.Lock()
			defer mu.Unlock()
			phase = n.Text
			opens.Store(0)
		}
	})
	if err != nil || len(plan.Stops) > 0 || len(plan.Files) != int(files) || len(plan.Stage.Ways) != len(wideKinds()) {
		t.Fatalf("%v; %+v, %d files in %d manners", err, plan.Stops, len(plan.Files), len(plan.Stage.Ways))
	}
	if from.open != 0 || from.most > mostFootOpen {
		t.Errorf("%d files are still open, %d were at a time, want at most %d", from.open, from.most, mostFootOpen)
	}
	out["the plan"] = live()
	runtime.KeepAlive(plan)
	return out
}

// TestPlansOfManyFilesAreSmall compares plans of few and of many files: what grows
// is the file list beside the plan.
func TestPlansOfManyFilesAreSmall(t *testing.T) {
	const few, many = 100, 2000
	p := newWidePlanner(t)
	size := map[int]int{}
	for _, files := range []int{few, many} {
		plan, err := p.plan(t.Context(), wideCopy(t, files, 3), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(plan)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := plan.FileLines()
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.Stage.Ways) != len(wideKinds()) {
			t.Errorf("%d manners, want %d", len(plan.Stage.Ways), len(wideKinds()))
		}
		size[files] = len(text)
		t.Logf("%d files of %d columns: the plan has %d bytes, its file list %d", files, wideColumns, len(text), len(lines))
	}
	if size[many] > size[few]+8<<10 || size[many] > 128<<10 { // of the many, each column says that it was not looked at whole
		t.Errorf("the plan of few files has %d bytes, that of many %d", size[few], size[many])
	}
}

// TestPlanningStopsAtOnce stops while footers are read, the first time and the
// second: files that are being read are read to their end, and no other is opened.
func TestPlanningStopsAtOnce(t *testing.T) {
	const files = 200
	p := newWidePlanner(t)
	for name, at := range map[string]int64{"reading footers": files / 2, "choosing ways": files + files/2} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			from := countReads(wideCopy(t, files, 3))
			var opens atomic.Int64
			from.before = func(op, _ string) {
				if op == "Open" && opens.Add(1) == at {
					stop()
				}
			}
			_, err := p.plan(ctx, from, func(engine.Event) {})
			if !errors.Is(err, verdict.Stopped) {
				t.Fatalf("want a stop, got %v", err)
			}
			if late := opens.Load() - at; late > mostFootOpen || from.open != 0 {
				t.Errorf("%d files were opened after the stop; %d are still open", late, from.open)
			}
		})
	}
}
