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
	heldPerFile  = 2 << 10 // bytes, of a file with a hundred columns; its line in the file list included
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
// ways. A footer of a hundred columns has 20 KB, and what Go makes of it more.
func TestPlanningHoldsLittleOfEachFile(t *testing.T) {
	const files = 1500
	p := newWidePlanner(t)
	from := countReads(wideCopy(t, files, 3))
	var opens atomic.Int64
	var mu sync.Mutex
	held := map[int64]int64{}
	from.before = func(op, _ string) {
		if op != "Open" {
			return
		}
		if n := opens.Add(1); n%files == 0 && n <= 2*files {
			mu.Lock()
			held[n/files] = live()
			mu.Unlock()
		}
	}
	before := live()
	p.request.Accept = []string{"values_unseen"}
	plan, err := p.plan(t.Context(), from, nil)
	if err == nil {
		err = plan.Refusal()
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(held) != 2 || len(plan.Files) != files || len(plan.Stage.Ways) != len(wideKinds()) {
		t.Fatalf("%d looks, %d files in %d manners", len(held), len(plan.Files), len(plan.Stage.Ways))
	}
	for n, bytes := range held {
		each := (bytes - before) / files
		t.Logf("reading %d: %d bytes are held of each file", n, each)
		most := heldPerFile
		if n == 2 {
			most *= 4 // with what the preview counted, which does not grow with the files
		}
		if each > int64(most) {
			t.Errorf("reading %d of the footers: %d bytes are held of each file, want at most %d", n, each, most)
		}
	}
	if each := (live() - before) / files; each > heldPerFile {
		t.Errorf("the plan holds %d bytes of each file", each)
	}
	if from.open != 0 || from.most > mostFootOpen {
		t.Errorf("%d files are still open, %d were at a time, want at most %d", from.open, from.most, mostFootOpen)
	}
	runtime.KeepAlive(plan)
}

// TestPlansOfManyFilesAreSmall compares plans of few and of many files: what grows
// is the file list beside the plan.
func TestPlansOfManyFilesAreSmall(t *testing.T) {
	p := newWidePlanner(t)
	size := map[int]int{}
	for _, files := range []int{len(wideKinds()), 2000} {
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
	few, many := size[len(wideKinds())], size[2000] // of the many not every value is looked at, which the plan says of each column
	if many > few+8<<10 || many > 128<<10 {
		t.Errorf("the plan of few files has %d bytes, that of many %d", few, many)
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
