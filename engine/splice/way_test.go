package splice_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/parquet"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
)

func i32(v int32) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }
func i64(v int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }

func between(low, high []byte) splice.Facts {
	return splice.Facts{Present: true, Nulls: 3, Bounds: [][]byte{low, high}, Bounded: true}
}

// The table of ways: a copy's column, a column of SQL Server, what the footer says
// of the values, and what becomes of it.
func TestWays(t *testing.T) {
	const day, micro = 86_400_000_000, 1_700_000_000_123_456
	unknown := splice.Facts{Present: true, Nulls: -1}
	none := splice.Facts{Present: true, Nulls: 10, Bounded: true}
	sql := func(name string) schema.SQLType { return schema.SQLType{Name: name, AnsiPad: true} }
	dec := func(p, s int) schema.SQLType { return schema.SQLType{Name: "decimal", Precision: p, Scale: s} }
	at := func(scale int) schema.SQLType { return schema.SQLType{Name: "datetime2", Scale: scale} }
	num := func(physical string, p, s, length int) schema.CopyColumn {
		return schema.CopyColumn{Physical: physical, Logical: "DECIMAL", Precision: p, Scale: s, Length: length}
	}
	whole := func(bits int, unsigned bool) schema.CopyColumn {
		return schema.CopyColumn{Physical: map[bool]string{true: "INT64", false: "INT32"}[bits == 64], Logical: "INT", Bits: bits, Unsigned: unsigned}
	}
	plain := func(physical string) schema.CopyColumn { return schema.CopyColumn{Physical: physical} }
	text := schema.CopyColumn{Physical: "BYTE_ARRAY", Logical: "STRING"}
	seen := unknown
	seen.Seen = true
	stamp := func(unit string, utc bool) schema.CopyColumn {
		return schema.CopyColumn{Physical: "INT64", Logical: "TIMESTAMP", Unit: unit, UTC: utc}
	}
	date := schema.CopyColumn{Physical: "INT32", Logical: "DATE"}
	for _, c := range []struct {
		name  string
		from  schema.CopyColumn
		to    schema.SQLType
		facts splice.Facts
		want  splice.Way
	}{
		{"bit", plain("BOOLEAN"), sql("bit"), unknown, splice.Copied},
		{"bigint", plain("INT64"), sql("bigint"), unknown, splice.Copied},
		{"int", plain("INT32"), sql("int"), unknown, splice.Copied},
		{"int as bigint", plain("INT32"), sql("bigint"), unknown, splice.Recoded},
		{"smallint in range", plain("INT32"), sql("smallint"), between(i32(-32768), i32(32767)), splice.Annotated},
		{"smallint out of range", plain("INT32"), sql("smallint"), between(i32(-32769), i32(0)), splice.Recoded},
		{"smallint of unknown range", plain("INT32"), sql("smallint"), unknown, splice.Recoded},
		{"smallint of no value", plain("INT32"), sql("smallint"), none, splice.Annotated},
		{"int16", whole(16, false), sql("smallint"), between(i32(-5), i32(5)), splice.Copied},
		{"int16 of unknown range", whole(16, false), sql("smallint"), unknown, splice.Recoded},
		{"int16 whose values are none", whole(16, false), sql("int"), between(i32(0), i32(40_000)), splice.Recoded},
		{"tinyint", plain("INT32"), sql("tinyint"), between(i32(0), i32(255)), splice.Annotated},
		{"tinyint of signed bytes", whole(8, false), sql("tinyint"), between(i32(-1), i32(3)), splice.Recoded},
		{"tinyint of uint8", whole(8, true), sql("tinyint"), between(i32(0), i32(200)), splice.Annotated},
		{"bigint as int", plain("INT64"), sql("int"), between(i64(1), i64(2)), splice.Recoded},
		{"uint64 as bigint", whole(64, true), sql("bigint"), between(i64(1), i64(2)), splice.Recoded},
		{"float, whose values tell whether they are finite", plain("DOUBLE"), sql("float"), unknown, splice.Recoded},
		{"float that was looked at", plain("DOUBLE"), sql("float"), seen, splice.Copied},
		{"real that was looked at", plain("FLOAT"), sql("real"), seen, splice.Copied},
		{"real as float", plain("FLOAT"), sql("float"), unknown, splice.Recoded},
		{"decimal in 32 bits", num("INT32", 9, 2, 0), dec(9, 2), between(i32(-999_999_999), i32(5)), splice.Copied},
		{"decimal in 32 bits of unknown range", num("INT32", 9, 2, 0), dec(9, 2), unknown, splice.Recoded},
		{"decimal beyond its precision", num("INT32", 9, 2, 0), dec(9, 2), between(i32(0), i32(1_000_000_000)), splice.Recoded},
		{"decimal of more digits", num("INT64", 10, 2, 0), dec(18, 2), between(i64(0), i64(5)), splice.Annotated},
		{"decimal that outgrows 32 bits", num("INT32", 9, 2, 0), dec(10, 2), between(i32(0), i32(5)), splice.Recoded},
		{"decimal that outgrows 64 bits", num("INT64", 18, 2, 0), dec(19, 2), between(i64(0), i64(5)), splice.Recoded},
		{"decimal of fewer digits", num("INT64", 18, 2, 0), dec(10, 2), between(i64(0), i64(9_999_999_999)), splice.Annotated},
		{"decimal of fewer digits that does not fit", num("INT64", 18, 2, 0), dec(10, 2), between(i64(0), i64(10_000_000_000)), splice.Recoded},
		{"decimal of another scale", num("INT64", 18, 2, 0), dec(18, 3), between(i64(0), i64(5)), splice.Recoded},
		{"decimal in 8 bytes", num("FIXED_LEN_BYTE_ARRAY", 18, 2, 8), dec(18, 2), between(make([]byte, 8), make([]byte, 8)), splice.Copied},
		{"decimal in 9 bytes, which Spark reads wrong", num("FIXED_LEN_BYTE_ARRAY", 18, 2, 9), dec(18, 2), between(make([]byte, 9), make([]byte, 9)), splice.Recoded},
		{"decimal in 16 bytes", num("FIXED_LEN_BYTE_ARRAY", 38, 2, 16), dec(38, 2), between(make([]byte, 16), make([]byte, 16)), splice.Copied},
		{"decimal in bytes of any length", num("BYTE_ARRAY", 38, 2, 0), dec(38, 2), between([]byte{0}, []byte{1}), splice.Recoded},
		{"money beyond SQL Server's", num("FIXED_LEN_BYTE_ARRAY", 19, 4, 9), sql("money"), between(make([]byte, 9), []byte{1, 0, 0, 0, 0, 0, 0, 0, 0}), splice.Recoded},
		{"money", num("FIXED_LEN_BYTE_ARRAY", 19, 4, 9), sql("money"), between(make([]byte, 9), make([]byte, 9)), splice.Copied},
		{"date", date, sql("date"), between(i32(-719162), i32(2932896)), splice.Copied},
		{"date before the year 1", date, sql("date"), between(i32(-719163), i32(0)), splice.Recoded},
		{"date of unknown range", date, sql("date"), unknown, splice.Recoded},
		{"datetime2(7)", stamp("MICROS", false), at(7), between(i64(0), i64(micro)), splice.Copied},
		{"datetime2(7) after the year 9999", stamp("MICROS", false), at(7), between(i64(0), i64(3_000_000*day)), splice.Recoded},
		{"datetime2(3), whose digits are looked at", stamp("MICROS", false), at(3), between(i64(0), i64(micro)), splice.Recoded},
		{"datetime, whose ticks are looked at", stamp("MICROS", false), sql("datetime"), between(i64(0), i64(micro)), splice.Recoded},
		{"an instant as datetime2(7)", stamp("MICROS", true), at(7), between(i64(0), i64(micro)), splice.Annotated},
		{"milliseconds", stamp("MILLIS", false), at(7), between(i64(0), i64(5)), splice.Recoded},
		{"nanoseconds", stamp("NANOS", false), at(7), between(i64(0), i64(5)), splice.Recoded},
		{"datetimeoffset", stamp("MICROS", true), schema.SQLType{Name: "datetimeoffset", Scale: 7}, between(i64(0), i64(micro)), splice.Copied},
		{"INT96", plain("INT96"), at(7), unknown, splice.Recoded},
		{"nvarchar", text, schema.SQLType{Name: "nvarchar", Length: 20}, unknown, splice.Copied},
		{"enum", schema.CopyColumn{Physical: "BYTE_ARRAY", Logical: "ENUM"}, schema.SQLType{Name: "nvarchar", Length: 20}, unknown, splice.Annotated},
		{"bytes as text", plain("BYTE_ARRAY"), schema.SQLType{Name: "nvarchar", Length: 20}, unknown, splice.Recoded},
		{"char", text, schema.SQLType{Name: "char", Length: 4, CodePage: 1252, AnsiPad: true}, unknown, splice.Recoded},
		{"uniqueidentifier", text, sql("uniqueidentifier"), unknown, splice.Recoded},
		{"varbinary", plain("BYTE_ARRAY"), schema.SQLType{Name: "varbinary", Length: 20}, unknown, splice.Copied},
		{"binary of fixed length", schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 4}, schema.SQLType{Name: "varbinary", Length: 20}, unknown, splice.Recoded},
		{"rowversion", plain("BYTE_ARRAY"), sql("timestamp"), unknown, splice.Recoded},
		{"text as int", text, sql("int"), unknown, splice.Recoded},
		{"a partition", schema.CopyColumn{Physical: "PARTITION"}, sql("int"), splice.Facts{Nulls: -1}, splice.Constant},
		{"an encoding that is not kept", plain("INT64"), sql("bigint"), splice.Facts{Present: true, Spoiled: "BYTE_STREAM_SPLIT"}, splice.Recoded},
		{"a name that stands twice", plain("INT64"), sql("bigint"), splice.Facts{Nulls: -1}, splice.Recoded},
	} {
		c.from.Name = "c"
		to := target(t, "c", c.to)
		m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{{ID: "c1", Columns: []schema.CopyColumn{c.from}}}, cast.Answers{Zone: "UTC"})
		if err != nil {
			t.Fatal(c.name, err)
		}
		rule := m.Columns[0].Rules[0]
		got := splice.Choose(rule, to, c.facts, nil)
		if got.Way != c.want || got.Reason == "" {
			t.Errorf("%s: %s, %q; want %s", c.name, got.Way, got.Reason, c.want)
		}
		if !got.Way.Copies() {
			continue
		}
		old := rule
		old.Legacy = rule.Source.Logical == "DATE" || rule.Source.Logical == "TIMESTAMP"
		if got := splice.Choose(old, to, c.facts, nil); old.Legacy && got.Way != splice.Recoded {
			t.Errorf("%s of the Julian calendar: %+v", c.name, got)
		}
		must := to
		must.Nullable, must.Key = false, true
		if got := splice.Choose(rule, must, c.facts, nil); (got.Way == splice.Recoded) != (c.facts.Nulls != 0) {
			t.Errorf("%s, NOT NULL: %+v with %d nulls", c.name, got, c.facts.Nulls)
		}
		rule.Answer = cast.Null
		if got := splice.Choose(rule, to, c.facts, nil); got.Way.Copies() && strings.Contains(got.Reason, "not looked at") {
			t.Errorf("%s under the answer null: %+v", c.name, got)
		}
		c.facts.Dictionary, rule.Answer = true, ""
		if got := splice.Choose(rule, to, c.facts, nil); !got.Way.Copies() {
			t.Errorf("%s in dictionaries: %+v", c.name, got)
		}
	}
}

