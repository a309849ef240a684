package cast

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"

	"github.com/apache/arrow/go/v17/arrow"
)

func castRowversion(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	b := c.newText(src, 8)
	defer b.release()
	for i := range src.Len() {
		if src.IsNull(i) {
			b.null(i)
			continue
		}
		s := in.Value(i)
		if len(s) != 8 {
			c.refuse(WrongLength, i, 0)
			b.null(i)
			continue
		}
		b.add(s)
	}
	return b.done(c.out)
}

// castRowversionInt writes a number as eight bytes, highest first; a negative
// one is the top half of the unsigned range, read as signed.
func castRowversionInt(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := c.integers(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	b := c.newText(src, 8)
	defer b.release()
	var eight [8]byte
	for i, v := range in {
		if src.IsNull(i) {
			b.null(i)
			continue
		}
		binary.BigEndian.PutUint64(eight[:], uint64(v))
		b.addBytes(eight[:])
	}
	return b.done(c.out)
}

// castRowversionText reads 0x and 16 hex digits, 16 hex digits, or the 12
// characters of base64: their lengths keep the forms apart. Each counts as
// normalised, so that a preview shows what the text was taken for.
func castRowversionText(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	b := c.newText(src, 8)
	defer b.release()
	var eight [9]byte
	for i := range src.Len() {
		if src.IsNull(i) {
			b.null(i)
			continue
		}
		if !readEight(eight[:], trim(in.Value(i))) {
			c.refuse(Unparseable, i, 0)
			b.null(i)
			continue
		}
		c.note(Normalised, i, 0)
		b.addBytes(eight[:8])
	}
	return b.done(c.out)
}

func readEight(out []byte, s string) bool {
	if len(s) == 18 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		s = s[2:]
	}
	var n int
	var err error
	switch len(s) {
	case 16:
		n, err = hex.Decode(out, []byte(s))
	case 12:
		n, err = base64.StdEncoding.Strict().Decode(out, []byte(s))
	}
	return err == nil && n == 8
}
