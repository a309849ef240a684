package tsql

import "context"

// once is what find comes to, found once for a statement. It is found when it is
// first asked for, so that it fails where it always did, and an error is not kept.
// key is what is found: a call or a subquery that depends on no row.
func once[T any](f *frame, key any, find func() (T, error)) (T, error) {
	if f.kept == nil {
		return find()
	}
	if v, ok := f.kept[key].(T); ok {
		return v, nil
	}
	v, err := find()
	if err == nil {
		f.kept[key] = v
	}
	return v, err
}

// onceFor is once for a subquery, which is run each time where it refers to a row
// around it.
func onceFor[T any](f *frame, pl *plan, find func() (T, error)) (T, error) {
	if !pl.fixed {
		return find()
	}
	return once(f, pl, find)
}

// forAllRows has a call whose arguments name no column evaluated once.
func (c scalar) forAllRows(x *call) scalar {
	if !constantArguments(x) {
		return c
	}
	eval := c.eval
	c.eval = func(ctx context.Context, f *frame) (any, error) {
		v, err := once(f, x, func() (Value, error) {
			v, err := eval(ctx, f)
			return Value{c.t, v}, err
		})
		return v.V, err
	}
	return c
}

// constantArguments: every function that is played gives the same answer to the
// same arguments for as long as a statement runs, the clock's as well.
func constantArguments(n node) bool {
	if _, ok := n.(column); ok || hasSubquery(n) {
		return false
	}
	if x, ok := n.(*call); ok && (x.over != nil || len(x.name) == 1 && listed(aggregateFunctions, x.name[0])) {
		return false
	}
	for _, child := range children(n) {
		if !constantArguments(child) {
			return false
		}
	}
	return true
}

// list is a fixed subquery's rows, kept; false where they have to be run through
// each time. An error is one of those: the row that fails may never be reached.
func (pl *plan) list(ctx context.Context, f *frame) (rows [][]any, ok bool) {
	if !pl.fixed || f.kept == nil {
		return nil, false
	}
	type kept struct {
		rows [][]any
		ok   bool
	}
	k, _ := once(f, pl, func() (kept, error) {
		var k kept
		err := pl.run(ctx, f, func(row []any) error {
			k.rows = append(k.rows, row)
			return nil
		})
		k.ok = err == nil
		return k, nil
	})
	return k.rows, k.ok
}

// each runs the rows through yield.
func (pl *plan) each(ctx context.Context, f *frame, yield func(row []any) error) error {
	rows, ok := pl.list(ctx, f)
	if !ok {
		return pl.run(ctx, f, yield)
	}
	for _, row := range rows {
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}
