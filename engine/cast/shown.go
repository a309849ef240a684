package cast

import "github.com/apache/arrow/go/v17/arrow"

// shownRows is how many of a batch's first values are looked through for one that
// shows what an answer does.
const shownRows = 8

// shows reports whether the rule follows an answer whose effect no count tells: a
// zone, or an order of bytes, moves every value alike, and a wrong one does so
// without an error.
func (r Rule) shows() bool {
	return r.Zone != "" || r.Answer == TextOrder || r.Answer == SQLOrder
}

// show keeps a value of the batch before and after, the first whose text changes,
// or else the first that is written.
func (c *column) show(after arrow.Array) {
	if !c.rule.shows() || c.shown != nil && c.shown.changes() {
		return
	}
	for i := range min(after.Len(), shownRows) {
		if after.IsNull(i) || c.src.IsNull(i) {
			continue
		}
		s := Sample{Spot: c.at.spot(i), Before: ValueText(c.src, i), After: ValueText(after, i)}
		if s.changes() {
			c.shown = &s
			return
		}
		if c.shown == nil {
			c.shown = &s
		}
	}
}

func (s *Sample) changes() bool { return s.Before != s.After }

// clearer is the one of two shown values that shows more, of equals the first by
// place; either may be nil.
func clearer(a, b *Sample) *Sample {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.changes() != b.changes():
		if a.changes() {
			return a
		}
		return b
	case a.compare(b.Spot) <= 0:
		return a
	}
	return b
}
