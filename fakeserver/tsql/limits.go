package tsql

import (
	"context"

	"cdcseed/fakeserver/tds"
)

// limits are TOP, OFFSET and FETCH; each is nil where it is not written.
type limits struct{ top, offset, fetch *scalar }

func (sc *scope) limits(t *top, q *query) (limits, error) {
	var l limits
	var err error
	if t != nil {
		if t.percent || t.ties {
			return l, notSimulated("TOP with PERCENT or TIES")
		}
		if q.offset != nil {
			return l, Errorf(10741, 15, "A TOP can not be used in the same query or sub-query as a OFFSET.")
		}
		if l.top, err = sc.rowCount(t.n, notCount()); err != nil {
			return l, err
		}
	}
	if l.offset, err = sc.rowCount(q.offset, notOffset()); err != nil {
		return l, err
	}
	if n, ok := written(q.fetch); ok && n < 1 {
		return l, Errorf(10744, 15, "The number of rows provided for a FETCH clause must be greater then zero.")
	}
	l.fetch, err = sc.rowCount(q.fetch, notCount())
	return l, err
}

func notCount() error {
	return Errorf(1060, 15, "The number of rows provided for a TOP or FETCH clauses row count parameter must be an integer.")
}

func notOffset() error {
	return Errorf(10743, 15, "The number of rows provided for a OFFSET clause must be an integer.")
}

// written is the number that e is, if it is a whole constant.
func written(e expr) (int64, bool) {
	switch x := e.(type) {
	case literal:
		n, ok := x.v.V.(int64)
		return n, ok
	case unaryOp:
		n, ok := written(x.e)
		if x.op == "-" {
			n = -n
		}
		return n, ok && x.op != "~"
	}
	return 0, false
}

// rowCount compiles a number of rows; it may not refer to the query's own rows.
func (sc *scope) rowCount(e expr, bad error) (*scalar, error) {
	if e == nil {
		return nil, nil
	}
	c, err := (&scope{s: sc.s, outer: sc.outer, ctes: sc.ctes, within: sc.within}).scalar(e)
	if err != nil {
		return nil, err
	}
	if !isInt(c.t) && (!isDecimal(c.t) || c.t.Scale != 0) {
		return nil, bad
	}
	c, err = c.to(tds.BigInt)
	return &c, err
}

// window evaluates the limits: rows to skip, and rows to give, -1 for all.
func (l limits) window(ctx context.Context, outer *frame) (skip, give int64, err error) {
	if l.offset != nil {
		n, ok, err := count(ctx, outer, l.offset)
		switch {
		case err != nil:
			return 0, 0, err
		case !ok:
			return 0, 0, notOffset()
		case n < 0:
			return 0, 0, Errorf(10742, 15, "The offset specified in a OFFSET clause may not be negative.")
		}
		skip = n
	}
	most := l.top
	if most == nil {
		most = l.fetch
	}
	if most == nil {
		return skip, -1, nil
	}
	give, ok, err := count(ctx, outer, most)
	switch {
	case err != nil:
		return 0, 0, err
	case !ok:
		return 0, 0, Errorf(1014, 15, "A TOP or FETCH clause contains an invalid value.")
	case give < 0:
		return 0, 0, Errorf(127, 15, "A TOP N or FETCH rowcount value may not be negative.")
	}
	return skip, give, nil
}

// count is false for a NULL.
func count(ctx context.Context, outer *frame, c *scalar) (int64, bool, error) {
	v, err := c.eval(ctx, outer.inner(0))
	n, ok := v.(int64)
	return n, ok, err
}
