package cast

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/bitutil"
)

// A product with a rounded-up reciprocal is the quotient, for every power of ten
// and at every place where it could be one off.
func TestReciprocalsDivide(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	for k := 1; k <= 19; k++ {
		by, recip := pow10(k), recipOf(k)
		check := func(m uint64) {
			m &= math.MaxInt64
			if q, rest := recip.div(m); q != m/by || rest != m%by {
				t.Fatalf("%d / 10^%d = %d rest %d, want %d rest %d", m, k, q, rest, m/by, m%by)
			}
		}
		for range 2_000 {
			near := r.Uint64() >> r.UintN(64)
			for d := range uint64(3) {
				check(near + d)
				check(near/by*by + d - 1)
			}
		}
		for d := range uint64(3) {
			check(math.MaxInt64 - d)
			check(math.MaxInt64/by*by + d - 1)
			check(d)
		}
	}
}

// Bits of a bitmap come in words whatever their place, up to its very end.
func TestValidWords(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 2))
	bits := make([]byte, 24)
	for i := range bits {
		bits[i] = byte(r.Uint32())
	}
	for at := range 8 * len(bits) {
		for n := 1; n <= min(64, 8*len(bits)-at); n++ {
			w := validWord(bits, at, n)
			for j := range 64 {
				if want := j < n && bitutil.BitIsSet(bits, at+j); w>>j&1 == 1 != want {
					t.Fatalf("bit %d of %d from %d is %v", j, n, at, !want)
				}
			}
		}
	}
}

// A zone's steps move every time as the zone itself does, with the same effect,
// right before, at and after every change.
func TestStepsMoveAsTheirZone(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	for _, name := range []string{"America/New_York", "Australia/Lord_Howe", "Africa/Monrovia", "Africa/Casablanca", "Pacific/Apia", "America/Caracas", "Europe/Dublin", "Asia/Tokyo"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		z := newZone(loc)
		for _, d := range []struct {
			way   string
			steps *steps
			move  func(int64) (int64, Effect)
		}{{"to the wall", z.toWall(), z.wall}, {"to the instant", z.toInstant(), z.instant}} {
			check := func(at int64) {
				p, ok := d.steps.find(at)
				if !ok {
					return // told value by value
				}
				if want, effect := d.move(at); at+p.offset != want || p.effect != effect {
					t.Fatalf("%s %s: %d moves to %d %q, want %d %q", name, d.way, at, at+p.offset, p.effect, want, effect)
				}
			}
			for _, s := range z.spans {
				for _, edge := range []int64{s.from, s.from + s.offset, s.to + s.offset} {
					for _, off := range []int64{-3_600_000_000, -1, 0, 1, 1_799_999_999, 1_800_000_000, 3_599_999_999, 3_600_000_000, 7_200_000_000} {
						check(edge + off)
					}
				}
			}
			for range 20_000 {
				check(r.Int64N(8_000_000_000_000_000) - 3_000_000_000_000_000)
			}
			for _, far := range []int64{math.MinInt64, math.MaxInt64, firstStep - 1, firstStep, lastStep - 1, lastStep} {
				check(far)
			}
		}
	}
}
