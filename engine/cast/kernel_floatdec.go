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
	most   float64 // no value of the block lost more, in units of the last digit kept
	apart  float64 // from so many units of the last digit on the copy's type skips some
	far    int64   // values of the block that are there
	part   float64 // the most that a value lost whose digits are known
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
	f.by, f.apart = math.Pow10(f.scale), exactBelow(src)
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
		if math.Abs(v)*f.by >= f.apart {
			c.note(Doubtful, i, math.Abs(v))
		}
		o.vals[i] = d.num()
	})
	return o.done(c.out), nil
}

// floatPowers are the powers of ten that a double holds exactly. It is a table and
// never changes.
var floatPowers = [exactPower + 1]float64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// block is false where a value needs its text.
func (f *floatDecimals) block(out []decimal128.Num, in []float64) bool {
	if f.scale > exactPower {
		return false
	}
	f.n, f.most, f.part, f.far = 0, 0, 0, 0
	largest := 0.0
	out = out[:len(in)]
	for k, v := range in {
		if a := math.Abs(v); a*f.by >= f.apart {
			f.far++
			largest = max(largest, a)
		}
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
	return f.fit.all(out) && f.c.calmlyAll([]counted{{f.effect, f.n, f.most * math.Pow10(-f.scale)}, {Doubtful, f.far, largest}})
}

// shortest finds the decimal of a that is not short at the column's scale: by
// the product alone where that is far enough from any number at which the answer
// would turn, or else at another scale.
func (f *floatDecimals) shortest(a float64) (dec, bool) {
	if a == 0 || !(a < 1e22) {
		return dec{}, a == 0
	}
	if d, ok := f.cut(a*f.by, true); ok {
		return d, true
	}
	const log2 = 0.30102999566398119521
	exp := int(math.Float64bits(a)>>52) - 1022
	first := min(max(shortDigits-1-int(math.Floor(float64(exp)*log2)), 0), exactPower)
	for s := first; s <= min(first+1, exactPower); s++ {
		by := floatPowers[s]
		if n := math.RoundToEven(a * by); n < shortNumber && n/by == a {
			return f.rescale(uint64(n), s)
		}
	}
	return f.cut(a*f.by, false)
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
		f.n++
		if part := float64(rest) / float64(by); part > f.part { // the most of a block is enough, and digits are dear
			f.part, f.most = part, max(f.most, fourDigits(rest, down))
		}
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

// cut drops what t has behind the point, as the answer says; where it has to
// be sure, it takes no t whose loss could only be told roughly.
func (f *floatDecimals) cut(t float64, sure bool) (dec, bool) {
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
	off := rest*1e4 - four
	switch clear := off > near*1e4 && off < 1-near*1e4; {
	case clear:
		f.loses(fourDigits(uint64(four), 4))
	case sure:
		return dec{}, false
	default:
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
