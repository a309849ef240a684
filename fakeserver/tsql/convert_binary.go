package tsql

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// toBinary cuts or fills v's bytes to the length of the type: numbers on the
// left, so that their value stays, everything else on the right.
func toBinary(v Value, to tds.Type, style int) (any, error) {
	b, err := bytesOf(v, to, style)
	if err != nil {
		return nil, err
	}
	n := to.Size
	if to.ID == tds.ImageType || n == maxLength {
		return b, nil
	}
	left := isNumber(v.T) && !isDecimal(v.T)
	switch {
	case len(b) > n && left:
		return b[len(b)-n:], nil
	case len(b) > n && style != 0 && isString(v.T):
		return nil, failed(v, to)
	case len(b) > n:
		return b[:n], nil
	case to.ID == tds.BigBinaryType && left:
		return append(make([]byte, n-len(b)), b...), nil
	case to.ID == tds.BigBinaryType:
		return append(b, make([]byte, n-len(b))...), nil
	}
	return b, nil
}

// bytesOf is a fresh slice of the bytes that stand for v.
func bytesOf(v Value, to tds.Type, style int) ([]byte, error) {
	switch x := v.V.(type) {
	case []byte:
		return append([]byte{}, x...), nil
	case int64:
		return binary.BigEndian.AppendUint64(nil, uint64(x))[8-v.T.Size:], nil
	case bool:
		if x {
			return []byte{1}, nil
		}
		return []byte{0}, nil
	case float64:
		if v.T.Size == 4 {
			return binary.BigEndian.AppendUint32(nil, math.Float32bits(float32(x))), nil
		}
		return binary.BigEndian.AppendUint64(nil, math.Float64bits(x)), nil
	case tds.MoneyVal:
		return binary.BigEndian.AppendUint64(nil, uint64(x))[8-v.T.Size:], nil
	case *big.Int:
		return decimalBytes(x, v.T), nil
	case tds.GUID:
		return swapGUID(x[:]), nil
	case time.Time:
		return timeBytes(v, x)
	case string:
		return textBytes(v, to, x, style)
	}
	return nil, failed(v, to)
}

// decimalBytes is precision, scale, 0, sign (1 is plus) and the number, least
// significant byte first, in groups of four.
func decimalBytes(n *big.Int, t tds.Type) []byte {
	sign := byte(1)
	if n.Sign() < 0 {
		sign = 0
	}
	be := new(big.Int).Abs(n).Bytes()
	out := []byte{t.Prec, t.Scale, 0, sign}
	for i := 0; i < (len(be)+3)/4*4 || i < 4; i++ {
		var c byte
		if j := len(be) - 1 - i; j >= 0 {
			c = be[j]
		}
		out = append(out, c)
	}
	return out
}

// timeBytes knows the old types only: days since 1900 and ticks or minutes.
func timeBytes(v Value, t time.Time) ([]byte, error) {
	if v.T.ID != tds.DateTimNType {
		return nil, notSimulated("conversion from %s to binary", TypeName(v.T))
	}
	days, ticks := tds.Ticks(t)
	if v.T.Size == 4 {
		b := binary.BigEndian.AppendUint16(nil, uint16(days))
		return binary.BigEndian.AppendUint16(b, uint16(ticks/(300*60))), nil
	}
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(days)), ticks), nil
}

func textBytes(v Value, to tds.Type, s string, style int) ([]byte, error) {
	switch style {
	case 0:
		if isWide(v.T) || v.T.ID == tds.XMLType {
			return wideBytes(s), nil
		}
		return narrowBytes(s), nil
	case 1:
		rest, ok := strings.CutPrefix(strings.ToLower(s), "0x")
		if !ok {
			return nil, failedHex(v, to)
		}
		s = rest
	case 2:
	default:
		return nil, Errorf(281, 16, "%d is not a valid style number when converting from %s to a binary string.",
			style, TypeName(v.T))
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		return nil, failedHex(v, to)
	}
	return b, nil
}

func failedHex(v Value, to tds.Type) error {
	return Errorf(8114, 16, "Error converting data type %s to %s.", TypeName(v.T), TypeName(to))
}
