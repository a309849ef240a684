package tsql

import (
	"context"
	"math/big"
	"strconv"

	"cdcseed/fakeserver/tds"
)

func operatorName(op string) string {
	switch op {
	case "+":
		return "add"
	case "-":
		return "subtract"
	case "*":
		return "multiply"
	case "/":
		return "divide"
	case "%":
		return "modulo"
	}
	return "'" + op + "'"
}

func badOperand(t tds.Type, op string) error {
	return Errorf(8117, 16, "Operand data type %s is invalid for %s operator.", TypeName(t), operatorName(op))
}

func (sc *scope) unary(x unaryOp) (scalar, error) {
	c, err := sc.scalar(x.e)
	if err != nil {
		return c, err
	}
	if x.op == "+" {
		return c, nil
	}
	if x.op == "~" && !isInt(c.t) {
		return c, badOperand(c.t, x.op)
	}
	if !isNumber(c.t) && c.t.ID != tds.NullType || c.t.ID == tds.BitNType {
		return c, badOperand(c.t, x.op)
	}
	t, eval := c.t, c.eval
	c.eval = func(ctx context.Context, f *frame) (any, error) {
		v, err := eval(ctx, f)
		if err != nil || v == nil {
			return nil, err
		}
		return negate(v, t, x.op)
	}
	return c, nil
}

func negate(v any, t tds.Type, op string) (any, error) {
	switch n := v.(type) {
	case int64:
		if op == "~" {
			return ^n, nil
		}
		if lo, hi := intRange(t); n == lo && lo < 0 || -n < lo || -n > hi {
			return nil, overflow(t)
		}
		return -n, nil
	case float64:
		return -n, nil
	case *big.Int:
		return new(big.Int).Neg(n), nil
	case tds.MoneyVal:
		return -n, nil
	}
	return nil, badOperand(t, op)
}

// binary compiles arithmetic, bit operations and the joining of texts.
func (sc *scope) binary(x binaryOp) (scalar, error) {
	l, err := sc.scalar(x.l)
	if err != nil {
		return l, err
	}
	r, err := sc.scalar(x.r)
	if err != nil {
		return r, err
	}
	t, err := resultType(asWritten(x.l, l.t), asWritten(x.r, r.t), x.op)
	if err != nil {
		return l, err
	}
	if isInt(t) {
		t.Prec = 0
	}
	apply := func(a, b any) (any, error) { return compute(x.op, t, Value{l.t, a}, Value{r.t, b}) }
	switch {
	case isString(t), isBinary(t):
		apply = func(a, b any) (any, error) { return concatenate(t, Value{l.t, a}, Value{r.t, b}) }
	case t.ID == tds.FltNType:
		apply = func(a, b any) (any, error) { return computeFloat(x.op, t, Value{l.t, a}, Value{r.t, b}) }
	}
	return scalar{
		t: t, nullable: l.nullable || r.nullable, exact: l.exact || r.exact,
		eval: func(ctx context.Context, f *frame) (any, error) {
			a, err := l.eval(ctx, f)
			if err != nil {
				return nil, err
			}
			b, err := r.eval(ctx, f)
			if err != nil || a == nil || b == nil {
				return nil, err
			}
			return apply(a, b)
		},
	}, nil
}

// asWritten: beside a decimal an integer constant has the precision it is
// written with, not that of its type, so that 2.0 / 3 has six decimals.
func asWritten(e expr, t tds.Type) tds.Type {
	if lit, ok := e.(literal); ok && t == tds.Int {
		if n, ok := lit.v.V.(int64); ok {
			t.Prec = byte(len(strconv.FormatInt(n, 10)))
		}
	}
	return t
}

