package cast

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

const upperHex = "0123456789ABCDEF"

// dashes are the places of the joiners in 8-4-4-4-12.
func dash(k int) bool { return k == 8 || k == 13 || k == 18 || k == 23 }

// readGUID reads a GUID's text into the stream's form: upper case, joined by
// dashes, no braces. Braces and text without dashes are read too.
func readGUID(out []byte, s string) ([]byte, bool) {
	if len(s) == 38 && s[0] == '{' && s[37] == '}' {
		s = s[1:37]
	}
	bare := len(s) == 32
	if len(s) != 36 && !bare {
		return out, false
	}
	for k, at := 0, 0; k < 36; k++ {
		if dash(k) {
			if !bare {
				if s[at] != '-' {
					return out, false
				}
				at++
			}
			out = append(out, '-')
			continue
		}
		ch := s[at]
		at++
		switch {
		case ch >= '0' && ch <= '9', ch >= 'A' && ch <= 'F':
		case ch >= 'a' && ch <= 'f':
			ch -= 'a' - 'A'
		default:
			return out, false
		}
		out = append(out, ch)
	}
	return out, true
}

func castGUIDText(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	b := c.newText(src, 36)
	defer b.release()
	var room [36]byte
	for i := range src.Len() {
		if src.IsNull(i) {
			b.null(i)
			continue
		}
		s := in.Value(i)
		t := strings.TrimSpace(s)
		id, ok := readGUID(room[:0], t)
		if !ok {
			c.refuse(Unparseable, i, 0)
			b.null(i)
			continue
		}
		if string(id) != s {
			c.note(Normalised, i, 0)
		}
		b.addBytes(id)
	}
	return b.done(c.out)
}

// castGUIDBytes writes 16 bytes as text: in their order, as the Parquet UUID
// annotation and the answer text-order mean, or with the first three groups
// reversed, as SQL Server stores them. Bytes that are a GUID's text are read so.
func castGUIDBytes(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	order := [16]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	if c.rule.Answer == SQLOrder {
		order = [16]int{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}
	}
	b := c.newText(src, 36)
	defer b.release()
	var room [36]byte
	for i := range src.Len() {
		if src.IsNull(i) {
			b.null(i)
			continue
		}
		s := in.Value(i)
		if len(s) != 16 {
			c.refuse(WrongLength, i, 0)
			b.null(i)
			continue
		}
		id := room[:0]
		for _, k := range order {
			if dash(len(id)) {
				id = append(id, '-')
			}
			id = append(id, upperHex[s[k]>>4], upperHex[s[k]&15])
		}
		b.addBytes(id)
	}
	return b.done(c.out)
}
