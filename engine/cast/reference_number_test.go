package cast_test

import (
	"math"
	"math/big"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// number is a finite number as a copy told it.
type number struct {
	exact  *big.Rat
	minus  bool // a sign stood before it, perhaps before zero
	digits int  // significant ones, of a decimal notation
}

// numberOf is a number column's value; false for NaN and infinity.
func (j *judge) numberOf(v any) (number, bool) {
	switch v := v.(type) {
	case *big.Int:
		unit := new(big.Rat).SetInt(bigPow(10, int64(j.from.Scale)))
		r := new(big.Rat).SetInt(v)
		return number{exact: r.Quo(r, unit), minus: v.Sign() < 0, digits: significant(v.String())}, true
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return number{}, false
		}
		return number{exact: new(big.Rat).SetFloat64(v), minus: math.Signbit(v)}, true
	}
	panic(v)
}

// significant counts the digits between the first and the last that is not zero.
func significant(digits string) int {
	first, last := -1, -1
	n := 0
	for _, ch := range digits {
		if ch < '0' || ch > '9' {
			continue
		}
		if ch != '0' {
			if first < 0 {
				first = n
			}
			last = n
		}
		n++
	}
	if first < 0 {
		return 0
	}
	return last - first + 1
}

// whole is what a whole-number column makes of a value: all of its digits, in
// the type's range; tinyint's is 0 to 255.
func (j *judge) whole(v any) outcome {
	n, o, ok := j.read(v)
	if !ok {
		return o
	}
	bits := map[schema.Kind]uint{schema.Short: 15, schema.Integer: 31, schema.Long: 63}[j.to.Type.Kind]
	low, high := new(big.Int).Neg(bigPow(2, int64(bits))), new(big.Int).Sub(bigPow(2, int64(bits)), big.NewInt(1))
	if j.to.SQL.Name == "tinyint" {
		low, high = big.NewInt(0), big.NewInt(255)
	}
	return j.settle(n.exact, cast.Inexact, func(x *big.Int) bool { return x.Cmp(low) >= 0 && x.Cmp(high) <= 0 }, j.doubted(v, n.exact)...)
}

// doubted notes a floating-point number that is so far from zero that its type
// skips units of the target's last digit there.
func (j *judge) doubted(v any, units *big.Rat) []cast.Effect {
	if _, is := v.(float64); !is {
		return nil
	}
	bits := map[string]int{"DOUBLE": 53, "FLOAT": 24, "FIXED_LEN_BYTE_ARRAY": 11}[j.from.Physical]
	if near, _ := nearestFloat(units, false); math.Abs(near) < math.Ldexp(1, bits) { // rounded once, as any product is
		return nil
	}
	return []cast.Effect{cast.Doubtful}
}

// decimal is the same of an unscaled decimal: fewer digits than the precision
// allows, and within money's range. A floating-point number, of any width, is
// the shortest decimal text of it as a double.
func (j *judge) decimal(v any) outcome {
	n, o, ok := j.read(v)
	if !ok {
		return o
	}
	if f, is := v.(float64); is {
		n.exact = shortest(f, false)
	}
	scaled := new(big.Rat).Mul(n.exact, new(big.Rat).SetInt(bigPow(10, int64(j.to.Type.Scale))))
	double := new(big.Rat)
	if f, is := v.(float64); is {
		double.Mul(new(big.Rat).SetFloat64(f), new(big.Rat).SetInt(bigPow(10, int64(j.to.Type.Scale))))
	}
	return j.settle(scaled, cast.Inexact, func(x *big.Int) bool {
		if x.CmpAbs(bigPow(10, int64(j.to.Type.Precision))) >= 0 {
			return false
		}
		switch j.to.SQL.Name {
		case "money":
			return x.IsInt64()
		case "smallmoney":
			return x.IsInt64() && x.Int64() >= math.MinInt32 && x.Int64() <= math.MaxInt32
		}
		return true
	}, j.doubted(v, double)...)
}

// read is a value's number, or why there is none.
func (j *judge) read(v any) (number, outcome, bool) {
	if j.isText() {
		n, ok := numberIn(v.(string))
		return n, unwritten(cast.Unparseable), ok
	}
	n, ok := j.numberOf(v)
	return n, unwritten(cast.NotFinite), ok
}

// settle writes a number's whole part, where the answer allows for the rest: to
// the nearest, halves away from zero, or toward zero. What would be written
// must be in range; without an answer, what cutting would write.
func (j *judge) settle(x *big.Rat, reason cast.Effect, inRange func(*big.Int) bool, notes ...cast.Effect) outcome {
	return j.choose(x.IsInt(), truncated(x), roundedAway(x), reason, inRange, notes...)
}

