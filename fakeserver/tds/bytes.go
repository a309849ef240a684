package tds

import "encoding/binary"

// TDS is little-endian nearly everywhere. These append one number each.

func u16(b []byte, v uint16) []byte { return binary.LittleEndian.AppendUint16(b, v) }
func u32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }
func u64(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

// uintN appends the low n bytes of v.
func uintN(b []byte, v uint64, n int) []byte {
	for i := range n {
		b = append(b, byte(v>>(8*i)))
	}
	return b
}

// le reads p, of up to eight bytes, as one unsigned number.
func le(p []byte) (v uint64) {
	for i, c := range p {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// token is a token whose 16-bit length counts the body's bytes.
func token(id byte, body []byte) []byte {
	return append(u16([]byte{id}, uint16(len(body))), body...)
}
