package tds

import (
	"errors"
	"math"
)

var errBadType = errors.New("a parameter's type is malformed")

// paramType is a type as a parameter carries it.
type paramType struct {
	Type
	utf8 bool // the collation says that bytes of char and varchar are UTF-8
}

// readType reads a parameter's type.
func readType(r *reader) (paramType, error) {
	t := paramType{Type: Type{ID: TypeID(r.u8())}}
	switch t.ID {
	case NullType, Int1Type, BitType, Int2Type, Int4Type, Int8Type, Flt4Type, Flt8Type,
		MoneyType, Money4Type, DateTimeType, DateTim4Type:
		t.Size = t.width()
	case GUIDType, IntNType, BitNType, FltNType, MoneyNType, DateTimNType:
		t.Size = int(r.u8())
	case DecimalNType, NumericNType:
		t.Size = int(r.u8())
		t.Prec, t.Scale = r.u8(), r.u8()
	case DateNType:
		t.Size = 3
	case TimeNType, DateTime2NType, DateTimeOffType:
		t.Scale = r.u8()
		t.Size = t.timeWidth()
	case BigVarBinType, BigBinaryType, BigVarCharType, BigCharType, NVarCharType, NCharType:
		if t.Size = int(r.u16()); t.Size == math.MaxUint16 {
			t.Size = maxSize
		}
		if t.ID != BigVarBinType && t.ID != BigBinaryType {
			t.readCollation(r)
		}
	case XMLType:
		t.Size = maxSize
		if r.u8() != 0 {
			return t, notSimulated("xml parameters with a schema")
		}
	case TextType, NTextType:
		t.Size = int(r.u32() & math.MaxInt32)
		t.readCollation(r)
	case ImageType, VariantType:
		t.Size = int(r.u32() & math.MaxInt32)
	default:
		if r.err == nil {
			return t, notSimulated("parameters of type 0x%02x", byte(t.ID))
		}
	}
	if r.err == nil && !t.wellFormed() {
		r.err = errBadType
	}
	return t, r.err
}

func (t *paramType) readCollation(r *reader) {
	if c := r.take(collationSize); c != nil {
		t.utf8 = c[3]&collationUTF8 != 0
	}
}

// timeWidth is the length of a date or time with a scale.
func (t Type) timeWidth() int {
	switch t.ID {
	case DateTime2NType:
		return timeSize(t.Scale) + 3
	case DateTimeOffType:
		return timeSize(t.Scale) + 5
	}
	return timeSize(t.Scale)
}

const (
	maxPrecision = 38
	maxTimeScale = 7
)

// wellFormed reports whether a type has a size and a scale that exist.
func (t Type) wellFormed() bool {
	switch t.ID {
	case BitNType:
		return t.Size == 1
	case IntNType:
		return t.Size == 1 || t.Size == 2 || t.Size == 4 || t.Size == 8
	case FltNType, MoneyNType, DateTimNType:
		return t.Size == 4 || t.Size == 8
	case GUIDType:
		return t.Size == UniqueID.Size || t.Size == 0 // no value fits 0 but NULL
	case DecimalNType, NumericNType:
		return t.Prec >= 1 && t.Prec <= maxPrecision && t.Scale <= t.Prec
	case TimeNType, DateTime2NType, DateTimeOffType:
		return t.Scale <= maxTimeScale
	}
	return true
}
