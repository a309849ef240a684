package tsql

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"cdcseed/fakeserver/tds"
)

// toText cuts text to the length of the type; a number that does not fit is
// an overflow instead, because half a number would be another number.
func toText(v Value, to tds.Type, style int) (any, error) {
	s, err := textOf(v, to, style)
	if err != nil {
		return nil, err
	}
	if !isWide(to) && to.ID != tds.XMLType && to.ID != tds.NTextType {
		s = narrow(s)
	}
	n := length(to)
	if n == maxLength || !isString(to) {
		return s, nil
	}
	if k := unitCount(s); k > n {
		switch {
		case isNumber(v.T):
			return numberTooLong(v, to)
		case v.T.ID == tds.GUIDType:
			return nil, Errorf(8170, 16, "Insufficient result space to convert uniqueidentifier value to char.")
		}
		s = string(utf16.Decode(units(s)[:n]))
	} else if to.ID == tds.BigCharType || to.ID == tds.NCharType {
		s += strings.Repeat(" ", n-k)
	}
	return s, nil
}

// numberTooLong: an integer in too short a varchar is an asterisk, as of old.
func numberTooLong(v Value, to tds.Type) (any, error) {
	if isInt(v.T) && v.T.Size <= 4 && !isWide(to) {
		return "*", nil
	}
	return nil, overflow(to)
}

// textOf is the full text of v in a style; times show all their digits.
func textOf(v Value, to tds.Type, style int) (string, error) {
	switch x := v.V.(type) {
	case string:
		return x, nil
	case int64:
		return strconv.FormatInt(x, 10), nil
	case bool:
		if x {
			return "1", nil
		}
		return "0", nil
	case float64:
		return floatText(x, v.T, style)
	case *big.Int:
		return decimalText(x, int(v.T.Scale)), nil
	case tds.MoneyVal:
		return moneyText(int64(x), style), nil
	case []byte:
		return binaryText(v, x, to, style)
	case tds.GUID:
		return strings.ToUpper(fmt.Sprintf("%x-%x-%x-%x-%x", x[:4], x[4:6], x[6:8], x[8:10], x[10:])), nil
	case time.Time:
		return timeText(v.T, x, style)
	}
	return "", failed(v, to)
}

func binaryText(v Value, b []byte, to tds.Type, style int) (string, error) {
	switch style {
	case 1:
		return "0x" + strings.ToUpper(hex.EncodeToString(b)), nil
	case 2:
		return strings.ToUpper(hex.EncodeToString(b)), nil
	case 0:
		if isWide(to) || to.ID == tds.XMLType {
			return fromWide(b), nil
		}
		return fromNarrow(b), nil
	}
	return "", badStyle(v.T, style)
}

func badStyle(t tds.Type, style int) error {
	return Errorf(281, 16, "%d is not a valid style number when converting from %s to a character string.",
		style, TypeName(t))
}

// floatText: style 0 shows at most six digits, 1 eight, 2 sixteen, 3 as many
// as tell the value apart.
func floatText(f float64, t tds.Type, style int) (string, error) {
	digits := 0
	switch style {
	case 0:
		digits = 6
	case 1, 2:
		return exponent3(strconv.FormatFloat(f, 'e', 8*style-1, 64)), nil
	case 3:
		digits = 17
		if t.Size == 4 {
			digits = 9
		}
	case 126, 128, 129:
		return "", notSimulated("style %d of %s", style, TypeName(t))
	default:
		return "", badStyle(t, style)
	}
	s := strconv.FormatFloat(f, 'g', digits, 64)
	if digits == 17 {
		s = strconv.FormatFloat(f, 'e', digits-1, 64)
	}
	return exponent3(s), nil
}

// exponent3 writes an exponent with three digits, as SQL Server does.
func exponent3(s string) string {
	i := strings.IndexByte(s, 'e')
	if i < 0 {
		return s
	}
	return s[:i+2] + strings.Repeat("0", max(0, 3-len(s[i+2:]))) + s[i+2:]
}

// moneyText: style 0 shows two decimals, 1 thousands commas as well, 2 and 126 four.
func moneyText(n int64, style int) string {
	if style == 2 || style == 126 {
		return decimalText(big.NewInt(n), 4)
	}
	s := decimalText(roundRat(big.NewRat(n, 10_000), 2), 2)
	if style != 1 {
		return s
	}
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 6; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}
