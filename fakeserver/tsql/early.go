package tsql

// filterEarly hands each condition of WHERE that needs only the left side of a
// join to that join, which then does not look for partners of rows that WHERE
// will drop, and an equality of both sides as one to look partners up by. WHERE
// still tests every row that is left.
func (sc *scope) filterEarly(where cond, joins []*joiner) error {
	for _, j := range joins {
		if j.kind == rightJoin || j.kind == fullJoin {
			return nil // its unmatched rows depend on every row of the left side
		}
	}
	for _, j := range joins {
		if j.equal == nil && (j.kind == innerJoin || j.kind == crossJoin) {
			j.equal = sc.equality(where, j.l, j.r)
		}
	}
	for _, c := range conjuncts(where) {
		need, ok := sc.lastSource(c)
		if !ok {
			continue
		}
		p, err := sc.predicate(c)
		if err != nil {
			return err
		}
		for _, j := range joins {
			if need < j.r.first {
				j.early = append(j.early, p)
			}
		}
	}
	return nil
}

func conjuncts(c cond) []cond {
	if l, ok := c.(logic); ok && l.op == "AND" {
		return append(conjuncts(l.l), conjuncts(l.r)...)
	}
	return []cond{c}
}

// lastSource is the number of the last source that n refers to, -1 for none;
// a subquery may refer to any.
func (sc *scope) lastSource(n node) (int, bool) {
	if hasSubquery(n) {
		return 0, false
	}
	last := -1
	if c, ok := n.(column); ok {
		at, err := sc.find(c.parts)
		if err != nil {
			return 0, false
		}
		if at.depth == 0 {
			last = at.source
		}
	}
	for _, child := range children(n) {
		k, ok := sc.lastSource(child)
		if !ok {
			return 0, false
		}
		last = max(last, k)
	}
	return last, true
}
