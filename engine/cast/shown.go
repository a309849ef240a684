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

// show keeps a value before and after: of the first batch with one that is written
// the first whose text changes, or else the first.
func (c *column) show(after arrow.Array) {
	if c.shown != nil || !c.rule.shows() {
		return
	}
	for i := range min(after.Len(), shownRows) {
		if after.IsNull(i) || c.src.IsNull(i) {
			continue
		}
		before, made := ValueText(c.src, i), ValueText(after, i)
		if c.shown == nil || before != made {
			c.shown = &Sample{Spot: c.at.spot(i), Before: before, After: made}
		}
		if before != made {
			return
		}
	}
}

// earlier is the one of two shown values that comes first; either may be nil.
func earlier(a, b *Sample) *Sample {
	if a == nil || b != nil && b.compare(a.Spot) < 0 {
		return b
	}
	return a
}
