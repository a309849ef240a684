package tsql

import (
	"context"
	"strconv"
	"strings"

	"cdcseed/fakeserver/tds"
)

// source is one table of a FROM clause.
type source struct {
	alias string
	name  Name // as written; nil for what has no name of its own
	cols  []tds.Column
	named bool // a table of the catalogue, whose columns may be denied
}

// scope is what names mean at one place of a statement while it is compiled.
type scope struct {
	s       *Session
	sources []*source
	first   int // of the sources that may be seen here
	outer   *scope
	ctes    *cteScope
	within  *nesting // the subquery this is a part of, nil for none
	clause  clause
	group   *grouping  // set once the rows are grouped
	joins   *[]*joiner // of the FROM clause, for filtering early
	windows *windowSet // set where window functions are allowed
}

// clause is where an aggregate stands, which decides the error it is.
type clause int

const (
	inExpression clause = iota
	inFrom
	inWhere
	inGroupBy
	inAggregate
	inWindow // the argument or the OVER of a window function
	inSelect
	inHaving
	inOrderBy
)

// frame is the run-time counterpart of a scope: the row that each source is at.
type frame struct {
	rows    [][]any // nil for the missing side of an outer join
	keys    []any   // of the group, in place of rows
	aggs    []any
	windows []any
	outer   *frame
	cache   map[*Relation][][]any // tables as this statement found them
	kept    map[any]any           // what calls and subqueries came to that are the same for every row; nil: nothing is
}

func rootFrame() *frame {
	return &frame{cache: map[*Relation][][]any{}, kept: map[any]any{}}
}

func (f *frame) inner(sources int) *frame {
	return &frame{rows: make([][]any, sources), outer: f, cache: f.cache, kept: f.kept}
}

// scalar is a compiled expression.
type scalar struct {
	t        tds.Type
	nullable bool
	exact    bool // collated by code point
	eval     func(ctx context.Context, f *frame) (any, error)
}

// view is the scope with only the sources first..last-1 visible.
func (sc *scope) view(first, last int) *scope {
	v := *sc
	v.first, v.sources = first, sc.sources[:last]
	return &v
}

// place is a column's position: how many scopes out, which source, which column.
type place struct {
	depth, source, column int
	in                    *scope
}

func (p place) key() string { return "#" + strconv.Itoa(p.source) + "." + strconv.Itoa(p.column) }

// find resolves a column name in the nearest scope that has it.
func (sc *scope) find(parts []string) (place, error) {
	name, qualifier := parts[len(parts)-1], parts[:len(parts)-1]
	qualified := false
	depth := 0
	for s := sc; s != nil; s, depth = s.outer, depth+1 {
		found := 0
		at := place{depth: depth, in: s}
		for i := s.first; i < len(s.sources); i++ {
			if len(qualifier) > 0 && !s.sources[i].answersTo(qualifier) {
				continue
			}
			qualified = true
			for j, c := range s.sources[i].cols {
				if strings.EqualFold(c.Name, name) {
					at.source, at.column = i, j
					found++
				}
			}
		}
		if found > 1 {
			return at, Errorf(209, 16, "Ambiguous column name '%s'.", name)
		}
		if found == 1 {
			sc.within.reaches(s.within)
			return at, at.allowed(name)
		}
		if qualified && len(qualifier) > 0 {
			break // the table is here and lacks the column
		}
	}
	if len(qualifier) > 0 && !qualified {
		return place{}, Errorf(4104, 16, "The multi-part identifier \"%s\" could not be bound.", strings.Join(parts, "."))
	}
	return place{}, Errorf(207, 16, "Invalid column name '%s'.", name)
}

func (p place) allowed(name string) error {
	if src := p.in.sources[p.source]; src.named {
		return p.in.s.catalog.Denied(src.name, name)
	}
	return nil
}

// answersTo: an alias hides the table's own name.
func (src *source) answersTo(qualifier []string) bool {
	if src.alias != "" {
		return len(qualifier) == 1 && strings.EqualFold(src.alias, qualifier[0])
	}
	if len(qualifier) > len(src.name) {
		return false
	}
	for i := 1; i <= len(qualifier); i++ {
		if !strings.EqualFold(src.name[len(src.name)-i], qualifier[len(qualifier)-i]) {
			return false
		}
	}
	return true
}

func (src *source) exposed() string {
	if src.alias != "" {
		return src.alias
	}
	return strings.Join(src.name, ".")
}

// column compiles a reference; above a GROUP BY only its keys can be reached.
func (sc *scope) column(c column) (scalar, error) {
	at, err := sc.find(c.parts)
	if err != nil {
		return scalar{}, err
	}
	col := at.in.sources[at.source].cols[at.column]
	out := scalar{t: col.Type, nullable: col.Nullable}
	if g := at.in.group; g != nil {
		slot, ok := g.slot(at.key())
		if !ok {
			return scalar{}, at.in.notGrouped(c)
		}
		out.nullable = true
		out.eval = func(_ context.Context, f *frame) (any, error) { return f.out(at.depth).keys[slot], nil }
		return out, nil
	}
	out.eval = func(_ context.Context, f *frame) (any, error) {
		row := f.out(at.depth).rows[at.source]
		if row == nil {
			return nil, nil
		}
		return row[at.column], nil
	}
	return out, nil
}

func (f *frame) out(depth int) *frame {
	for ; depth > 0; depth-- {
		f = f.outer
	}
	return f
}

func (sc *scope) notGrouped(c column) error {
	name := strings.Join(c.parts, ".")
	switch sc.clause {
	case inHaving:
		return Errorf(8121, 16, "Column '%s' is invalid in the HAVING clause because it is not contained in either "+
			"an aggregate function or the GROUP BY clause.", name)
	case inOrderBy:
		return Errorf(8127, 16, "Column \"%s\" is invalid in the ORDER BY clause because it is not contained in either "+
			"an aggregate function or the GROUP BY clause.", name)
	}
	return Errorf(8120, 16, "Column '%s' is invalid in the select list because it is not contained in either "+
		"an aggregate function or the GROUP BY clause.", name)
}
