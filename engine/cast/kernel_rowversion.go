package cast

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/apache/arrow/go/v17/arrow"
)

// eight is the length of a rowversion.
const eight = 8

// castRowversion takes eight bytes as they are.
func castRowversion(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	if src.DataType().ID() == arrow.BINARY && allLong(src, in.starts, eight) {
		return relabel(src, c.out), nil
	}
	return c.eights(src, func(out []byte, i int) bool {
		s := in.Value(i)
		if len(s) != eight {
			c.refuse(WrongLength, i, 0)
			return false
		}
		copy(out, s)
		return true
	})
}

// allLong reports whether every value but NULL has a length.
func allLong(src arrow.Array, starts []int32, want int32) bool {
	for i := range src.Len() {
		if starts[i+1]-starts[i] != want && src.IsValid(i) {
			return false
		}
	}
	return true
}

// castRowversionInt writes a number as eight bytes, highest first; a negative
// one is the top half of the unsigned range, read as signed.
func castRowversionInt(c *column, src arrow.Array) (arrow.Array, error) {
	load, ok := c.integers(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	var in []int64
	next := 0 // in ends here
	return c.eights(src, func(out []byte, i int) bool {
		for i >= next {
			in = load(next, min(next+blockLen, src.Len()))
			next += blockLen
		}
		binary.BigEndian.PutUint64(out, uint64(in[i%blockLen]))
		return true
	})
}

// castRowversionText reads 0x and 16 hex digits, 16 hex digits, or the 12
// characters of base64: their lengths keep the forms apart. Each counts as
// normalised, so that a preview shows what the text was taken for.
func castRowversionText(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	spelled := c.often(Normalised)
	defer spelled.done()
	return c.eights(src, func(out []byte, i int) bool {
		if !readEight(out, trim(in.Value(i))) {
			c.refuse(Unparseable, i, 0)
			return false
		}
		spelled.note(i)
		return true
	})
}

// eights makes binary values of eight bytes; read writes one, or is false where
// it was refused.
func (c *column) eights(src arrow.Array, read func(out []byte, i int) bool) (arrow.Array, error) {
	o := c.newText(src, eight)
	defer o.release()
	room := o.reserve(src.Len() * eight)
	for i := range src.Len() {
		if src.IsValid(i) {
			if read(room[o.used:o.used+eight], i) {
				o.used += eight
			} else {
				o.set(i)
			}
		}
		o.starts[i+1] = int32(o.used)
	}
	return o.done(c.out)
}

func readEight(out []byte, s string) bool {
	if len(s) == 18 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		s = s[2:]
	}
	switch len(s) {
	case 2 * eight:
		bad := byte(0)
		for k := range eight {
			high, low := hexValue[s[2*k]], hexValue[s[2*k+1]]
			bad |= high | low
			out[k] = high<<4 | low&15
		}
		return bad <= 15
	case 12:
		var in [12]byte
		var room [eight + 1]byte
		copy(in[:], s)
		n, err := base64.StdEncoding.Strict().Decode(room[:], in[:])
		copy(out, room[:eight])
		return err == nil && n == eight
	}
	return false
}
