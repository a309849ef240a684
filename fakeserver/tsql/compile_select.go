package tsql

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
)

// selection is a SELECT while it is compiled and, after that, its parts.
type selection struct {
	sc     *scope
	from   *rowSource
	where  predicate
	having predicate
	items  []selectItem
	prints []string // fingerprints of the items, for ORDER BY
	outs   []scalar
	keys   []sortKey
	keyOut []int // the item that is a key, -1 for an expression of its own
	limit  limits
}

// selectPlan compiles one SELECT with the ORDER BY and limits of q.
func (sc *scope) selectPlan(core *selectCore, q *query) (*plan, error) {
	sel := &selection{sc: sc}
	if err := sel.compileRows(core); err != nil {
		return nil, err
	}
	if err := sel.compileGroups(core, q); err != nil {
		return nil, err
	}
	pl := &plan{}
	if err := sel.compileItems(pl); err != nil {
		return nil, err
	}
	if core.having != nil {
		sc.clause = inHaving
		windows := sc.windows
		sc.windows = nil
		var err error
		if sel.having, err = sc.predicate(core.having); err != nil {
			return nil, err
		}
		sc.windows = windows
	}
	if err := sel.compileOrder(core, q, pl); err != nil {
		return nil, err
	}
	var err error
	if sel.limit, err = sc.limits(core.top, q); err != nil {
		return nil, err
	}
	pl.run = sel.run
	if core.distinct {
		for _, c := range sel.outs {
			if !sortable(c.t) {
				return nil, notDistinct(c.t)
			}
		}
		pl.run = sel.runDistinct(pl)
	}
	return pl, nil
}

func (sel *selection) compileRows(core *selectCore) error {
	sc := sel.sc
	sc.clause = inFrom
	sel.from = &rowSource{run: func(_ context.Context, _ *frame, yield func() error) error { return yield() }}
	var err error
	var joins []*joiner
	sc.joins = &joins
	if core.from != nil {
		if sel.from, err = sc.table(core.from, visible{}); err != nil {
			return err
		}
		if err := sc.distinctNames(); err != nil {
			return err
		}
	}
	if core.where != nil {
		sc.clause = inWhere
		if sel.where, err = sc.predicate(core.where); err != nil {
			return err
		}
		if err := sc.filterEarly(core.where, joins); err != nil {
			return err
		}
	}
	sel.items, err = sc.expandStars(core.items)
	return err
}

// distinctNames: no two tables of one FROM may answer to the same name.
func (sc *scope) distinctNames() error {
	seen := map[string]bool{}
	for _, src := range sc.sources {
		name := strings.ToLower(src.exposed())
		if !seen[name] {
			seen[name] = true
			continue
		}
		if src.alias != "" {
			return Errorf(1011, 16, "The correlation name '%s' is specified multiple times in a FROM clause.", src.alias)
		}
		return Errorf(1013, 16, "The objects \"%s\" and \"%s\" in the FROM clause have the same exposed names. "+
			"Use correlation names to distinguish them.", src.exposed(), src.exposed())
	}
	return nil
}

// expandStars replaces * and t.* by the columns they stand for.
func (sc *scope) expandStars(items []selectItem) ([]selectItem, error) {
	var out []selectItem
	for _, it := range items {
		s, ok := it.e.(star)
		if !ok {
			out = append(out, it)
			continue
		}
		n := len(out)
		for _, src := range sc.sources {
			if len(s.qualifier) > 0 && !src.answersTo(s.qualifier) {
				continue
			}
			qualifier := []string{src.alias}
			if src.alias == "" {
				qualifier = src.name
			}
			for _, c := range src.cols {
				parts := append(append([]string{}, qualifier...), c.Name)
				out = append(out, selectItem{e: column{parts}, alias: c.Name})
			}
		}
		if len(out) == n && len(s.qualifier) > 0 {
			return nil, Errorf(107, 15, "The column prefix '%s' does not match with a table name or alias name used in the query.",
				strings.Join(s.qualifier, "."))
		}
		if len(out) == n {
			return nil, Errorf(263, 16, "Must specify table to select from.")
		}
	}
	return out, nil
}

// compileGroups decides whether the rows are grouped.
func (sel *selection) compileGroups(core *selectCore, q *query) error {
	grouped := len(core.group) > 0 || core.having != nil
	for _, it := range sel.items {
		grouped = grouped || hasAggregate(it.e)
	}
	for _, o := range q.order {
		grouped = grouped || hasAggregate(o.e)
	}
	if !grouped {
		return nil
	}
	g, err := sel.sc.grouping(core.group)
	sel.sc.group = g
	return err
}

func (sel *selection) compileItems(pl *plan) error {
	sc := sel.sc
	sc.clause, sc.windows = inSelect, &windowSet{}
	for _, it := range sel.items {
		c, err := sc.scalar(it.e)
		if err != nil {
			return err
		}
		col := tds.Column{Name: it.alias, Type: c.t, Nullable: c.nullable}
		if ref, ok := it.e.(column); ok {
			if it.alias == "" {
				col.Name = ref.parts[len(ref.parts)-1]
			}
			sc.inherit(&col, ref)
		}
		sel.outs = append(sel.outs, c)
		sel.prints = append(sel.prints, sc.fingerprint(it.e))
		pl.cols = append(pl.cols, col)
		pl.exact = append(pl.exact, c.exact)
	}
	return nil
}

// inherit takes over what the column's table says of it beyond its type.
func (sc *scope) inherit(col *tds.Column, ref column) {
	if at, err := sc.find(ref.parts); err == nil && at.in.group == nil {
		from := at.in.sources[at.source].cols[at.column]
		col.Identity, col.Computed = from.Identity, from.Computed
	}
}

// compileOrder: an item is a column of the result by number or alias, else an
// expression over the tables; with DISTINCT it must be in the select list.
func (sel *selection) compileOrder(core *selectCore, q *query, pl *plan) error {
	sc := sel.sc
	sc.clause = inOrderBy
	for _, o := range q.order {
		i, err := outputColumn(o.e, pl.cols)
		if err != nil {
			return err
		}
		for k := 0; i < 0 && k < len(sel.prints); k++ {
			if sel.prints[k] == sc.fingerprint(o.e) {
				i = k
			}
		}
		key := sortKey{desc: o.desc}
		if i >= 0 {
			key.value = sel.outs[i]
		} else if key.value, err = sc.scalar(o.e); err != nil {
			return err
		}
		if i < 0 && core.distinct {
			return Errorf(145, 15, "ORDER BY items must appear in the select list if SELECT DISTINCT is specified.")
		}
		if !sortable(key.value.t) {
			return unsortable(key.value)
		}
		sel.keys, sel.keyOut = append(sel.keys, key), append(sel.keyOut, i)
	}
	return nil
}
