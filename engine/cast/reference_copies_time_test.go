package cast_test

import (
	"math"
	"math/big"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/schema"
)

// momentEdges are times at the ends of types and calendars, at changes of
// zones, and at fractions that some type lacks.
func momentEdges() []string {
	return []string{
		"0001-01-01T00:00:00Z", "0000-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00.0000001Z", "0000-12-30T00:00:00Z", "0001-01-03T00:00:00Z",
		"9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999999Z", "10000-01-01", "9999-12-31T23:59:59.9995Z", "9999-12-31T23:59:59.997Z",
		"1752-12-31T23:59:59.999Z", "1752-12-31T23:59:59.9999995Z", "1753-01-01T00:00:00Z", "1753-01-01T00:00:00.003333Z", "1753-01-01T00:00:00.0033333Z",
		"1899-12-31T23:59:59.999999Z", "1900-01-01T00:00:00Z", "1900-01-01T00:00:00.000001Z", "2079-06-06T23:59:00Z", "2079-06-06T23:59:29.999999Z", "2079-06-06T23:59:30Z", "2079-06-07T00:00:00Z",
		"1582-10-04T00:00:00Z", "1582-10-05T00:00:00Z", "1582-10-14T23:59:59.999999Z", "1582-10-15T00:00:00Z", "1500-03-01T12:00:00Z", "1500-03-10T00:00:00Z", "1500-03-11T00:00:00Z",
		"1000-03-05T01:02:03.456789Z", "0250-06-01T00:00:00Z", "0200-02-28T00:00:00Z", "0200-03-01T00:00:00Z", "0100-02-27T05:00:00Z",
		"1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999999Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000001Z", "1970-01-02T12:34:56.1234567Z",
		"2026-01-01T00:00:00.1234567Z", "2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123456500Z", "2026-01-01T00:00:00.123456499Z", "2026-01-01T00:00:00.1234565Z",
		"2026-07-01T11:44:31.856667Z", "2026-07-01T11:44:31.8566667Z", "2026-07-01T11:44:31.857Z", "2026-07-01T11:44:31.85666Z", "2026-07-01T11:44:31.856Z", "2026-07-01T11:44:31.003333Z",
		"2026-07-01T11:44:31.003332Z", "2026-07-01T11:44:31.003334Z", "2026-07-01T11:44:31.003335Z", "2026-07-01T11:44:31.003332333Z", "2026-07-01T11:44:31.003332334Z", "2026-07-01T11:44:31.003334333Z", "2026-07-01T11:44:31.003334334Z",
		"2026-07-01T11:44:31.003Z", "2026-07-01T11:44:31.003000001Z", "2026-07-01T11:44:31.001667Z", "2026-07-01T11:44:31.001666Z", "2026-07-01T11:44:31.001666667Z", "2026-07-01T11:44:31.001666666Z",
		"2026-07-01T11:44:31.005Z", "2026-07-01T11:44:31.999999Z", "2026-07-01T11:44:31.9983333Z", "2026-07-01T11:44:31.998333334Z", "2026-07-01T11:44:31.996667Z", "2026-07-01T23:59:59.999999Z", "2026-07-01T23:59:59.9999995Z",
		"2026-07-01T12:00:00Z", "2026-07-01T12:00:30Z", "2026-07-01T12:00:29.999999999Z", "2026-07-01T12:00:00.5Z", "2026-07-01T12:00:00.05Z", "2026-07-01T12:00:00.005Z", "2026-07-01T12:00:00.0005Z", "2026-07-01T12:00:00.00005Z", "2026-07-01T12:00:00.000005Z",
		"2026-07-01T00:00:00Z", "2026-07-01T00:00:00.000000001Z",
		// Changes of zones, as moments and as readings of their clocks.
		"2026-03-08T06:59:59.999999Z", "2026-03-08T07:00:00Z", "2026-03-08T07:59:59.999999Z", "2026-03-08T08:00:00Z", "2026-03-08T02:00:00Z", "2026-03-08T02:30:00Z", "2026-03-08T02:59:59.999999Z", "2026-03-08T03:00:00Z",
		"2026-11-01T05:59:59.999999Z", "2026-11-01T06:00:00Z", "2026-11-01T01:00:00Z", "2026-11-01T01:30:00Z", "2026-11-01T02:00:00Z", "2026-11-01T00:59:59.999999Z",
		"2018-11-04T03:00:00Z", "2018-11-04T00:00:00Z", "2018-11-04T00:30:00Z", "2018-02-18T01:59:59Z", "2018-02-17T23:30:00Z",
		"2026-10-03T15:30:00Z", "2026-10-04T02:00:00Z", "2026-10-04T02:15:00Z", "2026-10-04T02:30:00Z", "2026-04-04T15:00:00Z", "2026-04-05T01:45:00Z",
		"2011-12-30T10:00:00Z", "2011-12-30T00:00:00Z", "2011-12-30T23:59:59Z", "2011-12-31T00:00:00Z", "2011-12-31T09:59:59Z",
		"2026-03-29T01:00:00Z", "2026-03-29T02:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z", "2026-02-15T02:00:00Z", "2026-02-15T02:30:00Z", "2026-03-22T02:30:00Z",
		"1883-11-18T17:00:00Z", "1883-11-18T12:00:00Z", "1883-11-18T12:03:58Z", "1883-11-18T12:03:57.999999Z", "2016-05-01T07:00:00Z", "2016-05-01T02:45:00Z",
		"2499-12-31T23:59:59Z", "2500-01-01T00:00:00Z", "2600-03-14T07:30:00Z", "2600-03-14T02:30:00Z", "9999-06-01T00:00:00Z", "9999-12-31T20:00:00Z", "0001-01-01T04:56:02Z", "0001-01-01T04:56:01.999999Z", "2104-12-30T12:00:00Z", "2104-12-31T12:00:00Z",
	}
}