// What is not asked of values whose bytes are copied is said with the way.
func TestAReasonSaysWhatIsNotLookedAt(t *testing.T) {
	s := common(t)
	d := s.decide()
	for i, c := range s.columns {
		want := map[string]string{
			"name": "; lengths and encoding are not looked at", "city": "; lengths and encoding are not looked at", "raw": "; lengths are not looked at",
		}[c.Name]
		if got := d.Columns[i]; !strings.HasSuffix(got.Reason, want) || got.Unseen != (want != "") {
			t.Errorf("column %q: %+v", c.Name, got)
		}
	}
}

// Text is copied unseen only where nobody asked for a look at it, and is no longer
// called unseen where every value was looked at before.
func TestAnswersHaveTextLookedAt(t *testing.T) {
	to := target(t, "c", schema.SQLType{Name: "nvarchar", Length: 20})
	rule := cast.Rule{Code: cast.Same, Source: &schema.CopyColumn{Name: "c", Physical: "BYTE_ARRAY", Logical: "STRING"}}
	for _, c := range []struct {
		answer cast.Answer
		seen   bool
		want   splice.Way
		unseen bool
	}{
		{"", false, splice.Copied, true},
		{cast.Stop, false, splice.Recoded, false},
		{cast.Cut, false, splice.Recoded, false},
		{cast.Null, false, splice.Recoded, false},
		{"", true, splice.Copied, false},
		{cast.Stop, true, splice.Copied, false},
		{cast.Cut, true, splice.Recoded, false},
	} {
		rule.Answer = c.answer
		got := splice.Choose(rule, to, splice.Facts{Present: true, Nulls: -1, Seen: c.seen}, nil)
		if got.Way != c.want || got.Unseen != c.unseen {
			t.Errorf("answer %q, seen %v: %+v", c.answer, c.seen, got)
		}
	}
}

