package cast

import (
	"math"
	"math/bits"
)

// decText is a decimal number read from text, at the scale asked for.
type decText struct {
	value dec
	rest  int     // what was dropped: 0 nothing, 1 less than half, 2 half or more
	lost  float64 // its size in units of the last digit kept
	huge  bool    // beyond 127 bits: value is no use
}

// readDecimal reads a number in plain or exponent notation, blanks around it
// allowed: 7.50, -.5, 1e3, 0E-18. Any number of digits is exact up to the
// scale asked for. It is false for text that is no number.
func readDecimal(s string, scale int) (out decText, ok bool) {
	s = trim(s)
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg, s = s[0] == '-', s[1:]
	}
	mantissa, exponent, ok := splitExponent(s)
	if !ok {
		return out, false
	}
	whole, digits, ok := measure(mantissa)
	if !ok {
		return out, false
	}
	out.value.neg = neg
	// The first `keep` digits of the mantissa stand before the cut.
	keep := whole + exponent + scale
	out.take(mantissa, keep)
	if up := keep - digits; up > 0 && !out.value.zero() {
		var fits bool
		if up > 40 {
			fits = false
		} else {
			out.value, fits = out.value.times(up)
		}
		out.huge = out.huge || !fits
	}
	if out.value.zero() && out.rest == 0 {
		out.value.neg = false
	}
	return out, true
}

// shortDecimal reads what most numbers are: digits, perhaps a sign and a point,
// that make up to 18 digits at the scale asked for and lose none. It is false
// for any other text, number or not: see readDecimal.
func shortDecimal(s string, scale int) (v int64, ok bool) {
	k, neg := 0, false
	if s != "" && s[0] == '-' {
		k, neg = 1, true
	}
	if len(s)-k > 19 { // of digits and point
		return 0, false
	}
	whole, point := k, len(s)
	for ; k < len(s); k++ {
		d := int64(s[k]) - '0'
		if d >= 0 && d <= 9 {
			v = v*10 + d
			continue
		}
		if s[k] != '.' || point < len(s) {
			return 0, false
		}
		point = k
	}
	digits, after := len(s)-whole, 0
	if point < len(s) {
		digits, after = digits-1, len(s)-point-1
	}
	up := scale - after
	if digits == 0 || up < 0 || digits+up > 18 {
		return 0, false
	}
	v *= int64(pow10(up))
	if neg {
		v = -v
	}
	return v, true
}

// take reads the digits before the cut into the value and judges the others.
func (t *decText) take(mantissa string, keep int) {
	seen := 0
	for k := 0; k < len(mantissa); k++ {
		ch := mantissa[k]
		if ch == '.' {
			continue
		}
		d := uint64(ch - '0')
		switch {
		case seen < keep:
			t.push(d)
		case seen == keep:
			t.rest = restOf(d > 0, d >= 5)
			t.lost = float64(d) / 10
		case d > 0 && t.rest == 0:
			t.rest = 1
		}
		if seen > keep && seen < keep+4 {
			t.lost += float64(d) * math.Pow10(keep-seen-1)
		}
		seen++
	}
}

func (t *decText) push(d uint64) {
	if t.huge {
		return
	}
	v := t.value
	if v.hi == 0 && v.lo < 1<<59 {
		t.value.lo = v.lo*10 + d
		return
	}
	if v.hi < 1<<59 {
		hi, lo := bits.Mul64(v.lo, 10)
		lo, carry := bits.Add64(lo, d, 0)
		t.value.hi, t.value.lo = v.hi*10+hi+carry, lo
		return
	}
	up, ok := v.times(1)
	t.huge = !ok
	up.lo += d // a multiple of ten below 2^127 leaves room for a digit, but for a carry
	if up.lo < d {
		up.hi++
	}
	t.value = up
}

// mostExponent is where exponents are held: beyond any number's digits, and
// within an int of any machine.
const mostExponent = 100_000_000

// splitExponent parts 1.5e3 into 1.5 and 3.
func splitExponent(s string) (mantissa string, exponent int, ok bool) {
	for k := 0; k < len(s); k++ {
		if s[k] != 'e' && s[k] != 'E' {
			continue
		}
		rest, neg := s[k+1:], false
		if rest != "" && (rest[0] == '-' || rest[0] == '+') {
			neg, rest = rest[0] == '-', rest[1:]
		}
		if rest == "" {
			return "", 0, false
		}
		for j := 0; j < len(rest); j++ {
			if rest[j] < '0' || rest[j] > '9' {
				return "", 0, false
			}
			exponent = min(exponent*10+int(rest[j]-'0'), mostExponent)
		}
		if neg {
			exponent = -exponent
		}
		return s[:k], exponent, true
	}
	return s, 0, true
}

// measure counts the digits before the point and in all; false where
// something else is among them.
func measure(s string) (whole, digits int, ok bool) {
	point := false
	for k := 0; k < len(s); k++ {
		switch ch := s[k]; {
		case ch >= '0' && ch <= '9':
			digits++
		case ch == '.' && !point:
			point, whole = true, digits
		default:
			return 0, 0, false
		}
	}
	if !point {
		whole = digits
	}
	return whole, digits, digits > 0
}

// trim drops ASCII white space at both ends.
func trim(s string) string {
	for s != "" && blank(s[0]) {
		s = s[1:]
	}
	for s != "" && blank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func blank(ch byte) bool { return ch == ' ' || ch >= '\t' && ch <= '\r' }

// parseDecimal reads the number in the text of row i at a scale, under the
// column's answer; it refuses it and answers false where that cannot be.
func (c *column) parseDecimal(i int, s string, scale int) (dec, bool) {
	t, ok := readDecimal(s, scale)
	switch {
	case !ok:
		c.refuse(Unparseable, i, 0)
		return dec{}, false
	case t.huge:
		c.refuse(OutOfRange, i, math.MaxFloat64)
		return dec{}, false
	case t.rest == 0:
		return t.value, true
	}
	how, write := c.drops(i, t.value, t.lost*math.Pow10(-scale))
	if how == Round && t.rest == 2 {
		return t.value.away(), write
	}
	return t.value, write
}
