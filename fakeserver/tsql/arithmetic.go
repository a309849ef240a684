package tsql

import (
	"math"
	"math/big"

	"cdcseed/fakeserver/tds"
)

func dividedByZero() error { return Errorf(8134, 16, "Divide by zero error encountered.") }

func concatenate(t tds.Type, l, r Value) (any, error) {
	a, err := Convert(l, withLength(t, maxLength), 0)
	if err != nil {
		return nil, err
	}
	b, err := Convert(r, withLength(t, maxLength), 0)
	if err != nil {
		return nil, err
	}
	if s, ok := a.V.(string); ok {
		v, err := Convert(Value{withLength(t, maxLength), s + textIn(b.V)}, t, 0)
		return v.V, err
	}
	x, _ := a.V.([]byte)
	y, _ := b.V.([]byte)
	return append(append([]byte{}, x...), y...), nil
}

func computeFloat(op string, t tds.Type, l, r Value) (any, error) {
	a, err := Convert(l, tds.Float, 0)
	if err != nil {
		return nil, err
	}
	b, err := Convert(r, tds.Float, 0)
	if err != nil {
		return nil, err
	}
	x, _ := a.V.(float64)
	y, _ := b.V.(float64)
	var z float64
	switch op {
	case "+":
		z = x + y
	case "-":
		z = x - y
	case "*":
		z = x * y
	default:
		if y == 0 {
			return nil, dividedByZero()
		}
		z = x / y
	}
	if math.IsInf(z, 0) || math.IsNaN(z) {
		return nil, overflow(t)
	}
	return roundFloat(z, t), nil
}

// compute is exact arithmetic on integers, money and decimals.
func compute(op string, t tds.Type, l, r Value) (any, error) {
	if x, ok := l.V.(int64); ok && isInt(t) {
		if y, ok := r.V.(int64); ok {
			return computeInt(op, t, x, y)
		}
	}
	p, err := operand(l, t)
	if err != nil {
		return nil, err
	}
	q, err := operand(r, t)
	if err != nil {
		return nil, err
	}
	z := new(big.Rat)
	switch op {
	case "+":
		z.Add(p, q)
	case "-":
		z.Sub(p, q)
	case "*":
		z.Mul(p, q)
	case "/", "%":
		if q.Sign() == 0 {
			return nil, dividedByZero()
		}
		z.Quo(p, q)
		if op == "%" {
			whole := new(big.Rat).SetInt(new(big.Int).Quo(z.Num(), z.Denom()))
			z.Sub(p, whole.Mul(whole, q))
		}
	default:
		z.SetInt(bits(op, p.Num(), q.Num()))
	}
	if isTime(t) {
		return dateOfDays(z, t)
	}
	if isDecimal(t) && op == "/" {
		z.SetFrac(cut(z, int(t.Scale)), pow10(int(t.Scale)))
	}
	return numberOfRat(z, tds.Decimal(38, 0), t)
}

// computeInt is the same for integers, which are most of what is computed.
func computeInt(op string, t tds.Type, x, y int64) (any, error) {
	var z int64
	fits := true
	switch op {
	case "+":
		z = x + y
		fits = (z > x) == (y > 0)
	case "-":
		z = x - y
		fits = (z < x) == (y > 0)
	case "*":
		z = x * y
		fits = x == 0 || (z/x == y && (x != -1 || y != math.MinInt64))
	case "/", "%":
		if y == 0 {
			return nil, dividedByZero()
		}
		fits = op == "%" || y != -1 || x != math.MinInt64
		if z = x % y; op == "/" {
			z = x / y
		}
	case "&":
		z = x & y
	case "|":
		z = x | y
	default:
		z = x ^ y
	}
	if lo, hi := intRange(t); !fits || z < lo || z > hi {
		return nil, overflow(t)
	}
	return z, nil
}

// cut drops the digits past scale: a quotient, unlike a product, is not rounded.
func cut(r *big.Rat, scale int) *big.Int {
	x := new(big.Rat).Mul(r, new(big.Rat).SetInt(pow10(scale)))
	return new(big.Int).Quo(x.Num(), x.Denom())
}

// operand reads a text as the type of the result, so that '1.5' + 1 fails.
func operand(v Value, t tds.Type) (*big.Rat, error) {
	if isString(v.T) || isBinary(v.T) || v.T.ID == tds.FltNType {
		c, err := Convert(v, t, 0)
		if err != nil {
			return nil, err
		}
		v = c
	}
	return ratOf(v)
}

func bits(op string, a, b *big.Int) *big.Int {
	switch op {
	case "&":
		return new(big.Int).And(a, b)
	case "|":
		return new(big.Int).Or(a, b)
	}
	return new(big.Int).Xor(a, b)
}
