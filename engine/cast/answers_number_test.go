package cast_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

func ten(k int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil) }

// ratOf is a value's exact number: a double stands for its shortest decimal
// text where the target is a decimal (decision 22).
func ratOf(v any, shortest int) *big.Rat {
	switch v := v.(type) {
	case int:
		return big.NewRat(int64(v), 1)
	case float64:
		if shortest == 0 {
			return new(big.Rat).SetFloat64(v)
		}
		if shortest == 32 {
			v = float64(float32(v))
		}
		q, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', -1, shortest))
		return q
	case string:
		q, _ := new(big.Rat).SetString(strings.TrimSpace(v))
		return q
	}
	return nil
}

// settled is q as a decimal of a scale under an answer, within limits of the
// unscaled number.
func settled(q *big.Rat, scale int, low, high *big.Int, a cast.Answer) string {
	q = new(big.Rat).Mul(q, new(big.Rat).SetInt(ten(scale)))
	n, rest := new(big.Int).QuoRem(q.Num(), q.Denom(), new(big.Int))
	if rest.Sign() != 0 {
		switch a {
		case cast.Cut:
		case cast.Round:
			if rest.Abs(rest).Lsh(rest, 1).Cmp(q.Denom()) >= 0 {
				n.Add(n, big.NewInt(int64(q.Sign())))
			}
		default:
			return refused
		}
	}
	if n.Cmp(low) < 0 || n.Cmp(high) > 0 {
		return refused
	}
	return new(big.Rat).SetFrac(n, ten(scale)).FloatString(scale)
}

// aDecimal is a random decimal as text, of up to so many digits before and after the point.
func aDecimal(r *rand.Rand, whole, fraction int) string {
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteByte('-')
	}
	b.WriteByte('0')
	for range r.IntN(whole + 1) {
		b.WriteByte(byte('0' + r.IntN(10)))
	}
	b.WriteByte('.')
	for range fraction {
		b.WriteByte("0123456789550099"[r.IntN(16)])
	}
	return b.String()
}

func notations(r *rand.Rand, s string) string {
	switch r.IntN(4) {
	case 0:
		return " " + s + "e0\t"
	case 1:
		return s + fmt.Sprintf("E%d", r.IntN(9)-4)
	}
	return s
}

func TestAnswersForDecimalsAndWholeNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, to := range []struct {
		sql       schema.SQLType
		scale     int
		low, high *big.Int
	}{
		{sqlType("tinyint"), 0, big.NewInt(0), big.NewInt(255)},
		{sqlType("smallint"), 0, big.NewInt(math.MinInt16), big.NewInt(math.MaxInt16)},
		{sqlType("int"), 0, big.NewInt(math.MinInt32), big.NewInt(math.MaxInt32)},
		{sqlType("bigint"), 0, big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)},
		{sqlType("smallmoney"), 4, big.NewInt(math.MinInt32), big.NewInt(math.MaxInt32)},
		{sqlType("money"), 4, big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)},
		{scaled("decimal", 5, 2), 2, big.NewInt(-99999), big.NewInt(99999)},
		{scaled("decimal", 18, 0), 0, new(big.Int).Sub(big.NewInt(1), ten(18)), new(big.Int).Sub(ten(18), big.NewInt(1))},
		{scaled("numeric", 38, 20), 20, new(big.Int).Sub(big.NewInt(1), ten(38)), new(big.Int).Sub(ten(38), big.NewInt(1))},
	} {
		digits := len(to.high.String()) - to.scale
		width := 0 // how the oracle reads a number of any width: to a decimal, as a double's shortest text
		if to.sql.Name == "decimal" || to.sql.Name == "numeric" || to.scale > 0 {
			width = 64
		}
		for _, from := range []tried{
			{from: textCol, value: func(r *rand.Rand) any { return notations(r, aDecimal(r, digits+1, r.IntN(26))) }},
			{from: partCol, value: func(r *rand.Rand) any { return notations(r, aDecimal(r, digits, to.scale)) }},
			{from: decimalCol(38, 6), value: func(r *rand.Rand) any { return aDecimal(r, min(digits+1, 31), 6) }},
			{from: decimalCol(60, 24), value: func(r *rand.Rand) any { return aDecimal(r, min(digits+1, 35), 24) }},
			{from: doubleCol, value: func(r *rand.Rand) any {
				f := (r.Float64() - 0.5) * math.Pow10(r.IntN(digits+3))
				return math.Round(f*8) / math.Pow(2, float64(r.IntN(8)))
			}},
			{from: floatCol, value: func(r *rand.Rand) any {
				return float64(float32(math.Round((r.Float64()-0.5)*math.Pow10(r.IntN(digits+2))*4) / 8))
			}},
		} {
			from.to = to.sql
			from.want = func(v any, a cast.Answer) string { return settled(ratOf(v, width), to.scale, to.low, to.high, a) }
			from.check(t, r, 300)
		}
	}
}

