package cast

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
)

// wholes gives an array of integers, dates or times as int64, a block at a
// time; a uint64 above the range comes out negative: see hugeUint. The
// block is the array's own memory where it can be, so nobody writes to it.
func (c *column) wholes(src arrow.Array) (func(from, to int) []int64, bool) {
	switch a := src.(type) {
	case *array.Int64:
		return sameInts(c, src, a.Int64Values()), true
	case *array.Uint64:
		return sameInts(c, src, sameSize[int64](a.Uint64Values())), true
	case *array.Timestamp:
		return sameInts(c, src, sameSize[int64](a.TimestampValues())), true
	case *array.Time64:
		return sameInts(c, src, sameSize[int64](a.Time64Values())), true
	case *array.Int32:
		return widened(c, src, a.Int32Values()), true
	case *array.Date32:
		return widened(c, src, sameSize[int32](a.Date32Values())), true
	case *array.Time32:
		return widened(c, src, sameSize[int32](a.Time32Values())), true
	case *array.Int16:
		return widened(c, src, a.Int16Values()), true
	case *array.Int8:
		return widened(c, src, a.Int8Values()), true
	case *array.Uint8:
		return widened(c, src, a.Uint8Values()), true
	case *array.Uint16:
		return widened(c, src, a.Uint16Values()), true
	case *array.Uint32:
		return widened(c, src, a.Uint32Values()), true
	}
	return nil, false
}

// integers is wholes of integers alone.
func (c *column) integers(src arrow.Array) (func(from, to int) []int64, bool) {
	if !arrow.IsInteger(src.DataType().ID()) {
		return nil, false
	}
	return c.wholes(src)
}

func sameInts(c *column, src arrow.Array, in []int64) func(from, to int) []int64 {
	if src.NullN() == 0 {
		return func(from, to int) []int64 { return in[from:to] }
	}
	out, valid, offset := &c.blockRoom().ints, src.NullBitmapBytes(), src.Data().Offset()
	return func(from, to int) []int64 {
		b := out[:copy(out[:], in[from:to])]
		zeroNulls(b, valid, offset+from)
		return b
	}
}

func widened[T int8 | int16 | int32 | uint8 | uint16 | uint32](c *column, src arrow.Array, in []T) func(from, to int) []int64 {
	out, valid, offset, nulls := &c.blockRoom().ints, src.NullBitmapBytes(), src.Data().Offset(), src.NullN() > 0
	return func(from, to int) []int64 {
		b := out[:to-from]
		for k, v := range in[from:to] {
			b[k] = int64(v)
		}
		if nulls {
			zeroNulls(b, valid, offset+from)
		}
		return b
	}
}

// floats gives an array of floating-point numbers as float64, a block at a time.
func (c *column) floats(src arrow.Array) (func(from, to int) []float64, bool) {
	out, valid, offset, nulls := &c.blockRoom().floats, src.NullBitmapBytes(), src.Data().Offset(), src.NullN() > 0
	var fill func(b []float64, from, to int)
	switch a := src.(type) {
	case *array.Float64:
		in := a.Float64Values()
		if !nulls {
			return func(from, to int) []float64 { return in[from:to] }, true
		}
		fill = func(b []float64, from, to int) { copy(b, in[from:to]) }
	case *array.Float32:
		in := a.Float32Values()
		fill = func(b []float64, from, to int) {
			for k, v := range in[from:to] {
				b[k] = float64(v)
			}
		}
	case *array.Float16:
		in := a.Values()
		fill = func(b []float64, from, to int) { widenHalf(b, in[from:to]) }
	default:
		return nil, false
	}
	return func(from, to int) []float64 {
		b := out[:to-from]
		fill(b, from, to)
		if nulls {
			zeroNulls(sameSize[int64](b), valid, offset+from)
		}
		return b
	}, true
}

func widenHalf(out []float64, in []float16.Num) {
	for k, v := range in {
		out[k] = half16(v)
	}
}

// decimals gives an array of decimals of 128 bits, a block at a time. fits is
// false for a block with a value that is wider: then its numbers are no use.
func (c *column) decimals(src arrow.Array) (load func(from, to int) []decimal128.Num, fits *bool, ok bool) {
	out, valid, offset, nulls := &c.blockRoom().decs, src.NullBitmapBytes(), src.Data().Offset(), src.NullN() > 0
	fits = new(bool)
	*fits = true
	switch a := src.(type) {
	case *array.Decimal128:
		in := a.Values()
		if !nulls {
			return func(from, to int) []decimal128.Num { return in[from:to] }, fits, true
		}
		return func(from, to int) []decimal128.Num {
			b := out[:copy(out[:], in[from:to])]
			zeroNullPairs(b, valid, offset+from)
			return b
		}, fits, true
	case *array.Decimal256:
		in := a.Values()
		return func(from, to int) []decimal128.Num {
			b := out[:to-from]
			*fits = narrow256(b, in[from:to], src, from)
			return b
		}, fits, true
	}
	return nil, nil, false
}

// narrow256 takes the low halves; false where one value is not its low half.
func narrow256(out []decimal128.Num, in []decimal256.Num, src arrow.Array, from int) bool {
	ok := true
	for k, v := range in {
		w := v.Array()
		top := uint64(int64(w[1]) >> 63)
		if w[2] != top || w[3] != top {
			if src.IsValid(from + k) {
				ok = false
			}
			w[0], w[1] = 0, 0
		} else if src.IsNull(from + k) {
			w[0], w[1] = 0, 0
		}
		out[k] = decimal128.New(int64(w[1]), w[0])
	}
	return ok
}

// zeroNullPairs is zeroNulls for values of two words.
func zeroNullPairs(out []decimal128.Num, valid []byte, at int) {
	words := sameSize[[2]int64](out)
	for len(words) > 0 {
		n := min(64, len(words))
		if w := validWord(valid, at, n); w != ^uint64(0)>>(64-n) {
			for j := range words[:n] {
				mask := -int64(w >> (j & 63) & 1)
				words[j][0] &= mask
				words[j][1] &= mask
			}
		}
		words, at = words[n:], at+n
	}
}
