package cast

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// castIntToBool takes 0 and 1 alone: SQL Server would make any other number 1,
// but then the column it came from was no bit.
func castIntToBool(c *column, src arrow.Array) (arrow.Array, error) {
	load, ok := c.integers(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	o := newBits(c, src)
	for from := 0; from < o.n; from += blockLen {
		in := load(from, min(from+blockLen, o.n))
		if o.pack(from, in) {
			continue
		}
		for k, v := range in {
			switch i := from + k; {
			case v&^1 == 0:
				bitutil.SetBitTo(o.data.Bytes(), i, v == 1)
			case src.IsValid(i):
				c.refuse(OutOfRange, i, 0)
				o.set(i)
			}
		}
	}
	return o.done(c.out), nil
}

func castTextToBool(c *column, src arrow.Array) (arrow.Array, error) {
	return c.bools(src, func(s string) (bool, Effect) {
		switch s = trim(s); {
		case s == "1", s == "\x01", len(s) == len("true") && strings.EqualFold(s, "true"):
			return true, ""
		case s == "0", s == "\x00", len(s) == len("false") && strings.EqualFold(s, "false"): // no longer letter that folds to s
			return false, ""
		}
		return false, Unparseable
	})
}

func castBytesToBool(c *column, src arrow.Array) (arrow.Array, error) {
	return c.bools(src, func(s string) (bool, Effect) {
		if len(s) != 1 {
			return false, WrongLength
		}
		if s[0] > 1 {
			return false, OutOfRange
		}
		return s[0] == 1, ""
	})
}

// bools makes booleans of texts or bytes; read gives a value, or why there is none.
func (c *column) bools(src arrow.Array, read func(s string) (bool, Effect)) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	o := newBits(c, src)
	for i := range o.n {
		if src.IsNull(i) {
			continue
		}
		v, bad := read(in.Value(i))
		if bad != "" {
			c.refuse(bad, i, 0)
			o.set(i)
			continue
		}
		if v {
			bitutil.SetBit(o.data.Bytes(), i)
		}
	}
	return o.done(c.out), nil
}

// bitsOut is an array of booleans being made; all are false to begin with.
type bitsOut struct {
	nulls
	data *memory.Buffer
}

func newBits(c *column, src arrow.Array) *bitsOut {
	o := &bitsOut{nulls: newNulls(c.mem, src), data: memory.NewResizableBuffer(c.mem)}
	o.data.Resize(int(bitutil.BytesForBits(int64(o.n))))
	clear(o.data.Bytes())
	return o
}

// pack writes a block of zeros and ones that begins with a byte; false where
// another number is among them.
func (o *bitsOut) pack(from int, in []int64) bool {
	var all int64
	out := o.data.Bytes()[from/8:]
	for k := 0; k+8 <= len(in); k += 8 {
		v := (*[8]int64)(in[k:])
		all |= v[0] | v[1] | v[2] | v[3] | v[4] | v[5] | v[6] | v[7]
		out[k/8] = byte(v[0] | v[1]<<1 | v[2]<<2 | v[3]<<3 | v[4]<<4 | v[5]<<5 | v[6]<<6 | v[7]<<7)
	}
	for k := len(in) &^ 7; k < len(in); k++ {
		all |= in[k]
		out[k/8] |= byte(in[k]&1) << (k % 8)
	}
	return all&^1 == 0
}

// done is the array, of the type given.
func (o *bitsOut) done(t arrow.DataType) arrow.Array {
	d := array.NewData(t, o.n, []*memory.Buffer{o.buf, o.data}, nil, o.count, 0)
	o.release()
	o.data.Release()
	defer d.Release()
	return array.MakeFromData(d)
}
