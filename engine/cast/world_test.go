package cast_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// The columns that copies have in these tests.
var (
	int8Col    = schema.CopyColumn{Physical: "INT32", Logical: "INT", Bits: 8}
	int16Col   = schema.CopyColumn{Physical: "INT32", Logical: "INT", Bits: 16}
	int32Col   = schema.CopyColumn{Physical: "INT32"}
	int64Col   = schema.CopyColumn{Physical: "INT64"}
	uint8Col   = schema.CopyColumn{Physical: "INT32", Logical: "INT", Bits: 8, Unsigned: true}
	uint64Col  = schema.CopyColumn{Physical: "INT64", Logical: "INT", Bits: 64, Unsigned: true}
	boolCol    = schema.CopyColumn{Physical: "BOOLEAN"}
	floatCol   = schema.CopyColumn{Physical: "FLOAT"}
	doubleCol  = schema.CopyColumn{Physical: "DOUBLE"}
	halfCol    = schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 2, Logical: "FLOAT16"}
	textCol    = schema.CopyColumn{Physical: "BYTE_ARRAY", Logical: "STRING"}
	bytesCol   = schema.CopyColumn{Physical: "BYTE_ARRAY"}
	uuidCol    = schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 16, Logical: "UUID"}
	fixed16Col = schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 16}
	dateCol    = schema.CopyColumn{Physical: "INT32", Logical: "DATE"}
	int96Col   = schema.CopyColumn{Physical: "INT96"}
	partCol    = schema.CopyColumn{Physical: "PARTITION"}
	groupCol   = schema.CopyColumn{Physical: "GROUP"}
)

func decimalCol(p, s int) schema.CopyColumn {
	return schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Logical: "DECIMAL", Precision: p, Scale: s}
}

func stampCol(unit string, utc bool) schema.CopyColumn {
	return schema.CopyColumn{Physical: "INT64", Logical: "TIMESTAMP", Unit: unit, UTC: utc}
}

func timeCol(unit string) schema.CopyColumn {
	return schema.CopyColumn{Physical: "INT64", Logical: "TIME", Unit: unit}
}

// arrowOf is the Arrow type that reading such a column gives.
func arrowOf(c schema.CopyColumn) arrow.DataType {
	units := map[string]arrow.TimeUnit{"MILLIS": arrow.Millisecond, "MICROS": arrow.Microsecond, "NANOS": arrow.Nanosecond}
	switch c.Logical {
	case "DECIMAL":
		if c.Precision > 38 {
			return &arrow.Decimal256Type{Precision: int32(c.Precision), Scale: int32(c.Scale)}
		}
		return &arrow.Decimal128Type{Precision: int32(c.Precision), Scale: int32(c.Scale)}
	case "TIMESTAMP":
		zone := ""
		if c.UTC {
			zone = "UTC"
		}
		return &arrow.TimestampType{Unit: units[c.Unit], TimeZone: zone}
	case "TIME":
		if c.Unit == "MILLIS" {
			return arrow.FixedWidthTypes.Time32ms
		}
		return &arrow.Time64Type{Unit: units[c.Unit]}
	case "INT":
		signed := map[int]arrow.DataType{8: arrow.PrimitiveTypes.Int8, 16: arrow.PrimitiveTypes.Int16, 32: arrow.PrimitiveTypes.Int32, 64: arrow.PrimitiveTypes.Int64}
		unsigned := map[int]arrow.DataType{8: arrow.PrimitiveTypes.Uint8, 16: arrow.PrimitiveTypes.Uint16, 32: arrow.PrimitiveTypes.Uint32, 64: arrow.PrimitiveTypes.Uint64}
		if c.Unsigned {
			return unsigned[c.Bits]
		}
		return signed[c.Bits]
	case "STRING", "ENUM", "JSON":
		return arrow.BinaryTypes.String
	case "DATE":
		return arrow.FixedWidthTypes.Date32
	case "FLOAT16":
		return arrow.FixedWidthTypes.Float16
	}
	switch c.Physical {
	case "BOOLEAN":
		return arrow.FixedWidthTypes.Boolean
	case "INT32":
		return arrow.PrimitiveTypes.Int32
	case "INT64":
		return arrow.PrimitiveTypes.Int64
	case "INT96":
		return &arrow.TimestampType{Unit: arrow.Microsecond}
	case "FLOAT":
		return arrow.PrimitiveTypes.Float32
	case "DOUBLE":
		return arrow.PrimitiveTypes.Float64
	case "FIXED_LEN_BYTE_ARRAY":
		return &arrow.FixedSizeBinaryType{ByteWidth: c.Length}
	case "PARTITION":
		return arrow.BinaryTypes.String
	}
	return arrow.BinaryTypes.Binary
}

