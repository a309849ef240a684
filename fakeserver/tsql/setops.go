package tsql

import (
	"context"

	"cdcseed/fakeserver/tds"
)

// setPlan joins two queries by UNION, UNION ALL, EXCEPT or INTERSECT; the
// columns take their names from the first.
func setPlan(op string, l, r *plan) (*plan, error) {
	if len(l.cols) != len(r.cols) {
		return nil, Errorf(205, 16, "All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal number "+
			"of expressions in their target lists.")
	}
	out := &plan{}
	for i, a := range l.cols {
		b := r.cols[i]
		t := common(a.Type, b.Type)
		for _, side := range []tds.Type{a.Type, b.Type} {
			if !implicit(side, t) {
				return nil, clash(side, t)
			}
		}
		if op != "UNION ALL" && !sortable(t) {
			return nil, notDistinct(t)
		}
		out.cols = append(out.cols, tds.Column{Name: a.Name, Type: t, Nullable: a.Nullable || b.Nullable})
		out.exact = append(out.exact, l.exact[i] || r.exact[i])
	}
	left, right := l.as(out.cols), r.as(out.cols)
	switch op {
	case "UNION ALL":
		out.run = both(left, right)
	case "UNION":
		out.run = distinctRows(out.scalars(), both(left, right))
	default:
		out.run = distinctRows(out.scalars(), compared(out.scalars(), left, right, op == "INTERSECT"))
	}
	return out, nil
}

func notDistinct(t tds.Type) error {
	return Errorf(421, 16, "The %s data type cannot be selected as DISTINCT because it is not comparable.", TypeName(t))
}

type rowsFunc func(ctx context.Context, outer *frame, yield func(row []any) error) error

// as runs the plan with its values converted to the types of cols.
func (pl *plan) as(cols []tds.Column) rowsFunc {
	same := true
	for i, c := range cols {
		same = same && c.Type == pl.cols[i].Type
	}
	if same {
		return pl.run
	}
	return func(ctx context.Context, outer *frame, yield func([]any) error) error {
		return pl.run(ctx, outer, func(row []any) error {
			converted := make([]any, len(row))
			for i, v := range row {
				c, err := Convert(Value{pl.cols[i].Type, v}, cols[i].Type, 0)
				if err != nil {
					return err
				}
				converted[i] = c.V
			}
			return yield(converted)
		})
	}
}

func both(l, r rowsFunc) rowsFunc {
	return func(ctx context.Context, outer *frame, yield func([]any) error) error {
		if err := l(ctx, outer, yield); err != nil {
			return err
		}
		return r(ctx, outer, yield)
	}
}

func distinctRows(cols []scalar, rows rowsFunc) rowsFunc {
	return func(ctx context.Context, outer *frame, yield func([]any) error) error {
		seen := map[string]bool{}
		return rows(ctx, outer, func(row []any) error {
			k := rowKey(cols, row)
			if seen[k] {
				return nil
			}
			seen[k] = true
			return yield(row)
		})
	}
}

// compared keeps the rows of l that r has, or has not.
func compared(cols []scalar, l, r rowsFunc, keep bool) rowsFunc {
	return func(ctx context.Context, outer *frame, yield func([]any) error) error {
		in := map[string]bool{}
		if err := r(ctx, outer, func(row []any) error {
			in[rowKey(cols, row)] = true
			return nil
		}); err != nil {
			return err
		}
		return l(ctx, outer, func(row []any) error {
			if in[rowKey(cols, row)] != keep {
				return nil
			}
			return yield(row)
		})
	}
}

// orderedPlan sorts the result of set operations, whose ORDER BY knows only
// the columns of the result.
func (sc *scope) orderedPlan(pl *plan, q *query) (*plan, error) {
	cols := pl.scalars()
	var keys []sortKey
	var at []int
	for _, o := range q.order {
		i, err := outputColumn(o.e, pl.cols)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			return nil, Errorf(104, 16, "ORDER BY items must appear in the select list if the statement contains a UNION, "+
				"INTERSECT or EXCEPT operator.")
		}
		keys, at = append(keys, sortKey{cols[i], o.desc}), append(at, i)
	}
	limit, err := sc.limits(nil, q)
	if err != nil {
		return nil, err
	}
	out := *pl
	out.run = func(ctx context.Context, outer *frame, yield func([]any) error) error {
		o := &output{keys: keys, limit: limit, yield: yield}
		return o.collect(ctx, outer, func(add func(row, keys []any) error) error {
			return pl.run(ctx, outer, func(row []any) error {
				vals := make([]any, len(at))
				for k, i := range at {
					vals[k] = row[i]
				}
				return add(row, vals)
			})
		})
	}
	return &out, nil
}
