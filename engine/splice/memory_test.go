package splice_test

import (
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/store"
)

// watched is a file of the copy that looks, whenever it is read, at how much memory
// is needed. As much again may be in use for what nobody needs any more, until it is
// collected: half of what a file may take is what it may need.
type watched struct {
	store.File

	most atomic.Uint64
}

var _ io.ReaderAt = (*watched)(nil)

// ReadAt reads, and looks.
func (w *watched) ReadAt(p []byte, off int64) (int, error) {
	w.look()
	return w.File.ReadAt(p, off)
}

func (w *watched) look() {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	for was := w.most.Load(); m.HeapAlloc > was; was = w.most.Load() {
		w.most.CompareAndSwap(was, m.HeapAlloc)
	}
}

// peak splices a file that lies in a folder into another one, and answers the
// memory that this took beside what was in use before, and what came of it.
func peak(t *testing.T, s *scene) (int64, splice.Result) {
	t.Helper()
	from, err := store.OpenLocal(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := from.CreateOnce(t.Context(), s.file, bytesOf(t, s.copy, s.file)); err != nil {
		t.Fatal(err)
	}
	s.copy = from
	if s.target, err = store.OpenLocal(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	d := s.decide()
	w := &watched{File: s.open()}
	defer w.Close()
	w.look()
	before := w.most.Load()
	r, err := splice.Stage(t.Context(), s.target, s.job(d, w), func(int64, int64) { w.look() })
	if err != nil {
		t.Fatal(err)
	}
	return int64(w.most.Load() - before), r
}

// A file that is copied takes no more memory for being large. Through watched its
// bytes have to pass the program, so its buffer is counted too.
func TestMemoryOfCopying(t *testing.T) {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	rnd := rand.New(rand.NewPCG(4, 4))
	for range 1_000_000 {
		b.Append(rnd.Int64())
	}
	sc := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}}, nil)
	one := array.NewRecord(sc, []arrow.Array{b.NewArray()}, 1_000_000)
	data := parquetOf(t, []arrow.Record{one, one, one, one, one, one, one, one, one, one, one, one}, parquet.WithDictionaryDefault(false))
	s := newScene(t, data, []schema.TargetColumn{target(t, "id", schema.SQLType{Name: "bigint"})}, cast.Answers{})
	took, r := peak(t, s)
	if r.Counts.Copied < 90<<20 {
		t.Fatalf("only %d bytes were copied", r.Counts.Copied)
	}
	if 2*took > 48<<20 {
		t.Errorf("%d bytes of memory for a file of %d that is copied", took, len(data))
	}
}

// Columns that are encoded anew are not held whole, however large a row group is.
func TestMemoryOfRecoding(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	var pool strings.Builder
	for range 4 << 20 {
		pool.WriteByte(byte('!' + rnd.IntN(90)))
	}
	text := func() arrow.Array {
		b := array.NewStringBuilder(memory.DefaultAllocator)
		for range 300_000 {
			at := rnd.IntN(pool.Len() - 200)
			b.Append(pool.String()[at : at+190])
		}
		return b.NewArray()
	}
	ids := array.NewInt64Builder(memory.DefaultAllocator)
	for i := range int64(300_000) {
		ids.Append(i)
	}
	sc := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "one", Type: arrow.BinaryTypes.String}, {Name: "two", Type: arrow.BinaryTypes.String},
	}, nil)
	data := parquetOf(t, []arrow.Record{array.NewRecord(sc, []arrow.Array{ids.NewArray(), text(), text()}, 300_000)}, parquet.WithDictionaryDefault(false))
	padded := func(name string) schema.TargetColumn { // with blanks, which the copy lacks
		c := target(t, name, schema.SQLType{Name: "char", Length: 200})
		c.Nullable = false
		return c
	}
	s := newScene(t, data, []schema.TargetColumn{target(t, "id", schema.SQLType{Name: "bigint"}), padded("one"), padded("two")}, cast.Answers{})
	took, r := peak(t, s)
	if r.Counts.Recoded < 100<<20 {
		t.Fatalf("only %d bytes were encoded anew", r.Counts.Recoded)
	}
	if 2*took > 160<<20 {
		t.Errorf("%d bytes of memory for two columns of %d", took, r.Counts.Recoded)
	}
}
