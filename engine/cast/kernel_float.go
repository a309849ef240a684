package cast

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
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

// eachFloat calls f with every value of a floating-point array, NULL slots included.
func (c *column) eachFloat(src arrow.Array, f func(i int, v float64)) error {
	switch a := src.(type) {
	case *array.Float64:
		for i, v := range a.Float64Values() {
			f(i, v)
		}
	case *array.Float32:
		for i, v := range a.Float32Values() {
			f(i, float64(v))
		}
	case *array.Float16:
		for i, v := range a.Values() {
			f(i, half16(v))
		}
	default:
		return c.unexpected(src)
	}
	return nil
}

// castFloat casts between floating-point types. NaN and infinity, which SQL
// Server's real and float cannot hold, are refused.
func castFloat[T float32 | float64](c *column, src arrow.Array) (arrow.Array, error) {
	o := newFixed[T](c, src)
	err := c.eachFloat(src, func(i int, v float64) {
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
	return o.done(c.out), err
}

func castIntToFloat[T float32 | float64](c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := c.integers(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	huge := hugeUint(src)
	o := newFixed[T](c, src)
	for i, v := range in {
		n := T(v)
		// The way back proves exactness; 2^63 has none.
		exact := float64(n) < math.MaxInt64 && int64(n) == v
		if huge && v < 0 {
			n = T(uint64(v))
			exact = float64(n) < math.MaxUint64 && uint64(n) == uint64(v)
		}
		o.vals[i] = n
		if exact {
			continue
		}
		if _, write := c.lossy(i, 1, Inexact); !write {
			o.set(i)
		}
	}
	return o.done(c.out), nil
}

func floatBits[T float32 | float64]() int {
	var t T
	if _, narrow := any(t).(float32); narrow {
		return 32
	}
	return 64
}

// castDecimalToFloat takes the nearest floating-point number, which may stand
// for the decimal or be merely near: see digits.holds.
func castDecimalToFloat[T float32 | float64](c *column, src arrow.Array) (arrow.Array, error) {
	scale, width := c.rule.Source.Scale, floatBits[T]()
	o := newFixed[T](c, src)
	for i := range src.Len() {
		if src.IsNull(i) {
			continue
		}
		var unscaled string
		switch a := src.(type) {
		case *array.Decimal128:
			unscaled = a.Value(i).BigInt().String()
		case *array.Decimal256:
			unscaled = a.Value(i).BigInt().String()
		default:
			return nil, c.unexpected(src)
		}
		v, write := c.nearestFloat(i, decimalText(unscaled, scale), width)
		if !write {
			o.set(i)
			continue
		}
		o.vals[i] = T(v)
	}
	return o.done(c.out), nil
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
		s := trim(in.Value(i))
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
