package cast

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"cdcseed/engine/schema"
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
	how, write := c.drops(i, q, lost*math.Pow10(-to))
	if how == Round && rest == 2 {
		q = q.away()
	}
	return q, write
}

// drops is lossy for a number of which q is left once its last digits are cut.
// Where that is too large, no rounding helps: it is told as out of range.
func (c *column) drops(i int, q dec, loss float64) (how Answer, write bool) {
	if !c.holds(q) {
		return c.lossy(i, q.float(), OutOfRange)
	}
	return c.lossy(i, loss, Inexact)
}

// holds reports whether a column of decimals or whole numbers has room for d at
// its own scale.
func (c *column) holds(d dec) bool {
	low, high := int64(0), int64(0)
	switch c.target.Type.Kind {
	case schema.Short:
		low, high = bounds[int16](c)
	case schema.Integer:
		low, high = bounds[int32](c)
	case schema.Long:
		low, high = bounds[int64](c)
	default:
		return c.fits(d, limitOf(c.target.Type.Precision))
	}
	v, ok := d.int64()
	return ok && v >= low && v <= high
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
	load, fits, ok := c.decimals(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	s := c.rescaling(c.rule.Source.Scale, c.target.Type.Scale, c.decimalRange())
	if src.DataType().ID() == c.out.ID() && s.from == s.to && allIn(src, load, s.fit) {
		return relabel(src, c.out), nil
	}
	l := limitOf(c.target.Type.Precision)
	o := newFixed[decimal128.Num](c, src)
	convert(src, o, load, func(out, in []decimal128.Num) bool { return *fits && s.block(out, in) }, func(i int, v decimal128.Num) {
		d, ok := c.exactly(i, src, v, s.from, s.to)
		c.putDecimal(o, i, d, l, ok)
	})
	return o.done(c.out), nil
}

// putDecimal writes d, or NULL where it was refused already or does not fit.
func (c *column) putDecimal(o *fixedOut[decimal128.Num], i int, d dec, l limit, ok bool) {
	if ok && !c.fits(d, l) {
		c.refuse(OutOfRange, i, d.float())
		ok = false
	}
	if !ok {
		o.set(i)
		return
	}
	o.vals[i] = d.num()
}

// exactly brings the value at i to another scale, whatever its width; false
// where it was refused on the way.
func (c *column) exactly(i int, src arrow.Array, v decimal128.Num, from, to int) (dec, bool) {
	if a, ok := src.(*array.Decimal256); ok {
		return c.wide(i, a, from, to)
	}
	return c.rescaled(i, decOf(v), from, to)
}

// allIn reports whether every value fits as it is, so that nothing need be copied.
func allIn(src arrow.Array, load func(from, to int) []decimal128.Num, r decRange) bool {
	for from := 0; from < src.Len(); from += blockLen {
		if !r.all(load(from, min(from+blockLen, src.Len()))) {
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
	load, ok := c.integers(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	huge := hugeUint(src)
	l, scale := limitOf(c.target.Type.Precision), c.target.Type.Scale
	s := c.rescaling(0, scale, c.decimalRange())
	made := c.blockRoom().made[:]
	o := newFixed[decimal128.Num](c, src)
	convert(src, o, load, func(out []decimal128.Num, in []int64) bool {
		if huge && !within(in, 0, math.MaxInt64) {
			return false
		}
		for k, v := range in {
			made[k] = decimal128.New(v>>63, uint64(v))
		}
		return s.block(out, made[:len(in)])
	}, func(i int, v int64) {
		d := dec{lo: uint64(v)}
		if !huge {
			d = decOf64(v)
		}
		up, ok := d.times(scale)
		if !ok || !c.fits(up, l) {
			c.refuse(OutOfRange, i, d.float())
			o.set(i)
			return
		}
		o.vals[i] = up.num()
	})
	return o.done(c.out), nil
}

func castTextToDecimal(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	l, scale := limitOf(c.target.Type.Precision), c.target.Type.Scale
	o := newFixed[decimal128.Num](c, src)
	for i := range src.Len() {
		if src.IsNull(i) {
			continue
		}
		s := in.Value(i)
		if v, ok := shortDecimal(s, scale); ok {
			c.putDecimal(o, i, decOf64(v), l, true)
			continue
		}
		d, ok := c.parseDecimal(i, s, scale)
		c.putDecimal(o, i, d, l, ok)
	}
	return o.done(c.out), nil
}
