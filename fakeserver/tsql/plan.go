package tsql

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
)

// plan is a compiled query: its columns are known, its rows are pushed.
type plan struct {
	cols []tds.Column
	// exact[i] is set where column i is collated by code point.
	exact []bool
	// fixed is set for a subquery that refers to no row around it.
	fixed bool
	run   func(ctx context.Context, outer *frame, yield func(row []any) error) error
}

// scalars are the columns as values without a way to evaluate them, for
// comparing and keying rows.
func (pl *plan) scalars() []scalar {
	out := make([]scalar, len(pl.cols))
	for i, c := range pl.cols {
		out[i] = scalar{t: c.Type, nullable: c.Nullable, exact: pl.exact[i]}
	}
	return out
}

// cteScope is a WITH item that the ones after it and the query may name.
type cteScope struct {
	def   cte
	outer *cteScope
	busy  bool // while its own query is compiled
}

func (sc *scope) cte(name string) *cteScope {
	for c := sc.ctes; c != nil; c = c.outer {
		if strings.EqualFold(c.def.name, name) {
			return c
		}
	}
	return nil
}

// nested compiles a subquery that may refer to the rows around it.
func (sc *scope) nested(q *query) (*plan, error) {
	n := &nesting{outer: sc.within}
	pl, err := (&scope{s: sc.s, outer: sc, ctes: sc.ctes, within: n}).innerQuery(q)
	if err != nil {
		return nil, err
	}
	pl.fixed = !n.correlated
	return pl, nil
}

// innerQuery compiles a query that is not a statement: its order means nothing
// without TOP or OFFSET, so SQL Server forbids it.
func (sc *scope) innerQuery(q *query) (*plan, error) {
	if err := noAssignment(q.body); err != nil {
		return nil, err
	}
	if core, ok := q.body.(*selectCore); len(q.order) > 0 && q.offset == nil && !q.forXML && (!ok || core.top == nil) {
		return nil, Errorf(1033, 15, "The ORDER BY clause is invalid in views, inline functions, derived tables, subqueries, "+
			"and common table expressions, unless TOP, OFFSET or FOR XML is also specified.")
	}
	return sc.query(q)
}

// noAssignment: SELECT @v = e is a statement, never a part of one.
func noAssignment(b queryBody) error {
	if core, ok := b.(*selectCore); ok {
		for _, it := range core.items {
			if it.variable != "" {
				return Errorf(102, 15, "Incorrect syntax near '='.")
			}
		}
	}
	return nil
}

// query compiles into an empty scope.
func (sc *scope) query(q *query) (*plan, error) {
	if q.forXML {
		return nil, notSimulated("FOR XML and FOR JSON")
	}
	for _, c := range q.with {
		sc.ctes = &cteScope{def: c, outer: sc.ctes}
	}
	// What nothing refers to must be right as well.
	for c := sc.ctes; len(q.with) > 0 && c != nil; c = c.outer {
		if _, err := sc.compileCTE(c); err != nil {
			return nil, err
		}
	}
	if core, ok := q.body.(*selectCore); ok {
		return sc.selectPlan(core, q)
	}
	pl, err := sc.body(q.body)
	if err != nil {
		return nil, err
	}
	return sc.orderedPlan(pl, q)
}

func (sc *scope) compileCTE(c *cteScope) (*plan, error) {
	if c.busy {
		return nil, notSimulated("the recursive table expression %s", c.def.name)
	}
	c.busy = true
	defer func() { c.busy = false }()
	pl, err := (&scope{s: sc.s, ctes: c}).innerQuery(c.def.q)
	if err != nil {
		return nil, err
	}
	return pl.named(c.def.columns, c.def.name)
}

func (sc *scope) body(b queryBody) (*plan, error) {
	fresh := &scope{s: sc.s, outer: sc.outer, ctes: sc.ctes, within: sc.within}
	switch x := b.(type) {
	case *selectCore:
		if err := noAssignment(x); err != nil {
			return nil, err
		}
		return fresh.selectPlan(x, &query{})
	case *query:
		return fresh.innerQuery(x)
	case *setOperation:
		l, err := fresh.body(x.l)
		if err != nil {
			return nil, err
		}
		r, err := fresh.body(x.r)
		if err != nil {
			return nil, err
		}
		return setPlan(x.op, l, r)
	}
	return nil, notSimulated("%T", b)
}

// named gives the columns of a derived table their names; every one needs one.
func (pl *plan) named(names []string, table string) (*plan, error) {
	if len(names) > 0 && len(names) < len(pl.cols) {
		return nil, Errorf(8158, 16, "'%s' has more columns than were specified in the column list.", table)
	}
	if len(names) > len(pl.cols) {
		return nil, Errorf(8159, 16, "'%s' has fewer columns than were specified in the column list.", table)
	}
	out := *pl
	out.cols = append([]tds.Column{}, pl.cols...)
	seen := map[string]bool{}
	for i := range out.cols {
		c := &out.cols[i]
		if len(names) > 0 {
			c.Name = names[i]
		}
		if c.Name == "" {
			return nil, Errorf(8155, 16, "No column name was specified for column %d of '%s'.", i+1, table)
		}
		if seen[strings.ToLower(c.Name)] {
			return nil, Errorf(8156, 16, "The column '%s' was specified multiple times for '%s'.", c.Name, table)
		}
		seen[strings.ToLower(c.Name)] = true
		c.Type = settled(c.Type)
	}
	return &out, nil
}
