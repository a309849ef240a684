package tsql

import "context"

// run pushes the rows of the SELECT in their order.
func (sel *selection) run(ctx context.Context, outer *frame, yield func([]any) error) error {
	o := &output{keys: sel.keys, limit: sel.limit, yield: yield}
	return o.collect(ctx, outer, func(add func(row, keys []any) error) error {
		return sel.rows(ctx, outer, func(f *frame) error {
			row, keys, err := sel.project(ctx, f)
			if err != nil {
				return err
			}
			return add(row, keys)
		})
	})
}

// runDistinct drops repeated rows before they are ordered and counted.
func (sel *selection) runDistinct(pl *plan) rowsFunc {
	cols := pl.scalars()
	return func(ctx context.Context, outer *frame, yield func([]any) error) error {
		o := &output{keys: sel.keys, limit: sel.limit, yield: yield}
		seen := map[string]bool{}
		return o.collect(ctx, outer, func(add func(row, keys []any) error) error {
			return sel.rows(ctx, outer, func(f *frame) error {
				row, keys, err := sel.project(ctx, f)
				if err != nil {
					return err
				}
				k := rowKey(cols, row)
				if seen[k] {
					return nil
				}
				seen[k] = true
				return add(row, keys)
			})
		})
	}
}

func (sel *selection) project(ctx context.Context, f *frame) (row, keys []any, err error) {
	row = make([]any, len(sel.outs))
	for i, c := range sel.outs {
		if row[i], err = c.eval(ctx, f); err != nil {
			return nil, nil, err
		}
	}
	keys = make([]any, len(sel.keys))
	for i, k := range sel.keys {
		if at := sel.keyOut[i]; at >= 0 {
			keys[i] = row[at]
		} else if keys[i], err = k.value.eval(ctx, f); err != nil {
			return nil, nil, err
		}
	}
	return row, keys, nil
}

// rows gives the frame of every row (or group) that the result is made of.
// The frame is only good until the next one, unless window functions need all.
func (sel *selection) rows(ctx context.Context, outer *frame, each func(*frame) error) error {
	ws := sel.sc.windows
	if len(ws.calls) == 0 {
		return sel.ungathered(ctx, outer, each)
	}
	var frames []*frame
	if err := sel.ungathered(ctx, outer, func(f *frame) error {
		kept := *f
		kept.rows = append([][]any{}, f.rows...)
		frames = append(frames, &kept)
		return nil
	}); err != nil {
		return err
	}
	if err := ws.fill(ctx, frames); err != nil {
		return err
	}
	for _, f := range frames {
		if err := each(f); err != nil {
			return err
		}
	}
	return nil
}

func (sel *selection) ungathered(ctx context.Context, outer *frame, each func(*frame) error) error {
	if sel.sc.group != nil {
		return sel.groups(ctx, outer, each)
	}
	return sel.filtered(ctx, outer, each)
}

// looksUp is how many rows pass between two looks at the context.
const looksUp = 256

func (sel *selection) filtered(ctx context.Context, outer *frame, each func(*frame) error) error {
	f := outer.inner(len(sel.sc.sources))
	n := 0
	return sel.from.run(ctx, f, func() error {
		if n++; n%looksUp == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if sel.where != nil {
			t, err := sel.where(ctx, f)
			if err != nil || t != isTrue {
				return err
			}
		}
		return each(f)
	})
}

func (sel *selection) groups(ctx context.Context, outer *frame, each func(*frame) error) error {
	gs := &groups{g: sel.sc.group, byKey: map[string]*group{}}
	if err := sel.filtered(ctx, outer, func(f *frame) error { return gs.add(ctx, f) }); err != nil {
		return err
	}
	if len(gs.list) == 0 && len(gs.g.keys) == 0 {
		gs.list = append(gs.list, &group{accs: make([]accumulator, len(gs.g.aggregates))})
	}
	for _, g := range gs.list {
		f, err := gs.frame(g, outer)
		if err != nil {
			return err
		}
		if sel.having != nil {
			t, err := sel.having(ctx, f)
			if err != nil {
				return err
			}
			if t != isTrue {
				continue
			}
		}
		if err := each(f); err != nil {
			return err
		}
	}
	return nil
}
