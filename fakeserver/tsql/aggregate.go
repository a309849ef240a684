package tsql

import (
	"context"
	"math/big"
	"strings"

	"cdcseed/fakeserver/tds"
)

const aggregateFunctions = ` COUNT COUNT_BIG SUM AVG MIN MAX STRING_AGG `

// aggregate is one aggregate of a query, computed for each group.
type aggregate struct {
	name      string
	arg       *scalar // nil for COUNT(*)
	separator *scalar // of STRING_AGG
	order     []sortKey
	distinct  bool
	t         tds.Type
}

// aggregateCall compiles SUM(x) and its kin where the rows are grouped.
func (sc *scope) aggregateCall(x *call, name string) (scalar, error) {
	if x.over != nil {
		return sc.windowAggregate(x, name)
	}
	if sc.group == nil {
		return scalar{}, sc.misplacedAggregate()
	}
	rows := *sc
	rows.group, rows.windows, rows.clause = nil, nil, inAggregate
	a, err := rows.aggregate(x, name)
	if err != nil {
		return scalar{}, err
	}
	slot := len(sc.group.aggregates)
	sc.group.aggregates = append(sc.group.aggregates, a)
	nullable := name != "COUNT" && name != "COUNT_BIG"
	return scalar{t: a.t, nullable: nullable, eval: func(_ context.Context, f *frame) (any, error) {
		return f.aggs[slot], nil
	}}, nil
}

func (sc *scope) misplacedAggregate() error {
	switch sc.clause {
	case inFrom:
		return Errorf(1015, 15, "An aggregate cannot appear in an ON clause unless it is in a subquery contained in a HAVING "+
			"clause or select list, and the column being aggregated is an outer reference.")
	case inGroupBy:
		return Errorf(144, 15, "Cannot use an aggregate or a subquery in an expression used for the group by list of a GROUP BY clause.")
	case inAggregate:
		return Errorf(130, 15, "Cannot perform an aggregate function on an expression containing an aggregate or a subquery.")
	}
	return Errorf(147, 15, "An aggregate may not appear in the WHERE clause unless it is in a subquery contained in a HAVING "+
		"clause or a select list, and the column being aggregated is an outer reference.")
}

// aggregate compiles an aggregate whose argument is of the scope's rows.
func (sc *scope) aggregate(x *call, name string) (*aggregate, error) {
	a := &aggregate{name: name, distinct: x.distinct}
	if x.star {
		if name != "COUNT" && name != "COUNT_BIG" {
			return nil, Errorf(102, 15, "Incorrect syntax near '*'.")
		}
		a.t = tds.Int
		if name == "COUNT_BIG" {
			a.t = tds.BigInt
		}
		return a, nil
	}
	want := 1
	if name == "STRING_AGG" {
		want = 2
	} else if x.order != nil {
		return nil, Errorf(10757, 15, "The function '%s' may not have a WITHIN GROUP clause.", x.name[0])
	}
	if len(x.args) != want {
		return nil, wrongCount(name, want)
	}
	if sc.clause == inAggregate && hasSubquery(x.args[0]) {
		return nil, sc.misplacedAggregate()
	}
	args, _, err := sc.scalars(x.args)
	if err != nil {
		return nil, err
	}
	a.arg = &args[0]
	if want == 2 {
		a.separator = &args[1]
		if a.order, err = sc.sortKeys(x.order); err != nil {
			return nil, err
		}
	}
	a.t, err = aggregateType(name, args[0].t)
	if err == nil && name == "STRING_AGG" {
		err = a.joinsText()
	}
	return a, err
}

func (a *aggregate) joinsText() error {
	if !isString(a.separator.t) {
		return badArgument(a.separator.t, 2, a.name)
	}
	c, err := a.arg.to(a.t)
	a.arg = &c
	return err
}

func aggregateType(name string, t tds.Type) (tds.Type, error) {
	bad := Errorf(8117, 16, "Operand data type %s is invalid for %s operator.", TypeName(settled(t)), strings.ToLower(name))
	switch name {
	case "COUNT":
		return tds.Int, nil
	case "COUNT_BIG":
		return tds.BigInt, nil
	case "STRING_AGG":
		if isWide(t) || !isString(t) {
			return withLength(tds.NVarChar(1), limitOf(t, 4000)), nil
		}
		return withLength(t, limitOf(t, 8000)), nil
	case "MIN", "MAX":
		if t.ID == tds.NullType || t.ID == tds.BitNType || t.ID == tds.XMLType || isLegacyLOB(t) {
			return t, bad
		}
		return t, nil
	}
	switch {
	case isInt(t) && t.Size < 8:
		return tds.Int, nil
	case isInt(t):
		return tds.BigInt, nil
	case t.ID == tds.FltNType:
		return tds.Float, nil
	case t.ID == tds.MoneyNType:
		return tds.Money, nil
	case isDecimal(t) && name == "AVG":
		return tds.Decimal(38, max(6, t.Scale)), nil
	case isDecimal(t):
		return tds.Decimal(38, t.Scale), nil
	}
	return t, bad
}

