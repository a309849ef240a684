package tsql

// equality is column = column in ON or WHERE, one of each side and both whole numbers,
// as object_id in a join of catalogue views: neither side can fail, and only rows
// that have the same number can be partners.
type equality struct{ left, right place }

// equality finds one in a condition; nil where there is none.
func (sc *scope) equality(on cond, l, r *rowSource) *equality {
	for _, c := range conjuncts(on) {
		x, ok := c.(comparison)
		if !ok || x.op != "=" {
			continue
		}
		a, okA := sc.wholeColumn(x.l)
		b, okB := sc.wholeColumn(x.r)
		switch {
		case !okA || !okB:
		case l.has(a) && r.has(b):
			return &equality{a, b}
		case l.has(b) && r.has(a):
			return &equality{b, a}
		}
	}
	return nil
}

func (sc *scope) wholeColumn(e expr) (place, bool) {
	c, ok := e.(column)
	if !ok {
		return place{}, false
	}
	at, err := sc.find(c.parts)
	if err != nil || at.depth != 0 {
		return place{}, false
	}
	return at, isInt(sc.sources[at.source].cols[at.column].Type)
}

func (r *rowSource) has(p place) bool { return p.source >= r.first && p.source < r.last }

// partners are the rows of a join's right side by the number they are looked up by.
type partners struct {
	equal *equality
	all   []int
	by    map[int64][]int // nil: every row may be a partner
}

// index orders the rows of the right side, whose sources begin at first.
func (e *equality) index(first int, right [][][]any) *partners {
	p := &partners{equal: e, all: make([]int, len(right))}
	for i := range right {
		p.all[i] = i
	}
	if e == nil {
		return p
	}
	by := map[int64][]int{}
	for i, rows := range right {
		row := rows[e.right.source-first]
		if row == nil || row[e.right.column] == nil {
			continue // NULL equals nothing
		}
		n, ok := row[e.right.column].(int64)
		if !ok {
			return p
		}
		by[n] = append(by[n], i)
	}
	p.by = by
	return p
}

// of are the rows to try for the row that f's left side is at.
func (p *partners) of(f *frame) []int {
	if p.by == nil {
		return p.all
	}
	row := f.rows[p.equal.left.source]
	if row == nil || row[p.equal.left.column] == nil {
		return nil
	}
	n, ok := row[p.equal.left.column].(int64)
	if !ok {
		return p.all
	}
	return p.by[n]
}