// nearest is the floating-point number for a decimal and whether it stands for
// it: it is the decimal, rounded to as many digits as that has, or its shortest
// text is. Exact arithmetic throughout.
func nearest(q *big.Rat, width int) (v float64, stands, finite bool) {
	if width == 32 {
		f, _ := q.Float32()
		v = float64(f)
	} else {
		v, _ = q.Float64()
	}
	if math.IsInf(v, 0) {
		return v, false, false
	}
	if v == 0 || q.Sign() == 0 {
		return v, v == 0 && q.Sign() == 0, true
	}
	short, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', -1, width))
	// unit is one in the last significant digit of the decimal.
	unit := big.NewRat(1, 1)
	for ; !new(big.Rat).Quo(q, unit).IsInt(); unit.Mul(unit, big.NewRat(1, 10)) {
	}
	for {
		up := new(big.Rat).Mul(unit, big.NewRat(10, 1))
		if !new(big.Rat).Quo(q, up).IsInt() {
			break
		}
		unit = up
	}
	off := new(big.Rat).Sub(q, new(big.Rat).SetFloat64(v))
	off.Abs(off).Mul(off, big.NewRat(2, 1))
	last := new(big.Rat).Quo(q, unit).Num()
	half := off.Cmp(unit) // a tie is written with an even digit
	return v, short.Cmp(q) == 0 || half < 0 || half == 0 && last.Bit(0) == 0, true
}

func TestAnswersForFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	aFloat := func(r *rand.Rand, width int) float64 {
		if width == 32 {
			if f := float64(math.Float32frombits(r.Uint32())); f-f == 0 {
				return f
			}
			return 0
		}
		if f := math.Float64frombits(r.Uint64()); f-f == 0 {
			return f
		}
		return 0
	}
	for _, width := range []int{32, 64} {
		sql := map[int]string{32: "real", 64: "float"}[width]
		written := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, width) }
		near := func(v any, a cast.Answer) string {
			q := ratOf(v, 0)
			f, stands, finite := nearest(q, width)
			if s, ok := v.(string); ok && f == 0 && strings.HasPrefix(strings.TrimSpace(s), "-") {
				f = math.Copysign(0, -1)
			}
			if !finite || !stands && a != cast.Round {
				return refused
			}
			return written(f)
		}
		tried{from: textCol, to: sqlType(sql), want: near, value: func(r *rand.Rand) any {
			switch r.IntN(6) {
			case 0: // what was printed from a float
				return strconv.FormatFloat(aFloat(r, width), "efg"[r.IntN(3)], -1, width)
			case 1:
				return strconv.FormatFloat(aFloat(r, width), 'e', r.IntN(25), 64)
			case 2: // around the ends of the range
				return fmt.Sprintf("%d.%de%d", r.IntN(100), r.IntN(1e9), []int{-400, -325, -323, -310, -60, -46, -44, -38, 36, 38, 40, 306, 308, 400}[r.IntN(14)])
			case 3:
				return strconv.Itoa(r.IntN(1 << 62))
			}
			return notations(r, aDecimal(r, 9, r.IntN(18)))
		}}.check(t, r, 1500)
		tried{from: decimalCol(38, 12), to: sqlType(sql), want: func(v any, a cast.Answer) string {
			if s := near(v, a); s != "-0" {
				return s
			}
			return "0" // a decimal has no such zero
		}, value: func(r *rand.Rand) any { return aDecimal(r, 20, 12) }}.check(t, r, 600)
		tried{from: int64Col, to: sqlType(sql), want: func(v any, a cast.Answer) string {
			f, _, _ := nearest(ratOf(v, 0), width)
			if new(big.Rat).SetFloat64(f).Cmp(ratOf(v, 0)) != 0 && a != cast.Round {
				return refused
			}
			return written(f)
		}, value: func(r *rand.Rand) any { return int(r.Uint64()) >> r.IntN(60) }}.check(t, r, 600)
	}
	tried{from: doubleCol, to: sqlType("real"), want: func(v any, a cast.Answer) string {
		f := float32(v.(float64))
		if math.IsInf(float64(f), 0) || float64(f) != v && a != cast.Round {
			return refused
		}
		return strconv.FormatFloat(float64(f), 'g', -1, 32)
	}, value: func(r *rand.Rand) any {
		if r.IntN(2) == 0 {
			return aFloat(r, 32)
		}
		return aFloat(r, 64)
	}}.check(t, r, 600)
}