// DuckDB's packed numbers of 32 bits may hold differences of more, which two of the
// readers of a Delta table refuse: only bounds that rule them out let the bytes pass.
func TestDuckDBsDifferences(t *testing.T) {
	for name, c := range map[string]struct {
		by   string
		wide bool
		want splice.Way
	}{
		"DuckDB, far apart": {"DuckDB version v1.5.5 (build x)", true, splice.Recoded},
		"DuckDB, near":      {"DuckDB version v1.5.5 (build x)", false, splice.Copied},
		"another writer":    {"parquet-mr version 1.13.1 (build x)", true, splice.Copied},
	} {
		recs := made([]int{50}, 3)
		small := recs[0].Column(2).(*array.Int32).Int32Values()
		if c.wide {
			small[0], small[1] = math.MinInt32, math.MaxInt32
		}
		data := parquetOf(t, recs, parquet.WithDictionaryDefault(false), parquet.WithCreatedBy(c.by), parquet.WithEncodingFor("small", parquet.Encodings.DeltaBinaryPacked))
		s := newScene(t, data, []schema.TargetColumn{target(t, "id", schema.SQLType{Name: "bigint"}), target(t, "small", schema.SQLType{Name: "int"})}, cast.Answers{})
		if got := s.decide().Columns[4]; got.Way != c.want {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}
