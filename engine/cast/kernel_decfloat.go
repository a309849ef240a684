package cast

import (
	"math"
	"strconv"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// exactPower is the largest power of ten that a double holds exactly.
const exactPower = 22

// castDecimalToFloat takes the nearest floating-point number, which may stand
// for the decimal or be merely near: see digits.holds.
func castDecimalToFloat[T float32 | float64](c *column, src arrow.Array) (arrow.Array, error) {
	load, fits, ok := c.decimals(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	scale, width := c.rule.Source.Scale, floatBits[T]()
	short := rangeOf(-(1e15 - 1), 1e15-1)
	if width == 32 {
		short = rangeOf(-(1e9 - 1), 1e9-1)
	}
	easy := scale >= 0 && scale <= exactPower
	buf := make([]byte, 0, 128)
	o := newFixed[T](c, src)
	convert(src, o, load, func(out []T, in []decimal128.Num) bool {
		if !easy || !*fits || !short.all(in) {
			return false
		}
		if single, narrow := any(out).([]float32); narrow {
			return quotients32(single, in, math.Pow10(scale))
		}
		by := math.Pow10(scale)
		for k, v := range in {
			out[k] = T(float64(int64(v.LowBits())) / by) // both exact, so that the quotient is the nearest there is
		}
		return true
	}, func(i int, v decimal128.Num) {
		var text string
		if a, wide := src.(*array.Decimal256); wide {
			text = decimalText(a.Value(i).BigInt().String(), scale)
		} else {
			buf = strconv.AppendInt(append(decOf(v).appendDigits(buf[:0]), 'e'), int64(-scale), 10)
			text = unsafe.String(unsafe.SliceData(buf), len(buf))
		}
		f, write := c.nearestFloat(i, text, width)
		if !write {
			o.set(i)
			return
		}
		o.vals[i] = T(f)
	})
	return o.done(c.out), nil
}

// quotients32 divides numbers below 10^9. A double in between does no harm but
// where it lies in the middle of two numbers of 32 bits. Up to six digits
// survive the way there and back; of more, the number must show the last one.
func quotients32(out []float32, in []decimal128.Num, by float64) bool {
	const middle, mask = 1 << 28, 1<<29 - 1
	ok := true
	for k, v := range in {
		n := float64(int64(v.LowBits()))
		q := n / by
		f := float32(q)
		out[k] = f
		if math.Float64bits(q)&mask == middle || !(math.Abs(n) < 1e6 || math.Abs(float64(f)*by-n) < 0.499) {
			ok = false
		}
	}
	return ok
}

// appendDigits writes d in decimal digits, with its sign.
func (d dec) appendDigits(b []byte) []byte {
	if d.neg {
		b = append(b, '-')
	}
	high, low := d.div(pow10(19))
	if high.zero() {
		return strconv.AppendUint(b, low, 10)
	}
	top, middle := high.div(pow10(19))
	if !top.zero() {
		b = appendDigits(strconv.AppendUint(b, top.lo, 10), int64(middle/10), 18)
		b = append(b, byte('0'+middle%10))
	} else {
		b = strconv.AppendUint(b, middle, 10)
	}
	return append(appendDigits(b, int64(low/10), 18), byte('0'+low%10))
}

// shortFloat reads plain numbers of so few digits that floating-point
// arithmetic is exact and the number stands for the text: 15, or 6 for real. It
// is false for any other text, number or not.
func shortFloat[T float32 | float64](s string) (T, bool) {
	most := 15
	if floatBits[T]() == 32 {
		most = 6
	}
	k, neg := 0, false
	if s != "" && s[0] == '-' {
		k, neg = 1, true
	}
	if len(s)-k > most+1 {
		return 0, false
	}
	var m int64
	whole, point := k, len(s)
	for ; k < len(s); k++ {
		d := int64(s[k]) - '0'
		if d >= 0 && d <= 9 {
			m = m*10 + d
			continue
		}
		if s[k] != '.' || point < len(s) {
			return 0, false
		}
		point = k
	}
	count, after := len(s)-whole, 0
	if point < len(s) {
		count, after = count-1, len(s)-point-1
	}
	if count == 0 || count > most {
		return 0, false
	}
	v := T(m) / T(pow10(after))
	if neg {
		v = -v
	}
	return v, true
}
