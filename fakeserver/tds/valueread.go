package tds

import (
	"errors"
	"math"
)

var errPLPLength = errors.New("a chunked value has another length than announced")

// readValue reads a parameter's value, nil for NULL.
func readValue(r *reader, t paramType) (any, error) {
	p, null := readBytes(r, t.Type)
	if r.err != nil || null {
		return nil, r.err
	}
	if t.ID == VariantType {
		return readVariant(p)
	}
	return decodeValue(t, p)
}

// readBytes takes the bytes of a value, out of whatever framing its type has.
func readBytes(r *reader, t Type) (p []byte, null bool) {
	switch t.framing() {
	case noLength:
		return r.take(t.Size), t.ID == NullType
	case byteLength:
		n := r.u8()
		return r.take(int(n)), n == 0
	case shortLength:
		n := r.u16()
		if n == math.MaxUint16 {
			return nil, true
		}
		return r.take(int(n)), false
	case chunked:
		return readChunked(r)
	case textPointer: // a parameter has no pointer, only a length
		n := r.u32()
		if n == math.MaxUint32 {
			return nil, true
		}
		return r.take(int(n)), false
	case longLength:
		n := r.u32()
		return r.take(int(n)), n == 0
	}
	r.err = errBadType
	return nil, false
}

// plpUnknown announces chunks without saying how many bytes they hold.
const plpUnknown = math.MaxUint64 - 1

func readChunked(r *reader) (p []byte, null bool) {
	total := r.u64()
	if total == math.MaxUint64 {
		return nil, true
	}
	p = []byte{}
	for {
		n := r.u32()
		if n == 0 || r.err != nil {
			break
		}
		p = append(p, r.take(int(n))...)
	}
	if r.err == nil && total != plpUnknown && total != uint64(len(p)) {
		r.err = errPLPLength
	}
	return p, false
}