func resultType(l, r tds.Type, op string) (tds.Type, error) {
	t := settled(common(l, r))
	switch {
	case isTime(l) || isTime(r):
		return tds.DateTime, timeOperand(l, r, op)
	case isString(t) || isBinary(t):
		if op != "+" || isString(t) && (isBinary(l) || isBinary(r)) {
			return t, Errorf(402, 16, "The data types %s and %s are incompatible in the %s operator.",
				TypeName(l), TypeName(r), operatorName(op))
		}
		return joinedType(l, r, t), nil
	case !isNumber(t):
		return t, badOperand(t, op)
	case t.ID == tds.BitNType && (op == "+" || op == "-" || op == "*" || op == "/" || op == "%"):
		return t, badOperand(t, op)
	case isBitOp(op) && !isInt(t) && t.ID != tds.BitNType:
		return t, Errorf(402, 16, "The data types %s and %s are incompatible in the '%s' operator.", TypeName(l), TypeName(r), op)
	case isDecimal(t):
		return decimalResult(asDecimal(number0(l)), asDecimal(number0(r)), op), nil
	case op == "%" && t.ID == tds.FltNType:
		return t, Errorf(402, 16, "The data types %s and %s are incompatible in the modulo operator.", TypeName(l), TypeName(r))
	}
	if !implicit(l, t) {
		return t, clash(l, t)
	}
	if !implicit(r, t) {
		return t, clash(r, t)
	}
	return t, nil
}

func isBitOp(op string) bool { return op == "&" || op == "|" || op == "^" }

// number0 takes a text in arithmetic with a decimal for one digit, a bare NULL too.
func number0(t tds.Type) tds.Type {
	if !isNumber(t) {
		return tds.Decimal(1, 0)
	}
	return t
}

// timeOperand: only datetime takes part in arithmetic in SQL Server.
func timeOperand(l, r tds.Type, op string) error {
	for _, t := range []tds.Type{l, r} {
		if isTime(t) && t.ID != tds.DateTimNType {
			other := l
			if t == l {
				other = r
			}
			if isTime(other) || isString(other) {
				return Errorf(402, 16, "The data types %s and %s are incompatible in the %s operator.",
					TypeName(l), TypeName(r), operatorName(op))
			}
			return Errorf(206, 16, "Operand type clash: %s is incompatible with %s", TypeName(t), TypeName(settled(other)))
		}
	}
	if op != "+" && op != "-" {
		return badOperand(tds.DateTime, op)
	}
	for _, t := range []tds.Type{l, r} {
		if !implicit(t, tds.DateTime) {
			return clash(t, tds.DateTime)
		}
	}
	return nil
}

func joinedType(l, r, t tds.Type) tds.Type {
	if l.Size == maxLength || r.Size == maxLength {
		return withLength(t, maxLength)
	}
	n := 0
	for _, p := range []tds.Type{l, r} {
		if isString(p) || isBinary(p) {
			n += length(p)
		}
	}
	limit := 8000
	if isWide(t) {
		limit = 4000
	}
	return withLength(t, min(limit, max(1, n)))
}

// decimalResult is the documented precision and scale; a precision above 38
// takes digits from the fraction.
func decimalResult(a, b tds.Type, op string) tds.Type {
	p1, s1, p2, s2 := int(a.Prec), int(a.Scale), int(b.Prec), int(b.Scale)
	var p, s int
	switch op {
	case "+", "-":
		s = max(s1, s2)
		whole := max(p1-s1, p2-s2)
		if p = whole + s + 1; p > 38 {
			p, s = 38, max(0, min(s, 38-whole))
		}
		return tds.Decimal(byte(p), byte(s))
	case "*":
		p, s = p1+p2+1, s1+s2
	case "/":
		s = max(6, s1+p2+1)
		p = p1 - s1 + s2 + s
	default:
		s = max(s1, s2)
		p = min(p1-s1, p2-s2) + s
	}
	if p > 38 {
		whole := p - s
		p, s = 38, max(min(s, 6), min(s, 38-whole))
	}
	return tds.Decimal(byte(max(1, p)), byte(s))
}
