package duplicates_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/duplicates"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
)

// onDisk is a scratch folder as a Counter's space.
type onDisk struct{ *store.Scratch }

func (d onDisk) Create() (duplicates.File, error) { return d.Scratch.Create() }
func (d onDisk) Where() string                    { return d.Dir() }

// bigints is a batch of numbers from first on, in an order that tells nothing.
func bigints(first, n int) arrow.Array {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	defer b.Release()
	b.Reserve(n)
	for i := range n {
		b.UnsafeAppend(int64(first+i) * 2654435761 % (1 << 40))
	}
	return b.NewArray()
}

// words is a batch of texts of a code, some of them in capitals.
func words(first, n int) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	for i := range n {
		format := "order-%012d"
		if i%7 == 0 {
			format = "ORDER-%012d"
		}
		b.Append(fmt.Sprintf(format, (first+i)*2654435761%(1<<40)))
	}
	return b.NewArray()
}

func numbered() []duplicates.Column {
	return []duplicates.Column{{Name: "id", SQL: schema.SQLType{Name: "bigint"}, Type: arrow.PrimitiveTypes.Int64}}
}

func shown(arr arrow.Array, i int) string { return arr.ValueStr(i) }

// The keys of any number of rows take the memory that they are given and no more,
// while they are added, sorted and compared; the disk holds the rest, and nothing
// is left of it.
func TestMemoryIsBounded(t *testing.T) {
	const (
		bound = 6 << 20
		slack = 2 << 20 // batches, cursors, the test itself
		rows  = 1_500_000
		batch = 10_000
	)
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	root := t.TempDir()
	scratch, err := store.NewScratch(root)
	if err != nil {
		t.Fatal(err)
	}
	before := heap()
	var most int64
	var mu sync.Mutex
	look := func() {
		mu.Lock()
		defer mu.Unlock()
		most = max(most, heap()-before)
	}
	c := duplicates.New(duplicates.Options{
		Columns: numbered(), Writers: 2, Memory: bound, Rows: rows, Text: shown,
		Space: func() (duplicates.Space, error) { return onDisk{scratch}, nil },
	})
	for i := 0; i < rows; i += batch {
		arr := bigints(i, batch)
		if i == rows/2 { // the same rows again
			arr = bigints(0, batch)
		}
		if err := c.Writer(i/batch%2).Add(t.Context(), []arrow.Array{arr}, 0, func(k int) int64 { return int64(i + k) }); err != nil {
			t.Fatal(err)
		}
		if i%(10*batch) == 0 {
			look()
		}
	}
	var heard int64
	got, err := c.Count(t.Context(), func(n int64) {
		look()
		mu.Lock()
		heard += n
		mu.Unlock()
	})
	if err != nil || got.Rows != rows || got.Keys != batch || got.Extra != batch || heard != rows {
		t.Errorf("%+v, %v, heard of %d", got, err, heard)
	}
	if most > bound+slack || most < bound/2 {
		t.Errorf("keys took %d bytes of %d", most, bound)
	}
	if entries, err := os.ReadDir(scratch.Dir()); err != nil || len(entries) == 0 {
		t.Error("nothing went to the disk", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(scratch.Dir()); err != nil || len(entries) != 0 {
		t.Error("files stay:", entries, err)
	}
	if err := scratch.Close(); err != nil {
		t.Error(err)
	}
}

// Rows a second of one core that adds, and of all that compare.
func BenchmarkCount(b *testing.B) {
	texts := []duplicates.Column{{
		Name: "code", SQL: schema.SQLType{Name: "varchar", Length: 20, Collation: "SQL_Latin1_General_CP1_CI_AS"}, Type: arrow.BinaryTypes.String,
	}}
	const batch, batches = 8192, 200
	for _, of := range []struct {
		name    string
		columns []duplicates.Column
		make    func(first, n int) arrow.Array
		memory  int64
	}{
		{"bigint in memory", numbered(), bigints, 0},
		{"bigint over the disk", numbered(), bigints, 8 << 20},
		{"varchar in memory", texts, words, 0},
		{"varchar over the disk", texts, words, 8 << 20},
	} {
		b.Run(of.name, func(b *testing.B) {
			var arrs []arrow.Array
			for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(batches) {
				arrs = append(arrs, of.make(i*batch, batch))
			}
			b.ResetTimer()
			for b.Loop() {
				scratch, err := store.NewScratch(b.TempDir())
				if err != nil {
					b.Fatal(err)
				}
				c := duplicates.New(duplicates.Options{
					Columns: of.columns, Memory: of.memory, Text: shown,
					Space: func() (duplicates.Space, error) { return onDisk{scratch}, nil },
				})
				for i, arr := range arrs {
					if err := c.Writer(0).Add(b.Context(), []arrow.Array{arr}, 0, func(k int) int64 { return int64(i*batch + k) }); err != nil {
						b.Fatal(err)
					}
				}
				if got, err := c.Count(b.Context(), nil); err != nil || got.Rows != batch*batches || got.Keys != 0 {
					b.Fatal(got, err)
				}
				if err := c.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*batch*batches)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