// choose writes the exact value, or the one of two that the answer names.
func (j *judge) choose(exact bool, cut, round *big.Int, reason cast.Effect, inRange func(*big.Int) bool, notes ...cast.Effect) outcome {
	out, note := cut, cast.Effect("")
	switch {
	case exact:
	case j.rule.Answer == cast.Round:
		out, note = round, cast.Rounded
	case j.rule.Answer == cast.Cut:
		note = cast.CutOff
	default:
		note = "asks"
	}
	switch {
	case !inRange(out):
		return unwritten(cast.OutOfRange)
	case note == "asks":
		return unwritten(reason)
	case note != "":
		notes = append(notes, note)
	}
	return wrote(out, notes...)
}

func truncated(x *big.Rat) *big.Int { return new(big.Int).Quo(x.Num(), x.Denom()) }

// floored is the whole number at or before x.
func floored(x *big.Rat) *big.Int {
	q, _ := new(big.Int).DivMod(x.Num(), x.Denom(), new(big.Int))
	return q
}

// roundedAway is the nearest whole number, of two the one farther from zero.
func roundedAway(x *big.Rat) *big.Int {
	half := big.NewRat(1, 2)
	if x.Sign() < 0 {
		return truncated(new(big.Rat).Sub(x, half))
	}
	return truncated(new(big.Rat).Add(x, half))
}

// floating is what real and float columns make of a value: the nearest number,
// if it stands for the value, or by the answer.
func (j *judge) floating(v any) outcome {
	n, o, ok := j.read(v)
	if !ok {
		return o
	}
	single := j.to.Type.Kind == schema.Float
	near, finite := nearestFloat(n.exact, single)
	if !finite {
		return unwritten(cast.OutOfRange)
	}
	if near == 0 && n.minus {
		near = math.Copysign(0, -1)
	}
	same := new(big.Rat).SetFloat64(near).Cmp(n.exact) == 0
	if j.isText() || j.is("DECIMAL") {
		same = stands(n, near, single)
	}
	out := math.Float64bits(near)
	switch {
	case same:
		return wrote(out)
	case j.rule.Answer == cast.Round:
		return wrote(out, cast.Rounded)
	}
	return unwritten(cast.Inexact)
}

// nearestFloat is the floating-point number nearest to x, false where it is too large.
func nearestFloat(x *big.Rat, single bool) (float64, bool) {
	if single {
		f, _ := x.Float32()
		return float64(f), !math.IsInf(float64(f), 0)
	}
	f, _ := x.Float64()
	return f, !math.IsInf(f, 0)
}

// stands reports whether v stands for a decimal: written with as many digits
// as the decimal has, it is the decimal, or its shortest text is.
func stands(n number, v float64, single bool) bool {
	if n.exact.Sign() == 0 || v == 0 {
		return n.exact.Sign() == 0 && v == 0
	}
	return writtenWith(v, n.digits).Cmp(n.exact) == 0 || shortest(v, single).Cmp(n.exact) == 0
}

// leading is the power of ten of v's first digit; v is not zero.
func leading(v float64) int {
	x := new(big.Rat).SetFloat64(math.Abs(v))
	e := int(math.Floor(math.Log10(math.Abs(v)))) + 1 // near enough to begin with
	for x.Cmp(powerOfTen(e)) < 0 {
		e--
	}
	return e
}

func powerOfTen(e int) *big.Rat {
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), bigPow(10, int64(-e)))
	}
	return new(big.Rat).SetInt(bigPow(10, int64(e)))
}

// writtenWith is v written with n significant digits, halves to the even digit.
func writtenWith(v float64, n int) *big.Rat {
	unit := powerOfTen(leading(v) - n + 1)
	in := new(big.Rat).Quo(new(big.Rat).SetFloat64(v), unit)
	q := floored(in)
	rest := new(big.Rat).Sub(in, new(big.Rat).SetInt(q))
	if c := rest.Cmp(big.NewRat(1, 2)); c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(q), unit)
}

// shortest is the decimal with the fewest digits that reads back as v, and of
// those the one nearest to it.
func shortest(v float64, single bool) *big.Rat {
	x := new(big.Rat).SetFloat64(v)
	if v == 0 {
		return x
	}
	for n := 1; ; n++ {
		unit := powerOfTen(leading(v) - n + 1)
		below := floored(new(big.Rat).Quo(x, unit))
		var best *big.Rat
		for _, q := range []*big.Int{below, new(big.Int).Add(below, big.NewInt(1))} {
			c := new(big.Rat).Mul(new(big.Rat).SetInt(q), unit)
			if back, _ := nearestFloat(c, single); back != v {
				continue
			}
			if best == nil || apart(c, x).Cmp(apart(best, x)) < 0 || apart(c, x).Cmp(apart(best, x)) == 0 && q.Bit(0) == 0 {
				best = c
			}
		}
		if best != nil {
			return best
		}
	}
}

func apart(a, b *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(a, b)
	return d.Abs(d)
}
