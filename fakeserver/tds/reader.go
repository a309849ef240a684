package tds

import (
	"encoding/binary"
	"io"
)

// reader takes a client message apart. Reading past the end gives zeros and
// leaves err set, so a decoder may look once, when it has read everything.
type reader struct {
	b   []byte
	err error
}

// take returns the next n bytes, or nil with err set when there are fewer.
func (r *reader) take(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.b) {
		if r.err == nil {
			r.err = io.ErrUnexpectedEOF
		}
		r.b = nil
		return nil
	}
	p := r.b[:n:n]
	r.b = r.b[n:]
	return p
}

func (r *reader) u8() byte {
	if p := r.take(1); p != nil {
		return p[0]
	}
	return 0
}

func (r *reader) u16() uint16 {
	if p := r.take(2); p != nil {
		return binary.LittleEndian.Uint16(p)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if p := r.take(4); p != nil {
		return binary.LittleEndian.Uint32(p)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if p := r.take(8); p != nil {
		return binary.LittleEndian.Uint64(p)
	}
	return 0
}

// bVarchar reads a string whose length in characters is one byte.
func (r *reader) bVarchar() string { return fromUCS2(r.take(2 * int(r.u8()))) }

// bVarbyte reads a string whose length in bytes is one byte.
func (r *reader) bVarbyte() string { return fromUCS2(r.take(int(r.u8()))) }
