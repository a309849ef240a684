package cast

import (
	"math"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

func integerKernel[T int16 | int32 | int64](f form) kernel {
	switch f {
	case integer:
		return castInt[T]
	case decimal:
		return castDecimalToInt[T]
	case half, single, double:
		return castFloatToInt[T]
	case text:
		return castTextToInt[T]
	}
	return nil
}

// bounds is the range that a whole-number column holds: of its stream type,
// and of SQL Server's tinyint.
func bounds[T int16 | int32 | int64](c *column) (low, high int64) {
	if c.target.SQL.Name == "tinyint" {
		return 0, 255
	}
	var t T
	switch any(t).(type) {
	case int16:
		return math.MinInt16, math.MaxInt16
	case int32:
		return math.MinInt32, math.MaxInt32
	}
	return math.MinInt64, math.MaxInt64
}

func castInt[T int16 | int32 | int64](c *column, src arrow.Array) (arrow.Array, error) {
	load, ok := c.integers(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	low, high := bounds[T](c)
	if hugeUint(src) {
		low = max(low, 0) // what reads as negative is too large
	}
	if src.DataType().ID() == c.out.ID() && allWithin(src, load, low, high) {
		return relabel(src, c.out), nil
	}
	o := newFixed[T](c, src)
	convert(src, o, load, func(out []T, in []int64) bool { return narrow(out, in, low, high) }, func(i int, v int64) {
		if v < low || v > high {
			c.refuse(OutOfRange, i, math.Abs(float64(v)))
			o.set(i)
			return
		}
		o.vals[i] = T(v)
	})
	return o.done(c.out), nil
}

// within reports whether all values lie between low and high, without a branch a value.
func within(in []int64, low, high int64) bool {
	span, beyond := uint64(high)-uint64(low), uint64(0)
	for _, v := range in {
		_, b := bits.Sub64(span, uint64(v)-uint64(low), 0)
		beyond |= b
	}
	return beyond == 0
}

// allWithin is within for a whole array.
func allWithin(src arrow.Array, load func(from, to int) []int64, low, high int64) bool {
	if low == math.MinInt64 && high == math.MaxInt64 {
		return true
	}
	for from := 0; from < src.Len(); from += blockLen {
		if !within(load(from, min(from+blockLen, src.Len())), low, high) {
			return false
		}
	}
	return true
}

// narrow is within, and the values in their type.
func narrow[T int16 | int32 | int64](out []T, in []int64, low, high int64) bool {
	span, beyond := uint64(high)-uint64(low), uint64(0)
	out = out[:len(in)]
	for k, v := range in {
		out[k] = T(v)
		_, b := bits.Sub64(span, uint64(v)-uint64(low), 0)
		beyond |= b
	}
	return beyond == 0
}

func castDecimalToInt[T int16 | int32 | int64](c *column, src arrow.Array) (arrow.Array, error) {
	low, high := bounds[T](c)
	s := c.rescaling(c.rule.Source.Scale, 0, rangeOf(low, high))
	load, fits, ok := c.decimals(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	o := newFixed[T](c, src)
	made := c.blockRoom().made[:]
	convert(src, o, load, func(out []T, in []decimal128.Num) bool {
		if !*fits || !s.block(made, in) {
			return false
		}
		for k := range out {
			out[k] = T(made[k].LowBits())
		}
		return true
	}, func(i int, v decimal128.Num) {
		d, ok := c.exactly(i, src, v, s.from, 0)
		if !ok {
			o.set(i)
			return
		}
		v64, fits := d.int64()
		if !fits || v64 < low || v64 > high {
			c.refuse(OutOfRange, i, d.float())
			o.set(i)
			return
		}
		o.vals[i] = T(v64)
	})
	return o.done(c.out), nil
}

func castFloatToInt[T int16 | int32 | int64](c *column, src arrow.Array) (arrow.Array, error) {
	load, ok := c.floats(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	low, high := bounds[T](c)
	apart := exactBelow(src)
	o := newFixed[T](c, src)
	convert(src, o, load, func(out []T, in []float64) bool {
		return wholeFloats(out, in, low, high, apart) || c.nearInts(c.blockRoom().fine[:], in, low, high, apart) && narrow(out, c.blockRoom().fine[:len(out)], low, high)
	}, func(i int, v float64) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c.refuse(NotFinite, i, 0)
			o.set(i)
			return
		}
		// 2^63 itself is a double, and the largest int64 is not.
		fits := func(v float64) bool { return v >= float64(low) && v < math.MaxInt64 && v <= float64(high) }
		whole := math.Trunc(v)
		if whole != v && fits(whole) {
			how, write := c.lossy(i, math.Abs(v-whole), Inexact)
			if !write {
				o.set(i)
				return
			}
			if how == Round {
				whole = math.Round(v)
			}
		}
		if !fits(whole) {
			c.refuse(OutOfRange, i, math.Abs(v))
			o.set(i)
			return
		}
		if math.Abs(v) >= apart {
			c.note(Doubtful, i, math.Abs(v))
		}
		o.vals[i] = T(whole)
	})
	return o.done(c.out), nil
}

// exactBelow is the number from which on a floating-point type skips whole numbers.
func exactBelow(src arrow.Array) float64 {
	switch src.DataType().ID() {
	case arrow.FLOAT16:
		return 0x1p11
	case arrow.FLOAT32:
		return 0x1p24
	}
	return 0x1p53
}

// wholeFloats makes integers of floating-point numbers; false where one is none
// between low and high, or not nearer to zero than apart. The way back proves it.
func wholeFloats[T int16 | int32 | int64](out []T, in []float64, low, high int64, apart float64) bool {
	least, beyond := float64(low), float64(high)
	ok := true
	out = out[:len(in)]
	for k, v := range in {
		n := int64(v)
		out[k] = T(n)
		if float64(n) != v || v < least || v > beyond || math.Abs(v) >= apart {
			ok = false
		}
	}
	return ok
}

// nearInts rounds or cuts a block as the column's answer says.
func (c *column) nearInts(out []int64, in []float64, low, high int64, apart float64) bool {
	effect, ok := c.lossyEffect()
	if !ok {
		return false
	}
	var n int64
	most := 0.0
	for k, v := range in {
		if !(math.Abs(v) < apart) {
			return false
		}
		whole := math.Trunc(v)
		if lost := math.Abs(v - whole); lost != 0 {
			n++
			most = max(most, lost)
			if effect == Rounded && lost >= 0.5 {
				whole += math.Copysign(1, v)
			}
		}
		out[k] = int64(whole)
	}
	return within(out[:len(in)], low, high) && c.calmly(effect, n, most)
}

func castTextToInt[T int16 | int32 | int64](c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	low, high := bounds[T](c)
	o := newFixed[T](c, src)
	for i := range src.Len() {
		if src.IsNull(i) {
			continue
		}
		s := in.Value(i)
		if v, ok := shortDecimal(s, 0); ok && v >= low && v <= high {
			o.vals[i] = T(v)
			continue
		}
		d, ok := c.parseDecimal(i, s, 0)
		if !ok {
			o.set(i)
			continue
		}
		v, fits := d.int64()
		if !fits || v < low || v > high {
			c.refuse(OutOfRange, i, d.float())
			o.set(i)
			continue
		}
		o.vals[i] = T(v)
	}
	return o.done(c.out), nil
}
