package cast_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// benchValues is how many values a batch of the benchmarks has.
const benchValues = 1 << 16

// benchKernel is one cast to measure, and values that pass without a refusal.
type benchKernel struct {
	name   string // what the pair does not tell
	from   schema.CopyColumn
	to     schema.SQLType
	answer cast.Answer
	zone   string
	legacy bool
	value  func(i int) any
}

func same(v any) func(int) any { return func(int) any { return v } }

// scatter is i as a number that jumps about below n, the same in every run.
func scatter(i, n int) int { return int(uint64(i) * 2_654_435_761 % uint64(n)) }

// fixedWidth are the kernels whose values all have one width.
func fixedWidth() []benchKernel {
	whole := func(i int) any { return scatter(i, 1<<30) }
	small := func(i int) any { return scatter(i, 100) }
	bit := func(i int) any { return scatter(i, 2) }
	day := func(i int) any { return 10_000 + scatter(i, 10_000) }
	midnight := func(i int) any { return (10_000 + scatter(i, 10_000)) * 86_400_000_000 }
	micros := func(i int) any { return i * 1_000_000_000 }
	anyTime := func(i int) any { return scatter(i, 1_700_000_000) * 1_000_000 }
	places := func(n, digits int) func(int) any {
		return func(i int) any {
			return fmt.Sprintf("%d.%0*d", scatter(i, n), digits, scatter(i, int(math.Pow10(digits))))
		}
	}
	list := []benchKernel{
		{from: int64Col, to: sqlType("bigint"), value: whole},
		{from: int32Col, to: sqlType("bigint"), value: whole},
		{from: intCol(16, false), to: sqlType("int"), value: small},
		{from: intCol(8, true), to: sqlType("tinyint"), value: small},
		{from: intCol(32, true), to: sqlType("bigint"), value: whole},
		{from: int64Col, to: sqlType("int"), value: whole},
		{from: int64Col, to: sqlType("smallint"), value: small},
		{from: intCol(64, true), to: sqlType("bigint"), value: whole},
		{from: int32Col, to: sqlType("bit"), value: bit},
		{from: int64Col, to: sqlType("timestamp"), value: whole},
		{from: int32Col, to: scaled("decimal", 18, 2), value: whole},
		{from: int64Col, to: scaled("decimal", 38, 10), value: whole},
		{from: int64Col, to: sqlType("float"), value: whole},
		{from: int32Col, to: sqlType("real"), value: small},
		{from: decimalCol(18, 2), to: scaled("decimal", 18, 2), value: places(1<<40, 2)},
		{from: decimalCol(18, 2), to: scaled("decimal", 10, 2), value: places(1<<20, 2)},
		{from: decimalCol(18, 2), to: scaled("decimal", 18, 4), value: places(1<<30, 2)},
		{from: decimalCol(18, 2), to: scaled("decimal", 38, 20), value: places(1<<30, 2)},
		{name: ", digits to spare", from: decimalCol(18, 4), to: scaled("decimal", 10, 2), value: func(i int) any { return fmt.Sprintf("%d.2500", scatter(i, 1<<20)) }},
		{from: decimalCol(18, 4), to: scaled("decimal", 10, 2), answer: cast.Round, value: places(1<<20, 4)},
		{from: decimalCol(18, 4), to: scaled("decimal", 10, 2), answer: cast.Cut, value: places(1<<20, 4)},
		{name: ", of 38 digits", from: decimalCol(38, 18), to: scaled("decimal", 38, 2), answer: cast.Round, value: func(i int) any {
			return fmt.Sprintf("%d%09d.%09d%09d", 1+scatter(i, 1<<30), scatter(i, 1<<29), scatter(i, 1<<28), scatter(i, 1<<29))
		}},
		{from: decimalCol(60, 2), to: scaled("decimal", 18, 2), value: places(1<<40, 2)},
		{from: decimalCol(19, 4), to: sqlType("money"), value: places(1<<30, 4)},
		{from: decimalCol(18, 0), to: sqlType("int"), value: func(i int) any { return fmt.Sprint(scatter(i, 1<<30)) }},
		{from: decimalCol(18, 4), to: sqlType("bigint"), answer: cast.Round, value: places(1<<30, 4)},
		{from: decimalCol(18, 4), to: sqlType("float"), value: places(1<<30, 4)},
		{from: decimalCol(9, 2), to: sqlType("real"), value: places(1000, 2)},
		{name: ", 17 digits", from: decimalCol(18, 4), to: sqlType("float"), answer: cast.Round, value: func(i int) any { return fmt.Sprintf("%d.%04d", 1<<42+scatter(i, 1<<30), scatter(i, 10_000)) }},
		{from: floatCol, to: sqlType("real"), value: func(i int) any { return float64(scatter(i, 1<<20)) / 4 }},
		{from: floatCol, to: sqlType("float"), value: func(i int) any { return float64(scatter(i, 1<<20)) / 4 }},
		{from: halfCol, to: sqlType("float"), value: func(i int) any { return float64(scatter(i, 100)) }},
		{from: doubleCol, to: sqlType("float"), value: func(i int) any { return float64(scatter(i, 1<<20)) / 7 }},
		{from: doubleCol, to: sqlType("real"), answer: cast.Round, value: func(i int) any { return float64(scatter(i, 1<<20)) / 7 }},
		{from: doubleCol, to: sqlType("int"), value: func(i int) any { return float64(scatter(i, 1<<30)) }},
		{from: doubleCol, to: sqlType("bigint"), answer: cast.Round, value: func(i int) any { return float64(scatter(i, 1<<30)) / 7 }},
		{name: ", two places", from: doubleCol, to: scaled("decimal", 18, 2), value: func(i int) any { return float64(scatter(i, 1<<30)) / 100 }},
		{name: ", three places", from: doubleCol, to: scaled("decimal", 18, 2), answer: cast.Round, value: func(i int) any { return float64(scatter(i, 1<<30)) / 1000 }},
		{name: ", 17 digits", from: doubleCol, to: scaled("decimal", 18, 2), answer: cast.Round, value: func(i int) any { return float64(scatter(i, 1<<30)) / 7 }},
		{name: ", two places", from: floatCol, to: scaled("decimal", 18, 2), answer: cast.Round, value: func(i int) any { return float64(scatter(i, 1<<16)) / 100 }},
		{name: ", nine digits", from: floatCol, to: scaled("decimal", 18, 2), answer: cast.Round, value: func(i int) any { return float64(scatter(i, 1<<16)) / 7 }},
		{from: dateCol, to: sqlType("date"), value: day},
		{name: ", Julian file", from: dateCol, to: sqlType("date"), legacy: true, value: day},
		{name: ", Julian days", from: dateCol, to: sqlType("date"), legacy: true, value: func(i int) any { return -200_000 + scatter(i, 50_000) }},
		{from: dateCol, to: scaled("datetime2", 0, 7), value: day},
		{from: stampCol("MICROS", false), to: sqlType("date"), value: midnight},
		{name: ", at any time", from: stampCol("MICROS", false), to: sqlType("date"), answer: cast.Cut, value: anyTime},
		{from: stampCol("MICROS", false), to: scaled("datetime2", 0, 7), value: micros},
		{from: stampCol("MILLIS", false), to: scaled("datetime2", 0, 7), value: func(i int) any { return i * 1_000_001 }},
		{from: stampCol("NANOS", false), to: scaled("datetime2", 0, 7), value: func(i int) any { return i * 1_000_000_000_000 }},
		{name: ", 100 ns digits", from: stampCol("NANOS", false), to: scaled("datetime2", 0, 7), value: func(i int) any { return i*1_000_000_000_000 + i%10*100 }},
		{from: stampCol("NANOS", false), to: scaled("datetime2", 0, 6), answer: cast.Round, value: func(i int) any { return i*1_000_000_000_000 + i%10*100 }},
		{from: stampCol("MICROS", false), to: scaled("datetime2", 0, 3), value: func(i int) any { return i * 1_000_001_000 }},
		{name: ", six digits", from: stampCol("MICROS", false), to: scaled("datetime2", 0, 3), answer: cast.Round, value: func(i int) any { return i * 1_000_001_001 }},
		{name: ", as the stream spells it", from: stampCol("MICROS", false), to: sqlType("datetime"), value: func(i int) any { return i*1_000_000_000 + 857_000 }},
		{name: ", to the microsecond", from: stampCol("MICROS", false), to: sqlType("datetime"), value: func(i int) any { return i*1_000_000_000 + 856_667 }},
		{from: stampCol("MICROS", false), to: sqlType("smalldatetime"), value: func(i int) any { return i * 60_000_000 }},
		{from: stampCol("MICROS", true), to: scaled("datetime2", 0, 7), zone: "UTC", value: anyTime},
		{name: ", in order", from: stampCol("MICROS", true), to: scaled("datetime2", 0, 7), zone: "America/New_York", value: micros},
		{name: ", in disorder", from: stampCol("MICROS", true), to: scaled("datetime2", 0, 7), zone: "America/New_York", value: anyTime},
		{name: ", in disorder", from: stampCol("MICROS", false), to: scaled("datetimeoffset", 0, 6), zone: "America/New_York", value: anyTime},
		{from: int96Col, to: scaled("datetime2", 0, 7), zone: "America/New_York", value: micros},
		{name: ", Julian file", from: int96Col, to: scaled("datetime2", 0, 7), zone: "UTC", legacy: true, value: micros},
		{name: ", Julian days", from: int96Col, to: scaled("datetime2", 0, 7), zone: "UTC", legacy: true, value: func(i int) any { return -17_000_000_000_000_000 - i*1_000_000_000 }},
	}
	return append(list, benchKernel{from: schema.CopyColumn{Physical: "BOOLEAN"}, to: sqlType("bit"), value: func(i int) any { return scatter(i, 2) == 1 }})
}

