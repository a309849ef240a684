package cast

import (
	"math"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
)

func floatKernel[T float32 | float64](f form) kernel {
	switch f {
	case half, single, double:
		return castFloat[T]
	case integer:
		return castIntToFloat[T]
	case decimal:
		return castDecimalToFloat[T]
	case text:
		return castTextToFloat[T]
	}
	return nil
}

// castFloat casts between floating-point types. NaN and infinity, which SQL
// Server's real and float cannot hold, are refused.
func castFloat[T float32 | float64](c *column, src arrow.Array) (arrow.Array, error) {
	load, ok := c.floats(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	if src.DataType().ID() == c.out.ID() && allFinite(src, load) {
		return relabel(src, c.out), nil
	}
	o := newFixed[T](c, src)
	convert(src, o, load, func(out []T, in []float64) bool { return nearFloats(c, out, in) }, func(i int, v float64) {
		n := T(v)
		o.vals[i] = n
		if v-v != 0 { // NaN or infinity, at the price of one subtraction
			c.refuse(NotFinite, i, 0)
			o.set(i)
			return
		}
		if float64(n) == v {
			return
		}
		if math.IsInf(float64(n), 0) {
			c.refuse(OutOfRange, i, math.Abs(v))
			o.set(i)
			return
		}
		if _, write := c.lossy(i, math.Abs(float64(n)-v), Inexact); !write {
			o.set(i)
		}
	})
	return o.done(c.out), nil
}

// finite reports whether no number is NaN or infinity: their exponents alone are all ones.
func finite(in []float64) bool {
	const exponent = 0x7ff << 52
	beyond := uint64(0)
	for _, v := range in {
		_, b := bits.Sub64(exponent-1, math.Float64bits(v)&exponent, 0)
		beyond |= b
	}
	return beyond == 0
}

func allFinite(src arrow.Array, load func(from, to int) []float64) bool {
	for from := 0; from < src.Len(); from += blockLen {
		if !finite(load(from, min(from+blockLen, src.Len()))) {
			return false
		}
	}
	return true
}

// nearFloats takes the nearest numbers, as the column's answer allows.
func nearFloats[T float32 | float64](c *column, out []T, in []float64) bool {
	if !finite(in) {
		return false
	}
	var n int64
	most := 0.0
	out = out[:len(in)]
	for k, v := range in {
		near := T(v)
		out[k] = near
		if float64(near) != v {
			n++
			most = max(most, math.Abs(float64(near)-v))
		}
	}
	if n == 0 {
		return true
	}
	effect, lossy := c.lossyEffect()
	return lossy && most <= math.MaxFloat64 && c.calmly(effect, n, most)
}

func castIntToFloat[T float32 | float64](c *column, src arrow.Array) (arrow.Array, error) {
	load, ok := c.integers(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	huge := hugeUint(src)
	o := newFixed[T](c, src)
	convert(src, o, load, func(out []T, in []int64) bool {
		return (!huge || within(in, 0, math.MaxInt64)) && nearOfInts(c, out, in)
	}, func(i int, v int64) {
		n := T(v)
		// The way back proves exactness; 2^63 has none.
		exact := float64(n) < math.MaxInt64 && int64(n) == v
		if huge && v < 0 {
			n = T(uint64(v))
			exact = float64(n) < math.MaxUint64 && uint64(n) == uint64(v)
		}
		o.vals[i] = n
		if exact {
			return
		}
		if _, write := c.lossy(i, 1, Inexact); !write {
			o.set(i)
		}
	})
	return o.done(c.out), nil
}

// nearOfInts is nearFloats for integers.
func nearOfInts[T float32 | float64](c *column, out []T, in []int64) bool {
	var n int64
	out = out[:len(in)]
	for k, v := range in {
		near := T(v)
		out[k] = near
		if float64(near) >= math.MaxInt64 || int64(near) != v {
			n++
		}
	}
	if n == 0 {
		return true
	}
	effect, lossy := c.lossyEffect()
	return lossy && c.calmly(effect, n, 1)
}

func floatBits[T float32 | float64]() int {
	var t T
	if _, narrow := any(t).(float32); narrow {
		return 32
	}
	return 64
}

func castTextToFloat[T float32 | float64](c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	width := floatBits[T]()
	o := newFixed[T](c, src)
	for i := range src.Len() {
		if src.IsNull(i) {
			continue
		}
		s := in.Value(i)
		if v, ok := shortFloat[T](s); ok {
			o.vals[i] = v
			continue
		}
		s = trim(s)
		if _, ok := readDecimal(s, 0); !ok { // keeps hexadecimal, underscores, nan and inf out
			c.refuse(Unparseable, i, 0)
			o.set(i)
			continue
		}
		v, write := c.nearestFloat(i, s, width)
		if !write {
			o.set(i)
			continue
		}
		o.vals[i] = T(v)
	}
	return o.done(c.out), nil
}

// nearestFloat is the floating-point number for the decimal in s, under the
// column's answer where it is not the decimal itself; false where it was
// refused. Text too small for any number but zero would change like other text;
// text too large has no number at all.
func (c *column) nearestFloat(i int, s string, width int) (float64, bool) {
	d := digitsOf(s)
	v, ok := d.float(width)
	if !ok {
		c.refuse(OutOfRange, i, math.MaxFloat64)
		return 0, false
	}
	if s[0] == '-' {
		v = -v
	}
	if d.holds(v, width) {
		return v, true
	}
	_, write := c.lossy(i, 0, Inexact)
	return v, write
}
