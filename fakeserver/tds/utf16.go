package tds

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
)

// appendUCS2 appends s as UTF-16LE.
func appendUCS2(b []byte, s string) []byte {
	for _, r := range s {
		if r < 0x10000 {
			b = u16(b, uint16(r))
			continue
		}
		hi, lo := utf16.EncodeRune(r)
		b = u16(u16(b, uint16(hi)), uint16(lo))
	}
	return b
}

func ucs2(s string) []byte { return appendUCS2(make([]byte, 0, 2*len(s)), s) }

// fromUCS2 reads UTF-16LE; half a surrogate pair becomes U+FFFD, an odd last
// byte is dropped.
func fromUCS2(b []byte) string {
	u := make([]uint16, len(b)/2)
	for i := range u {
		u[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(u))
}

// bVarchar appends a string whose length in characters is one byte; a longer
// string is cut, because names on the wire cannot be longer.
func bVarchar(b []byte, s string) []byte {
	u := cutUCS2(s, math.MaxUint8)
	return append(append(b, byte(len(u)/2)), u...)
}

// maxMessageText is what an ERROR or INFO token can hold beside its other
// fields: the token's own length is 16 bits and counts bytes.
const maxMessageText = 30_000

// usVarchar appends a string whose length in characters is two bytes.
func usVarchar(b []byte, s string) []byte {
	u := cutUCS2(s, maxMessageText)
	return append(u16(b, uint16(len(u)/2)), u...)
}

func cutUCS2(s string, units int) []byte {
	u := ucs2(s)
	return u[:min(len(u), 2*units)]
}
