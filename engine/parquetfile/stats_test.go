package parquetfile_test

import (
	"math"
	"strings"
	"testing"

	"cdcseed/engine/parquetfile"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// statsOf writes one column of JSON values and gives the file's statistics.
func statsOf(t *testing.T, typ arrow.DataType, values string) string {
	t.Helper()
	sc := arrow.NewSchema([]arrow.Field{{Name: "c", Type: typ, Nullable: true}}, nil)
	a, _, err := array.FromJSON(memory.DefaultAllocator, typ, strings.NewReader(values), array.WithUseNumber())
	if err != nil {
		t.Fatal(err)
	}
	_, sum := writeRecords(t, parquetfile.WriterOptions{}, array.NewRecord(sc, []arrow.Array{a}, -1))
	return sum.Stats
}

func TestStatistics(t *testing.T) {
	utc, wall := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, &arrow.TimestampType{Unit: arrow.Microsecond}
	for _, c := range []struct {
		name   string
		typ    arrow.DataType
		values string
		want   string
	}{
		{
			"integers", arrow.PrimitiveTypes.Int64, `[9223372036854775807,null,-9223372036854775808]`,
			`{"numRecords":3,"minValues":{"c":-9223372036854775808},"maxValues":{"c":9223372036854775807},"nullCount":{"c":1}}`,
		},
		{"all null", arrow.PrimitiveTypes.Int64, `[null,null]`, `{"numRecords":2,"minValues":{},"maxValues":{},"nullCount":{"c":2}}`},
		{"no rows", arrow.PrimitiveTypes.Int64, `[]`, `{"numRecords":0,"minValues":{},"maxValues":{},"nullCount":{"c":0}}`},
		{"true", arrow.FixedWidthTypes.Boolean, `[true,null]`, `{"numRecords":2,"minValues":{"c":true},"maxValues":{"c":true},"nullCount":{"c":1}}`},
		{"both booleans", arrow.FixedWidthTypes.Boolean, `[true,false]`, `{"numRecords":2,"minValues":{"c":false},"maxValues":{"c":true},"nullCount":{"c":0}}`},
		{"no boolean", arrow.FixedWidthTypes.Boolean, `[null]`, `{"numRecords":1,"minValues":{},"maxValues":{},"nullCount":{"c":1}}`},
		{"binary", arrow.BinaryTypes.Binary, `["AAAA",null]`, `{"numRecords":2,"minValues":{},"maxValues":{},"nullCount":{"c":1}}`},
		{
			"decimal", &arrow.Decimal128Type{Precision: 38, Scale: 10}, `["-0.0000000001","1234567890123456789012345678.9"]`,
			`{"numRecords":2,"minValues":{"c":-0.0000000001},"maxValues":{"c":1234567890123456789012345678.9000000000},"nullCount":{"c":0}}`,
		},
		{
			"decimal without scale", &arrow.Decimal128Type{Precision: 5}, `["-7","0"]`,
			`{"numRecords":2,"minValues":{"c":-7},"maxValues":{"c":0},"nullCount":{"c":0}}`,
		},
		{
			"date", arrow.FixedWidthTypes.Date32, `["1969-12-31","9999-12-31"]`,
			`{"numRecords":2,"minValues":{"c":"1969-12-31"},"maxValues":{"c":"9999-12-31"},"nullCount":{"c":0}}`,
		},
		{
			"instant, floor and ceiling", utc, `["1969-12-31 23:59:59.999999","2000-01-01 00:00:00.123001"]`,
			`{"numRecords":2,"minValues":{"c":"1969-12-31T23:59:59.999Z"},"maxValues":{"c":"2000-01-01T00:00:00.124Z"},"nullCount":{"c":0}}`,
		},
		{
			"wall clock, whole milliseconds", wall, `["0001-01-01 00:00:00","2000-01-01 00:00:00.123"]`,
			`{"numRecords":2,"minValues":{"c":"0001-01-01T00:00:00.000"},"maxValues":{"c":"2000-01-01T00:00:00.123"},"nullCount":{"c":0}}`,
		},
		{
			"upper bound before 1970", utc, `["1969-12-31 23:59:59.999001"]`,
			`{"numRecords":1,"minValues":{"c":"1969-12-31T23:59:59.999Z"},"maxValues":{"c":"1970-01-01T00:00:00.000Z"},"nullCount":{"c":0}}`,
		},
		{
			"the end of time", wall, `["2000-01-01 00:00:00","9999-12-31 23:59:59.999999"]`,
			`{"numRecords":2,"minValues":{"c":"2000-01-01T00:00:00.000"},"maxValues":{},"nullCount":{"c":0}}`,
		},
		{
			"text is compared by bytes", arrow.BinaryTypes.String, `["b","B","é","a\"b"]`,
			`{"numRecords":4,"minValues":{"c":"B"},"maxValues":{"c":"é"},"nullCount":{"c":0}}`,
		},
		{"empty text", arrow.BinaryTypes.String, `["",null]`, `{"numRecords":2,"minValues":{"c":""},"maxValues":{"c":""},"nullCount":{"c":1}}`},
	} {
		if got := statsOf(t, c.typ, c.values); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// bounds are the bounds of one long text.
func bounds(t *testing.T, text string) (low, high string) {
	t.Helper()
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Append(text)
	sc := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	_, sum := writeRecords(t, parquetfile.WriterOptions{}, array.NewRecord(sc, []arrow.Array{b.NewArray()}, -1))
	_, rest, _ := strings.Cut(sum.Stats, `"minValues":`)
	low, rest, _ = strings.Cut(rest, `,"maxValues":`)
	high, _, _ = strings.Cut(rest, `,"nullCount":`)
	return low, high
}

func TestTextBounds(t *testing.T) {
	x32, top := strings.Repeat("x", 32), "\U0010FFFF"
	for _, c := range []struct{ text, low, high string }{
		{x32, x32, x32},
		{x32 + "a", x32, x32 + "\x7f"},
		{x32 + "\x7f", x32, x32 + top},
		{x32 + "é", x32, x32 + top},
		{x32 + top + "a", x32, x32 + top + "\x7f"},
		{x32 + strings.Repeat(top, 32) + "a", x32, ""},
		{strings.Repeat("é", 33), strings.Repeat("é", 32), strings.Repeat("é", 32) + top},
		{"\xff\xfe", "", ""},
	} {
		quoted := func(s string) string {
			if s == "" {
				return "{}"
			}
			return `{"c":"` + s + `"}`
		}
		if low, high := bounds(t, c.text); low != quoted(c.low) || high != quoted(c.high) {
			t.Errorf("%q: %s to %s, want %q to %q", c.text, low, high, c.low, c.high)
		}
	}
}

func TestFloatBounds(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{1.5, -1e300}, `"minValues":{"c":-1e+300},"maxValues":{"c":1.5}`},
		{[]float64{math.NaN(), 1}, `"minValues":{},"maxValues":{}`},
		{[]float64{math.Inf(-1), math.Inf(1)}, `"minValues":{"c":"-Infinity"},"maxValues":{"c":"Infinity"}`},
		{[]float64{0}, `"minValues":{"c":-0.0},"maxValues":{"c":0.0}`},
		{[]float64{math.Copysign(0, -1)}, `"minValues":{"c":-0.0},"maxValues":{"c":0.0}`},
	} {
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		b.AppendValues(c.values, nil)
		sc := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.PrimitiveTypes.Float64, Nullable: true}}, nil)
		_, sum := writeRecords(t, parquetfile.WriterOptions{}, array.NewRecord(sc, []arrow.Array{b.NewArray()}, -1))
		if !strings.Contains(sum.Stats, c.want) {
			t.Errorf("%v: %s, want %s", c.values, sum.Stats, c.want)
		}
	}
}

