package engine_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"

	"cdcseed/engine/cast"
	"cdcseed/engine/verdict"
)

// Case 7: a decimal's precision or scale does not fit.
func TestCase7Decimals(t *testing.T) {
	s := idAnd("amount", "decimal(10,2)")
	wide := &arrow.Decimal128Type{Precision: 38, Scale: 2}
	fine := &arrow.Decimal128Type{Precision: 18, Scale: 4}
	t.Run("wider", func(t *testing.T) {
		copyOf(t, s, "amount", wide, `"12345678.90"`).writes([]string{"id", "amount"}, "1 12345678.90")
		copyOf(t, s, "amount", wide, `"12345678.90"`, `"123456789.01"`).
			refusedAs(verdict.ValueRefused, "amount", "1 out of range", "123456789.01", "a.parquet row 2")
	})
	t.Run("finer", func(t *testing.T) {
		k := copyOf(t, s, "amount", fine, `"1.2300"`, `"1.2345"`)
		k.refusedAs(verdict.CastNeedsAnswer, "amount", "--cast amount=stop|round|cut|null")
		k.request.Cast = map[string]string{"amount": "stop"}
		k.refusedAs(verdict.ValueRefused, "amount", "1 would change", "1.2345", "a.parquet row 2")
		k.request.Cast = map[string]string{"amount": "round"}
		p := k.writes([]string{"id", "amount"}, "1 1.23", "2 1.23")
		k.counts(p, "amount", cast.Rounded, 1)
		k = copyOf(t, s, "amount", fine, `"1.2300"`)
		k.request.Cast = map[string]string{"amount": "stop"} // exact values pass
		k.writes([]string{"id", "amount"}, "1 1.23")
	})
	t.Run("text", func(t *testing.T) {
		copyOf(t, s, "amount", texts, `"0E-18"`, `"1e3"`, `" 7.50 "`, `"-0.00"`, `"+12345678.90"`, `null`).
			writes([]string{"id", "amount"}, "1 0.00", "2 1000.00", "3 7.50", "4 0.00", "5 12345678.90", "6 NULL")
		copyOf(t, s, "amount", texts, `"7.50"`, `""`, `"n/a"`, `"1,5"`).
			refusedAs(verdict.ValueRefused, "amount", "3 cannot be read", "n/a", "a.parquet row 3")
		copyOf(t, s, "amount", texts, `"123456789.01"`).refusedAs(verdict.ValueRefused, "amount", "1 out of range", "123456789.01")
	})
	t.Run("never NULL unasked", func(t *testing.T) {
		k := copyOf(t, s, "amount", wide, `"12345678.90"`, `"123456789.01"`)
		k.request.Cast = map[string]string{"amount": "null"}
		p := k.writes([]string{"id", "amount"}, "1 12345678.90", "2 NULL")
		if p.Preview.Report.Columns["amount"].ToNull != 1 || k.nulls("amount") != 1 {
			t.Errorf("%+v", p.Preview.Report.Columns["amount"])
		}
	})
}

// Case 11: a tinyint of 0 to 255 that was written as a signed byte.
func TestCase11SignedBytes(t *testing.T) {
	s := idAnd("qty", "tinyint")
	signed := arrow.PrimitiveTypes.Int8
	copyOf(t, s, "qty", signed, "0", "127", "-1", "-56").refusedAs(verdict.ValueRefused, "qty", "2 out of range", "-1 (a.parquet row 3, id 3)", "-56 (a.parquet row 4, id 4)",
		"255 and 200 written as signed bytes")
	copyOf(t, s, "qty", signed, "0", "127").writes([]string{"id", "qty"}, "1 0", "2 127")
	copyOf(t, s, "qty", int32s, "255", "256").refusedAs(verdict.ValueRefused, "qty", "1 out of range", "256 (a.parquet row 2, id 2)")
	copyOf(t, s, "qty", int32s, "255").writes([]string{"id", "qty"}, "1 255")
	k := withoutCopy(t, s)
	k.rawFile("a.parquet", nil, ints("id", 1), rawColumn{annotated("qty", pqschema.NewIntLogicalType(8, false), parquet.Types.Int32, -1), []int32{200}})
	k.writes([]string{"id", "qty"}, "1 200")
}

// Case 23: bit as 0 and 1, as text or as a boolean.
func TestCase23Bits(t *testing.T) {
	s := idAnd("active", "bit")
	copyOf(t, s, "active", int32s, "0", "1", "null").writes([]string{"id", "active"}, "1 false", "2 true", "3 NULL")
	copyOf(t, s, "active", bools, "false", "true", "null").writes([]string{"id", "active"}, "1 false", "2 true", "3 NULL")
	copyOf(t, s, "active", texts, `"0"`, `"1"`, `"True"`, `"FALSE"`, `"\u0000"`, `"\u0001"`).
		writes([]string{"id", "active"}, "1 false", "2 true", "3 true", "4 false", "5 false", "6 true")
	copyOf(t, s, "active", texts, `"0"`, `"1"`, `"True"`, `"FALSE"`, `""`).
		refusedAs(verdict.ValueRefused, "active", "1 cannot be read", "a.parquet row 5")
	copyOf(t, s, "active", int32s, "2").refusedAs(verdict.ValueRefused, "active", "1 out of range", "2 (a.parquet row 1, id 1)")
	copyOf(t, s, "active", raw, `"AA=="`, `"AQ=="`).writes([]string{"id", "active"}, "1 false", "2 true")
}
