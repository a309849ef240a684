package engine_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// Sizes of the one file that stops are tried on, and of what may be read of it
// after a stop: what a worker has in hand.
const (
	stopRows    = 600_000
	recodeBatch = 32 << 10  // rows that a recoded column has in hand
	readAhead   = 256 << 10 // bytes that a read of a page asks for
)

// stopFile writes a file of one row group with numbers that nothing makes smaller:
// ids, names and amounts of given types.
func stopFile(t *testing.T, k *kit, id, name, amount arrow.DataType) {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: id, Nullable: true},
		{Name: "name", Type: name, Nullable: true},
		{Name: "amount", Type: amount, Nullable: true},
	}, nil))
	defer b.Release()
	rnd := rand.New(rand.NewPCG(3, 4))
	for range stopRows {
		v := rnd.Int32()
		switch ids := b.Field(0).(type) {
		case *array.Int32Builder:
			ids.Append(v)
		case *array.Int64Builder:
			ids.Append(int64(v))
		}
		switch names := b.Field(1).(type) {
		case *array.StringBuilder:
			names.Append(string(largePool()[int(v)%(4<<20-40):][:8]))
		case *array.BinaryBuilder:
			names.Append(largePool()[int(v)%(4<<20-40):][:8])
		}
		b.Field(2).AppendNull()
	}
	rec := b.NewRecord()
	defer rec.Release()
	path := k.path("copy", "part.parquet")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := parquetfile.NewWriter(f, rec.Schema(), parquetfile.WriterOptions{ByHand: true, NoDictionary: true})
	if err == nil {
		err = w.Write(rec)
	}
	if err == nil {
		_, err = w.Close()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	k.date(path)
}

// TestAStopIsHeardWithinAFile stops while the bytes of one large file are copied,
// while one of its columns is recoded, and while all of it is written anew. After
// the stop no more is read than what was in hand, and nothing is left.
func TestAStopIsHeardWithinAFile(t *testing.T) {
	narrow, wide, text, raw := arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String, arrow.BinaryTypes.Binary
	amount := &arrow.Decimal128Type{Precision: 10, Scale: 2}
	for _, c := range []struct {
		name             string
		id, text, amount arrow.DataType
		spliced          bool
		most             int64 // bytes that may be read after the stop
	}{
		{"copied", narrow, text, amount, true, store.CopyBuffer},
		{"recoded", wide, text, amount, true, store.CopyBuffer + 8*recodeBatch + readAhead},
		{"written anew", wide, raw, text, false, 4 * readAhead},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKit(t).withFacts()
			stopFile(t, k, c.id, c.text, c.amount)
			session, _ := k.open()
			b := &faultBench{kit: k, session: session, prepare: makeBronze}
			b.acceptAll(t)
			s, target, _ := b.places(t)
			before := filesOf(t, target)
			from := countReads(s.Copy.(store.Writer))
			s.Copy = from
			p, err := engine.Build(t.Context(), session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
			if err == nil {
				err = p.Refusal()
			}
			if err != nil {
				t.Fatal(err)
			}
			if spliced := p.Stage.Ways[0].Rewrite == ""; spliced != c.spliced {
				t.Fatalf("ways %+v", p.Stage.Ways)
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var staging atomic.Bool
			var opened, atStop atomic.Int64
			from.before = func(op, _ string) {
				if !staging.Load() || op != "ReadAt" {
					return
				}
				// Past the footer and the page headers: the first megabyte is read.
				if n := from.bytes(); n-opened.Load() > 1<<20 && atStop.CompareAndSwap(0, n) {
					stop()
				}
			}
			_, err = engine.Execute(ctx, p, session, s, func(e engine.Event) {
				if begins(engine.Stage)(e) {
					opened.Store(from.bytes())
					staging.Store(true)
				}
			})
			if !errors.Is(err, verdict.Stopped) {
				t.Fatalf("want a stop, got %v", err)
			}
			late := from.bytes() - atStop.Load()
			t.Logf("%d bytes were read after the stop, of a file of %d", late, p.Copy.Bytes)
			if late > c.most || p.Copy.Bytes < 4*c.most {
				t.Errorf("%d bytes were read after the stop, want at most %d", late, c.most)
			}
			if after := filesOf(t, target); len(after) != len(before) || from.open != 0 {
				t.Errorf("%d files are left, %d of the copy are open", len(after)-len(before), from.open)
			}
		})
	}
}

// burning is a context that is done once it was asked so many times.
type burning struct {
	context.Context
	left atomic.Int64
}

// Err tells the end at the asking that is one too many.
func (c *burning) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return c.Context.Err()
}

// TestAStopIsHeardBetweenRanges stops while the system itself moves the bytes of a
// local file: at most a range is moved after it.
func TestAStopIsHeardBetweenRanges(t *testing.T) {
	const size, most = 80 << 20, 16 << 20
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "from"))
	if err == nil {
		err = f.Truncate(size) // a hole, which takes no space
	}
	if err != nil {
		t.Fatal(errors.Join(err, f.Close()))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := store.OpenLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	from, err := w.Open(t.Context(), "from")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	up, err := w.Create(t.Context(), "to")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := up.Abort(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	lacks := t.Skip
	if os.Getenv("CI") != "" {
		lacks = t.Fatal // the gate's machine has what this is about
	}
	mover, ok := up.(store.Ranger)
	if !ok {
		lacks("this system moves no bytes by itself")
	}
	ctx := &burning{Context: t.Context()}
	ctx.left.Store(1)
	moved, err := mover.TakeRange(ctx, from, 0, size)
	if moved == 0 && err == nil {
		lacks("this file system moves no bytes by itself")
	}
	if !errors.Is(err, context.Canceled) || moved > most {
		t.Errorf("%d bytes were moved after the stop, %v", moved, err)
	}
}
