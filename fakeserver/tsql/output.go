package tsql

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
)

// output takes a query's rows in the order they are found and gives them in the
// order asked for, from the first to the last that the limits let through.
// Without an order they pass straight on.
type output struct {
	keys  []sortKey
	limit limits
	yield func(row []any) error
}

type sortedRow struct{ row, keys []any }

func (o *output) collect(ctx context.Context, outer *frame, produce func(add func(row, keys []any) error) error) error {
	skip, give, err := o.limit.window(ctx, outer)
	if err != nil || give == 0 {
		return err
	}
	stop := &enoughError{}
	pass := func(row, _ []any) error {
		if skip > 0 {
			skip--
			return nil
		}
		if err := o.yield(row); err != nil {
			return err
		}
		if give--; give == 0 {
			return stop
		}
		return nil
	}
	if len(o.keys) == 0 {
		return stop.unless(produce(pass))
	}
	var rows []sortedRow
	best := sorter{keys: o.keys, want: -1}
	if give > 0 && give <= keepsBest && skip <= keepsBest {
		best.want = int(skip + give)
	}
	if err := produce(func(row, keys []any) error {
		var err error
		rows, err = best.add(rows, sortedRow{row, keys})
		return err
	}); err != nil {
		return err
	}
	if err := sortBy(rows, o.keys, func(r sortedRow) []any { return r.keys }); err != nil {
		return err
	}
	for _, r := range rows {
		if err := pass(r.row, nil); err != nil {
			return stop.unless(err)
		}
	}
	return nil
}

// keepsBest is up to how many rows a query with a limit sorts as it goes.
const keepsBest = 4096

// sorter collects rows, and where only the first few are wanted drops those
// that cannot be among them, so that TOP (1) does not sort a table.
type sorter struct {
	keys   []sortKey
	want   int // -1 for all
	sorted bool
}

func (s *sorter) add(rows []sortedRow, r sortedRow) ([]sortedRow, error) {
	if s.want < 0 {
		return append(rows, r), nil
	}
	if s.sorted {
		// A later row equal to the last one kept comes after it.
		if k, err := compareKeys(s.keys, r.keys, rows[s.want-1].keys); err != nil || k >= 0 {
			return rows, err
		}
	}
	if rows = append(rows, r); len(rows) < 2*s.want+16 {
		return rows, nil
	}
	if err := sortBy(rows, s.keys, func(r sortedRow) []any { return r.keys }); err != nil {
		return rows, err
	}
	s.sorted = true
	return rows[:s.want], nil
}

// outputColumn finds the column that an ORDER BY item names by number or by
// its alias, -1 if it is something else.
func outputColumn(e expr, cols []tds.Column) (int, error) {
	switch x := e.(type) {
	case literal:
		n, ok := x.v.V.(int64)
		if !ok {
			return -1, Errorf(408, 16, "A constant expression was encountered in the ORDER BY list, position 1.")
		}
		if n < 1 || n > int64(len(cols)) {
			return -1, Errorf(108, 15, "The ORDER BY position number %d is out of range of the number of items in the select list.", n)
		}
		return int(n) - 1, nil
	case column:
		found := -1
		for i, c := range cols {
			if len(x.parts) == 1 && c.Name != "" && strings.EqualFold(c.Name, x.parts[0]) {
				if found >= 0 {
					return -1, Errorf(209, 16, "Ambiguous column name '%s'.", c.Name)
				}
				found = i
			}
		}
		return found, nil
	}
	return -1, nil
}
