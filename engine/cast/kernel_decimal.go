package cast

import (
	"math"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// rescaled brings a decimal to another scale as the column's answer says; it
// refuses the value and answers false when that loses digits without leave, or overflows.
func (c *column) rescaled(i int, d dec, from, to int) (dec, bool) {
	if from == to {
		return d, true
	}
	if from < to {
		up, ok := d.times(to - from)
		if !ok {
			c.refuse(OutOfRange, i, d.float())
		}
		return up, ok
	}
	q, rest, lost := d.over(from - to)
	if rest == 0 {
		return q, true
	}
	how, write := c.lossy(i, lost*math.Pow10(-to), Inexact)
	if how == Round && rest == 2 {
		q = q.away()
	}
	return q, write
}

// fits reports whether a decimal column holds d at its own scale: by its
// precision, and for money and smallmoney by SQL Server's range.
func (c *column) fits(d dec, l limit) bool {
	if !d.below(l) {
		return false
	}
	switch c.target.SQL.Name {
	case "money":
		return inBits(d, 63)
	case "smallmoney":
		return inBits(d, 31)
	}
	return true
}

// inBits reports whether d is a two's complement number of n+1 bits.
func inBits(d dec, n uint) bool {
	top := uint64(1) << n
	return d.hi == 0 && (d.lo < top || d.neg && d.lo == top)
}

func castDecimal(c *column, src arrow.Array) (arrow.Array, error) {
	from, to := c.rule.Source.Scale, c.target.Type.Scale
	l := limitOf(c.target.Type.Precision)
	if a, ok := src.(*array.Decimal128); ok && from == to && c.allFit(a, l) {
		return relabel(src, c.out), nil
	}
	o := newFixed[decimal128.Num](c, src)
	err := c.eachDecimal(src, from, to, func(i int, d dec, ok bool) {
		if ok && !c.fits(d, l) {
			c.refuse(OutOfRange, i, d.float())
			ok = false
		}
		if !ok {
			o.set(i)
			return
		}
		o.vals[i] = d.num()
	})
	return o.done(c.out), err
}

// eachDecimal calls f with every value of a decimal array, brought from its
// scale to another; ok is false for one that was refused on the way.
func (c *column) eachDecimal(src arrow.Array, from, to int, f func(i int, d dec, ok bool)) error {
	switch a := src.(type) {
	case *array.Decimal128:
		for i, v := range a.Values() {
			d, ok := c.rescaled(i, decOf(v), from, to)
			f(i, d, ok)
		}
		return nil
	case *array.Decimal256:
		for i := range a.Len() {
			if a.IsValid(i) {
				d, ok := c.wide(i, a, from, to)
				f(i, d, ok)
			}
		}
		return nil
	}
	return c.unexpected(src)
}

// allFit reports whether every value fits as it is, so that nothing need be copied.
func (c *column) allFit(a *array.Decimal128, l limit) bool {
	for i, v := range a.Values() {
		if !c.fits(decOf(v), l) && a.IsValid(i) {
			return false
		}
	}
	return true
}

// wide rescales a value of up to 256 bits: where it is beyond 128, through its
// text, for it may fit once its last digits are dropped.
func (c *column) wide(i int, a *array.Decimal256, from, to int) (dec, bool) {
	b := a.Value(i).BigInt()
	if b.BitLen() <= 127 {
		return c.rescaled(i, decOf(decimal128.FromBigInt(b)), from, to)
	}
	return c.parseDecimal(i, decimalText(b.String(), from), to)
}

func castIntToDecimal(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := c.integers(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	huge := hugeUint(src)
	l := limitOf(c.target.Type.Precision)
	scale := c.target.Type.Scale
	o := newFixed[decimal128.Num](c, src)
	for i, v := range in {
		d := dec{lo: uint64(v)}
		if v < 0 && !huge {
			d = dec{lo: -uint64(v), neg: true}
		}
		up, ok := d.times(scale)
		if !ok || !c.fits(up, l) {
			c.refuse(OutOfRange, i, d.float())
			o.set(i)
			continue
		}
		o.vals[i] = up.num()
	}
	return o.done(c.out), nil
}

func castFloatToDecimal(c *column, src arrow.Array) (arrow.Array, error) {
	l := limitOf(c.target.Type.Precision)
	o := newFixed[decimal128.Num](c, src)
	width := 64
	if src.DataType().ID() != arrow.FLOAT64 {
		width = 32
	}
	var digits [32]byte
	err := c.eachFloat(src, func(i int, v float64) {
		if c.src.IsNull(i) {
			return
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c.refuse(NotFinite, i, 0)
			o.set(i)
			return
		}
		d, ok := c.parseDecimal(i, string(strconv.AppendFloat(digits[:0], v, 'e', -1, width)), c.target.Type.Scale)
		if ok && !c.fits(d, l) {
			c.refuse(OutOfRange, i, math.Abs(v))
			ok = false
		}
		if !ok {
			o.set(i)
			return
		}
		o.vals[i] = d.num()
	})
	return o.done(c.out), err
}

func castTextToDecimal(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	l := limitOf(c.target.Type.Precision)
	o := newFixed[decimal128.Num](c, src)
	for i := range src.Len() {
		if src.IsNull(i) {
			continue
		}
		d, ok := c.parseDecimal(i, in.Value(i), c.target.Type.Scale)
		if ok && !c.fits(d, l) {
			c.refuse(OutOfRange, i, d.float())
			ok = false
		}
		if !ok {
			o.set(i)
			continue
		}
		o.vals[i] = d.num()
	}
	return o.done(c.out), nil
}
