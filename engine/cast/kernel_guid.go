package cast

import (
	"github.com/apache/arrow/go/v17/arrow"
)

const upperHex = "0123456789ABCDEF"

// guidLen is the length of the stream's text of a GUID.
const guidLen = 36

// hexValue is what a hex digit stands for, 0xFF for any other character. It is
// a table and never changes.
var hexValue = func() (out [256]byte) {
	for k := range out {
		out[k] = 0xFF
	}
	for k := range byte(16) {
		out[upperHex[k]] = k
		out[upperHex[k]|0x20] = k
	}
	for k := range byte(10) {
		out['0'+k] = k
	}
	return out
}()

// readGUID reads a GUID's text into the stream's form: upper case, joined by
// dashes, no braces. Braces and text without dashes are read too.
func readGUID(out *[guidLen]byte, s string) bool {
	if len(s) == guidLen+2 && s[0] == '{' && s[guidLen+1] == '}' {
		s = s[1 : guidLen+1]
	}
	bad := byte(0)
	switch len(s) {
	case guidLen:
		if s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
			return false
		}
		for _, g := range hexGroups {
			bad |= upperDigits(out[g.from:g.to], s[g.from:g.to])
		}
	case guidLen - 4:
		for k, g := range hexGroups {
			bad |= upperDigits(out[g.from:g.to], s[g.from-k:g.to-k])
		}
	default:
		return false
	}
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return bad <= 15
}

// hexGroups are the places of the digits in 8-4-4-4-12. It is a table and never changes.
var hexGroups = [5]struct{ from, to int }{{0, 8}, {9, 13}, {14, 18}, {19, 23}, {24, 36}}

// upperDigits copies hex digits in upper case. What it answers is above 15 where
// another character is among them.
func upperDigits(out []byte, s string) (bad byte) {
	out = out[:len(s)]
	for k := range len(s) {
		ch := s[k]
		bad |= hexValue[ch]
		out[k] = ch &^ (ch >> 1 & 0x20) // only letters have bit 6
	}
	return bad
}

func castGUIDText(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	spelled := c.often(Normalised)
	defer spelled.done()
	return c.guids(src, func(out *[guidLen]byte, i int) bool {
		s := in.Value(i)
		ok := readGUID(out, s) || readGUID(out, trim(s))
		switch {
		case !ok:
			c.refuse(Unparseable, i, 0)
		case string(out[:]) != s:
			spelled.note(i)
		}
		return ok
	})
}

// castGUIDBytes writes 16 bytes as text: in their order, as the Parquet UUID
// annotation and the answer text-order mean, or with the first three groups
// reversed, as SQL Server stores them. Bytes that are a GUID's text, as writers
// without a type for text leave it, are read as that; no 16 of them are.
func castGUIDBytes(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	order := [16]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	if c.rule.Answer == SQLOrder {
		order = [16]int{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}
	}
	return c.guids(src, func(out *[guidLen]byte, i int) bool {
		s := in.Value(i)
		if len(s) != 16 {
			switch ok := readGUID(out, s) || readGUID(out, trim(s)); {
			case !ok:
				c.refuse(WrongLength, i, 0)
				return false
			case string(out[:]) != s:
				c.note(Normalised, i, 0)
			}
			return true
		}
		at := 0
		for _, g := range hexGroups {
			for k := g.from; k < g.to; k += 2 {
				b := s[order[at&15]&15]
				out[k], out[k+1] = upperHex[b>>4], upperHex[b&15]
				at++
			}
		}
		out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
		return true
	})
}

// guids makes the stream's text of GUIDs; read writes one, or is false where it
// was refused.
func (c *column) guids(src arrow.Array, read func(out *[guidLen]byte, i int) bool) (arrow.Array, error) {
	o := c.newText(src, guidLen)
	defer o.release()
	room := o.reserve(src.Len() * guidLen)
	for i := range src.Len() {
		if src.IsValid(i) {
			if read((*[guidLen]byte)(room[o.used:]), i) {
				o.used += guidLen
			} else {
				o.set(i)
			}
		}
		o.starts[i+1] = int32(o.used)
	}
	return o.done(c.out)
}
