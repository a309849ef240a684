package tsql

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
)

const windowFunctions = ` ROW_NUMBER RANK DENSE_RANK NTILE LAG LEAD `

// windowSet collects the window functions of one query.
type windowSet struct{ calls []*windowFunction }

type windowFunction struct {
	name      string
	partition []sortKey
	order     []sortKey
	value     scalar // of LAG and LEAD
	offset    scalar // of LAG and LEAD; of NTILE, how many tiles
	other     *scalar
	aggregate *aggregate // of SUM(x) OVER and its kin
}

func (sc *scope) windowCall(x *call, name string) (scalar, error) {
	switch {
	case x.over == nil:
		return scalar{}, Errorf(10753, 15, "The function '%s' must have an OVER clause.", x.name[0])
	case sc.windows == nil:
		return scalar{}, sc.misplacedWindow()
	case x.over.order == nil:
		return scalar{}, Errorf(4112, 15, "The function '%s' must have an OVER clause with ORDER BY.", x.name[0])
	}
	inner := *sc
	inner.windows, inner.clause = nil, inWindow
	w := &windowFunction{name: name}
	var err error
	var by []orderItem
	for _, e := range x.over.partition {
		by = append(by, orderItem{e: e})
	}
	if w.partition, err = inner.sortKeys(by); err != nil {
		return scalar{}, err
	}
	if w.order, err = inner.sortKeys(x.over.order); err != nil {
		return scalar{}, err
	}
	out := scalar{t: tds.BigInt}
	switch name {
	case "LAG", "LEAD":
		if err := inner.shift(w, x); err != nil {
			return scalar{}, err
		}
		out.t, out.nullable = w.value.t, true
	case "NTILE":
		if err := inner.tiles(w, x); err != nil {
			return scalar{}, err
		}
		out.nullable = true
	default:
		if len(x.args) > 0 {
			return scalar{}, wrongCount(name, 0)
		}
	}
	slot := len(sc.windows.calls)
	sc.windows.calls = append(sc.windows.calls, w)
	out.eval = func(_ context.Context, f *frame) (any, error) { return f.windows[slot], nil }
	return out, nil
}

// shift compiles LAG(value, offset, default).
func (sc *scope) shift(w *windowFunction, x *call) error {
	if len(x.args) < 1 || len(x.args) > 3 {
		return wrongCount(x.name[0], 1)
	}
	args, _, err := sc.scalars(x.args)
	if err != nil {
		return err
	}
	w.value = args[0]
	w.offset = constant(Value{tds.Int, int64(1)})
	if len(args) > 1 {
		if w.offset, err = args[1].to(tds.BigInt); err != nil {
			return err
		}
	}
	if len(args) > 2 {
		c, err := args[2].to(w.value.t)
		if err != nil {
			return err
		}
		w.other = &c
	}
	return nil
}

// fill computes every window function for every row that the query keeps.
func (ws *windowSet) fill(ctx context.Context, frames []*frame) error {
	for _, f := range frames {
		f.windows = make([]any, len(ws.calls))
	}
	for slot, w := range ws.calls {
		if err := w.fill(ctx, frames, slot); err != nil {
			return err
		}
	}
	return nil
}

type windowRow struct {
	f               *frame
	partition, keys []any
}

func (w *windowFunction) fill(ctx context.Context, frames []*frame, slot int) error {
	byPartition := map[string][]windowRow{}
	var order []string
	for _, f := range frames {
		part, err := evalKeys(ctx, f, w.partition)
		if err != nil {
			return err
		}
		keys, err := evalKeys(ctx, f, w.order)
		if err != nil {
			return err
		}
		var id strings.Builder
		for i, v := range part {
			id.WriteString(valueKey(w.partition[i].value.t, v, w.partition[i].value.exact) + "\x00")
		}
		if byPartition[id.String()] == nil {
			order = append(order, id.String())
		}
		byPartition[id.String()] = append(byPartition[id.String()], windowRow{f, part, keys})
	}
	for _, id := range order {
		if err := w.fillPartition(ctx, byPartition[id], slot); err != nil {
			return err
		}
	}
	return nil
}

func (w *windowFunction) fillPartition(ctx context.Context, rows []windowRow, slot int) error {
	if err := sortBy(rows, w.order, func(r windowRow) []any { return r.keys }); err != nil {
		return err
	}
	if w.aggregate != nil {
		return w.fillAggregate(ctx, rows, slot)
	}
	var rank, dense int64
	for i, r := range rows {
		tied := false
		if i > 0 {
			k, err := compareKeys(w.order, rows[i-1].keys, r.keys)
			if err != nil {
				return err
			}
			tied = k == 0
		}
		if !tied {
			rank, dense = int64(i+1), dense+1
		}
		v, err := w.at(ctx, rows, i, rank, dense)
		if err != nil {
			return err
		}
		r.f.windows[slot] = v
	}
	return nil
}

func (w *windowFunction) at(ctx context.Context, rows []windowRow, i int, rank, dense int64) (any, error) {
	switch w.name {
	case "ROW_NUMBER":
		return int64(i + 1), nil
	case "RANK":
		return rank, nil
	case "DENSE_RANK":
		return dense, nil
	case "NTILE":
		return w.tile(ctx, rows[i].f, i, len(rows))
	}
	v, err := w.offset.eval(ctx, rows[i].f)
	if err != nil || v == nil {
		return nil, err
	}
	n, _ := v.(int64)
	if n < 0 {
		return nil, Errorf(8730, 16, "Offset parameter for Lag and Lead functions cannot be a negative value.")
	}
	if w.name == "LAG" {
		n = -n
	}
	if j := int64(i) + n; j >= 0 && j < int64(len(rows)) {
		return w.value.eval(ctx, rows[j].f)
	}
	if w.other != nil {
		return w.other.eval(ctx, rows[i].f)
	}
	return nil, nil
}
