package cast

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
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
	in, ok := c.integers(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	low, high := bounds[T](c)
	if hugeUint(src) {
		low = max(low, 0) // what reads as negative is too large
	}
	if src.DataType().ID() == c.out.ID() && low == math.MinInt64 {
		return relabel(src, c.out), nil
	}
	o := newFixed[T](c, src)
	for i, v := range in {
		if v < low || v > high {
			c.refuse(OutOfRange, i, math.Abs(float64(v)))
			o.set(i)
			continue
		}
		o.vals[i] = T(v)
	}
	return o.done(c.out), nil
}

func castDecimalToInt[T int16 | int32 | int64](c *column, src arrow.Array) (arrow.Array, error) {
	scale := c.rule.Source.Scale
	low, high := bounds[T](c)
	o := newFixed[T](c, src)
	err := c.eachDecimal(src, scale, 0, func(i int, d dec, ok bool) {
		if !ok {
			o.set(i)
			return
		}
		v, fits := d.int64()
		if !fits || v < low || v > high {
			c.refuse(OutOfRange, i, d.float())
			o.set(i)
			return
		}
		o.vals[i] = T(v)
	})
	return o.done(c.out), err
}

func castFloatToInt[T int16 | int32 | int64](c *column, src arrow.Array) (arrow.Array, error) {
	low, high := bounds[T](c)
	o := newFixed[T](c, src)
	err := c.eachFloat(src, func(i int, v float64) {
		if c.src.IsNull(i) {
			return
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c.refuse(NotFinite, i, 0)
			o.set(i)
			return
		}
		whole := math.Trunc(v)
		if whole != v {
			how, write := c.lossy(i, math.Abs(v-whole), Inexact)
			if !write {
				o.set(i)
				return
			}
			if how == Round {
				whole = math.Round(v)
			}
		}
		// 2^63 itself is a double, and the largest int64 is not.
		if whole < float64(low) || whole >= math.MaxInt64 || whole > float64(high) {
			c.refuse(OutOfRange, i, math.Abs(v))
			o.set(i)
			return
		}
		o.vals[i] = T(whole)
	})
	return o.done(c.out), err
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
		d, ok := c.parseDecimal(i, in.Value(i), 0)
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
