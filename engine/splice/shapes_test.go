package splice_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
)

// shape is a way in which writers lay the same values out.
type shape struct {
	name  string
	props []parquet.WriterProperty
	rows  []int // of the row groups
}

func shapes() []shape {
	small := parquet.WithDataPageSize(2000)
	return []shape{
		{"plain, one row group", []parquet.WriterProperty{parquet.WithDictionaryDefault(false)}, []int{1000}},
		{"dictionaries", []parquet.WriterProperty{small}, []int{700, 1, 999}},
		{"dictionaries that fill up", []parquet.WriterProperty{small, parquet.WithDictionaryPageSizeLimit(900)}, []int{2000, 1500}},
		{"page version 2", []parquet.WriterProperty{small, parquet.WithDataPageVersion(parquet.DataPageV2)}, []int{500, 500}},
		{"page version 2, dictionaries that fill up", []parquet.WriterProperty{small, parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithDictionaryPageSizeLimit(900)}, []int{2000}},
		{"format 1", []parquet.WriterProperty{small, parquet.WithVersion(parquet.V1_0)}, []int{300, 300}},
		{"snappy", []parquet.WriterProperty{small, parquet.WithCompression(compress.Codecs.Snappy)}, []int{800, 800}},
		{"gzip", []parquet.WriterProperty{small, parquet.WithCompression(compress.Codecs.Gzip)}, []int{400}},
		{"zstd", []parquet.WriterProperty{small, parquet.WithCompression(compress.Codecs.Zstd)}, []int{400, 3}},
		{"brotli", []parquet.WriterProperty{small, parquet.WithCompression(compress.Codecs.Brotli)}, []int{400, 3}},
		{"no statistics", []parquet.WriterProperty{small, parquet.WithStats(false)}, []int{500}},
		{"delta packed", []parquet.WriterProperty{parquet.WithDictionaryDefault(false), parquet.WithEncodingFor("id", parquet.Encodings.DeltaBinaryPacked), parquet.WithEncodingFor("small", parquet.Encodings.DeltaBinaryPacked)}, []int{600, 600}},
		{"an empty row group between", nil, []int{50, 0, 50}},
		{"delta texts", []parquet.WriterProperty{parquet.WithDictionaryDefault(false), parquet.WithEncodingFor("name", parquet.Encodings.DeltaLengthByteArray), parquet.WithEncodingFor("city", parquet.Encodings.DeltaByteArray)}, []int{600}},
	}
}

