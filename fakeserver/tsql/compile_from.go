package tsql

import (
	"context"
	"errors"

	"cdcseed/fakeserver/tds"
)

// rowSource puts one row after the other into the frame, at its sources.
type rowSource struct {
	first, last int // of the scope's sources, last excluded
	run         func(ctx context.Context, f *frame, yield func() error) error
}

// visible is which sources a table may refer to: those left of an APPLY.
type visible struct{ first, last int }

func (sc *scope) table(t tableExpr, v visible) (*rowSource, error) {
	switch x := t.(type) {
	case *namedTable:
		return sc.namedTable(x)
	case *functionTable:
		return sc.functionTable(x, v)
	case *derivedTable:
		return sc.derivedTable(x, v)
	case *join:
		return sc.join(x, v)
	}
	return nil, notSimulated("%T", t)
}

// add makes a source of the scope; run is told where its rows go.
func (sc *scope) add(src *source, run func(at int) func(context.Context, *frame, func() error) error) *rowSource {
	at := len(sc.sources)
	sc.sources = append(sc.sources, src)
	return &rowSource{at, at + 1, run(at)}
}

func (sc *scope) namedTable(t *namedTable) (*rowSource, error) {
	if len(t.name) == 1 {
		if c := sc.cte(t.name[0]); c != nil {
			pl, err := sc.compileCTE(c)
			if err != nil {
				return nil, err
			}
			return sc.planSource(&source{t.alias, t.name, pl.cols, false}, pl, false), nil
		}
	}
	rel, err := sc.s.catalog.Table(Name(t.name))
	if err != nil {
		return nil, lineOf(err, t.line)
	}
	return sc.add(&source{t.alias, t.name, rel.Columns, true}, func(at int) func(context.Context, *frame, func() error) error {
		return func(ctx context.Context, f *frame, yield func() error) error {
			rows, ok := f.cache[rel]
			if !ok {
				if rel.Unversioned != nil && !t.isolated && sc.s.Snapshot() {
					return rel.Unversioned
				}
				var err error
				if rows, err = rel.Rows(ctx); err != nil {
					return err
				}
				f.cache[rel] = rows
			}
			return push(f, at, rows, yield)
		}
	}), nil
}

func push(f *frame, at int, rows [][]any, yield func() error) error {
	for _, row := range rows {
		f.rows[at] = row
		if err := yield(); err != nil {
			return err
		}
	}
	return nil
}

func lineOf(err error, line int32) error {
	var e *tds.Error
	if errors.As(err, &e) {
		return atLine(e, line)
	}
	return err
}

// planSource runs a query for a table; lateral ones see the frame around them.
func (sc *scope) planSource(src *source, pl *plan, lateral bool) *rowSource {
	return sc.add(src, func(at int) func(context.Context, *frame, func() error) error {
		return func(ctx context.Context, f *frame, yield func() error) error {
			outer := f.outer
			if lateral {
				outer = f
			}
			return pl.run(ctx, outer, func(row []any) error {
				f.rows[at] = row
				return yield()
			})
		}
	})
}

func (sc *scope) functionTable(t *functionTable, v visible) (*rowSource, error) {
	args, types, err := sc.view(v.first, v.last).scalars(t.args)
	if err != nil {
		return nil, err
	}
	cols, rows, err := sc.s.catalog.TableFunction(Name(t.name), types)
	if err != nil {
		err = ifUnplayed(err, 208, "rowset", unplayedRowsets, t.name[len(t.name)-1])
		return nil, lineOf(err, t.line)
	}
	if len(t.columns) > 0 {
		pl, err := (&plan{cols: cols}).named(t.columns, t.alias)
		if err != nil {
			return nil, err
		}
		cols = pl.cols
	}
	return sc.add(&source{t.alias, t.name, cols, false}, func(at int) func(context.Context, *frame, func() error) error {
		return func(ctx context.Context, f *frame, yield func() error) error {
			vals, err := evaluate(ctx, f, args)
			if err != nil {
				return err
			}
			list, err := rows(ctx, vals)
			if err != nil {
				return err
			}
			return push(f, at, list, yield)
		}
	}), nil
}

func (sc *scope) derivedTable(t *derivedTable, v visible) (*rowSource, error) {
	lateral := v.last > v.first
	inner := &scope{s: sc.s, outer: sc.outer, ctes: sc.ctes, within: sc.within}
	if lateral {
		inner.outer = sc.view(v.first, v.last)
	}
	var pl *plan
	var err error
	if t.values != nil {
		pl, err = inner.valuesPlan(t.values)
	} else {
		pl, err = inner.innerQuery(t.q)
	}
	if err != nil {
		return nil, err
	}
	if pl, err = pl.named(t.columns, t.alias); err != nil {
		return nil, err
	}
	return sc.planSource(&source{t.alias, nil, pl.cols, false}, pl, lateral), nil
}

// valuesPlan is VALUES: each column has the type that holds all its rows.
func (sc *scope) valuesPlan(rows [][]expr) (*plan, error) {
	pl := &plan{}
	table := make([][]scalar, len(rows))
	for i := range rows[0] {
		var list []expr
		for _, row := range rows {
			list = append(list, row[i])
		}
		vals, t, err := sc.unify(list)
		if err != nil {
			return nil, err
		}
		col := tds.Column{Type: t}
		for r, c := range vals {
			table[r] = append(table[r], c)
			col.Nullable = col.Nullable || c.nullable
		}
		pl.cols, pl.exact = append(pl.cols, col), append(pl.exact, false)
	}
	pl.run = func(ctx context.Context, outer *frame, yield func([]any) error) error {
		f := outer.inner(0)
		for _, list := range table {
			row := make([]any, len(list))
			for i, c := range list {
				v, err := c.eval(ctx, f)
				if err != nil {
					return err
				}
				row[i] = v
			}
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	}
	return pl, nil
}
