package cast_test

import (
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// BenchmarkKernels measures casts of 64 Ki values beside a plain copy of as
// many eight-byte values: read the ratio, not the nanoseconds.
func BenchmarkKernels(b *testing.B) {
	const n = 1 << 16
	b.Run("plain copy", func(b *testing.B) {
		in, out := make([]int64, n), make([]int64, n)
		for b.Loop() {
			copy(out, in)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
	})
	for _, c := range []struct {
		from   schema.CopyColumn
		to     schema.SQLType
		answer cast.Answer
		zone   string
		value  func(i int) any
	}{
		{from: int64Col, to: sqlType("bigint"), value: func(i int) any { return i }},
		{from: int32Col, to: sqlType("bigint"), value: func(i int) any { return i }},
		{from: int64Col, to: sqlType("int"), value: func(i int) any { return i }},
		{from: decimalCol(18, 2), to: scaled("decimal", 10, 2), value: func(i int) any { return fmt.Sprintf("%d.25", i) }},
		{from: decimalCol(18, 4), to: scaled("decimal", 10, 2), answer: cast.Round, value: func(i int) any { return fmt.Sprintf("%d.2575", i) }},
		{from: doubleCol, to: scaled("decimal", 18, 2), answer: cast.Round, value: func(i int) any { return float64(i) / 100 }},
		{from: stampCol("MICROS", false), to: scaled("datetime2", 0, 7), value: func(i int) any { return i * 1_000_000_000 }},
		{from: stampCol("MICROS", false), to: sqlType("datetime"), value: func(i int) any { return i*1_000_000_000 + 856_667 }},
		{from: stampCol("MICROS", true), to: scaled("datetime2", 0, 7), zone: "America/New_York", value: func(i int) any { return i * 1_000_000_000 }},
		{from: textCol, to: sized("varchar", 50), value: func(i int) any { return fmt.Sprintf("value %d", i) }},
		{from: textCol, to: sized("char", 20), value: func(i int) any { return fmt.Sprintf("value %d", i) }},
		{from: textCol, to: scaled("datetime2", 0, 7), value: func(i int) any { return "2026-09-28 13:54:00.123456" }},
		{from: textCol, to: scaled("decimal", 18, 2), value: func(i int) any { return fmt.Sprintf("%d.25", i) }},
		{from: textCol, to: sqlType("float"), value: func(i int) any { return fmt.Sprintf("%d.25", i) }},
		{from: textCol, to: sqlType("float"), value: func(i int) any { return fmt.Sprintf("%.17g", float64(i)/7) }},
		{from: textCol, to: sqlType("uniqueidentifier"), value: func(i int) any { return "6f9619ff-8b86-d011-b42d-00c04fc964ff" }},
		{from: timeCol("MICROS"), to: scaled("time", 0, 7), value: func(i int) any { return i * 1000 }},
	} {
		b.Run(fmt.Sprintf("%s to %s%s", c.from, c.to, c.zone), func(b *testing.B) {
			a := cast.Answers{Zone: c.zone, Location: locate}
			if c.answer != "" {
				a.Cast = map[string]cast.Answer{"c": c.answer}
			}
			typ, err := c.to.Target()
			if err != nil {
				b.Fatal(err)
			}
			m, err := cast.Match([]schema.TargetColumn{{Name: "c", Type: typ, SQL: c.to}}, []schema.FileClass{class("c1", named(c.from, "c"))}, a)
			if err != nil {
				b.Fatal(err)
			}
			k, err := m.Caster("c1", locate)
			if err != nil {
				b.Fatal(err)
			}
			vals := make([]any, n)
			for i := range vals {
				vals[i] = c.value(i)
			}
			src := build(memory.DefaultAllocator, arrowOf(c.from), vals)
			rec := array.NewRecord(arrow.NewSchema([]arrow.Field{{Name: "c", Type: src.DataType()}}, nil), []arrow.Array{src}, n)
			b.ReportAllocs()
			for b.Loop() {
				out, err := k.Cast(rec, cast.Place{})
				if err != nil {
					b.Fatal(err)
				}
				out[0].Release()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
		})
	}
}
