package parquetfile

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// stats gathers a file's Delta statistics from the values written.
type stats struct {
	columns []*columnStats // nil where a column has none
}

// columnStats is one column's null count and, where its type has them, bounds.
type columnStats struct {
	field arrow.Field
	nulls int64
	some  bool // a value was seen
	none  bool // a value was seen that allows no bounds

	lo, hi   int64 // integers, days, microseconds; booleans as 0 and 1
	flo, fhi float64
	dlo, dhi decimal128.Num
	slo, shi []byte
}

func newColumnStats(f arrow.Field) *columnStats { return &columnStats{field: f} }

func (s *stats) add(cols []arrow.Array) {
	for i, c := range s.columns {
		if c != nil {
			c.add(cols[i])
		}
	}
}

func (c *columnStats) add(a arrow.Array) {
	c.nulls += int64(a.NullN())
	switch a := a.(type) {
	case *array.Boolean:
		for i := range a.Len() {
			if a.IsValid(i) {
				c.boolean(a.Value(i))
			}
		}
	case *array.Int8:
		each(a, a.Int8Values(), func(v int8) { c.integer(int64(v)) })
	case *array.Int16:
		each(a, a.Int16Values(), func(v int16) { c.integer(int64(v)) })
	case *array.Int32:
		each(a, a.Int32Values(), func(v int32) { c.integer(int64(v)) })
	case *array.Int64:
		each(a, a.Int64Values(), c.integer)
	case *array.Date32:
		each(a, a.Date32Values(), func(v arrow.Date32) { c.integer(int64(v)) })
	case *array.Timestamp:
		each(a, a.TimestampValues(), func(v arrow.Timestamp) { c.integer(int64(v)) })
	case *array.Float32:
		each(a, a.Float32Values(), func(v float32) { c.float(float64(v)) })
	case *array.Float64:
		each(a, a.Float64Values(), c.float)
	case *array.Decimal128:
		each(a, a.Values(), c.decimal)
	case *array.String:
		for i := range a.Len() {
			if a.IsValid(i) {
				c.text(a.Value(i))
			}
		}
	}
}

func each[T any](a arrow.Array, values []T, see func(T)) {
	if a.NullN() == 0 {
		for _, v := range values {
			see(v)
		}
		return
	}
	for i, v := range values {
		if a.IsValid(i) {
			see(v)
		}
	}
}

func (c *columnStats) boolean(v bool) {
	if v {
		c.integer(1)
	} else {
		c.integer(0)
	}
}

func (c *columnStats) integer(v int64) {
	if !c.some {
		c.some, c.lo, c.hi = true, v, v
		return
	}
	c.lo, c.hi = min(c.lo, v), max(c.hi, v)
}

// float gives up bounds at the first NaN: readers differ on where NaN sorts.
func (c *columnStats) float(v float64) {
	switch {
	case math.IsNaN(v):
		c.none = true
	case !c.some:
		c.some, c.flo, c.fhi = true, v, v
	default:
		c.flo, c.fhi = math.Min(c.flo, v), math.Max(c.fhi, v)
	}
}

func (c *columnStats) decimal(v decimal128.Num) {
	switch {
	case !c.some:
		c.some, c.dlo, c.dhi = true, v, v
	case v.Cmp(c.dlo) < 0:
		c.dlo = v
	case v.Cmp(c.dhi) > 0:
		c.dhi = v
	}
}

func (c *columnStats) text(v string) {
	if !c.some {
		c.some, c.slo, c.shi = true, []byte(v), []byte(v)
		return
	}
	if v < string(c.slo) {
		c.slo = append(c.slo[:0], v...)
	}
	if v > string(c.shi) {
		c.shi = append(c.shi[:0], v...)
	}
}

// ColumnBounds is one column's entry in a file's statistics.
type ColumnBounds struct {
	Name      string
	Nulls     int64  // below 0 where it is not known
	Low, High string // JSON values; empty where there is none
}

// Document is a file's statistics as a Delta add action carries them, its
// columns in order. What is not known is left out.
func Document(rows int64, columns []ColumnBounds) string {
	var lows, highs, nulls []string
	for _, c := range columns {
		name := quote(c.Name) + ":"
		if c.Low != "" {
			lows = append(lows, name+c.Low)
		}
		if c.High != "" {
			highs = append(highs, name+c.High)
		}
		if c.Nulls >= 0 {
			nulls = append(nulls, name+strconv.FormatInt(c.Nulls, 10))
		}
	}
	var b strings.Builder
	b.WriteString(`{"numRecords":` + strconv.FormatInt(rows, 10))
	for _, part := range []struct {
		key   string
		items []string
	}{{"minValues", lows}, {"maxValues", highs}, {"nullCount", nulls}} {
		b.WriteString(`,"` + part.key + `":{` + strings.Join(part.items, ",") + "}")
	}
	b.WriteString("}")
	return b.String()
}

func (s *stats) document(rows int64) string { return Document(rows, s.entries()) }

// entries are the columns that have statistics, in the file's order.
func (s *stats) entries() []ColumnBounds {
	var out []ColumnBounds
	for _, c := range s.columns {
		if c != nil {
			low, high := c.bounds()
			out = append(out, ColumnBounds{Name: c.field.Name, Nulls: c.nulls, Low: low, High: high})
		}
	}
	return out
}

// bounds are the JSON values of the least and the greatest value, each empty where it has none.
func (c *columnStats) bounds() (low, high string) {
	if !c.some || c.none {
		return "", ""
	}
	switch t := c.field.Type.(type) {
	case *arrow.BooleanType:
		// Spark has no bounds for these and passes them by; delta-rs takes a
		// column without bounds for one that holds nothing.
		return strconv.FormatBool(c.lo != 0), strconv.FormatBool(c.hi != 0)
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type:
		return strconv.FormatInt(c.lo, 10), strconv.FormatInt(c.hi, 10)
	case *arrow.Date32Type:
		return DateBound(c.lo), DateBound(c.hi)
	case *arrow.TimestampType:
		return TimestampBound(c.lo, false, t.TimeZone != ""), TimestampBound(c.hi, true, t.TimeZone != "")
	case *arrow.Float32Type, *arrow.Float64Type:
		return floatText(c.flo, math.Copysign(0, -1)), floatText(c.fhi, 0)
	case *arrow.Decimal128Type:
		return DecimalBound(c.dlo.BigInt(), int(t.Scale)), DecimalBound(c.dhi.BigInt(), int(t.Scale))
	case *arrow.StringType:
		return LowText(string(c.slo)), HighText(string(c.shi))
	}
	return "", ""
}

// DecimalBound is an unscaled decimal as a bound, with all digits of its scale.
func DecimalBound(unscaled *big.Int, scale int) string {
	digits := []byte(unscaled.String())
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if scale == 0 {
		return sign + string(digits)
	}
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = slices.Concat(bytes.Repeat([]byte("0"), missing), digits)
	}
	point := len(digits) - scale
	return sign + string(digits[:point]) + "." + string(digits[point:])
}

// floatText is the shortest text that reads back as the same double. Zero
// takes the sign that keeps both zeros inside the bounds.
func floatText(v, zero float64) string {
	switch {
	case v == 0 && math.Signbit(zero):
		return "-0.0"
	case v == 0:
		return "0.0"
	case math.IsInf(v, 1):
		return `"Infinity"`
	case math.IsInf(v, -1):
		return `"-Infinity"`
	}
	out, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(out)
}

func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}
