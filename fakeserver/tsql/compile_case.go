package tsql

import (
	"context"

	"cdcseed/fakeserver/tds"
)

// unify compiles a list to the one type that holds them all.
func (sc *scope) unify(list []expr) ([]scalar, tds.Type, error) {
	t := untyped
	var out []scalar
	for _, e := range list {
		c, err := sc.scalar(e)
		if err != nil {
			return nil, t, err
		}
		if t.ID == tds.NullType {
			t = c.t
		} else {
			t = common(t, c.t)
		}
		out = append(out, c)
	}
	for i, c := range out {
		var err error
		if out[i], err = c.to(t); err != nil {
			return nil, t, err
		}
	}
	return out, t, nil
}

func (sc *scope) caseExpr(x caseExpr) (scalar, error) {
	var results []expr
	for _, a := range x.arms {
		results = append(results, a.then)
	}
	if x.other != nil {
		results = append(results, x.other)
	}
	values, t, err := sc.unify(results)
	if err != nil {
		return scalar{}, err
	}
	if t.ID == tds.NullType {
		return scalar{}, Errorf(8133, 16, "At least one of the result expressions in a CASE specification must be an "+
			"expression other than the NULL constant.")
	}
	var tests []predicate
	for _, a := range x.arms {
		c := a.when
		if x.operand != nil {
			c = comparison{"=", x.operand, a.value}
		}
		test, err := sc.predicate(c)
		if err != nil {
			return scalar{}, err
		}
		tests = append(tests, test)
	}
	out := scalar{t: t, nullable: x.other == nil}
	for _, v := range values {
		out.nullable = out.nullable || v.nullable
		out.exact = out.exact || v.exact
	}
	out.eval = func(ctx context.Context, f *frame) (any, error) {
		for i, test := range tests {
			k, err := test(ctx, f)
			if err != nil {
				return nil, err
			}
			if k == isTrue {
				return values[i].eval(ctx, f)
			}
		}
		if x.other != nil {
			return values[len(values)-1].eval(ctx, f)
		}
		return nil, nil
	}
	return out, nil
}

// coalesce is the first that is not NULL; ISNULL has the type of its first.
func (sc *scope) coalesce(x *call) (scalar, error) {
	if len(x.args) < 2 {
		return scalar{}, wrongCount(x.name[0], 2)
	}
	values, t, err := sc.unify(x.args)
	if err != nil {
		return scalar{}, err
	}
	if t.ID == tds.NullType {
		return scalar{}, Errorf(4127, 16, "At least one of the arguments to COALESCE must be an expression that is not the NULL constant.")
	}
	return firstOf(values, t), nil
}

func (sc *scope) isnull(x *call) (scalar, error) {
	if len(x.args) != 2 {
		return scalar{}, wrongCount(x.name[0], 2)
	}
	values, _, err := sc.scalars(x.args)
	if err != nil {
		return scalar{}, err
	}
	t := values[0].t
	if t.ID == tds.NullType {
		t = settled(values[1].t)
	}
	for i, v := range values {
		if values[i], err = v.to(t); err != nil {
			return scalar{}, err
		}
	}
	return firstOf(values, t), nil
}

func firstOf(values []scalar, t tds.Type) scalar {
	out := scalar{t: t, nullable: values[len(values)-1].nullable, exact: values[0].exact}
	out.eval = func(ctx context.Context, f *frame) (any, error) {
		for _, v := range values {
			if r, err := v.eval(ctx, f); err != nil || r != nil {
				return r, err
			}
		}
		return nil, nil
	}
	return out
}

// nullif is a CASE, and so has the type of its first argument.
func (sc *scope) nullif(x *call) (scalar, error) {
	if len(x.args) != 2 {
		return scalar{}, wrongCount(x.name[0], 2)
	}
	a, err := sc.scalar(x.args[0])
	if err != nil {
		return a, err
	}
	if a.t.ID == tds.NullType {
		return a, Errorf(4151, 16, "The type of the first argument to NULLIF cannot be the NULL constant because the type "+
			"of the first argument has to be known.")
	}
	equal, err := sc.comparison(comparison{"=", x.args[0], x.args[1]})
	if err != nil {
		return a, err
	}
	return scalar{t: a.t, nullable: true, exact: a.exact, eval: func(ctx context.Context, f *frame) (any, error) {
		k, err := equal(ctx, f)
		if err != nil || k == isTrue {
			return nil, err
		}
		return a.eval(ctx, f)
	}}, nil
}
