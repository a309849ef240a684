package parquetfile_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"cdcseed/engine/parquetfile"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// repeated is a file of one required text column in which equal values stand once.
func repeated(t *testing.T, texts []parquet.ByteArray) []byte {
	t.Helper()
	root, err := pqschema.NewGroupNode("root", parquet.Repetitions.Required, pqschema.FieldList{
		pqschema.MustPrimitive(pqschema.NewPrimitiveNodeLogical("text", parquet.Repetitions.Required, pqschema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1)),
	}, -1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root, file.WithWriterProps(parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy))))
	c, err := w.AppendRowGroup().NextColumn()
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.(*file.ByteArrayColumnChunkWriter).WriteBatch(texts, nil, nil)
	for _, e := range []error{err, c.Close(), w.Close()} {
		if e != nil {
			t.Fatal(e)
		}
	}
	return b.Bytes()
}

// A dictionary lets a file of a few kilobytes hold gigabytes of text. Batches that
// grew over short texts are cut where long ones begin.
func TestLongTextsBehindShortOnes(t *testing.T) {
	const short, long, most = 33_000, 2_000, 16 << 20
	texts := make([]parquet.ByteArray, short+long)
	large := parquet.ByteArray(strings.Repeat("x", 105_000))
	for i := range texts {
		texts[i] = parquet.ByteArray("a")
		if i >= short {
			texts[i] = large
		}
	}
	data := repeated(t, texts)
	if len(data) > 100<<10 {
		t.Fatalf("the file has %d bytes, so it tests nothing", len(data))
	}
	f, err := parquetfile.Open(inMemory(data))
	if err != nil {
		t.Fatal(err)
	}
	s := f.Read(t.Context(), nil, 1<<20)
	defer s.Close()
	rows, largest := 0, 0
	for s.Next() {
		got, size := s.Record().Column(0).(*array.String), 0
		for i := range got.Len() {
			if got.Value(i) != string(texts[rows]) {
				t.Fatalf("row %d: a text of %d bytes, want %d", rows, len(got.Value(i)), len(texts[rows]))
			}
			size += len(got.Value(i))
			rows++
		}
		largest = max(largest, size)
	}
	if s.Err() != nil || rows != len(texts) {
		t.Fatalf("%d rows: %v", rows, s.Err())
	}
	if largest > most {
		t.Errorf("a batch holds %d bytes of text", largest)
	}
}

// mixed is rows of numbers, texts, lists of texts and bytes, some of them large.
func mixed(rows int) arrow.Record {
	rng := rand.New(rand.NewPCG(7, 1))
	large := strings.Repeat("y", 1_500_000)
	text := func() string {
		if rng.IntN(12) == 0 {
			return large
		}
		return large[:rng.IntN(40)]
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "n", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "a", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "list", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
		{Name: "b", Type: arrow.BinaryTypes.Binary, Nullable: true},
	}, nil))
	defer b.Release()
	list := b.Field(2).(*array.ListBuilder)
	for i := range rows {
		list.Append(true)
		for range rng.IntN(3) {
			list.ValueBuilder().(*array.StringBuilder).Append(text())
		}
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		if i%9 == 4 {
			b.Field(1).AppendNull()
			b.Field(3).AppendNull()
			continue
		}
		b.Field(1).(*array.StringBuilder).Append(text())
		b.Field(3).(*array.BinaryBuilder).Append([]byte(text()))
	}
	return b.NewRecord()
}

// chunkOf is a column as the library's writer takes it: values, and levels.
func chunkOf(c arrow.Array) (vals []parquet.ByteArray, def, rep []int16) {
	for i := range c.Len() {
		switch c := c.(type) {
		case *array.List:
			from, to := c.ValueOffsets(i)
			for k := from; k < to; k++ {
				vals = append(vals, parquet.ByteArray(c.ListValues().(*array.String).Value(int(k))))
				def, rep = append(def, 1), append(rep, int16(min(k-from, 1)))
			}
			if from == to {
				def, rep = append(def, 0), append(rep, 0)
			}
		case array.BinaryLike:
			level := int16(0)
			if !c.IsNull(i) {
				level = 1
				vals = append(vals, bytesAt(c, i))
			}
			def = append(def, level)
		}
	}
	return vals, def, rep
}

func bytesAt(c arrow.Array, i int) parquet.ByteArray {
	if t, ok := c.(*array.String); ok {
		return parquet.ByteArray(t.Value(i))
	}
	return c.(*array.Binary).Value(i)
}

// mixedFile is a file of such rows, in row groups of so many.
func mixedFile(t *testing.T, rec arrow.Record, group int64) []byte {
	t.Helper()
	leaf := func(name string, r parquet.Repetition, l pqschema.LogicalType, p parquet.Type) pqschema.Node {
		return pqschema.MustPrimitive(pqschema.NewPrimitiveNodeLogical(name, r, l, p, -1, -1))
	}
	root := pqschema.MustGroup(pqschema.NewGroupNode("root", parquet.Repetitions.Required, pqschema.FieldList{
		leaf("n", parquet.Repetitions.Required, nil, parquet.Types.Int64),
		leaf("a", parquet.Repetitions.Optional, pqschema.StringLogicalType{}, parquet.Types.ByteArray),
		leaf("list", parquet.Repetitions.Repeated, pqschema.StringLogicalType{}, parquet.Types.ByteArray),
		leaf("b", parquet.Repetitions.Optional, nil, parquet.Types.ByteArray),
	}, -1))
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(parquet.WithStats(false))))
	for from := int64(0); from < rec.NumRows(); from += group {
		part := rec.NewSlice(from, min(from+group, rec.NumRows()))
		g := w.AppendRowGroup()
		for _, c := range part.Columns() {
			cw, err := g.NextColumn()
			if err != nil {
				t.Fatal(err)
			}
			switch cw := cw.(type) {
			case *file.Int64ColumnChunkWriter:
				_, err = cw.WriteBatch(c.(*array.Int64).Int64Values(), nil, nil)
			case *file.ByteArrayColumnChunkWriter:
				vals, def, rep := chunkOf(c)
				_, err = cw.WriteBatch(vals, def, rep)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := cw.Close(); err != nil {
				t.Fatal(err)
			}
		}
		part.Release()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Columns of a batch that is cut short stay beside one another, also those that
// were read further, and nested ones.
func TestBatchesAreCutAlike(t *testing.T) {
	want := mixed(400)
	defer want.Release()
	f, err := parquetfile.Open(inMemory(mixedFile(t, want, 150)))
	if err != nil {
		t.Fatal(err)
	}
	s := f.Read(t.Context(), nil, 1<<20)
	defer s.Close()
	rows, cut := int64(0), false
	for s.Next() {
		rec := s.Record()
		cut = cut || rec.NumRows()%2 == 1
		for c := range int(rec.NumCols()) {
			if o := rec.Column(c).Data().Offset(); o != 0 {
				t.Errorf("column %q begins at place %d of its buffers", rec.ColumnName(c), o)
			}
			for i := range int(rec.NumRows()) {
				if got, written := rec.Column(c).ValueStr(i), want.Column(c).ValueStr(int(rows)+i); got != written {
					t.Fatalf("column %q, row %d: %.60s, want %.60s", rec.ColumnName(c), rows+int64(i), got, written)
				}
			}
		}
		rows += rec.NumRows()
	}
	if s.Err() != nil || rows != want.NumRows() {
		t.Fatalf("%d rows: %v", rows, s.Err())
	}
	if !cut {
		t.Error("no batch was cut short, so nothing is tested")
	}
}
