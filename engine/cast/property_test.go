package cast_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
)

// bigOf is what the parser read, as a big number.
func bigOf(neg bool, hi, lo uint64) *big.Int {
	v := new(big.Int).SetUint64(hi)
	v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(lo))
	if neg {
		v.Neg(v)
	}
	return v
}

// Random numbers in random notations read as math/big reads them.
func TestDecimalTextAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 20_000 {
		digits := 1 + r.IntN(45)
		var b strings.Builder
		if r.IntN(2) == 0 {
			b.WriteByte('-')
		}
		point := r.IntN(digits + 1)
		for k := range digits {
			if k == point {
				b.WriteByte('.')
			}
			b.WriteByte(byte('0' + r.IntN(10)))
		}
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "e%d", r.IntN(30)-15)
		}
		checkDecimal(t, b.String(), r.IntN(20))
	}
}

// checkDecimal compares the parser with exact rational arithmetic.
func checkDecimal(t *testing.T, s string, scale int) {
	t.Helper()
	want, ok := new(big.Rat).SetString(s)
	neg, hi, lo, rest, huge, read := cast.ReadDecimal(s, scale)
	if !ok || !read {
		if ok != read {
			t.Errorf("%q: read %v, math/big %v", s, read, ok)
		}
		return
	}
	want.Mul(want, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
	q, m := new(big.Int).QuoRem(want.Num(), want.Denom(), new(big.Int))
	if q.CmpAbs(new(big.Int).Lsh(big.NewInt(1), 127)) >= 0 {
		if !huge {
			t.Errorf("%q at scale %d is beyond 127 bits, read as %v", s, scale, bigOf(neg, hi, lo))
		}
		return
	}
	twice := new(big.Int).Abs(m)
	twice.Lsh(twice, 1)
	wantRest := 0
	switch {
	case twice.Cmp(want.Denom()) >= 0:
		wantRest = 2
	case m.Sign() != 0:
		wantRest = 1
	}
	if huge || bigOf(neg, hi, lo).Cmp(q) != 0 || rest != wantRest {
		t.Errorf("%q at scale %d: %v rest %d huge %v, want %v rest %d", s, scale, bigOf(neg, hi, lo), rest, huge, q, wantRest)
	}
}

// The calendar agrees with the time package on every 97th day of 10 000 years,
// and a Julian day with its own leap years.
func TestCalendarAgainstTimePackage(t *testing.T) {
	for d := int64(-719_162); d <= 2_932_896; d += 97 {
		y, m, day := cast.DateOf(d)
		want := time.Unix(d*86_400, 0).UTC()
		if y != int64(want.Year()) || m != int64(want.Month()) || day != int64(want.Day()) || cast.DaysOf(y, m, day) != d {
			t.Fatalf("day %d is %d-%d-%d, want %s", d, y, m, day, want.Format(time.DateOnly))
		}
	}
	// Counting Julian days one by one from 0001-01-01.
	d := int64(-719_164)
	for y := int64(1); y <= 1582; y++ {
		for m := int64(1); m <= 12; m++ {
			last := []int64{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[m-1]
			if m == 2 && y%4 == 0 {
				last++
			}
			for day := int64(1); day <= last && d < -141_427; day++ {
				if got := cast.Rebase(d); got != cast.DaysOf(y, m, day) {
					t.Fatalf("Julian %d-%d-%d, day %d, became %d, want %d", y, m, day, d, got, cast.DaysOf(y, m, day))
				}
				d++
			}
		}
	}
	if d != -141_427 {
		t.Errorf("counted to %d", d)
	}
}

// Every zone tried shows what the time package shows, and finds the way back.
func TestZonesAgainstTimePackage(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for _, name := range []string{"America/New_York", "America/Sao_Paulo", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Tokyo", "Pacific/Apia", "Africa/Casablanca", "UTC"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			at := r.Int64N(4_000_000_000_000_000) - 2_000_000_000_000_000 // 1906 to 2033
			checkZone(t, loc, at)
			if at%10 == 0 { // far years, where rules go on
				checkZone(t, loc, at+r.Int64N(8_000)*31_556_952_000_000)
			}
		}
	}
}

func checkZone(t *testing.T, loc *time.Location, at int64) {
	t.Helper()
	local := time.UnixMicro(at).In(loc)
	want := int64(clock.WallOf(local))
	got, _ := cast.Wall(loc, at)
	if got != want {
		t.Errorf("%s at %d shows %d, want %d", loc, at, got, want)
	}
	back, effect := cast.Instant(loc, want)
	if back != at && (effect != cast.Ambiguous || back > at) {
		t.Errorf("%s: %s leads back to %d (%s), want %d", loc, local, back, effect, at)
	}
}

// Each tick is recognised in three spellings, and nothing else is taken for one.
func TestTicks(t *testing.T) {
	ticks := map[int64]int64{} // fraction to the stream's spelling
	for k := int64(0); k <= 300; k++ {
		spelling := (k*1000*10/300 + 5) / 10 * 1000
		for f := range int64(3) {
			exact := k * 1_000_000 / 300
			if d := 3*(exact+f-1) - k*10_000; d >= -3 && d <= 3 {
				ticks[exact+f-1] = spelling
			}
		}
		ticks[spelling] = spelling
	}
	for f := range int64(1_000_000) {
		exact, near, nearest, before := cast.Tick(f, 0, "")
		want, is := ticks[f]
		if (exact || near) != is || is && nearest != want {
			t.Fatalf("%d us: exact %v, near %v, nearest %d; want %v %d", f, exact, near, nearest, is, want)
		}
		if before > f+334 || nearest < before {
			t.Fatalf("%d us: before %d, nearest %d", f, before, nearest)
		}
	}
}
