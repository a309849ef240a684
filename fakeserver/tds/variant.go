package tds

import (
	"errors"
	"math/big"
	"time"
)

// Variant is a value in a sql_variant column with the type it has there. A
// bare value is given the type that a literal of it would have: int or bigint,
// bit, float, nvarchar, varbinary, datetime, money, uniqueidentifier.
type Variant struct {
	Type  Type
	Value any // not nil; a NULL in a sql_variant has no type
}

// variantString is the longest string or binary a sql_variant holds, in bytes.
const variantString = 8000

// variantOf gives a bare value its type.
func variantOf(v any) (Variant, error) {
	switch x := v.(type) {
	case Variant:
		if x.Value == nil {
			return x, errors.New("tds: a sql_variant without a value; NULL has no type")
		}
		return x, nil
	case int64:
		if x == int64(int32(x)) {
			return Variant{Int, x}, nil
		}
		return Variant{BigInt, x}, nil
	case bool:
		return Variant{Bit, x}, nil
	case float64:
		return Variant{Float, x}, nil
	case string:
		return Variant{NVarChar(variantString / 2), x}, nil
	case []byte:
		return Variant{VarBinary(variantString), x}, nil
	case time.Time:
		return Variant{DateTime, x}, nil
	case MoneyVal:
		return Variant{Money, x}, nil
	case GUID:
		return Variant{UniqueID, x}, nil
	case *big.Int:
		return Variant{}, errors.New("tds: a decimal in a sql_variant needs a Variant with its precision")
	}
	return Variant{}, mismatch(SQLVariant, v)
}

// appendVariant writes the length, the base type, what describes it, the value.
func appendVariant(b []byte, v any) ([]byte, error) {
	x, err := variantOf(v)
	if err != nil {
		return nil, err
	}
	t := x.Type.fixed()
	props, ok := variantProps(t)
	if !ok {
		return nil, mismatch(SQLVariant, v)
	}
	at := len(b)
	b = append(u32(b, 0), byte(t.ID), byte(len(props)))
	b, err = appendRaw(append(b, props...), t, x.Value)
	if err != nil {
		return nil, err
	}
	copy(b[at:], u32(nil, uint32(len(b)-at-4)))
	return b, nil
}

// fixed is the type of fixed length that a sql_variant uses for a nullable one.
func (t Type) fixed() Type {
	id := t.ID
	switch {
	case id == BitNType:
		id = BitType
	case id == IntNType:
		id = map[int]TypeID{1: Int1Type, 2: Int2Type, 4: Int4Type, 8: Int8Type}[t.Size]
	case id == FltNType && t.Size == 4:
		id = Flt4Type
	case id == FltNType:
		id = Flt8Type
	case id == MoneyNType && t.Size == 4:
		id = Money4Type
	case id == MoneyNType:
		id = MoneyType
	case id == DateTimNType && t.Size == 4:
		id = DateTim4Type
	case id == DateTimNType:
		id = DateTimeType
	}
	t.ID = id
	return t
}

// variantProps is what describes a base type; false when a sql_variant cannot
// hold it.
func variantProps(t Type) ([]byte, bool) {
	switch t.ID {
	case Int1Type, BitType, Int2Type, Int4Type, Int8Type, Flt4Type, Flt8Type, MoneyType,
		Money4Type, DateTimeType, DateTim4Type, DateNType, GUIDType:
		return nil, true
	case TimeNType, DateTime2NType, DateTimeOffType:
		return []byte{t.Scale}, true
	case DecimalNType, NumericNType:
		return []byte{t.Prec, t.Scale}, true
	case BigVarBinType, BigBinaryType:
		return u16(nil, uint16(t.Size)), t.Size != maxSize
	case BigVarCharType, BigCharType, NVarCharType, NCharType:
		return u16([]byte(collation), uint16(t.Size)), t.Size != maxSize
	}
	return nil, false
}

var errBadVariant = errors.New("a sql_variant is malformed")

// readVariant reads a sql_variant parameter into a Variant.
func readVariant(p []byte) (any, error) {
	r := &reader{b: p}
	t := paramType{Type: Type{ID: TypeID(r.u8())}}
	props := &reader{b: r.take(int(r.u8()))}
	switch t.ID {
	case TimeNType, DateTime2NType, DateTimeOffType:
		t.Scale = props.u8()
		t.Size = t.timeWidth()
	case DecimalNType, NumericNType:
		t.Prec, t.Scale = props.u8(), props.u8()
		t.Size = decSize(t.Prec)
	case BigVarBinType, BigBinaryType:
		t.Size = int(props.u16())
	case BigVarCharType, BigCharType, NVarCharType, NCharType:
		t.readCollation(props)
		t.Size = int(props.u16())
	case DateNType:
		t.Size = 3
	case GUIDType:
		t.Size = 16
	default:
		t.Size = t.width()
	}
	if _, ok := variantProps(t.Type); !ok || r.err != nil || props.err != nil || !t.wellFormed() {
		return nil, errBadVariant
	}
	v, err := decodeValue(t, r.b)
	if err != nil {
		return nil, err
	}
	return Variant{Type: t.Type, Value: v}, nil
}
