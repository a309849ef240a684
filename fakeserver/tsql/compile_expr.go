package tsql

import (
	"context"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// scalar compiles an expression; every error it can foresee comes from here.
func (sc *scope) scalar(e expr) (scalar, error) {
	if sc.group != nil {
		if _, plain := e.(column); !plain {
			if slot, ok := sc.group.slot(sc.fingerprint(e)); ok {
				k := sc.group.keys[slot].value
				k.eval = func(_ context.Context, f *frame) (any, error) { return f.keys[slot], nil }
				return k, nil
			}
		}
	}
	switch x := e.(type) {
	case literal:
		return constant(x.v), nil
	case variable:
		return sc.s.variable(x.name)
	case column:
		return sc.column(x)
	case cast:
		return sc.cast(x)
	case atTimeZone:
		return sc.atTimeZone(x)
	case collate:
		return sc.collate(x)
	case unaryOp:
		return sc.unary(x)
	case binaryOp:
		return sc.binary(x)
	case caseExpr:
		return sc.caseExpr(x)
	case subquery:
		return sc.subquery(x)
	case *call:
		return sc.call(x)
	}
	return scalar{}, Errorf(102, 15, "Incorrect syntax near '*'.")
}

func constant(v Value) scalar {
	return scalar{t: v.T, nullable: v.V == nil, eval: func(context.Context, *frame) (any, error) { return v.V, nil }}
}

// scalars compiles a list and returns its types as well.
func (sc *scope) scalars(list []expr) ([]scalar, []tds.Type, error) {
	var out []scalar
	var types []tds.Type
	for _, e := range list {
		c, err := sc.scalar(e)
		if err != nil {
			return nil, nil, err
		}
		out, types = append(out, c), append(types, settled(c.t))
	}
	return out, types, nil
}

// settled gives a bare NULL the type that SQL Server gives it, int.
func settled(t tds.Type) tds.Type {
	if t.ID == tds.NullType {
		return tds.Int
	}
	return t
}

// to converts c as an assignment or an operator would.
func (c scalar) to(t tds.Type) (scalar, error) {
	if c.t == t {
		return c, nil
	}
	if !implicit(c.t, t) {
		return c, clash(c.t, t)
	}
	return c.converted(t), nil
}

func (c scalar) converted(t tds.Type) scalar {
	from, eval := c.t, c.eval
	c.t = t
	c.eval = func(ctx context.Context, f *frame) (any, error) {
		v, err := eval(ctx, f)
		if err != nil || v == nil {
			return nil, err
		}
		r, err := Convert(Value{from, v}, t, 0)
		return r.V, err
	}
	return c
}

func (sc *scope) cast(x cast) (scalar, error) {
	c, err := sc.scalar(x.e)
	if err != nil {
		return c, err
	}
	if !castable(c.t, x.to) {
		return c, Errorf(529, 16, "Explicit conversion from data type %s to %s is not allowed.", TypeName(c.t), TypeName(x.to))
	}
	style, err := sc.style(x.style)
	if err != nil {
		return c, err
	}
	out := scalar{t: x.to, nullable: c.nullable || x.try, exact: c.exact}
	out.eval = func(ctx context.Context, f *frame) (any, error) {
		v, err := c.eval(ctx, f)
		if err != nil || v == nil {
			return nil, err
		}
		n, null, err := style(ctx, f)
		if err != nil || null {
			return nil, err
		}
		r, err := Convert(Value{c.t, v}, x.to, n)
		if x.try {
			err = nil // r is NULL then
		}
		return r.V, err
	}
	return out, nil
}

// style compiles the third argument of CONVERT; a NULL style gives NULL.
func (sc *scope) style(e expr) (func(context.Context, *frame) (n int, null bool, err error), error) {
	if e == nil {
		return func(context.Context, *frame) (int, bool, error) { return 0, false, nil }, nil
	}
	c, err := sc.scalar(e)
	if err != nil {
		return nil, err
	}
	if !isNumber(c.t) && c.t.ID != tds.NullType {
		return nil, Errorf(8116, 16, "Argument data type %s is invalid for argument 3 of convert function.", TypeName(c.t))
	}
	c = c.converted(tds.Int)
	return func(ctx context.Context, f *frame) (int, bool, error) {
		v, err := c.eval(ctx, f)
		n, ok := v.(int64)
		return int(n), !ok, err
	}, nil
}

func (sc *scope) collate(x collate) (scalar, error) {
	c, err := sc.scalar(x.e)
	if err != nil {
		return c, err
	}
	if !isString(c.t) && c.t.ID != tds.NullType {
		return c, Errorf(447, 16, "Expression type %s is invalid for COLLATE clause.", TypeName(c.t))
	}
	name := strings.ToLower(x.name)
	switch {
	case name == "database_default", name == "catalog_default":
		c.exact = false
	case !strings.HasPrefix(name, "latin1_general_") && !strings.HasPrefix(name, "sql_latin1_general_"):
		return c, Errorf(448, 16, "Invalid collation '%s'.", x.name)
	case strings.Contains(name, "_bin"):
		c.exact = true
	case strings.Contains(name, "_cs"):
		return c, notSimulated("the collation %s", x.name)
	default:
		c.exact = false
	}
	return c, nil
}

func (sc *scope) atTimeZone(x atTimeZone) (scalar, error) {
	c, err := sc.scalar(x.e)
	if err != nil {
		return c, err
	}
	zone, err := sc.scalar(x.zone)
	if err != nil {
		return c, err
	}
	var t tds.Type
	switch {
	case c.t.ID == tds.DateTimNType && c.t.Size == 4:
		t = tds.DateTimeOffset(0)
	case c.t.ID == tds.DateTimNType:
		t = tds.DateTimeOffset(3)
	case c.t.ID == tds.DateTime2NType, c.t.ID == tds.DateTimeOffType:
		t = tds.DateTimeOffset(c.t.Scale)
	default:
		return c, Errorf(8116, 16, "Argument data type %s is invalid for argument 1 of AT TIME ZONE function.", TypeName(c.t))
	}
	if !isString(zone.t) && zone.t.ID != tds.NullType {
		return c, Errorf(8116, 16, "Argument data type %s is invalid for argument 2 of AT TIME ZONE function.", TypeName(zone.t))
	}
	return scalar{t: t, nullable: true, eval: func(ctx context.Context, f *frame) (any, error) {
		v, err := c.eval(ctx, f)
		if err != nil || v == nil {
			return nil, err
		}
		name, err := zone.eval(ctx, f)
		if err != nil || name == nil {
			return nil, err
		}
		loc, err := sc.s.catalog.Zone(strings.TrimRight(textIn(name), " "))
		if err != nil {
			return nil, err
		}
		at, _ := v.(time.Time)
		return inZone(c.t, at, loc), nil
	}}, nil
}

// textIn is the string in a value that was checked to be one.
func textIn(v any) string {
	s, _ := v.(string)
	return s
}

func (sc *scope) subquery(x subquery) (scalar, error) {
	pl, err := sc.nested(x.q)
	if err != nil {
		return scalar{}, err
	}
	if len(pl.cols) != 1 {
		return scalar{}, Errorf(116, 16, "Only one expression can be specified in the select list when the subquery is "+
			"not introduced with EXISTS.")
	}
	return scalar{t: pl.cols[0].Type, nullable: true, eval: func(ctx context.Context, f *frame) (any, error) {
		v, err := onceFor(f, pl, func() (Value, error) { return pl.single(ctx, f) })
		return v.V, err
	}}, nil
}

// single is the value of a subquery's only row, NULL where there is none.
func (pl *plan) single(ctx context.Context, f *frame) (Value, error) {
	out := Value{T: pl.cols[0].Type}
	n := 0
	err := pl.run(ctx, f, func(row []any) error {
		if n++; n > 1 {
			return Errorf(512, 16, "Subquery returned more than 1 value. This is not permitted when the subquery follows "+
				"=, !=, <, <= , >, >= or when the subquery is used as an expression.")
		}
		out.V = row[0]
		return nil
	})
	return out, err
}
