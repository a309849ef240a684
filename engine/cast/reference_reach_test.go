package cast_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
)

// withoutValue are the casts that make NULL of whatever the copy holds.
func withoutValue() []cast.Code {
	return []cast.Code{cast.MissingNull, cast.AbsentNull, cast.ComputedNull, cast.EmptyNull}
}

// The seeds of the fuzz targets write a value by every line of the matrix, by
// every cast of the closed list and by every kernel: a new one needs a reference.
func TestReferencesReachEveryKernel(t *testing.T) {
	cells, codes := map[string]bool{}, map[cast.Code]bool{}
	kernels := callers{Allocator: memory.DefaultAllocator, seen: map[string]bool{}}
	for _, g := range groups() {
		for _, data := range g.seeds() {
			s, ok := g.read(data)
			if !ok {
				t.Fatal("a seed that its own target does not read")
			}
			cell := cast.MatrixCell(s.from, s.to)
			if cells[cell] || !s.writesSome() {
				continue
			}
			cells[cell], codes[s.rule.Code] = true, true
			s.mem = kernels
			s.check(t)
		}
	}
	for _, c := range cast.MatrixCells() {
		if !cells[c] {
			t.Errorf("no seed writes a value by the matrix's %s", c)
		}
	}
	for _, a := range cast.Codes() {
		if !codes[a.Code] && !slices.Contains(withoutValue(), a.Code) {
			t.Errorf("no seed writes a value by the cast %s", a.Code)
		}
	}
	for _, k := range kernelFunctions(t) {
		if !kernels.seen[k] && k != "castNull" && k != "castSame" { // those make no values
			t.Errorf("no seed writes a value by the kernel %s: %v are reached", k, slices.Sorted(maps.Keys(kernels.seen)))
		}
	}
}

// callers is an allocator that notes which kernels take memory of it.
type callers struct {
	memory.Allocator
	seen map[string]bool
}

func (c callers) Allocate(size int) []byte {
	c.note()
	return c.Allocator.Allocate(size)
}

func (c callers) Reallocate(size int, b []byte) []byte {
	c.note()
	return c.Allocator.Reallocate(size, b)
}

func (c callers) note() {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		frame, more := frames.Next()
		if m := kernelFrame.FindStringSubmatch(frame.Function); m != nil {
			c.seen[m[1]] = true
		}
		if !more {
			return
		}
	}
}

var kernelFrame = regexp.MustCompile(`/cast\.(cast[A-Z]\w*)`)

// writesSome reports whether the reference writes a value of the sheet.
func (s *sheet) writesSome() bool {
	return slices.ContainsFunc(newJudge(s).outcomes, func(o outcome) bool { return o.out != nil })
}

// kernelFunctions are the functions of the package that have a kernel's form.
func kernelFunctions(t *testing.T) []string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`(?m)^func (cast[A-Z]\w*)(?:\[[^\]]*\])?\(c \*column, src arrow\.Array\)`)
	var out []string
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range form.FindAllStringSubmatch(string(text), -1) {
			out = append(out, m[1])
		}
	}
	if len(out) < 20 {
		t.Fatalf("found only %d kernels: %v", len(out), out)
	}
	return out
}

// Each group of references is a fuzz target of its own.
func TestEveryGroupIsFuzzed(t *testing.T) {
	text, err := os.ReadFile("fuzz_kernels_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for name := range groups() {
		if !strings.Contains(string(text), "func Fuzz"+name+"(") || !strings.Contains(string(text), `"`+name+`"`) {
			t.Errorf("no fuzz target for %s", name)
		}
	}
}
