package cast

import (
	"math"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// decRange is a range of whole numbers of 128 bits: from low on, size more.
type decRange struct {
	low  dec
	size limit
	hi   uint64 // low in two's complement
	lo   uint64
}

// between is the range from low to high, both included.
func between(low, high dec) decRange {
	r := decRange{low: low}
	n, m := low.num(), high.num()
	r.hi, r.lo = uint64(n.HighBits()), n.LowBits()
	var borrow uint64
	r.size.lo, borrow = bits.Sub64(m.LowBits(), r.lo, 0)
	r.size.hi, _ = bits.Sub64(uint64(m.HighBits()), r.hi, borrow)
	return r
}

// rangeOf is between for 64 bits.
func rangeOf(low, high int64) decRange { return between(decOf64(low), decOf64(high)) }

// high is the range's last number.
func (r decRange) high() dec {
	lo, carry := bits.Add64(r.lo, r.size.lo, 0)
	hi, _ := bits.Add64(r.hi, r.size.hi, carry)
	return decOf(decimal128.New(int64(hi), lo))
}

// all reports whether all numbers are in the range, without a branch a number.
func (r decRange) all(in []decimal128.Num) bool {
	beyond := uint64(0)
	for _, v := range in {
		lo, b := bits.Sub64(v.LowBits(), r.lo, 0)
		hi, _ := bits.Sub64(uint64(v.HighBits()), r.hi, b)
		_, b = bits.Sub64(r.size.lo, lo, 0)
		_, b = bits.Sub64(r.size.hi, hi, b)
		beyond |= b
	}
	return beyond == 0
}

// decimalRange is what a decimal column holds at its own scale: see fits.
func (c *column) decimalRange() decRange {
	l := limitOf(c.target.Type.Precision)
	top, _ := bits.Sub64(l.lo, 1, 0)
	high := dec{hi: l.hi, lo: top}
	if l.lo == 0 {
		high.hi--
	}
	low := high
	for _, s := range []struct {
		name string
		bits uint
	}{{"money", 63}, {"smallmoney", 31}} {
		if end := uint64(1) << s.bits; c.target.SQL.Name == s.name && (high.hi != 0 || high.lo >= end) {
			low, high = dec{lo: end}, dec{lo: end - 1}
		}
	}
	low.neg = true
	return between(low, high)
}

// rescaling brings decimals of one scale to another, a block at a time.
type rescaling struct {
	c        *column
	from, to int
	fit      decRange // of results
	before   decRange // of what is scaled up: its results fit
	by       [2]uint64
	recip    recip10
}

func (c *column) rescaling(from, to int, fit decRange) *rescaling {
	s := &rescaling{c: c, from: from, to: to, fit: fit, by: [2]uint64{1, 1}}
	if up := to - from; up > 0 {
		low, _, _ := fit.low.over(up)
		high, _, _ := fit.high().over(up)
		s.before = between(low, high)
		s.by[0] = pow10(min(up, 19))
		s.by[1] = pow10(min(max(up-19, 0), 19)) // from 10^39 on, nothing but 0 is within before
	}
	if down := from - to; down > 0 && down <= 19 {
		s.recip = recipOf(down)
	}
	return s
}

// block is false where a value needs a word of its own.
func (s *rescaling) block(out, in []decimal128.Num) bool {
	out = out[:len(in)]
	switch {
	case s.from == s.to:
		copy(out, in)
		return s.fit.all(in)
	case s.from < s.to:
		return s.before.all(in) && s.up(out, in)
	case s.from-s.to <= 19 && all64(in):
		return s.down64(out, in)
	default:
		return s.down(out, in)
	}
}

// up multiplies what is known to fit.
func (s *rescaling) up(out, in []decimal128.Num) bool {
	p := s.by[0]
	for k, v := range in {
		hi, lo := bits.Mul64(v.LowBits(), p)
		out[k] = decimal128.New(int64(hi+uint64(v.HighBits())*p), lo)
	}
	if p = s.by[1]; p > 1 {
		for k, v := range out {
			hi, lo := bits.Mul64(v.LowBits(), p)
			out[k] = decimal128.New(int64(hi+uint64(v.HighBits())*p), lo)
		}
	}
	return true
}

// all64 reports whether all magnitudes have 63 bits at most.
func all64(in []decimal128.Num) bool {
	var more uint64
	for _, v := range in {
		sign := uint64(v.HighBits() >> 63)
		more |= uint64(v.HighBits()) ^ sign | (v.LowBits()^sign)>>63
	}
	return more == 0
}

// down64 divides magnitudes of 63 bits by 10^19 at most.
func (s *rescaling) down64(out, in []decimal128.Num) bool {
	effect, lossy := s.c.lossyEffect()
	half := s.recip.by // never reached
	if effect == Rounded {
		half = s.recip.by / 2
	}
	var n, most uint64 // values that change, and the largest rest
	for k, v := range in {
		sign := uint64(v.HighBits())
		m := (v.LowBits() ^ sign) - sign
		q, rest := s.recip.div(m)
		_, some := bits.Sub64(0, rest, 0)
		n += some
		most = max(most, rest)
		_, below := bits.Sub64(rest, half, 0)
		q += 1 - below
		q = (q ^ sign) - sign
		out[k] = decimal128.New(int64(q)>>63, q)
	}
	lost := float64(most) / float64(s.recip.by)
	return s.fit.all(out) && (n == 0 || lossy && s.c.calmly(effect, int64(n), lost*math.Pow10(-s.to)))
}

func (s *rescaling) down(out, in []decimal128.Num) bool {
	effect, lossy := s.c.lossyEffect()
	var n int64
	most := 0.0
	for k, v := range in {
		q, rest, lost := decOf(v).over(s.from - s.to)
		if rest > 0 {
			n++
			most = max(most, lost)
			if rest == 2 && effect == Rounded {
				q = q.away()
			}
		}
		out[k] = q.num()
	}
	return s.fit.all(out) && (n == 0 || lossy && s.c.calmly(effect, n, most*math.Pow10(-s.to)))
}

// recip10 divides magnitudes of 63 bits by a power of ten: a multiplication by
// a rounded-up reciprocal, which is exact for so few bits, costs a tenth of a division.
type recip10 struct {
	by, mul uint64
	shift   uint
}

func recipOf(k int) recip10 {
	by := pow10(k)
	size := uint(bits.Len64(by - 1)) // 2^size >= by
	// mul = floor(2^(63+size) / by) + 1, below 2^64.
	q, _ := bits.Div64(1<<(size-1), 0, by)
	return recip10{by: by, mul: q + 1, shift: size - 1}
}

func (r recip10) div(m uint64) (q, rest uint64) {
	q, _ = bits.Mul64(m, r.mul)
	q >>= r.shift
	return q, m - q*r.by
}
