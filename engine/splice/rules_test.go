package splice_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
	"cdcseed/engine/store"
)

// withEnd is a file with another footer.
func withEnd(t *testing.T, data []byte, edit func(f *footer.Footer)) []byte {
	t.Helper()
	f := footerOf(t, data)
	out := bytes.Clone(data[:len(data)-8-len(f.Append(nil))])
	edit(f)
	out, err := f.AppendEnd(out)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func metaOf(c footer.Chunk) *thrift.Struct { return c.Struct().Struct(3) }

// A dictionary holds no NULL and no row: what asks for NOT NULL, or counts rows, is
// never cast by dictionaries alone.
func TestWhatNoDictionaryTells(t *testing.T) {
	for name, c := range map[string]struct {
		from  schema.CopyColumn
		to    schema.SQLType
		nulls int64
		must  bool
		want  splice.Way
	}{
		"NOT NULL without a NULL":      {schema.CopyColumn{Physical: "INT32"}, schema.SQLType{Name: "bigint"}, 0, true, splice.Dictionary},
		"NOT NULL with NULLs":          {schema.CopyColumn{Physical: "INT32"}, schema.SQLType{Name: "bigint"}, 3, true, splice.Recoded},
		"NOT NULL, not told":           {schema.CopyColumn{Physical: "INT32"}, schema.SQLType{Name: "bigint"}, -1, true, splice.Recoded},
		"NULLs":                        {schema.CopyColumn{Physical: "INT32"}, schema.SQLType{Name: "bigint"}, 3, false, splice.Dictionary},
		"time of timestamps, one date": {schema.CopyColumn{Physical: "INT64", Logical: "TIMESTAMP", Unit: "MICROS"}, schema.SQLType{Name: "time", Scale: 6}, 0, false, splice.Recoded},
	} {
		c.from.Name = "c"
		to := target(t, "c", c.to)
		to.Nullable, to.Key = !c.must, c.must
		m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{{ID: "c1", Columns: []schema.CopyColumn{c.from}}}, cast.Answers{Zone: "UTC"})
		if err != nil {
			t.Fatal(name, err)
		}
		if got := splice.Choose(m.Columns[0].Rules[0], to, splice.Facts{Present: true, Nulls: c.nulls, Dictionary: true}, nil); got.Way != c.want {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}

// Statistics of a library that got them wrong stay behind: in the chunks, and in the
// page indexes, which are all carried or none.
func TestWrongStatisticsStayBehind(t *testing.T) {
	for by, kept := range map[string]bool{"parquet-mr version 1.13.1 (build x)": true, "parquet-mr version 1.7.0 (build x)": false} {
		s := common(t, parquet.WithDictionaryDefault(false), parquet.WithCreatedBy(by))
		s.splice()
		f := footerOf(t, bytesOf(t, s.target, "spliced.parquet"))
		for _, g := range f.Groups() {
			if got := metaOf(g.Chunk(leaf(f, "name").Leaf)).Has(12); got != kept {
				t.Errorf("%s: statistics of a text %v", by, got)
			}
		}
		data := indexed(t, bytesOf(t, s.copy, s.file), -1)
		keep := slices.DeleteFunc(captured(t), func(c schema.TargetColumn) bool { return c.Name != "id" && c.Name != "name" })
		o := newScene(t, data, keep, cast.Answers{Zone: "UTC"})
		o.splice()
		f = footerOf(t, bytesOf(t, o.target, "spliced.parquet"))
		if _, got := f.Groups()[0].Chunk(leaf(f, "id").Leaf).ColumnIndex(); got != kept {
			t.Errorf("%s: a page index %v", by, got)
		}
	}
}

// A version of Spark is kept where readers take its absence, or it, for the calendar
// of today: not that of a Spark before 3.1.
func TestWhichSparkIsKept(t *testing.T) {
	for version, kept := range map[string]bool{"3.5.1": true, "3.1.0": true, "4.0.0": true, "3.0.3": false, "2.4.8": false, "3": false, "": false} {
		s := common(t)
		data := withEnd(t, bytesOf(t, s.copy, s.file), func(f *footer.Footer) {
			kv := &thrift.Struct{}
			kv.Set(1, thrift.String("org.apache.spark.version"))
			kv.Set(2, thrift.String(version))
			f.Struct().Set(5, thrift.Structs(kv))
		})
		o := newScene(t, data, captured(t), answers())
		o.splice()
		got := false
		for _, kv := range footerOf(t, bytesOf(t, o.target, "spliced.parquet")).KeyValues() {
			got = got || kv.Key == "org.apache.spark.version"
		}
		if got != kept {
			t.Errorf("%q: %v", version, got)
		}
	}
}

// What a writer noted of a chunk, and of the sizes of values that were cast, is not
// true of the new one.
func TestNotesOfAChunkStayBehind(t *testing.T) {
	s := common(t, shapes()[1].props...)
	data := withEnd(t, bytesOf(t, s.copy, s.file), func(f *footer.Footer) {
		for _, g := range f.Groups() {
			for _, c := range g.Chunks() {
				kv, sizes := &thrift.Struct{}, &thrift.Struct{}
				kv.Set(1, thrift.String("note"))
				sizes.Set(1, thrift.Int64(7))
				metaOf(c).Set(8, thrift.Structs(kv))
				metaOf(c).Set(16, thrift.Of(sizes))
			}
		}
	})
	o := newScene(t, data, captured(t), answers())
	_, ways := o.splice()
	f := footerOf(t, bytesOf(t, o.target, "spliced.parquet"))
	met := map[splice.Way]bool{}
	for _, n := range f.Leaves() {
		way := ways[n.Name()]
		met[way] = true
		for _, g := range f.Groups() {
			m := metaOf(g.Chunk(n.Leaf))
			if m.Has(8) || m.Has(16) && !way.Copies() {
				t.Errorf("column %q, %s: notes %v, sizes %v", n.Name(), way, m.Has(8), m.Has(16))
			}
		}
	}
	if !met[splice.Copied] || !met[splice.Dictionary] {
		t.Errorf("only %v", met)
	}
}

// Bounds of a column that was cast by its dictionaries are told where its own were
// exact, and else not at all.
func TestBoundsBehindADictionary(t *testing.T) {
	exact := func(is bool) func(*footer.Footer) {
		return func(f *footer.Footer) {
			for _, g := range f.Groups() {
				for id := int16(7); id <= 8; id++ {
					metaOf(g.Chunk(1)).Struct(12).Set(id, thrift.Bool(is))
				}
			}
		}
	}
	for _, is := range []bool{true, false} {
		data := withEnd(t, numbers(t, "n", arrow.PrimitiveTypes.Int32, int32s(-3, 40, -3, 200)), exact(is))
		big := schema.SQLType{Name: "bigint"}
		s := newScene(t, data, []schema.TargetColumn{target(t, "id", big), target(t, "n", big)}, cast.Answers{})
		r, ways := s.splice()
		if ways["n"] != splice.Dictionary {
			t.Errorf("made as %s", ways["n"])
		}
		if got := string(statsOf(t, r.Stats).MinValues["n"]); got != map[bool]string{true: "-3"}[is] {
			t.Errorf("exact %v: the least is %q", is, got)
		}
	}
}

// What is named as a Bloom filter and is none stays behind.
func TestWhatIsNoBloomFilter(t *testing.T) {
	s := onlyCopied(t, -1)
	data := withEnd(t, bytesOf(t, s.copy, s.file), func(f *footer.Footer) {
		for _, g := range f.Groups() {
			for _, c := range g.Chunks() {
				r, _ := c.Bloom()
				if err := c.SetBloom(footer.Region{Offset: r.Offset - 1, Length: r.Length}); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	keep := slices.DeleteFunc(captured(t), func(c schema.TargetColumn) bool { return c.Name != "id" && c.Name != "name" })
	o := newScene(t, data, keep, cast.Answers{Zone: "UTC"})
	o.splice()
	for _, c := range footerOf(t, bytesOf(t, o.target, "spliced.parquet")).Groups()[0].Chunks() {
		if r, ok := c.Bloom(); ok {
			t.Errorf("a filter at %+v", r)
		}
	}
}

// forged is a store in which a finished file has another end than was written.
type forged struct{ store.Writer }

type forgedFile struct{ store.File }

func (f forged) Open(ctx context.Context, key string) (store.File, error) {
	in, err := f.Writer.Open(ctx, key)
	return forgedFile{in}, err
}

func (f forgedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	if n > 0 {
		p[n/2] ^= 1
	}
	return n, err
}

// What the store answers of a file's end is held against what was written.
func TestAnotherEndThanWasWritten(t *testing.T) {
	s := common(t)
	f := s.open()
	defer f.Close()
	_, err := splice.Stage(t.Context(), forged{s.target}, s.job(s.decide(), f), nil)
	if err == nil || !strings.Contains(err.Error(), "its end is not what was written") {
		t.Error(err)
	}
	if left := keysOf(t, s.target); len(left) != 0 {
		t.Errorf("left %q", left)
	}
}