// build makes an array; nil is NULL.
func build(mem memory.Allocator, t arrow.DataType, vals []any) arrow.Array {
	b := array.NewBuilder(mem, t)
	defer b.Release()
	for _, v := range vals {
		if v == nil {
			b.AppendNull()
			continue
		}
		appendTo(b, v)
	}
	return b.NewArray()
}

func appendTo(b array.Builder, v any) {
	switch b := b.(type) {
	case *array.Int8Builder:
		b.Append(int8(v.(int)))
	case *array.Int16Builder:
		b.Append(int16(v.(int)))
	case *array.Int32Builder:
		b.Append(int32(v.(int)))
	case *array.Int64Builder:
		b.Append(int64(v.(int)))
	case *array.Uint8Builder:
		b.Append(uint8(v.(int)))
	case *array.Uint16Builder:
		b.Append(uint16(v.(int)))
	case *array.Uint32Builder:
		b.Append(uint32(v.(int)))
	case *array.Uint64Builder:
		if u, ok := v.(uint64); ok {
			b.Append(u)
		} else {
			b.Append(uint64(v.(int)))
		}
	case *array.BooleanBuilder:
		b.Append(v.(bool))
	case *array.Float16Builder:
		b.Append(float16.New(float32(v.(float64))))
	case *array.Float32Builder:
		b.Append(float32(v.(float64)))
	case *array.Float64Builder:
		b.Append(v.(float64))
	case *array.StringBuilder:
		b.Append(v.(string))
	case *array.BinaryBuilder:
		b.Append([]byte(v.(string)))
	case *array.FixedSizeBinaryBuilder:
		b.Append([]byte(v.(string)))
	case *array.Date32Builder:
		b.Append(arrow.Date32(v.(int)))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v.(int)))
	case *array.Time32Builder:
		b.Append(arrow.Time32(v.(int)))
	case *array.Time64Builder:
		b.Append(arrow.Time64(v.(int)))
	case *array.Decimal128Builder:
		t := b.Type().(*arrow.Decimal128Type)
		n, err := decimal128.FromString(v.(string), 38, t.Scale)
		if err != nil {
			panic(err)
		}
		b.Append(n)
	case *array.Decimal256Builder:
		t := b.Type().(*arrow.Decimal256Type)
		n, err := decimal256.FromString(v.(string), 76, t.Scale)
		if err != nil {
			panic(err)
		}
		b.Append(n)
	default:
		panic(fmt.Sprintf("no builder for %T", b))
	}
}

// target is a column c of a SQL Server type.
func target(t testing.TB, sql schema.SQLType) schema.TargetColumn {
	t.Helper()
	typ, err := sql.Target()
	if err != nil {
		t.Fatal(err)
	}
	return schema.TargetColumn{Name: "c", Type: typ, SQL: sql, Nullable: true}
}

func sqlType(name string) schema.SQLType { return schema.SQLType{Name: name, AnsiPad: true} }

func sized(name string, bytes int) schema.SQLType {
	return schema.SQLType{Name: name, Length: bytes, CodePage: 1252, AnsiPad: true}
}

