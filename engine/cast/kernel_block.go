package cast

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// blockLen is how many values a kernel takes at a time: few enough to stay in
// the nearest cache, and so few that one value which needs a closer look costs
// the others little.
const blockLen = 1024

// room is a column's space for blocks of values, used again from batch to batch.
type room struct {
	ints   [blockLen]int64
	fine   [blockLen]int64
	micros [blockLen]int64
	nanos  [blockLen]int64
	floats [blockLen]float64
	decs   [blockLen]decimal128.Num
	made   [blockLen]decimal128.Num
	times  timeBlock
}

func (c *column) blockRoom() *room {
	if c.room == nil {
		c.room = new(room)
	}
	return c.room
}

// convert fills o with what a kernel makes of src, a block at a time. load
// gives a block's values, 0 in place of NULL. calm does a whole block and is
// true where nothing had to be told of any of its values but what it counted;
// each does one value of any other block, NULLs left out.
func convert[S any, T width](src arrow.Array, o *fixedOut[T], load func(from, to int) []S, calm func(out []T, in []S) bool, each func(i int, v S)) {
	convertAt(src, o, load, func(_ int, out []T, in []S) bool { return calm(out, in) }, each)
}

// convertAt is convert, where calm wants to know where a block begins.
func convertAt[S any, T width](src arrow.Array, o *fixedOut[T], load func(from, to int) []S, calm func(from int, out []T, in []S) bool, each func(i int, v S)) {
	for from := 0; from < o.n; from += blockLen {
		to := min(from+blockLen, o.n)
		in := load(from, to)
		if calm(from, o.vals[from:to], in) {
			continue
		}
		for k, v := range in {
			if src.IsValid(from + k) {
				each(from+k, v)
			}
		}
	}
}

// settled reports whether counting an effect alone is enough for values whose
// losses are at most this: its samples are full, and none would give way.
func (c *column) settled(e Effect, most float64) bool {
	for _, t := range c.tallies {
		if t.effect == e {
			return len(t.kept) == samplesKept && most <= t.floor
		}
	}
	return false
}

// calmly counts an effect on n values at once, none of which loses more than
// most. It is false, and nothing is counted, where one of them may be a sample.
func (c *column) calmly(e Effect, n int64, most float64) bool {
	return c.calmlyAll([]counted{{e, n, most}})
}

// counted is an effect on n values of a block, none of which loses more than most.
type counted struct {
	effect Effect
	n      int64
	most   float64
}

// calmlyAll is calmly for several effects, all of them or none. No value may
// have met two of them that change it, as each counts as changed once.
func (c *column) calmlyAll(list []counted) bool {
	if len(c.decoded.rows) > 0 {
		return false // the values that were decoded have met one already
	}
	for _, e := range list {
		if e.n > 0 && !c.settled(e.effect, e.most) {
			return false
		}
	}
	for _, e := range list {
		if e.n == 0 {
			continue
		}
		c.tally(e.effect).n += e.n
		if e.effect.changes() {
			c.changed += e.n
		}
	}
	return true
}

// often notes an effect without loss that most values of a batch have, and is
// done with the batch.
type often struct {
	c      *column
	effect Effect
	calm   bool // from here on counting is enough
	n      int64
}

func (c *column) often(e Effect) *often { return &often{c: c, effect: e, calm: c.settled(e, 0)} }

func (o *often) note(i int) {
	if o.calm {
		o.n++
		return
	}
	o.c.note(o.effect, i, 0)
	o.calm = o.c.settled(o.effect, 0)
}

func (o *often) done() { o.c.calmly(o.effect, o.n, 0) }

// lossyEffect is what the column's answer makes of values that would change;
// false where they are refused.
func (c *column) lossyEffect() (Effect, bool) {
	switch c.rule.Answer {
	case Round:
		return Rounded, true
	case Cut:
		return CutOff, true
	}
	return "", false
}

// zeroNulls makes NULL slots 0: they may hold anything.
func zeroNulls(out []int64, valid []byte, at int) {
	for len(out) > 0 {
		n := min(64, len(out))
		if w := validWord(valid, at, n); w != ^uint64(0)>>(64-n) {
			for j := range out[:n] {
				out[j] &= -int64(w >> (j & 63) & 1)
			}
		}
		out, at = out[n:], at+n
	}
}

// validWord is n bits of a bitmap from the bit at on, n of at most 64.
func validWord(valid []byte, at, n int) uint64 {
	shift := uint(at & 7)
	valid = valid[at>>3:]
	var w uint64
	if len(valid) >= 9 {
		w = binary.LittleEndian.Uint64(valid)>>shift | uint64(valid[8])<<(64-shift)
	} else {
		for k := range valid {
			switch pos := 8*k - int(shift); {
			case pos < 0:
				w |= uint64(valid[k]) >> shift
			case pos < 64:
				w |= uint64(valid[k]) << uint(pos)
			}
		}
	}
	return w & (^uint64(0) >> (64 - n))
}

// present counts the values of a block that are not NULL.
func present(src arrow.Array, from, n int) int64 {
	valid := src.NullBitmapBytes()
	if src.NullN() == 0 || len(valid) == 0 {
		return int64(n)
	}
	count := 0
	for at := src.Data().Offset() + from; n > 0; {
		step := min(64, n)
		count += bits.OnesCount64(validWord(valid, at, step))
		at, n = at+step, n-step
	}
	return int64(count)
}

// sameSize sees a slice as one of another type of the same size.
func sameSize[T, S any](in []S) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(in))), len(in))
}
