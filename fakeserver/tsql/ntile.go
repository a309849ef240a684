package tsql

import (
	"context"

	"cdcseed/fakeserver/tds"
)

// tiles compiles the argument of NTILE. It is one number for the whole query,
// so it may not name a column of the rows that are cut into tiles.
func (sc *scope) tiles(w *windowFunction, x *call) error {
	if len(x.args) != 1 {
		return wrongCount(x.name[0], 1)
	}
	e := x.args[0]
	if hasSubquery(e) {
		return notSimulated("a subquery as the argument of NTILE")
	}
	if err := sc.refuseOwnColumn(e); err != nil {
		return err
	}
	n, err := sc.scalar(e)
	if err != nil {
		return err
	}
	switch {
	case n.t.ID == tds.NullType:
		return errTiles()
	case !isInt(n.t):
		return notSimulated("NTILE(%s)", TypeName(n.t))
	}
	w.offset = n
	if l, ok := e.(literal); ok && !positive(l.v.V) {
		return errTiles()
	}
	return nil
}

// refuseOwnColumn is error 4195 for an expression that names a column of the
// query's own sources; one of a query around it is the same for all its rows.
func (sc *scope) refuseOwnColumn(n node) error {
	if c, ok := n.(column); ok {
		if at, err := sc.find(c.parts); err == nil && at.depth == 0 {
			return Errorf(4195, 15, "The reference to column \"%s\" is not allowed in an argument to the NTILE function. "+
				"Only references to columns at an outer scope or standalone expressions and subqueries are allowed here.", c.parts[len(c.parts)-1])
		}
	}
	for _, child := range children(n) {
		if err := sc.refuseOwnColumn(child); err != nil {
			return err
		}
	}
	return nil
}

// errTiles is what SQL Server answers to a number that is NULL or not above zero.
func errTiles() error {
	return Errorf(4116, 15, "The function 'ntile' takes only a positive int or bigint expression as its input.")
}

func positive(v any) bool {
	n, ok := v.(int64)
	return ok && n > 0
}

// tile is the number of the tile that row i of count rows is in. Where the rows
// do not divide evenly the first tiles have one more.
func (w *windowFunction) tile(ctx context.Context, f *frame, i, count int) (any, error) {
	v, err := w.offset.eval(ctx, f)
	if err != nil {
		return nil, err
	}
	n, whole := v.(int64)
	if !whole || n <= 0 {
		return nil, errTiles()
	}
	row, rows := int64(i), int64(count)
	size, larger := rows/n, rows%n
	if row < larger*(size+1) {
		return row/(size+1) + 1, nil
	}
	return larger + (row-larger*(size+1))/size + 1, nil
}
