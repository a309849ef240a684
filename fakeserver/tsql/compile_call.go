package tsql

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
)

// builtin is a function that needs nothing but its arguments.
type builtin struct {
	min, max int
	nulls    bool // is called with a NULL too; others give NULL for NULL
	bind     func(x *call, args []tds.Type) (tds.Type, func(args []Value) (any, error), error)
}

func builtinNamed(name string) (builtin, bool) {
	for _, find := range []func(string) (builtin, bool){textFunction, searchFunction, dateFunction, offsetFunction, binaryFunction} {
		if b, ok := find(name); ok {
			return b, true
		}
	}
	return builtin{}, false
}

func wrongCount(name string, n int) error {
	return Errorf(174, 15, "The %s function requires %d argument(s).", strings.ToLower(name), n)
}

func badArgument(t tds.Type, n int, function string) error {
	return Errorf(8116, 16, "Argument data type %s is invalid for argument %d of %s function.",
		TypeName(settled(t)), n, strings.ToLower(function))
}

func (sc *scope) call(x *call) (scalar, error) {
	if len(x.name) == 1 {
		if c, ok, err := sc.special(x, strings.ToUpper(x.name[0])); ok {
			return c, err
		}
	}
	if len(x.name) == 1 && listed(unplayedFunctions, x.name[0]) && (x.star || x.distinct || x.order != nil || x.over != nil) {
		return scalar{}, notSimulated("function %s", x.name[0])
	}
	if x.star || x.distinct || x.order != nil {
		return scalar{}, Errorf(102, 15, "Incorrect syntax near '%s'.", x.name[len(x.name)-1])
	}
	if x.over != nil {
		return scalar{}, Errorf(4113, 16, "The function '%s' is not a valid windowing function, and cannot be used with the "+
			"OVER clause.", x.name[len(x.name)-1])
	}
	args, types, err := sc.scalars(x.args)
	if err != nil {
		return scalar{}, err
	}
	if len(x.name) == 1 {
		if b, ok := builtinNamed(strings.ToUpper(x.name[0])); ok {
			c, err := bindBuiltin(x, b, args)
			return c.forAllRows(x), err
		}
	}
	if err := sc.xmlMethod(x); err != nil {
		return scalar{}, err
	}
	t, run, err := sc.s.catalog.ScalarFunction(Name(x.name), types)
	if err != nil {
		return scalar{}, ifUnplayed(err, 195, "function", unplayedFunctions, x.name[0])
	}
	c := scalar{t: t, nullable: true, eval: func(ctx context.Context, f *frame) (any, error) {
		vals, err := evaluate(ctx, f, args)
		if err != nil {
			return nil, err
		}
		return run(ctx, vals)
	}}
	return c.forAllRows(x), nil
}

// xmlMethod: column.value(...) reads like a function of a schema.
func (sc *scope) xmlMethod(x *call) error {
	if len(x.name) < 2 || !listed(` VALUE QUERY NODES EXIST MODIFY `, x.name[len(x.name)-1]) {
		return nil
	}
	if _, err := sc.find(x.name[:len(x.name)-1]); err == nil {
		return notSimulated("xml methods")
	}
	return nil
}

// special compiles what is not a plain function of its arguments' values.
func (sc *scope) special(x *call, name string) (scalar, bool, error) {
	switch {
	case name == "COALESCE" || name == "ISNULL" || name == "NULLIF":
		c, err := sc.nullFunction(x, name)
		return c, true, err
	case name == "CHECKSUM" || name == "BINARY_CHECKSUM" || name == "CHECKSUM_AGG":
		return scalar{}, true, notSimulated("%s: its numbers cannot be given truly", name)
	case listed(windowFunctions, name):
		c, err := sc.windowCall(x, name)
		return c, true, err
	case listed(aggregateFunctions, name):
		c, err := sc.aggregateCall(x, name)
		return c, true, err
	}
	c, ok := sc.s.ownFunction(name)
	if ok && len(x.args) > 0 {
		return c, true, wrongCount(name, 0)
	}
	return c, ok, nil
}

func (sc *scope) nullFunction(x *call, name string) (scalar, error) {
	switch name {
	case "COALESCE":
		return sc.coalesce(x)
	case "ISNULL":
		return sc.isnull(x)
	}
	return sc.nullif(x)
}

func bindBuiltin(x *call, b builtin, args []scalar) (scalar, error) {
	if len(args) < b.min || len(args) > b.max {
		n := b.min
		if x.part != "" {
			n++
		}
		return scalar{}, wrongCount(x.name[0], n)
	}
	var types []tds.Type
	nullable := !b.nulls
	for _, a := range args {
		types = append(types, a.t)
	}
	t, run, err := b.bind(x, types)
	if err != nil {
		return scalar{}, err
	}
	return scalar{t: t, nullable: nullable, eval: func(ctx context.Context, f *frame) (any, error) {
		vals, err := evaluate(ctx, f, args)
		if err != nil {
			return nil, err
		}
		for _, v := range vals {
			if v.V == nil && !b.nulls {
				return nil, nil
			}
		}
		return run(vals)
	}}, nil
}

func evaluate(ctx context.Context, f *frame, args []scalar) ([]Value, error) {
	vals := make([]Value, len(args))
	for i, a := range args {
		v, err := a.eval(ctx, f)
		if err != nil {
			return nil, err
		}
		vals[i] = Value{settled(a.t), v}
	}
	return vals, nil
}
