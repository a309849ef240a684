package tsql

import "context"

func (sc *scope) join(j *join, v visible) (*rowSource, error) {
	base := len(sc.sources)
	l, err := sc.table(j.l, v)
	if err != nil {
		return nil, err
	}
	if j.apply {
		if v.last <= v.first {
			v.first = base
		}
		v.last = len(sc.sources)
	}
	r, err := sc.table(j.r, v)
	if err != nil {
		return nil, err
	}
	jr := &joiner{l: l, r: r, kind: j.kind}
	if base == 0 && sc.joins != nil {
		*sc.joins = append(*sc.joins, jr)
	}
	if j.on != nil {
		if jr.on, err = sc.view(base, len(sc.sources)).predicate(j.on); err != nil {
			return nil, err
		}
		jr.equal = sc.view(base, len(sc.sources)).equality(j.on, l, r)
	}
	sc.mayBeMissing(j.kind, l, r)
	out := &rowSource{first: base, last: len(sc.sources), run: jr.materialised}
	if j.apply {
		out.run = jr.lateral
	}
	return out, nil
}

// mayBeMissing makes the columns of an outer join's other side nullable. The
// source is copied, for a catalogue may hand out the same columns twice.
func (sc *scope) mayBeMissing(kind joinKind, l, r *rowSource) {
	var sides []*rowSource
	switch kind {
	case leftJoin:
		sides = append(sides, r)
	case rightJoin:
		sides = append(sides, l)
	case fullJoin:
		sides = append(sides, l, r)
	}
	for _, side := range sides {
		for i := side.first; i < side.last; i++ {
			src := *sc.sources[i]
			src.cols = append(src.cols[:0:0], src.cols...)
			for k := range src.cols {
				src.cols[k].Nullable = true
			}
			sc.sources[i] = &src
		}
	}
}

type joiner struct {
	l, r *rowSource
	kind joinKind
	on   predicate
	// equal is a condition of ON or WHERE that finds a row's partners, nil for none.
	equal *equality
	// early are conditions of WHERE that the left side alone decides.
	early []predicate
}

// dropped says whether WHERE will refuse the row whatever the right side has.
// An error is left for WHERE to meet, if the row comes so far.
func (j *joiner) dropped(ctx context.Context, f *frame) bool {
	for _, p := range j.early {
		if t, err := p(ctx, f); err == nil && t != isTrue {
			return true
		}
	}
	return false
}

func (j *joiner) matches(ctx context.Context, f *frame) (bool, error) {
	if j.on == nil {
		return true, nil
	}
	t, err := j.on(ctx, f)
	return t == isTrue, err
}

// lateral runs the right side anew for each row of the left.
func (j *joiner) lateral(ctx context.Context, f *frame, yield func() error) error {
	return j.l.run(ctx, f, func() error {
		if j.dropped(ctx, f) {
			return nil
		}
		hit := false
		err := j.r.run(ctx, f, func() error {
			hit = true
			return yield()
		})
		if err != nil || hit || j.kind != leftJoin {
			return err
		}
		j.r.clear(f)
		return yield()
	})
}

func (r *rowSource) clear(f *frame) {
	for i := r.first; i < r.last; i++ {
		f.rows[i] = nil
	}
}

// materialised reads the right side once and keeps it.
func (j *joiner) materialised(ctx context.Context, f *frame, yield func() error) error {
	var right [][][]any
	err := j.r.run(ctx, f, func() error {
		right = append(right, append([][]any{}, f.rows[j.r.first:j.r.last]...))
		return nil
	})
	if err != nil {
		return err
	}
	partners := j.equal.index(j.r.first, right)
	matched := make([]bool, len(right))
	n := 0
	err = j.l.run(ctx, f, func() error {
		if j.dropped(ctx, f) {
			return nil
		}
		hit := false
		for _, i := range partners.of(f) {
			if n++; n%looksUp == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			copy(f.rows[j.r.first:], right[i])
			ok, err := j.matches(ctx, f)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			hit, matched[i] = true, true
			if err := yield(); err != nil {
				return err
			}
		}
		if hit || j.kind != leftJoin && j.kind != fullJoin {
			return nil
		}
		j.r.clear(f)
		return yield()
	})
	if err != nil || j.kind != rightJoin && j.kind != fullJoin {
		return err
	}
	return j.unmatched(f, right, matched, yield)
}

func (j *joiner) unmatched(f *frame, right [][][]any, matched []bool, yield func() error) error {
	for i, rows := range right {
		if matched[i] {
			continue
		}
		j.l.clear(f)
		copy(f.rows[j.r.first:], rows)
		if err := yield(); err != nil {
			return err
		}
	}
	return nil
}
