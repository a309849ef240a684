package tsql

import (
	"encoding/binary"
	"unicode/utf16"
)

// upper1252 is what the bytes 0x80 to 0x9F of code page 1252 stand for.
const upper1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

func narrowByte(r rune) (byte, bool) {
	if r < 0x80 || r >= 0xa0 && r <= 0xff {
		return byte(r), true
	}
	i := byte(0x80)
	for _, c := range upper1252 {
		if c == r {
			return i, true
		}
		i++
	}
	return '?', false
}

// narrowBytes is s in code page 1252, which varchar holds.
func narrowBytes(s string) []byte {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		c, _ := narrowByte(r)
		b = append(b, c)
	}
	return b
}

// narrow replaces what code page 1252 lacks by question marks.
func narrow(s string) string {
	for _, r := range s {
		if r >= 0x80 {
			return fromNarrow(narrowBytes(s))
		}
	}
	return s
}

func fromNarrow(b []byte) string {
	upper := []rune(upper1252)
	out := make([]rune, len(b))
	for i, c := range b {
		out[i] = rune(c)
		if c >= 0x80 && c < 0xa0 {
			out[i] = upper[c-0x80]
		}
	}
	return string(out)
}

// wideBytes is s in UTF-16, which nvarchar holds.
func wideBytes(s string) []byte {
	b := make([]byte, 0, 2*len(s))
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

func fromWide(b []byte) string {
	u := make([]uint16, 0, len(b)/2)
	for ; len(b) >= 2; b = b[2:] {
		u = append(u, binary.LittleEndian.Uint16(b))
	}
	return string(utf16.Decode(u))
}

// units is s in the units that LEN, SUBSTRING and a column's length count.
func units(s string) []uint16 { return utf16.Encode([]rune(s)) }

func unitCount(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}
