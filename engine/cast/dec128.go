package cast

import (
	"math"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// dec is an unscaled decimal: sign and magnitude of up to 128 bits. It is
// exact; the operations say when a result would not fit.
type dec struct {
	hi, lo uint64
	neg    bool
}

func decOf(n decimal128.Num) dec {
	hi, lo := uint64(n.HighBits()), n.LowBits()
	if int64(hi) >= 0 {
		return dec{hi: hi, lo: lo}
	}
	lo, borrow := bits.Sub64(0, lo, 0)
	hi, _ = bits.Sub64(0, hi, borrow)
	return dec{hi: hi, lo: lo, neg: true}
}

// decOf64 is decOf for 64 bits.
func decOf64(v int64) dec {
	if v < 0 {
		return dec{lo: -uint64(v), neg: true}
	}
	return dec{lo: uint64(v)}
}

// num is d in two's complement; d must be below 2^127.
func (d dec) num() decimal128.Num {
	if !d.neg {
		return decimal128.New(int64(d.hi), d.lo)
	}
	lo, borrow := bits.Sub64(0, d.lo, 0)
	hi, _ := bits.Sub64(0, d.hi, borrow)
	return decimal128.New(int64(hi), lo)
}

func (d dec) zero() bool { return d.hi|d.lo == 0 }

// int64 is d as a whole number, false where it has no room.
func (d dec) int64() (int64, bool) {
	switch {
	case d.hi != 0:
		return 0, false
	case d.neg:
		return -int64(d.lo), d.lo <= 1<<63
	default:
		return int64(d.lo), d.lo <= math.MaxInt64
	}
}

// float is the magnitude, near enough to compare losses.
func (d dec) float() float64 { return float64(d.hi)*0x1p64 + float64(d.lo) }

// pow10 is 10^k for k of 0 to 19.
func pow10(k int) uint64 { return powersOf10[k] }

// powersOf10 is a table and never changes.
var powersOf10 = [20]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// times is d * 10^k, false when it outgrows 127 bits.
func (d dec) times(k int) (dec, bool) {
	for k > 0 {
		step := min(k, 19)
		p := pow10(step)
		over, hi := bits.Mul64(d.hi, p)
		carry, lo := bits.Mul64(d.lo, p)
		sum, c := bits.Add64(hi, carry, 0)
		if over != 0 || c != 0 || sum>>63 != 0 {
			return d, false
		}
		d.hi, d.lo = sum, lo
		k -= step
	}
	return d, true
}

// over is d / 10^k cut toward zero. rest tells what was dropped: 0 nothing, 1
// less than half of the last digit kept, 2 half or more.
func (d dec) over(k int) (q dec, rest int, lost float64) {
	if k > 38 {
		if d.zero() {
			return d, 0, 0
		}
		return dec{neg: d.neg}, 1, d.float() * math.Pow10(-k)
	}
	low := min(k, 19)
	q, r1 := d.div(pow10(low))
	if k <= 19 {
		return q, restOf(r1 != 0, k > 0 && r1 >= 5*pow10(max(k-1, 0))), float64(r1) / float64(pow10(low))
	}
	q, r2 := q.div(pow10(k - 19))
	half := r2 >= 5*pow10(k-20)
	return q, restOf(r1|r2 != 0, half), (float64(r2)*1e19 + float64(r1)) * math.Pow10(-k)
}

func restOf(some, half bool) int {
	switch {
	case half:
		return 2
	case some:
		return 1
	}
	return 0
}

// div divides by a number, which is not 0.
func (d dec) div(by uint64) (dec, uint64) {
	hi, r := uint64(0), d.hi
	if r >= by { // a division that is mostly needless, and dear
		hi, r = r/by, r%by
	}
	lo, r := bits.Div64(r, d.lo, by)
	return dec{hi: hi, lo: lo, neg: d.neg}, r
}

// away adds one to the magnitude.
func (d dec) away() dec {
	lo, carry := bits.Add64(d.lo, 1, 0)
	d.lo, d.hi = lo, d.hi+carry
	return d
}

// limit is a bound on magnitudes: 10^precision, or a smaller range of SQL Server.
type limit struct{ hi, lo uint64 }

// below reports |d| < limit.
func (d dec) below(l limit) bool { return d.hi < l.hi || d.hi == l.hi && d.lo < l.lo }

// limitOf is 10^precision.
func limitOf(precision int) limit {
	d, _ := dec{lo: 1}.times(precision)
	return limit{d.hi, d.lo}
}
