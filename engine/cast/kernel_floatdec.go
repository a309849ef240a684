package cast

import (
	"math"
	"math/bits"
	"strconv"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// floatDecimals makes decimals of floating-point numbers without writing their
// shortest text, which is what they stand for, as long as that can be had by
// arithmetic: a number of at most 15 digits that leads back to the same double
// is that text, for no two such numbers share one. A number of fewer bits is
// taken as the double that it is.
type floatDecimals struct {
	c     *column
	scale int
	by    float64 // 10^scale
	fit   decRange

	effect Effect
	lossy  bool
	n      int64
	most   float64 // no value lost more, in units of the last digit kept
}

// A short number has so many digits that a double holds each of them apart.
const (
	shortDigits = 15
	shortNumber = 1e15
)

func castFloatToDecimal(c *column, src arrow.Array) (arrow.Array, error) {
	load, ok := c.floats(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	f := &floatDecimals{c: c, scale: c.target.Type.Scale, fit: c.decimalRange()}
	f.by = math.Pow10(f.scale)
	f.effect, f.lossy = c.lossyEffect()
	l := limitOf(c.target.Type.Precision)
	o := newFixed[decimal128.Num](c, src)
	digits := make([]byte, 0, 32)
	convert(src, o, load, f.block, func(i int, v float64) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c.refuse(NotFinite, i, 0)
			o.set(i)
			return
		}
		digits = strconv.AppendFloat(digits[:0], v, 'e', -1, 64)
		d, ok := c.parseDecimal(i, unsafe.String(unsafe.SliceData(digits), len(digits)), f.scale)
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
	return o.done(c.out), nil
}

// block is false where a value needs its text.
func (f *floatDecimals) block(out []decimal128.Num, in []float64) bool {
	if f.scale > exactPower {
		return false
	}
	f.n, f.most = 0, 0
	out = out[:len(in)]
	for k, v := range in {
		n := math.RoundToEven(v * f.by)
		if math.Abs(n) < shortNumber && n/f.by == v {
			out[k] = decimal128.New(int64(n)>>63, uint64(int64(n)))
			continue
		}
		d, ok := f.shortest(math.Abs(v))
		if !ok {
			return false
		}
		d.neg = v < 0
		out[k] = d.num()
	}
	return f.fit.all(out) && f.c.calmly(f.effect, f.n, f.most*math.Pow10(-f.scale))
}

// shortest finds the decimal of a that is not short at the column's scale: at
// another scale, or else by the product alone where that is far enough from any
// number at which the answer would turn.
func (f *floatDecimals) shortest(a float64) (dec, bool) {
	if a == 0 || !(a < 1e22) {
		return dec{}, a == 0
	}
	const log2 = 0.30102999566398119521
	exp := int(math.Float64bits(a)>>52) - 1022
	first := min(max(shortDigits-1-int(math.Floor(float64(exp)*log2)), 0), exactPower)
	for s := first; s <= min(first+1, exactPower); s++ {
		n := math.RoundToEven(a * math.Pow10(s))
		if n < shortNumber && n/math.Pow10(s) == a {
			return f.rescale(uint64(n), s)
		}
	}
	return f.cut(a * f.by)
}

// rescale brings n at a scale to the column's.
func (f *floatDecimals) rescale(n uint64, scale int) (dec, bool) {
	down := scale - f.scale
	if down <= 0 {
		hi, lo := bits.Mul64(n, pow10(min(-down, 19)))
		return dec{hi: hi, lo: lo}, down >= -19
	}
	by := pow10(min(down, 19))
	q, rest := n/by, n%by
	if rest > 0 {
		if !f.lossy || down > 19 {
			return dec{}, false
		}
		f.loses(fourDigits(rest, down))
		if f.effect == Rounded && rest >= by/2 {
			q++
		}
	}
	return dec{lo: q}, true
}

// fourDigits is rest / 10^k as samples tell a loss: see decText.take.
func fourDigits(rest uint64, k int) float64 {
	if k > 4 {
		rest /= pow10(k - 4)
	} else {
		rest *= pow10(4 - k)
	}
	lost := float64(rest/1000) / 10
	lost += float64(rest/100%10) * 1e-2
	lost += float64(rest/10%10) * 1e-3
	return lost + float64(rest%10)*1e-4
}

// cut drops what t has behind the point, as the answer says.
func (f *floatDecimals) cut(t float64) (dec, bool) {
	if !f.lossy || !(t < 0x1p50) {
		return dec{}, false
	}
	// The shortest text lies within half of a double's last bit, and so does the product.
	whole := math.Floor(t)
	rest, near := t-whole, t*0x1p-51+1e-300
	if rest <= near || rest >= 1-near || math.Abs(rest-0.5) <= near {
		return dec{}, false
	}
	four := math.Floor(rest * 1e4)
	if off := rest*1e4 - four; off > near*1e4 && off < 1-near*1e4 {
		f.loses(fourDigits(uint64(four), 4))
	} else {
		f.loses(min(rest+near+1e-12, 0.9999)) // not told as more
	}
	if f.effect == Rounded && rest > 0.5 {
		whole++
	}
	return dec{lo: uint64(whole)}, true
}

// loses counts a value that changes by rest of the last digit kept, or less.
func (f *floatDecimals) loses(rest float64) {
	f.n++
	f.most = max(f.most, rest)
}