func TestWhichColumnsHaveStatistics(t *testing.T) {
	rec := sample(0, 3)
	for _, c := range []struct {
		columns []string
		has     []string
		not     []string
	}{
		{nil, []string{"flag", "bytes"}, nil},
		{[]string{"text"}, []string{"text"}, []string{"flag", "big"}},
		{[]string{}, nil, []string{"flag", "text"}},
	} {
		_, sum := writeRecords(t, parquetfile.WriterOptions{StatsColumns: c.columns}, rec)
		for _, name := range c.has {
			if !strings.Contains(sum.Stats, `"`+name+`":`) {
				t.Errorf("%v: no %s in %s", c.columns, name, sum.Stats)
			}
		}
		for _, name := range c.not {
			if strings.Contains(sum.Stats, `"`+name+`":`) {
				t.Errorf("%v: %s in %s", c.columns, name, sum.Stats)
			}
		}
	}
	wide := make([]arrow.Field, 40)
	arrays := make([]arrow.Array, 40)
	for i := range wide {
		wide[i] = arrow.Field{Name: string(rune('A' + i)), Type: arrow.PrimitiveTypes.Int32, Nullable: true}
		arrays[i] = array.MakeArrayOfNull(memory.DefaultAllocator, wide[i].Type, 2)
	}
	_, sum := writeRecords(t, parquetfile.WriterOptions{}, array.NewRecord(arrow.NewSchema(wide, nil), arrays, 2))
	if got := strings.Count(sum.Stats, ":2"); got != 33 { // 32 columns and numRecords
		t.Errorf("%d columns have statistics: %s", got-1, sum.Stats)
	}
	if _, err := parquetfile.NewWriter(nil, rec.Schema(), parquetfile.WriterOptions{StatsColumns: []string{"nobody"}}); err == nil {
		t.Error("statistics for a column that is not there")
	}
}

func TestStatisticsAreMadeAgainFromTheFile(t *testing.T) {
	data, sum := writeRecords(t, parquetfile.WriterOptions{RowGroupBytes: 100_000}, sample(0, 9_000), sample(9_000, 1_000))
	rows, again, err := parquetfile.Statistics(t.Context(), inMemory(data), nil)
	if err != nil || rows != sum.Rows || again != sum.Stats {
		t.Errorf("%d rows, %v:\n%s, written\n%s", rows, err, again, sum.Stats)
	}
	some := []string{"text", "day"}
	data, sum = writeRecords(t, parquetfile.WriterOptions{StatsColumns: some}, sample(0, 100))
	if _, again, err = parquetfile.Statistics(t.Context(), inMemory(data), some); err != nil || again != sum.Stats {
		t.Errorf("of two columns, %v:\n%s, written\n%s", err, again, sum.Stats)
	}
	if _, _, err := parquetfile.Statistics(t.Context(), inMemory(data), []string{"nobody"}); err == nil {
		t.Error("statistics of a column that the file lacks")
	}
	if _, _, err := parquetfile.Statistics(t.Context(), inMemory(data[:len(data)-1]), nil); err == nil {
		t.Error("a cut file has statistics")
	}
}
