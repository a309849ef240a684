package tsql

import (
	"encoding/hex"
	"math/big"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// Convert is CONVERT(to, v, style); style 0 is CAST. The error has the number
// of the failed conversion: 241, 242, 245, 281, 529, 8114, 8115, 8169.
func Convert(v Value, to tds.Type, style int) (Value, error) {
	if v.V == nil {
		return Value{T: to}, nil
	}
	if v.T.ID == tds.VariantType && to.ID != tds.VariantType {
		v.T = baseType(v.V)
	}
	if !castable(v.T, to) {
		return Value{}, Errorf(529, 16, "Explicit conversion from data type %s to %s is not allowed.",
			TypeName(v.T), TypeName(to))
	}
	var out any
	var err error
	switch {
	case to.ID == tds.VariantType:
		out = v.V
	case isString(to), to.ID == tds.XMLType, to.ID == tds.TextType, to.ID == tds.NTextType:
		out, err = toText(v, to, style)
	case isBinary(to), to.ID == tds.ImageType:
		out, err = toBinary(v, to, style)
	case isTime(to):
		out, err = toTime(v, to, style)
	case to.ID == tds.GUIDType:
		out, err = toGUID(v)
	case isNumber(to):
		out, err = toNumber(v, to)
	default:
		err = notSimulated("conversion to %s", TypeName(to))
	}
	if err != nil {
		return Value{}, err
	}
	return Value{T: to, V: out}, nil
}

// baseType is the type that a value inside a sql_variant has.
func baseType(v any) tds.Type {
	switch x := v.(type) {
	case int64:
		if x == int64(int32(x)) {
			return tds.Int
		}
		return tds.BigInt
	case bool:
		return tds.Bit
	case float64:
		return tds.Float
	case *big.Int:
		return tds.Decimal(38, 0)
	case tds.MoneyVal:
		return tds.Money
	case tds.GUID:
		return tds.UniqueID
	case []byte:
		return tds.VarBinary(8000)
	case time.Time:
		return tds.DateTime
	}
	return tds.NVarChar(4000)
}

// failed is the error for a value that has no counterpart in the type asked for.
func failed(v Value, to tds.Type) error {
	switch {
	case isString(v.T) && isTime(to):
		return Errorf(241, 16, "Conversion failed when converting date and/or time from character string.")
	case isString(v.T) && (isInt(to) || to.ID == tds.BitNType):
		return Errorf(245, 16, "Conversion failed when converting the %s value '%v' to data type %s.",
			TypeName(v.T), v.V, TypeName(to))
	}
	return Errorf(8114, 16, "Error converting data type %s to %s.", TypeName(v.T), TypeName(to))
}

func overflow(to tds.Type) error {
	return Errorf(8115, 16, "Arithmetic overflow error converting expression to data type %s.", TypeName(to))
}

func toGUID(v Value) (any, error) {
	switch x := v.V.(type) {
	case tds.GUID:
		return x, nil
	case []byte:
		if len(x) < 16 {
			x = append(append([]byte{}, x...), make([]byte, 16-len(x))...)
		}
		return tds.GUID(swapGUID(x[:16])), nil
	case string:
		t := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(x), "{"), "}")
		if len(t) >= 36 && t[8] == '-' && t[13] == '-' && t[18] == '-' && t[23] == '-' {
			if b, err := hex.DecodeString(t[:8] + t[9:13] + t[14:18] + t[19:23] + t[24:36]); err == nil {
				return tds.GUID(b), nil
			}
		}
		return nil, Errorf(8169, 16, "Conversion failed when converting from a character string to uniqueidentifier.")
	}
	return nil, failed(v, tds.UniqueID)
}

// swapGUID turns the bytes of a GUID from text order to stored order and back:
// the first three groups are stored with the least significant byte first.
func swapGUID(b []byte) []byte {
	return append([]byte{b[3], b[2], b[1], b[0], b[5], b[4], b[7], b[6]}, b[8:16]...)
}
