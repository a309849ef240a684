package duplicates

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/schema"
)

// heldSpace is a scratch folder in memory that sees what is done with it.
type heldSpace struct {
	mu      sync.Mutex
	free    int64 // bytes; under 0 for not known
	fail    error // of a write, once more than limit bytes were written
	limit   int64
	written int64
	open    int
	made    int
}

func (s *heldSpace) Create() (File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	s.made++
	return &heldFile{space: s}, nil
}

func (s *heldSpace) Free() (int64, bool) { return s.free, s.free >= 0 }
func (s *heldSpace) Where() string       { return "/scratch" }

type heldFile struct {
	space *heldSpace
	data  []byte
	shut  bool
}

func (f *heldFile) Write(p []byte) (int, error) {
	f.space.mu.Lock()
	defer f.space.mu.Unlock()
	if f.space.written += int64(len(p)); f.space.fail != nil && f.space.written > f.space.limit {
		return 0, f.space.fail
	}
	f.data = append(f.data, p...)
	return len(p), nil
}

func (f *heldFile) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(f.data).ReadAt(p, at)
}

func (f *heldFile) Close() error {
	f.space.mu.Lock()
	defer f.space.mu.Unlock()
	if f.shut {
		return errors.New("closed twice")
	}
	f.shut = true
	f.space.open--
	return nil
}

// on is a Counter's space; it has room for all unless it says otherwise.
func (s *heldSpace) on() func() (Space, error) { return func() (Space, error) { return s, nil } }

func textColumn(name, typ, collation string) Column {
	return Column{Name: name, SQL: schema.SQLType{Name: typ, Length: 40, Collation: collation}, Type: arrow.BinaryTypes.String}
}

func intColumn(name string) Column {
	return Column{Name: name, SQL: schema.SQLType{Name: "int"}, Type: arrow.PrimitiveTypes.Int32}
}

func shown(arr arrow.Array, i int) string {
	if arr.IsNull(i) {
		return "NULL"
	}
	return arr.ValueStr(i)
}

// rowOf is a row of a key of a number and a text; nil is NULL.
type rowOf struct {
	id   *int32
	code *string
}

func batchOf(rows []rowOf) []arrow.Array {
	ids, codes := array.NewInt32Builder(memory.DefaultAllocator), array.NewStringBuilder(memory.DefaultAllocator)
	for _, r := range rows {
		if r.id == nil {
			ids.AppendNull()
		} else {
			ids.Append(*r.id)
		}
		if r.code == nil {
			codes.AppendNull()
		} else {
			codes.Append(*r.code)
		}
	}
	return []arrow.Array{ids.NewArray(), codes.NewArray()}
}

// counted adds the files' rows by the counter's writers side by side, in batches,
// and counts.
func counted(t *testing.T, o Options, files [][]rowOf) (Result, error) {
	t.Helper()
	c := New(o)
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	next := make(chan int, len(files))
	for i := range files {
		next <- i
	}
	close(next)
	errs := make([]error, o.Writers)
	var wg sync.WaitGroup
	for k := range o.Writers {
		wg.Go(func() {
			for i := range next {
				row := int64(1)
				for some := range slices.Chunk(files[i], 50) {
					if err := c.Writer(k).Add(t.Context(), batchOf(some), i, from(row)); err != nil {
						errs[k] = err
						return
					}
					row += int64(len(some))
				}
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return Result{}, err
	}
	return c.Count(t.Context(), nil)
}

// obvious counts the same with a map.
func obvious(columns []Column, files [][]rowOf) Result {
	f := newFolder(parseCollation(columns[1].SQL.Collation))
	type seen struct {
		n      int64
		places []Place
	}
	groups := map[string]map[string]*seen{}
	var out Result
	for file, rows := range files {
		for i, r := range rows {
			id, code, sure, wide := "NULL", "NULL", "NULL", "NULL"
			if r.id != nil {
				id = fmt.Sprint(*r.id)
			}
			if r.code != nil {
				code = *r.code
				sure = "=" + string(f.sure(nil, code))
				wide = "=" + string(f.wide(nil, []byte(sure[1:])))
			}
			out.Rows++
			wide, sure = id+"/"+wide, id+"/"+sure
			if groups[wide] == nil {
				groups[wide] = map[string]*seen{}
			}
			if groups[wide][sure] == nil {
				groups[wide][sure] = &seen{}
			}
			s := groups[wide][sure]
			s.n++
			s.places = append(s.places, Place{Key: fmt.Sprintf("id = %s, code = %s", id, code), File: file, Row: int64(i + 1)})
		}
	}
	for _, g := range groups {
		for _, s := range g {
			if s.n > 1 {
				out.Keys++
				out.Extra += s.n - 1
				out.Samples = append(out.Samples, Sample{Count: s.n, Places: s.places[:min(len(s.places), placesKept)]})
			}
		}
		if len(g) > 1 {
			out.Open++
			out.OpenBy += int64(len(g) - 1)
		}
	}
	slices.SortFunc(out.Samples, func(a, b Sample) int {
		if a.Count != b.Count {
			return int(b.Count - a.Count)
		}
		if a.Places[0].File != b.Places[0].File {
			return a.Places[0].File - b.Places[0].File
		}
		return int(a.Places[0].Row - b.Places[0].Row)
	})
	out.Samples = out.Samples[:min(len(out.Samples), samplesKept)]
	return out
}

// from numbers rows one after the other.
func from(first int64) func(int) int64 {
	return func(i int) int64 { return first + int64(i) }
}

func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
