package splice_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"

	"cdcseed/engine/schema"
)

// BenchmarkFiles leaves the files of BenchmarkSplice in a folder, for other programs
// to copy. What stands there already stays.
func BenchmarkFiles(b *testing.B) {
	if *benchDir == "" {
		b.Skip("-splice.dir names no folder")
	}
	for b.Loop() {
		benchFiles(b, *benchDir, *benchRows)
	}
}

// benchTable is the table that the files are a copy of, with some columns typed
// otherwise than in the files.
func benchTable(b *testing.B, other map[string]schema.SQLType) []schema.TargetColumn {
	b.Helper()
	var out []schema.TargetColumn
	for _, c := range []struct {
		name string
		sql  schema.SQLType
	}{
		{"id", schema.SQLType{Name: "bigint"}},
		{"qty", schema.SQLType{Name: "int"}},
		{"kind", schema.SQLType{Name: "smallint"}},
		{"amount", schema.SQLType{Name: "decimal", Precision: 18, Scale: 2}},
		{"price", schema.SQLType{Name: "decimal", Precision: 9, Scale: 2}},
		{"made", schema.SQLType{Name: "datetime2", Scale: 7}},
		{"sent", schema.SQLType{Name: "datetime2", Scale: 7}},
		{"due", schema.SQLType{Name: "date"}},
		{"name", schema.SQLType{Name: "nvarchar", Length: 200}},
		{"note", schema.SQLType{Name: "nvarchar", Length: 400}},
		{"city", schema.SQLType{Name: "nvarchar", Length: 100}},
		{"state", schema.SQLType{Name: "nvarchar", Length: 40}},
		{"open", schema.SQLType{Name: "bit"}},
		{"ref", schema.SQLType{Name: "nvarchar", Length: 80}},
		{"changed", schema.SQLType{Name: "nvarchar", Length: 60}},
	} {
		if sql, ok := other[c.name]; ok {
			c.sql = sql
		}
		out = append(out, target(b, c.name, c.sql))
	}
	return out
}

// benchGroup is how many rows a row group has, at most: a million in the shape of
// the measurements, and fewer where there would be too few files for all workers.
func benchGroup(rows int) int { return min(max(rows/20, 250_000), 1_000_000) }

// benchFiles makes the files that are not there yet, two row groups each, and
// answers their names.
func benchFiles(b *testing.B, dir string, rows int) (out []string) {
	b.Helper()
	size := benchGroup(rows)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		b.Fatal(err)
	}
	for first := 0; first < rows; first += 2 * size {
		name := fmt.Sprintf("part-%05d.parquet", len(out))
		out = append(out, name)
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			continue
		}
		var groups []arrow.Record
		for g := first; g < min(rows, first+2*size); g += size {
			groups = append(groups, benchRecord(g, min(rows-g, size)))
		}
		data := parquetOf(b, groups, parquet.WithCompression(compress.Codecs.Snappy), parquet.WithDataPageSize(1<<20), parquet.WithDictionaryPageSizeLimit(1<<18))
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			b.Fatal(err)
		}
	}
	return out
}

func benchRecord(first, n int) arrow.Record {
	us := &arrow.TimestampType{Unit: arrow.Microsecond}
	text := arrow.BinaryTypes.String
	sc := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "qty", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "kind", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "amount", Type: &arrow.Decimal128Type{Precision: 18, Scale: 2}, Nullable: true},
		{Name: "price", Type: &arrow.Decimal128Type{Precision: 9, Scale: 2}, Nullable: true},
		{Name: "made", Type: us, Nullable: true},
		{Name: "sent", Type: us, Nullable: true},
		{Name: "due", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
		{Name: "name", Type: text, Nullable: true},
		{Name: "note", Type: text, Nullable: true},
		{Name: "city", Type: text, Nullable: true},
		{Name: "state", Type: text, Nullable: true},
		{Name: "open", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "ref", Type: text, Nullable: true},
		{Name: "changed", Type: text, Nullable: true},
		{Name: "batch", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	}, nil)
	rb := array.NewRecordBuilder(memory.DefaultAllocator, sc)
	defer rb.Release()
	rnd := rand.New(rand.NewPCG(uint64(first), 99))
	for i := range n {
		for at, f := range rb.Fields() {
			if at > 0 && at%3 == 0 && rnd.IntN(4) == 0 {
				f.AppendNull()
				continue
			}
			benchValue(f, sc.Field(at).Name, rnd, first+i)
		}
	}
	return rb.NewRecord()
}

func benchValue(f array.Builder, name string, rnd *rand.Rand, i int) {
	switch f := f.(type) {
	case *array.Int64Builder:
		f.Append(int64(i))
	case *array.Int32Builder:
		f.Append(map[string]int32{"qty": rnd.Int32N(1 << 30), "kind": rnd.Int32N(20)}[name])
	case *array.Decimal128Builder:
		f.Append(decimal128.FromI64(rnd.Int64N(900_000_000)))
	case *array.TimestampBuilder:
		f.Append(arrow.Timestamp(1_700_000_000_000_000 + rnd.Int64N(1e13)))
	case *array.Date32Builder:
		f.Append(arrow.Date32(19_000 + rnd.IntN(1000)))
	case *array.BooleanBuilder:
		f.Append(rnd.IntN(2) == 0)
	case *array.StringBuilder:
		f.Append(benchText(name, rnd, i))
	}
}

func benchText(name string, rnd *rand.Rand, i int) string {
	switch name {
	case "city":
		return fmt.Sprintf("city number %d", rnd.IntN(500))
	case "state":
		return []string{"open", "paid", "sent", "lost"}[rnd.IntN(4)]
	case "ref":
		return fmt.Sprintf("%08X-%04X-4000-8000-%012X", rnd.Uint32(), rnd.IntN(1<<16), i)
	case "changed":
		return fmt.Sprintf("2025-%02d-%02d %02d:%02d:%02d.%03d", 1+rnd.IntN(12), 1+rnd.IntN(28), rnd.IntN(24), rnd.IntN(60), rnd.IntN(60), rnd.IntN(1000))
	}
	return fmt.Sprintf("%s of row %d, %x", name, i, rnd.Uint32())
}