// otherWidth are the kernels whose values are text or bytes on one side.
func otherWidth() []benchKernel {
	word := func(i int) any { return fmt.Sprintf("value %d", scatter(i, 1<<20)) }
	return []benchKernel{
		{from: timeCol("MICROS"), to: scaled("time", 0, 6), value: func(i int) any { return scatter(i, 86_400) * 1_000_001 % 86_400_000_000 }},
		{name: ", a digit short", from: timeCol("MICROS"), to: scaled("time", 0, 7), value: func(i int) any { return scatter(i, 86_400) * 1_000_000 }},
		{from: stampCol("MICROS", false), to: scaled("time", 0, 6), value: func(i int) any { return scatter(i, 86_400) * 1_000_000 }},
		{from: uuidCol, to: sqlType("uniqueidentifier"), value: func(i int) any { return fmt.Sprintf("%016d", i) }},
		{from: fixed16Col, to: sqlType("uniqueidentifier"), answer: cast.SQLOrder, value: func(i int) any { return fmt.Sprintf("%016d", i) }},
		{from: schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 8}, to: sqlType("timestamp"), value: func(i int) any { return fmt.Sprintf("%08d", i) }},
		{from: bytesCol, to: sqlType("timestamp"), value: func(i int) any { return fmt.Sprintf("%08d", i) }},
		{from: bytesCol, to: sized("varbinary", 50), value: word},
		{from: bytesCol, to: sized("binary", 20), value: word},
		{from: fixed16Col, to: sized("varbinary", 16), value: func(i int) any { return fmt.Sprintf("%016d", i) }},
		{from: textCol, to: sized("varchar", 50), value: word},
		{name: ", not all ASCII", from: textCol, to: sized("nvarchar", 100), value: func(i int) any { return fmt.Sprintf("Größe %d", i) }},
		{from: textCol, to: sized("varchar", -1), value: word},
		{from: textCol, to: sized("char", 20), value: word},
		{from: textCol, to: sqlType("uniqueidentifier"), value: same("6f9619ff-8b86-d011-b42d-00c04fc964ff")},
		{from: textCol, to: sqlType("timestamp"), value: func(i int) any { return fmt.Sprintf("0x%016X", i) }},
		{from: textCol, to: sqlType("bit"), value: same("true")},
		{from: textCol, to: sqlType("int"), value: func(i int) any { return fmt.Sprint(scatter(i, 1<<30)) }},
		{from: textCol, to: scaled("decimal", 18, 2), value: func(i int) any { return fmt.Sprintf("%d.25", scatter(i, 1<<20)) }},
		{name: ", 30 digits", from: textCol, to: scaled("decimal", 38, 10), value: func(i int) any { return fmt.Sprintf("%d12345678901.1234567890", 1_000_000+i) }},
		{from: textCol, to: sqlType("float"), value: func(i int) any { return fmt.Sprintf("%d.25", scatter(i, 1<<20)) }},
		{name: ", 17 digits", from: textCol, to: sqlType("float"), value: func(i int) any { return fmt.Sprintf("%.17g", float64(i)/7) }},
		{from: textCol, to: sqlType("date"), value: same("2026-09-28")},
		{from: textCol, to: scaled("datetime2", 0, 7), value: same("2026-09-28 13:54:00.123456")},
		{name: ", with an offset", from: textCol, to: scaled("datetimeoffset", 0, 6), value: same("2026-09-28 13:54:00.123456 +02:00")},
		{from: textCol, to: scaled("time", 0, 7), value: same("13:54:00.1234567")},
	}
}

