package tsql

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"cdcseed/fakeserver/tds"
)

func toNumber(v Value, to tds.Type) (any, error) {
	if b, ok := v.V.([]byte); ok {
		return numberOfBytes(b, to)
	}
	if f, ok := v.V.(float64); ok && to.ID == tds.FltNType {
		return roundFloat(f, to), nil
	}
	if s, ok := v.V.(string); ok {
		return numberOfText(v, s, to)
	}
	r, err := ratOf(v)
	if err != nil {
		return nil, err
	}
	return numberOfRat(r, v.T, to)
}

// numberOfRat fits an exact value into a number type: integers cut the
// fraction of a decimal but round one of money or a datetime, decimals round.
func numberOfRat(r *big.Rat, from, to tds.Type) (any, error) {
	switch to.ID {
	case tds.BitNType:
		return r.Sign() != 0, nil
	case tds.FltNType:
		f, _ := r.Float64()
		return roundFloat(f, to), nil
	case tds.IntNType:
		n := new(big.Int).Quo(r.Num(), r.Denom())
		if from.ID == tds.MoneyNType || isTime(from) {
			n = roundRat(r, 0)
		}
		if lo, hi := intRange(to); !n.IsInt64() || n.Int64() < lo || n.Int64() > hi {
			return nil, overflow(to)
		}
		return n.Int64(), nil
	case tds.MoneyNType:
		n := roundRat(r, 4)
		if !n.IsInt64() || to.Size == 4 && n.Int64() != int64(int32(n.Int64())) {
			return nil, overflow(to)
		}
		return tds.MoneyVal(n.Int64()), nil
	}
	n := roundRat(r, int(to.Scale))
	if len(new(big.Int).Abs(n).String()) > int(to.Prec) {
		return nil, overflow(to)
	}
	return n, nil
}

func roundFloat(f float64, to tds.Type) float64 {
	if to.Size == 4 {
		return float64(float32(f))
	}
	return f
}

func intRange(t tds.Type) (lo, hi int64) {
	switch t.Size {
	case 1:
		return 0, 255
	case 2:
		return math.MinInt16, math.MaxInt16
	case 4:
		return math.MinInt32, math.MaxInt32
	}
	return math.MinInt64, math.MaxInt64
}

// numberOfText reads digits; only float takes an exponent, only money a
// currency sign and thousands commas, and an integer takes no point.
func numberOfText(v Value, s string, to tds.Type) (any, error) {
	s = strings.TrimSpace(s)
	switch {
	case s == "" && !isDecimal(to):
		s = "0" // an empty text is the number 0
	case to.ID == tds.BitNType && strings.EqualFold(s, "true"):
		return true, nil
	case to.ID == tds.BitNType && strings.EqualFold(s, "false"):
		return false, nil
	case to.ID == tds.MoneyNType:
		s = strings.ReplaceAll(strings.Replace(s, "$", "", 1), ",", "")
	case to.ID == tds.FltNType:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || strings.ContainsAny(s, "xXpP_nNiI") {
			return nil, failed(v, to)
		}
		return roundFloat(f, to), nil
	}
	plain := strings.TrimLeft(s, "+-")
	if plain == "" || len(s)-len(plain) > 1 || strings.Trim(plain, "0123456789.") != "" ||
		strings.Count(plain, ".") > 1 || strings.Contains(plain, ".") && (isInt(to) || to.ID == tds.BitNType) {
		return nil, failed(v, to)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil, failed(v, to)
	}
	out, err := numberOfRat(r, v.T, to)
	if err != nil && isInt(to) {
		return nil, textOverflow(v, to)
	}
	return out, err
}

func textOverflow(v Value, to tds.Type) error {
	switch to.Size {
	case 1, 2:
		return Errorf(244, 16, "The conversion of the %s value '%v' overflowed an INT%d column. Use a larger integer column.",
			TypeName(v.T), v.V, to.Size)
	case 4:
		return Errorf(248, 16, "The conversion of the %s value '%v' overflowed an int column.", TypeName(v.T), v.V)
	}
	return overflow(to)
}

// numberOfBytes reads binary as a big-endian number, keeping its last bytes.
func numberOfBytes(b []byte, to tds.Type) (any, error) {
	var n uint64
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	switch to.ID {
	case tds.BitNType:
		return n != 0, nil
	case tds.IntNType:
		if to.Size == 1 {
			return int64(byte(n)), nil
		}
		shift := 64 - 8*to.Size
		return int64(n<<shift) >> shift, nil
	case tds.MoneyNType:
		if to.Size == 4 {
			return tds.MoneyVal(int32(n)), nil
		}
		return tds.MoneyVal(int64(n)), nil
	}
	return nil, notSimulated("conversion from binary to %s", TypeName(to))
}

// ratOf is the exact value of a number or of a datetime (days since 1900).
func ratOf(v Value) (*big.Rat, error) {
	switch x := v.V.(type) {
	case int64:
		return new(big.Rat).SetInt64(x), nil
	case bool:
		if x {
			return big.NewRat(1, 1), nil
		}
		return new(big.Rat), nil
	case float64:
		if r := new(big.Rat).SetFloat64(x); r != nil {
			return r, nil
		}
	case *big.Int:
		return new(big.Rat).SetFrac(x, pow10(int(v.T.Scale))), nil
	case tds.MoneyVal:
		return big.NewRat(int64(x), 10_000), nil
	case string:
		n, err := numberOfText(v, x, tds.Decimal(38, 10))
		if err != nil {
			return nil, err
		}
		return ratOf(Value{T: tds.Decimal(38, 10), V: n})
	}
	if t, ok := datetimeDays(v); ok {
		return t, nil
	}
	return nil, Errorf(8117, 16, "Operand data type %s is invalid for this operator.", TypeName(v.T))
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// roundRat is r in units of 10^-scale, halves away from zero.
func roundRat(r *big.Rat, scale int) *big.Int {
	x := new(big.Rat).Mul(r, new(big.Rat).SetInt(pow10(scale)))
	half := big.NewRat(1, 2)
	if x.Sign() < 0 {
		half.Neg(half)
	}
	x.Add(x, half)
	return new(big.Int).Quo(x.Num(), x.Denom())
}

// decimalText writes an unscaled number with its point.
func decimalText(n *big.Int, scale int) string {
	s := new(big.Int).Abs(n).String()
	if len(s) <= scale {
		s = strings.Repeat("0", scale-len(s)+1) + s
	}
	if scale > 0 {
		s = s[:len(s)-scale] + "." + s[len(s)-scale:]
	}
	if n.Sign() < 0 {
		s = "-" + s
	}
	return s
}
