package tds

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// decodeValue turns the bytes of a value that is not NULL into its Go form.
func decodeValue(t paramType, p []byte) (any, error) {
	switch t.ID {
	case BigVarCharType, BigCharType, TextType:
		if t.utf8 {
			return string(p), nil
		}
		return fromCP1252(p), nil
	case NVarCharType, NCharType, NTextType:
		return fromUCS2(p), nil
	case XMLType:
		return fromUCS2(bytes.TrimPrefix(p, []byte{0xff, 0xfe})), nil // clients may send a byte-order mark
	case BigVarBinType, BigBinaryType, ImageType:
		return slices.Clone(p), nil
	}
	if !t.fits(len(p)) {
		return nil, fmt.Errorf("a value of type 0x%02x has %d bytes", byte(t.ID), len(p))
	}
	switch t.ID {
	case Int1Type, Int2Type, Int4Type, Int8Type, IntNType:
		return decodeInt(p), nil
	case BitType, BitNType:
		return p[0] != 0, nil
	case Flt4Type, Flt8Type, FltNType:
		if len(p) == 4 {
			return float64(math.Float32frombits(uint32(le(p)))), nil
		}
		return math.Float64frombits(le(p)), nil
	case MoneyType, Money4Type, MoneyNType:
		if len(p) == 4 {
			return MoneyVal(int32(le(p))), nil
		}
		return MoneyVal(le(p[:4])<<32 | le(p[4:])), nil
	case DecimalNType, NumericNType:
		return decodeDecimal(p), nil
	case GUIDType:
		return GUID(p).wire(), nil
	}
	return decodeTime(t.Type, p)
}

// fits reports whether a value of a type of limited length may have n bytes.
func (t Type) fits(n int) bool {
	switch t.ID {
	case DecimalNType, NumericNType:
		return n >= 2 && n <= decSize(maxPrecision)
	case IntNType: // a shorter integer may stand for a longer one
		return n == 1 || n == 2 || n == 4 || n == 8
	case FltNType, MoneyNType, DateTimNType:
		return n == 4 || n == 8
	}
	return n == t.Size
}

func decodeInt(p []byte) int64 {
	switch v := le(p); len(p) {
	case 1:
		return int64(v)
	case 2:
		return int64(int16(v))
	case 4:
		return int64(int32(v))
	default:
		return int64(v)
	}
}

func decodeDecimal(p []byte) *big.Int {
	digits := slices.Clone(p[1:])
	slices.Reverse(digits)
	n := new(big.Int).SetBytes(digits)
	if p[0] == 0 {
		n.Neg(n)
	}
	return n
}