// nanosOf is a time of momentEdges in nanoseconds since 1970.
func nanosOf(s string) *big.Int {
	if s == "10000-01-01" {
		return new(big.Int).Mul(big.NewInt(253402300800), bigPow(10, 9))
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	n := new(big.Int).Mul(big.NewInt(t.Unix()), bigPow(10, 9))
	return n.Add(n, big.NewInt(int64(t.Nanosecond())))
}

// nanosPer is how many nanoseconds a unit has.
func nanosPer(u arrow.TimeUnit) int64 {
	switch u {
	case arrow.Second:
		return 1_000_000_000
	case arrow.Millisecond:
		return 1_000_000
	case arrow.Microsecond:
		return 1_000
	}
	return 1
}

// unitOfArray is the unit of an Arrow type that counts time.
func unitOfArray(t arrow.DataType) arrow.TimeUnit {
	switch t := t.(type) {
	case *arrow.TimestampType:
		return t.Unit
	case *arrow.Time32Type:
		return t.Unit
	case *arrow.Time64Type:
		return t.Unit
	}
	panic(t.String())
}

func stamps(cols ...schema.CopyColumn) copyKind {
	return copyKind{
		column: only(cols...), picks: picks(len(cols)), arrays: oneArray,
		edges: remembered(func(c schema.CopyColumn) []any {
			per := big.NewInt(nanosPer(unitOfArray(arrowOf(c))))
			out := anyOf([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 62, -1 << 62, 1<<62 + 1, math.MaxInt64 / 1000, math.MaxInt64/1000 + 1, math.MinInt64/1000 - 1})
			for _, s := range momentEdges() {
				if v := new(big.Int).Div(nanosOf(s), per); v.IsInt64() {
					out = append(out, v.Int64())
				}
			}
			return out
		}),
		raw: func(c schema.CopyColumn, t *tape) any {
			if t.pick(4) == 0 {
				return t.int64()
			}
			// Within the years of SQL Server, as far as the unit goes.
			v := new(big.Int).Mul(big.NewInt(t.int64()%315_537_897_600-62_135_596_800), big.NewInt(1e9/nanosPer(unitOfArray(arrowOf(c)))))
			if !v.IsInt64() {
				return t.int64()
			}
			return v.Int64() + int64(t.bits()%1_000_000)
		},
		near: func(_ schema.CopyColumn, v any, by int64) any { return v.(int64) + by },
	}
}

func zonelessStamps() copyKind {
	return stamps(stampCol("MILLIS", false), stampCol("MICROS", false), stampCol("NANOS", false))
}

func instantStamps() copyKind {
	return stamps(stampCol("MILLIS", true), stampCol("MICROS", true), stampCol("NANOS", true))
}

func dates() copyKind {
	return copyKind{
		column: only(dateCol), picks: picks(1), arrays: oneArray,
		edges: remembered(func(schema.CopyColumn) []any {
			out := anyOf([]int64{math.MinInt32, math.MinInt32 + 1, math.MaxInt32, 213_503_982, 213_503_983, -213_503_982, -213_503_983, 427_007_965, 106_751_991, 106_751_992})
			out = append(out, anyOf([]int64{-719_528, -719_529, -719_470, -719_471, -719_164, -719_165, -719_163, -719_162, 2_932_896, 2_932_897, -141_428, -141_427, -171_490, -171_491})...)
			for _, s := range momentEdges() {
				out = append(out, new(big.Int).Div(nanosOf(s), big.NewInt(86_400e9)).Int64())
			}
			return out
		}),
		raw: func(_ schema.CopyColumn, t *tape) any {
			if t.pick(4) == 0 {
				return int64(int32(t.int64()))
			}
			return int64(t.bits()%3_652_100) - 719_200
		},
		near: func(_ schema.CopyColumn, v any, by int64) any { return int64(int32(v.(int64) + by)) },
	}
}

func daytimes() copyKind {
	return copyKind{
		column: only(timeCol("MILLIS"), timeCol("MICROS"), timeCol("NANOS")), picks: picks(3), arrays: oneArray,
		edges: remembered(func(c schema.CopyColumn) []any {
			per := nanosPer(unitOfArray(arrowOf(c)))
			var out []any
			for _, ns := range []int64{0, 1, 99, 100, 101, 999, 1000, 123_456_700, 123_456_789, 500_000_000, 999_999_999, 45_296_123_456_000, 45_296_123_456_700, 45_296_000_000_000, 86_399_999_999_999, 86_399_999_999_900, 86_399_999_999_000, 86_399_999_000_000, 86_400_000_000_000, 86_400_000_000_001, 3_599_999_999_999, 3_600_000_000_000} {
				out = append(out, ns/per, -ns/per)
			}
			if c.Unit == "MILLIS" {
				return append(out, anyOf([]int64{math.MaxInt32, math.MinInt32})...)
			}
			if c.Unit == "MICROS" {
				out = append(out, anyOf([]int64{math.MinInt64, 18_446_744_073_709_552, -18_446_744_073_709_551})...)
				return append(out, anyOf([]int64{math.MaxInt64, math.MaxInt64 / 1000, math.MaxInt64/1000 + 1, 18_446_744_073_709_551})...)
			}
			return append(out, anyOf([]int64{math.MaxInt64, math.MinInt64})...)
		}),
		raw: func(c schema.CopyColumn, t *tape) any {
			v := t.int64()
			if t.pick(4) != 0 {
				v = int64(t.bits() % uint64(86_400e9/nanosPer(unitOfArray(arrowOf(c)))))
			}
			if c.Unit == "MILLIS" {
				return int64(int32(v))
			}
			return v
		},
		near: func(c schema.CopyColumn, v any, by int64) any {
			if c.Unit == "MILLIS" {
				return int64(int32(v.(int64) + by))
			}
			return v.(int64) + by
		},
	}
}