// limitOf keeps a (max) and makes everything else as long as it can be.
func limitOf(t tds.Type, limit int) int {
	if t.Size == maxLength {
		return maxLength
	}
	return limit
}

// accumulator is an aggregate at work on one group.
type accumulator struct {
	n     int64
	best  any
	sum   *big.Rat
	fsum  float64
	seen  map[string]bool
	texts []textPart
}

// textPart is one text of STRING_AGG with what it is ordered by.
type textPart struct {
	text, separator string
	keys            []any
}

func (acc *accumulator) add(ctx context.Context, a *aggregate, f *frame) error {
	if a.arg == nil {
		acc.n++
		return nil
	}
	v, err := a.arg.eval(ctx, f)
	if err != nil || v == nil {
		return err
	}
	if a.distinct {
		k := valueKey(a.arg.t, v, a.arg.exact)
		if acc.seen[k] {
			return nil
		}
		if acc.seen == nil {
			acc.seen = map[string]bool{}
		}
		acc.seen[k] = true
	}
	acc.n++
	switch a.name {
	case "MIN", "MAX":
		return acc.keep(a, v)
	case "SUM", "AVG":
		return acc.addNumber(Value{a.arg.t, v})
	case "STRING_AGG":
		return acc.addText(ctx, a, textIn(v), f)
	}
	return nil
}

func (acc *accumulator) keep(a *aggregate, v any) error {
	if acc.best != nil {
		k, err := compareIn(Value{a.arg.t, v}, Value{a.arg.t, acc.best}, a.arg.exact)
		if err != nil || (a.name == "MIN") != (k < 0) {
			return err
		}
	}
	acc.best = v
	return nil
}

func (acc *accumulator) addNumber(v Value) error {
	if x, ok := v.V.(float64); ok {
		acc.fsum += x
		return nil
	}
	r, err := ratOf(v)
	if err != nil {
		return err
	}
	if acc.sum == nil {
		acc.sum = new(big.Rat)
	}
	acc.sum.Add(acc.sum, r)
	return nil
}

func (acc *accumulator) addText(ctx context.Context, a *aggregate, text string, f *frame) error {
	sep, err := a.separator.eval(ctx, f)
	if err != nil {
		return err
	}
	keys, err := evalKeys(ctx, f, a.order)
	acc.texts = append(acc.texts, textPart{text, textIn(sep), keys})
	return err
}

func (acc *accumulator) result(a *aggregate) (any, error) {
	switch {
	case a.name == "COUNT" || a.name == "COUNT_BIG":
		return acc.n, nil
	case acc.n == 0:
		return nil, nil
	case a.name == "MIN" || a.name == "MAX":
		return acc.best, nil
	case a.name == "STRING_AGG":
		return acc.joined(a)
	case a.t.ID == tds.FltNType:
		if a.name == "AVG" {
			return acc.fsum / float64(acc.n), nil
		}
		return acc.fsum, nil
	}
	sum := acc.sum
	if a.name == "AVG" {
		sum = new(big.Rat).Quo(sum, new(big.Rat).SetInt64(acc.n))
		if isDecimal(a.t) {
			sum = new(big.Rat).SetFrac(cut(sum, int(a.t.Scale)), pow10(int(a.t.Scale)))
		}
	}
	return numberOfRat(sum, tds.Decimal(38, 0), a.t)
}

func (acc *accumulator) joined(a *aggregate) (any, error) {
	if err := sortBy(acc.texts, a.order, func(p textPart) []any { return p.keys }); err != nil {
		return nil, err
	}
	var b strings.Builder
	for i, p := range acc.texts {
		if i > 0 {
			b.WriteString(p.separator)
		}
		b.WriteString(p.text)
	}
	if n := length(a.t); n != maxLength && unitCount(b.String()) > n {
		return nil, Errorf(9829, 16, "STRING_AGG aggregation result exceeded the limit of 8000 bytes. Use LOB types to avoid "+
			"result truncation.")
	}
	return b.String(), nil
}