func copySchema() *arrow.Schema {
	us := &arrow.TimestampType{Unit: arrow.Microsecond}
	return arrow.NewSchema([]arrow.Field{
		{Name: "dropped", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "ID", Type: arrow.PrimitiveTypes.Int64, Nullable: false},
		{Name: "small", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "wide", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "tiny", Type: arrow.PrimitiveTypes.Uint8, Nullable: true},
		{Name: "nested", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
		{Name: "amount", Type: &arrow.Decimal128Type{Precision: 9, Scale: 2}, Nullable: true},
		{Name: "money", Type: &arrow.Decimal128Type{Precision: 19, Scale: 4}, Nullable: true},
		{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "city", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "at", Type: us, Nullable: true},
		{Name: "moment", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, Nullable: true},
		{Name: "day", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
		{Name: "flag", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "ratio", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "raw", Type: arrow.BinaryTypes.Binary, Nullable: true},
		{Name: "guid", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "when_text", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "all_null", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	}, nil)
}

func captured(t testing.TB) []schema.TargetColumn {
	sql := func(name string) schema.SQLType { return schema.SQLType{Name: name, AnsiPad: true} }
	dec := func(p, s int) schema.SQLType { return schema.SQLType{Name: "decimal", Precision: p, Scale: s} }
	id := target(t, "id", sql("bigint"))
	id.Nullable, id.Key = false, true
	return []schema.TargetColumn{
		id,
		target(t, "small", sql("smallint")),
		target(t, "wide", sql("bigint")),
		target(t, "tiny", sql("tinyint")),
		target(t, "amount", dec(9, 2)),
		target(t, "money", sql("money")),
		target(t, "name", schema.SQLType{Name: "nvarchar", Length: 200}),
		target(t, "city", schema.SQLType{Name: "varchar", Length: 60, CodePage: 1252}),
		target(t, "at", schema.SQLType{Name: "datetime2", Scale: 7}),
		target(t, "moment", schema.SQLType{Name: "datetime2", Scale: 7}),
		target(t, "day", sql("date")),
		target(t, "flag", sql("bit")),
		target(t, "ratio", sql("float")),
		target(t, "raw", schema.SQLType{Name: "varbinary", Length: 100}),
		target(t, "guid", sql("uniqueidentifier")),
		target(t, "when_text", schema.SQLType{Name: "datetime2", Scale: 3}),
		target(t, "all_null", sql("bigint")),
		target(t, "absent", sql("int")),
	}
}

// made fills the copy's columns, a record a row group, from one seed.
func made(rows []int, seed uint64) []arrow.Record {
	rnd := rand.New(rand.NewPCG(seed, 7))
	var out []arrow.Record
	next, sc := int64(0), copySchema()
	for _, n := range rows {
		b := array.NewRecordBuilder(memory.DefaultAllocator, sc)
		for range n {
			row(b, sc.Fields(), rnd, next)
			next++
		}
		out = append(out, b.NewRecord())
		b.Release()
	}
	return out
}

func row(b *array.RecordBuilder, names []arrow.Field, rnd *rand.Rand, i int64) {
	null := func(f array.Builder, put func()) {
		if rnd.IntN(5) == 0 {
			f.AppendNull()
		} else {
			put()
		}
	}
	for c, f := range b.Fields() {
		name := names[c].Name
		switch f := f.(type) {
		case *array.Int64Builder:
			if name == "all_null" {
				f.AppendNull()
			} else {
				f.Append(i*3 - 100)
			}
		case *array.Int32Builder:
			null(f, func() { f.Append(int32(rnd.IntN(60000) - 30000)) })
		case *array.Uint8Builder:
			null(f, func() { f.Append(uint8(rnd.IntN(256))) })
		case *array.ListBuilder:
			null(f, func() {
				f.Append(true)
				for range rnd.IntN(3) {
					f.ValueBuilder().(*array.Int32Builder).Append(int32(i))
				}
			})
		case *array.Decimal128Builder:
			null(f, func() { f.Append(decimal128.FromI64(rnd.Int64N(2_000_000) - 1_000_000)) })
		case *array.StringBuilder:
			null(f, func() { f.Append(textOf(name, rnd, i)) })
		case *array.TimestampBuilder:
			null(f, func() { f.Append(arrow.Timestamp(rnd.Int64N(4e15) - 2e15)) })
		case *array.Date32Builder:
			null(f, func() { f.Append(arrow.Date32(rnd.IntN(80000) - 40000)) })
		case *array.BooleanBuilder:
			null(f, func() { f.Append(rnd.IntN(2) == 0) })
		case *array.Float64Builder:
			null(f, func() { f.Append(rnd.NormFloat64()) })
		case *array.BinaryBuilder:
			null(f, func() { f.Append([]byte{byte(rnd.IntN(256)), 0, byte(i)}) })
		}
	}
}

func textOf(name string, rnd *rand.Rand, i int64) string {
	switch name {
	case "guid":
		return fmt.Sprintf("%08X-0000-4000-8000-%012X", rnd.Uint32(), i)
	case "when_text":
		return fmt.Sprintf("20%02d-0%d-1%d 12:30:%02d.%03d", rnd.IntN(40), 1+rnd.IntN(9), rnd.IntN(9), rnd.IntN(60), rnd.IntN(1000))
	case "city":
		return []string{"Köln", "", "Zürich", "a city whose name is longer than thirty-two characters"}[rnd.IntN(4)]
	}
	return strings.Repeat("é", rnd.IntN(20)) + fmt.Sprint(rnd.IntN(1_000_000))
}

// However a file is laid out, what is spliced holds what a rewrite writes.
func TestSplicedIsRewritten(t *testing.T) {
	for i, sh := range shapes() {
		t.Run(sh.name, func(t *testing.T) {
			data := parquetOf(t, made(sh.rows, uint64(i)), sh.props...)
			s := newScene(t, data, captured(t), cast.Answers{Zone: "UTC", Missing: map[string]cast.Answer{"absent": cast.Null}})
			if sh.name == "brotli" {
				if d := s.decide(); d.Rewrite != "no column's bytes can be kept" {
					t.Errorf("%+v", d)
				}
				return
			}
			r, ways := s.splice()
			w, report := s.rewrite()
			s.compare()
			if r.Rows != w.Rows || r.Size == 0 {
				t.Errorf("%+v beside %+v", r.Staged, w)
			}
			if c, ok := r.Report.Columns["absent"]; !ok || c.Values != r.Rows {
				t.Errorf("of a column without a value: %+v", c)
			}
			for name, c := range r.Report.Columns {
				if want := report.Columns[name]; c.Values != want.Values || c.Nulls != want.Nulls || c.Changed != want.Changed || c.ToNull != want.ToNull || c.Unchanged != want.Unchanged {
					t.Errorf("column %q: %+v, want %+v", name, c, want)
				}
			}
			if ways["name"] != splice.Copied || (ways["moment"] != splice.Annotated && sh.name != "no statistics") || ways["id"] != splice.Copied {
				t.Errorf("ways %v", ways)
			}
		})
	}
}
