package tsql

import "context"

// windowAggregate compiles SUM(x) OVER (PARTITION BY y) and its kin, which give
// every row of a partition the aggregate of them all. Running totals, an OVER
// with ORDER BY, are not played.
func (sc *scope) windowAggregate(x *call, name string) (scalar, error) {
	switch {
	case name == "STRING_AGG":
		return scalar{}, Errorf(4113, 16, "The function '%s' is not a valid windowing function, and cannot be used with the "+
			"OVER clause.", x.name[0])
	case x.distinct:
		return scalar{}, Errorf(10759, 15, "Use of DISTINCT is not allowed with the OVER clause.")
	case sc.windows == nil:
		return scalar{}, sc.misplacedWindow()
	case x.over.order != nil:
		return scalar{}, notSimulated("%s with OVER and ORDER BY", name)
	}
	inner := *sc
	inner.windows, inner.clause = nil, inWindow
	a, err := inner.aggregate(x, name)
	if err != nil {
		return scalar{}, err
	}
	var by []orderItem
	for _, e := range x.over.partition {
		by = append(by, orderItem{e: e})
	}
	w := &windowFunction{name: name, aggregate: a}
	if w.partition, err = inner.sortKeys(by); err != nil {
		return scalar{}, err
	}
	slot := len(sc.windows.calls)
	sc.windows.calls = append(sc.windows.calls, w)
	nullable := name != "COUNT" && name != "COUNT_BIG"
	return scalar{t: a.t, nullable: nullable, eval: func(_ context.Context, f *frame) (any, error) { return f.windows[slot], nil }}, nil
}

func (sc *scope) misplacedWindow() error {
	if sc.clause == inAggregate || sc.clause == inWindow {
		return Errorf(4109, 16, "Windowed functions cannot be used in the context of another windowed function or aggregate.")
	}
	return Errorf(4108, 16, "Windowed functions can only appear in the SELECT or ORDER BY clauses.")
}

func (w *windowFunction) fillAggregate(ctx context.Context, rows []windowRow, slot int) error {
	acc := accumulator{}
	for _, r := range rows {
		if err := acc.add(ctx, w.aggregate, r.f); err != nil {
			return err
		}
	}
	v, err := acc.result(w.aggregate)
	for _, r := range rows {
		r.f.windows[slot] = v
	}
	return err
}