func scaled(name string, p, s int) schema.SQLType {
	return schema.SQLType{Name: name, Precision: p, Scale: s}
}

func locate(name string) (*time.Location, error) { return time.LoadLocation(name) }

// castColumn casts one column whole and as a slice from the middle of a larger
// array: both must come out the same, to the last count.
func castColumn(t *testing.T, from schema.CopyColumn, to schema.TargetColumn, class schema.FileClass, a cast.Answers, vals []any) ([]string, cast.ColumnReport) {
	t.Helper()
	from.Name = "C"
	class.ID, class.Columns = "c1", []schema.CopyColumn{from}
	if a.Location == nil {
		a.Location = locate
	}
	m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{class}, a)
	if err != nil {
		t.Fatalf("%s to %s: %v", from, to.SQL, err)
	}
	if err := m.Refusal(); err != nil {
		t.Fatalf("%s to %s: %v", from, to.SQL, err)
	}
	whole, report := runCast(t, m, arrowOf(from), vals, 0)
	part, again := runCast(t, m, arrowOf(from), vals, 11)
	if fmt.Sprint(whole) != fmt.Sprint(part) || fmt.Sprint(report.Effects, report.Refused, report.Changed, report.Nulls) != fmt.Sprint(again.Effects, again.Refused, again.Changed, again.Nulls) {
		t.Errorf("a slice casts otherwise:\n%v %+v\n%v %+v", whole, report, part, again)
	}
	return whole, report
}

func runCast(t *testing.T, m *cast.Mapping, typ arrow.DataType, vals []any, margin int) ([]string, cast.ColumnReport) {
	t.Helper()
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	wide := append(append(append([]any{}, repeat(vals, margin)...), vals...), repeat(vals, margin)...)
	all := build(mem, typ, wide)
	defer all.Release()
	src := array.NewSlice(all, int64(margin), int64(margin+len(vals)))
	defer src.Release()
	rec := array.NewRecord(arrow.NewSchema([]arrow.Field{{Name: "C", Type: typ, Nullable: true}}, nil), []arrow.Array{src}, int64(len(vals)))
	defer rec.Release()
	k, err := m.Preview("c1", locate)
	if err != nil {
		t.Fatal(err)
	}
	k.UseAllocator(mem)
	out, err := k.Cast(rec, cast.Place{File: "f.parquet", FirstRow: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer out[0].Release()
	if want := cast.ArrowType(m.Columns[0].Target.Type); !arrow.TypeEqual(out[0].DataType(), want) {
		t.Errorf("the array is %s, want %s", out[0].DataType(), want)
	}
	var texts []string
	for i := range out[0].Len() {
		texts = append(texts, cast.ValueText(out[0], i))
	}
	r := k.Report().Columns["c"]
	checkSum(t, r, out[0])
	return texts, r
}

// checkSum holds a column's counts against the array that was made: each value
// counts once, as written or as NULL.
func checkSum(t *testing.T, r cast.ColumnReport, made arrow.Array) {
	t.Helper()
	null := int64(made.NullN())
	if written := int64(made.Len()) - null; r.Unchanged+r.Changed != written || r.Nulls+r.ToNull+r.Refused != null || r.Values != written+null ||
		min(r.Unchanged, r.Changed, r.Nulls, r.ToNull, r.Refused) < 0 {
		t.Errorf("%d written and %d NULL are counted as %d unchanged, %d changed; %d NULL, %d to NULL, %d refused; %d in all",
			written, null, r.Unchanged, r.Changed, r.Nulls, r.ToNull, r.Refused, r.Values)
	}
}

// repeat is n values from vals, or NULLs where there are none.
func repeat(vals []any, n int) []any {
	out := make([]any, n)
	for i := range out {
		if len(vals) > 0 {
			out[i] = vals[(i+1)%len(vals)]
		}
	}
	return out
}
