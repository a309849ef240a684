package asof

import (
	"time"

	"cdcseed/engine/clock"
)

// reach is longer than any zone is from UTC: the instant of a wall reading
// lies within it on either side of the reading taken as UTC.
const reach = 15 * time.Hour

// wall converts between a server's wall clock and UTC as AT TIME ZONE does. It
// remembers the last stretch without a clock change, so it belongs to one
// reader at a time.
type wall struct {
	loc    *time.Location
	lo, hi clock.Local   // readings in [lo, hi) are unambiguous ...
	flat   time.Duration // ... with this offset
}

func newWall(c Clock) (*wall, error) {
	loc, err := c.Location()
	if err != nil {
		return nil, err
	}
	return &wall{loc: loc}, nil
}

// local is what the clock shows at i.
func (w *wall) local(i clock.Instant) clock.Local { return clock.WallOf(i.Time().In(w.loc)) }

// offsetAt is the offset east of UTC at an instant.
func (w *wall) offsetAt(i clock.Instant) time.Duration {
	_, s := i.Time().In(w.loc).Zone()
	return time.Duration(s) * time.Second
}

// around gives the offsets before and after a reading's nearest clock change;
// they are equal where there is none nearby.
func (w *wall) around(l clock.Local) (before, after time.Duration) {
	if w.lo <= l && l < w.hi {
		return w.flat, w.flat
	}
	mid := clock.Instant(l)
	before, after = w.offsetAt(mid.Add(-reach)), w.offsetAt(mid.Add(reach))
	if before == after {
		w.remember(mid, before)
	}
	return before, after
}

// remember keeps the stretch of constant offset around i, shortened by reach.
func (w *wall) remember(i clock.Instant, offset time.Duration) {
	start, end := i.Time().In(w.loc).ZoneBounds()
	w.lo, w.hi, w.flat = clock.Local(i), clock.Local(i)+1, offset
	if start.IsZero() {
		w.lo = clock.Local(i.Add(-366 * 24 * time.Hour))
	} else if s := clock.Local(clock.Of(start).Add(reach)); s < w.lo {
		w.lo = s
	}
	if end.IsZero() {
		w.hi = clock.Local(i.Add(366 * 24 * time.Hour))
	} else if e := clock.Local(clock.Of(end).Add(-reach)); e > w.hi {
		w.hi = e
	}
}

// instants lists the moments at which the clock shows l, earliest first: one,
// two in a repeated hour, none in a skipped one.
func (w *wall) instants(l clock.Local) []clock.Instant {
	before, after := w.around(l)
	var out []clock.Instant
	for _, off := range []time.Duration{before, after} {
		i := clock.Instant(l).Add(-off)
		if w.offsetAt(i) == off && (len(out) == 0 || out[0] != i) {
			out = append(out, i)
		}
	}
	return out
}

// first reads l with the offset before a change, both where the change repeats
// l and where it skips it.
func (w *wall) first(l clock.Local) clock.Instant {
	before, after := w.around(l)
	if before == after {
		return clock.Instant(l).Add(-before)
	}
	if at := w.instants(l); len(at) > 0 {
		return at[0]
	}
	return clock.Instant(l).Add(-before)
}

// offset is the offset that AT TIME ZONE gives a reading: before the change
// where it is repeated, after the change where it is skipped.
func (w *wall) offset(l clock.Local) time.Duration {
	before, after := w.around(l)
	if before == after {
		return before
	}
	if at := w.instants(l); len(at) > 0 {
		return w.offsetAt(at[0])
	}
	return after
}

// repeated reports whether a change sets the clock back over l, and the offset
// after that change (contract 1.5).
func (w *wall) repeated(l clock.Local) (later time.Duration, yes bool) {
	if before, after := w.around(l); before == after && w.lo <= l && l.Add(lookAhead) < w.hi {
		return before, false
	}
	now := w.offset(l)
	later = w.offset(l.Add(lookAhead))
	return later, later < now && w.offset(l.Add(now-later)) == later
}

// lookAhead is how far ahead of a reading the rule for commit times looks for
// a change that sets the clock back.
const lookAhead = 3 * time.Hour
