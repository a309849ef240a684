package tds

import (
	"fmt"
	"math"
)

// chunkSize is the most that one PLP chunk carries.
const chunkSize = 8000

// Row values of the old large types carry a text pointer and a timestamp;
// nobody looks at what is in them.
const textPointerBytes = "\x10" + "dummy textptr\x00\x00\x00" + "dummy TS"

// appendValue writes v, or NULL, in the row encoding of t. On an error what b
// held before is unchanged.
func appendValue(b []byte, t Type, v any) ([]byte, error) {
	f := t.framing()
	if v == nil {
		return appendNull(b, t, f)
	}
	switch f {
	case noLength:
		return appendRaw(b, t, v)
	case byteLength:
		at := len(b)
		b, err := appendRaw(append(b, 0), t, v)
		if err != nil {
			return nil, err
		}
		b[at] = byte(len(b) - at - 1)
		return b, nil
	case shortLength:
		at := len(b)
		b, err := appendRaw(append(b, 0, 0), t, v)
		if err != nil {
			return nil, err
		}
		n := len(b) - at - 2
		b[at], b[at+1] = byte(n), byte(n>>8)
		return b, nil
	case chunked:
		return appendChunked(b, t, v)
	case textPointer:
		p, err := appendRaw(nil, t, v)
		if err != nil {
			return nil, err
		}
		return append(u32(append(b, textPointerBytes...), uint32(len(p))), p...), nil
	case longLength:
		return appendVariant(b, v)
	}
	return nil, mismatch(t, v)
}

func appendNull(b []byte, t Type, f framing) ([]byte, error) {
	switch {
	case t.ID == NullType:
		return b, nil
	case f == byteLength || f == textPointer:
		return append(b, 0), nil
	case f == shortLength:
		return u16(b, math.MaxUint16), nil
	case f == chunked:
		return u64(b, math.MaxUint64), nil
	case f == longLength:
		return u32(b, 0), nil
	}
	return nil, fmt.Errorf("tds: type 0x%02x cannot be NULL", byte(t.ID))
}

func appendChunked(b []byte, t Type, v any) ([]byte, error) {
	p, err := appendRaw(nil, t, v)
	if err != nil {
		return nil, err
	}
	b = u64(b, uint64(len(p)))
	for len(p) > 0 {
		n := min(len(p), chunkSize)
		b = append(u32(b, uint32(n)), p[:n]...)
		p = p[n:]
	}
	return u32(b, 0), nil
}

// appendRaw writes the bytes of v without their length.
func appendRaw(b []byte, t Type, v any) ([]byte, error) {
	switch t.ID {
	case IntNType, Int1Type, Int2Type, Int4Type, Int8Type:
		return appendInt(b, t, v)
	case BitNType, BitType:
		return appendBit(b, t, v)
	case FltNType, Flt4Type, Flt8Type:
		return appendFloat(b, t, v)
	case MoneyNType, MoneyType, Money4Type:
		return appendMoney(b, t, v)
	case DecimalNType, NumericNType:
		return appendDecimal(b, t, v)
	case GUIDType:
		return appendGUID(b, t, v)
	case DateTimNType, DateTimeType, DateTim4Type, DateNType, TimeNType, DateTime2NType, DateTimeOffType:
		return appendTime(b, t, v)
	}
	return appendString(b, t, v)
}

func mismatch(t Type, v any) error {
	return fmt.Errorf("tds: cannot send %T as type 0x%02x", v, byte(t.ID))
}