func (k benchKernel) String() string {
	s := fmt.Sprintf("%s to %s", k.from, k.to) + k.name
	if k.zone != "" {
		s += " " + k.zone
	}
	if k.answer != "" {
		s += " " + string(k.answer)
	}
	return s
}

// ready makes the kernel's caster and a batch of which so many of ten values are
// NULL. Values come again after so many.
func (k benchKernel) ready(t testing.TB, nulls, distinct int) (*cast.Caster, arrow.Record) {
	t.Helper()
	a := cast.Answers{Zone: k.zone, Location: locate}
	if k.answer != "" {
		a.Cast = map[string]cast.Answer{"c": k.answer}
	}
	fc := class("c1", named(k.from, "c"))
	fc.Legacy = k.legacy
	m, err := cast.Match([]schema.TargetColumn{target(t, k.to)}, []schema.FileClass{fc}, a)
	if err == nil && k.answer == "" && m.Refusal() != nil { // it asks, and no value needs more than a stop
		a.Cast = map[string]cast.Answer{"c": cast.Stop}
		m, err = cast.Match([]schema.TargetColumn{target(t, k.to)}, []schema.FileClass{fc}, a)
	}
	if err != nil {
		t.Fatal(err)
	}
	caster, err := m.Caster("c1", locate)
	if err != nil {
		t.Fatal(err)
	}
	vals := make([]any, benchValues)
	some := make([]any, distinct)
	for i := range some {
		some[i] = k.value(i)
	}
	for i := range vals {
		if scatter(i+7, 10) >= nulls {
			vals[i] = some[i%distinct]
		}
	}
	src := build(memory.DefaultAllocator, arrowOf(k.from), vals)
	return caster, array.NewRecord(arrow.NewSchema([]arrow.Field{{Name: "c", Type: src.DataType(), Nullable: true}}, nil), []arrow.Array{src}, benchValues)
}

