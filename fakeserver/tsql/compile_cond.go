package tsql

import (
	"context"
	"errors"

	"cdcseed/fakeserver/tds"
)

// truth is three-valued; min is AND, max is OR.
type truth int

const (
	isFalse truth = iota
	isUnknown
	isTrue
)

func truthOf(b bool) truth {
	if b {
		return isTrue
	}
	return isFalse
}

func (t truth) negate(do bool) truth {
	if do {
		return isTrue - t
	}
	return t
}

type predicate func(ctx context.Context, f *frame) (truth, error)

func (sc *scope) predicate(c cond) (predicate, error) {
	switch x := c.(type) {
	case logic:
		return sc.logic(x)
	case not:
		p, err := sc.predicate(x.c)
		return func(ctx context.Context, f *frame) (truth, error) {
			t, err := p(ctx, f)
			return t.negate(true), err
		}, err
	case comparison:
		return sc.comparison(x)
	case between:
		c := logic{"AND", comparison{">=", x.e, x.lo}, comparison{"<=", x.e, x.hi}}
		if x.negated {
			return sc.predicate(not{c})
		}
		return sc.logic(c)
	case inList:
		if x.sub != nil {
			return sc.inQuery(x)
		}
		return sc.inList(x)
	case isNull:
		e, err := sc.scalar(x.e)
		return func(ctx context.Context, f *frame) (truth, error) {
			v, err := e.eval(ctx, f)
			return truthOf((v == nil) != x.negated), err
		}, err
	case like:
		return sc.like(x)
	case exists:
		return sc.exists(x)
	}
	return nil, Errorf(4145, 15, "An expression of non-boolean type specified in a context where a condition is expected.")
}

func (sc *scope) logic(x logic) (predicate, error) {
	l, err := sc.predicate(x.l)
	if err != nil {
		return nil, err
	}
	r, err := sc.predicate(x.r)
	if err != nil {
		return nil, err
	}
	settles := isFalse // what decides without the other side
	if x.op == "OR" {
		settles = isTrue
	}
	return func(ctx context.Context, f *frame) (truth, error) {
		a, err := l(ctx, f)
		if err != nil || a == settles {
			return a, err
		}
		b, err := r(ctx, f)
		if settles == isFalse {
			return min(a, b), err
		}
		return max(a, b), err
	}, nil
}

// sameType makes both sides one type; the result says whether text is
// compared by code point.
func sameType(l, r scalar, op string) (scalar, scalar, bool, error) {
	t := common(l.t, r.t)
	if t.ID == tds.XMLType || isLegacyLOB(t) {
		return l, r, false, Errorf(402, 16, "The data types %s and %s are incompatible in the %s operator.",
			TypeName(settled(l.t)), TypeName(settled(r.t)), op)
	}
	exact := l.exact || r.exact
	lc, err := l.to(t)
	if err != nil {
		return l, r, false, err
	}
	rc, err := r.to(t)
	return lc, rc, exact, err
}

func (sc *scope) comparison(x comparison) (predicate, error) {
	l, err := sc.scalar(x.l)
	if err != nil {
		return nil, err
	}
	r, err := sc.scalar(x.r)
	if err != nil {
		return nil, err
	}
	return compares(x.op, l, r)
}

func compares(op string, l, r scalar) (predicate, error) {
	l, r, exact, err := sameType(l, r, op)
	if err != nil {
		return nil, err
	}
	holds := holds(op)
	return func(ctx context.Context, f *frame) (truth, error) {
		a, err := l.eval(ctx, f)
		if err != nil {
			return isFalse, err
		}
		b, err := r.eval(ctx, f)
		if err != nil {
			return isFalse, err
		}
		if a == nil || b == nil {
			return isUnknown, nil
		}
		k, err := compareIn(Value{l.t, a}, Value{r.t, b}, exact)
		return truthOf(holds(k)), err
	}, nil
}

func holds(op string) func(k int) bool {
	switch op {
	case "=":
		return func(k int) bool { return k == 0 }
	case "<>":
		return func(k int) bool { return k != 0 }
	case "<":
		return func(k int) bool { return k < 0 }
	case "<=":
		return func(k int) bool { return k <= 0 }
	case ">":
		return func(k int) bool { return k > 0 }
	}
	return func(k int) bool { return k >= 0 }
}

func (sc *scope) inList(x inList) (predicate, error) {
	var tests []predicate
	for _, e := range x.list {
		p, err := sc.comparison(comparison{"=", x.e, e})
		if err != nil {
			return nil, err
		}
		tests = append(tests, p)
	}
	return func(ctx context.Context, f *frame) (truth, error) {
		found := isFalse
		for _, test := range tests {
			t, err := test(ctx, f)
			if err != nil {
				return isFalse, err
			}
			if found = max(found, t); found == isTrue {
				break
			}
		}
		return found.negate(x.negated), nil
	}, nil
}

func (sc *scope) inQuery(x inList) (predicate, error) {
	l, err := sc.scalar(x.e)
	if err != nil {
		return nil, err
	}
	pl, err := sc.nested(x.sub)
	if err != nil {
		return nil, err
	}
	if len(pl.cols) != 1 {
		return nil, Errorf(116, 16, "Only one expression can be specified in the select list when the subquery is not "+
			"introduced with EXISTS.")
	}
	var row any // what the subquery is at; set before equal looks
	r := scalar{t: pl.cols[0].Type, eval: func(context.Context, *frame) (any, error) { return row, nil }}
	equal, err := compares("=", l, r)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, f *frame) (truth, error) {
		found := isFalse
		stop := &enoughError{}
		err := pl.each(ctx, f, func(vals []any) error {
			row = vals[0]
			t, err := equal(ctx, f)
			if found = max(found, t); err == nil && found == isTrue {
				return stop
			}
			return err
		})
		return found.negate(x.negated), stop.unless(err)
	}, nil
}

func (sc *scope) exists(x exists) (predicate, error) {
	pl, err := sc.nested(withoutColumns(x.q))
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, f *frame) (truth, error) {
		return onceFor(f, pl, func() (truth, error) {
			found := isFalse
			stop := &enoughError{}
			err := pl.run(ctx, f, func([]any) error {
				found = isTrue
				return stop
			})
			return found, stop.unless(err)
		})
	}, nil
}

// withoutColumns: the * of EXISTS (SELECT * ...) stands for no column, so none
// of them has to be allowed.
func withoutColumns(q *query) *query {
	core, ok := q.body.(*selectCore)
	if !ok || len(core.items) != 1 || core.from == nil {
		return q
	}
	if s, ok := core.items[0].e.(star); !ok || s.qualifier != nil {
		return q
	}
	bare, whole := *core, *q
	bare.items = []selectItem{{e: literal{Value{tds.Int, int64(1)}}}}
	whole.body = &bare
	return &whole
}

// enoughError stops a query whose further rows would change nothing. Each run makes
// its own, so that one does not stop another around it.
type enoughError struct{ _ byte } // not empty: each must have its own address

func (*enoughError) Error() string { return "no more rows are needed" }

func (e *enoughError) unless(err error) error {
	if errors.Is(err, e) {
		return nil
	}
	return err
}
