package cast

import (
	"sort"
	"time"
)

// zone is a time zone as spans of one offset each, made once so that a value
// costs a search among a few hundred numbers, and mostly not even that.
type zone struct {
	spans []span
	last  int // the span of the latest value: neighbours in a file are near in time

	wallSteps, instantSteps *steps // made when first needed
}

// span is a run of instants with one offset from UTC, all in microseconds.
type span struct {
	from, to int64 // instants, from included
	offset   int64
}

// lastYear is where the spans end. Later values are moved back by whole cycles
// of the calendar, 400 years, over which zone rules repeat.
const (
	lastYear    = 2500
	cycleMicros = 146_097 * dayMicros
)

func newZone(loc *time.Location) *zone {
	z := &zone{}
	end := time.Date(lastYear, 1, 1, 0, 0, 0, 0, time.UTC)
	for from := time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC); from.Before(end); {
		local := from.In(loc)
		_, off := local.Zone()
		_, to := local.ZoneBounds()
		if to.IsZero() || to.After(end) {
			to = end
		}
		if !to.After(from) {
			// For years under a rule, the library ends the last span of a leap
			// year a day early, and there gives that end again.
			to = from.Add(24 * time.Hour)
		}
		s := span{from: from.UnixMicro(), to: to.UnixMicro(), offset: int64(off) * 1_000_000}
		if n := len(z.spans); n > 0 && z.spans[n-1].offset == s.offset {
			z.spans[n-1].to = s.to // a change of name or of rules only
		} else {
			z.spans = append(z.spans, s)
		}
		from = to
	}
	return z
}

// find is the span of an instant.
func (z *zone) find(us int64) int {
	if s := z.spans[z.last]; us >= s.from && us < s.to {
		return z.last
	}
	n := sort.Search(len(z.spans), func(i int) bool { return z.spans[i].to > us })
	z.last = min(n, len(z.spans)-1)
	return z.last
}

// fold moves a time after the spans back by whole cycles.
func (z *zone) fold(us int64) (inside, moved int64) {
	if end := z.foldStart(); us >= end {
		n := (us-end)/cycleMicros + 1
		return us - n*cycleMicros, n * cycleMicros
	}
	return us, 0
}

// wall is what a clock in the zone shows at an instant. The effect is AfterGap
// in as much time after a spring change as the change skipped: a zone-less
// reading from the gap was moved there by many a tool.
func (z *zone) wall(us int64) (int64, Effect) {
	in, moved := z.fold(us)
	k := z.find(in)
	s := z.spans[k]
	var e Effect
	if k > 0 {
		if skipped := s.offset - z.spans[k-1].offset; skipped > 0 && in-s.from < skipped {
			e = AfterGap
		}
	}
	return in + s.offset + moved, e
}

// instant is when a clock in the zone shows a reading: the first time where it
// does so twice (Ambiguous), and by the offset before the change where it never does (InGap).
func (z *zone) instant(wall int64) (int64, Effect) {
	in, moved := z.fold(wall)
	k := max(z.find(in)-2, 0)
	for k > 0 && in-z.spans[k].offset < z.spans[k].from {
		k--
	}
	// From here on, spans[k] begins at or before the reading.
	for ; k < len(z.spans); k++ {
		s := z.spans[k]
		at := in - s.offset
		if at >= s.to {
			continue
		}
		if at < s.from && k > 0 {
			return in - z.spans[k-1].offset + moved, InGap
		}
		if k+1 < len(z.spans) {
			if next := z.spans[k+1]; in-next.offset >= next.from {
				return at + moved, Ambiguous
			}
		}
		return at + moved, ""
	}
	return in - z.spans[len(z.spans)-1].offset + moved, ""
}