func castOnce(t testing.TB, k *cast.Caster, rec arrow.Record) {
	out, err := k.Cast(rec, cast.Place{})
	if err != nil {
		t.Fatal(err)
	}
	out[0].Release()
}

// BenchmarkKernels measures casts of 64 Ki values, none, a tenth and half of
// them NULL, each beside a plain copy of as many eight-byte values in turns:
// read x-copy, not the nanoseconds.
func BenchmarkKernels(b *testing.B) {
	from, to := make([]int64, benchValues), make([]int64, benchValues)
	for _, k := range append(fixedWidth(), otherWidth()...) {
		for _, nulls := range []int{0, 1, 5} {
			b.Run(fmt.Sprintf("%s/%d%%", k, nulls*10), func(b *testing.B) {
				caster, rec := k.ready(b, nulls, benchValues)
				castOnce(b, caster, rec) // finds its samples, which is not the rule
				b.ReportAllocs()
				var casting, copying time.Duration
				for b.Loop() {
					start := time.Now()
					castOnce(b, caster, rec)
					middle := time.Now()
					copy(to, from)
					casting, copying = casting+middle.Sub(start), copying+time.Since(middle)
				}
				if r := caster.Report().Columns["c"]; r.Refused > 0 {
					b.Fatalf("%d values were refused: %v", r.Refused, r.Effects)
				}
				b.ReportMetric(float64(b.N)*benchValues/casting.Seconds()/1e6, "Mvalues/s")
				b.ReportMetric(casting.Seconds()/copying.Seconds(), "x-copy")
			})
		}
	}
}

// No kernel takes memory for a value: a batch costs a few buffers, however long
// it is and whatever of its values is NULL.
func TestKernelsTakeNoMemoryPerValue(t *testing.T) {
	const most = 24
	for _, k := range append(fixedWidth(), otherWidth()...) {
		for _, nulls := range []int{0, 5} {
			caster, rec := k.ready(t, nulls, 1000)
			castOnce(t, caster, rec)
			if got := testing.AllocsPerRun(3, func() { castOnce(t, caster, rec) }); got > most {
				t.Errorf("%s, %d0 %% NULL: %v allocations for %d values, want %d at most", k, nulls, got, benchValues, most)
			}
			if r := caster.Report().Columns["c"]; r.Refused > 0 {
				t.Errorf("%s: %d values were refused: %v", k, r.Refused, r.Effects)
			}
		}
	}
}
