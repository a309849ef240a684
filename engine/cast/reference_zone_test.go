package cast_test

import (
	"math/big"
	"slices"
	"time"

	"cdcseed/engine/cast"
)

// instantAt is the whole second of a time, for the time package; false where
// no type holds it and the package's zones may not reach.
func instantAt(us *big.Rat) (time.Time, bool) {
	sec := floored(new(big.Rat).Quo(us, micros(referenceSecond)))
	if !sec.IsInt64() || sec.Int64() > 4e13 || sec.Int64() < -4e13 {
		return time.Time{}, false
	}
	return time.Unix(sec.Int64(), 0), true
}

func offsetAt(loc *time.Location, t time.Time) int64 {
	_, off := t.In(loc).Zone()
	return int64(off)
}

// showing is what a clock in a zone shows at an instant. After a change that
// skipped some time, as long as that was, readings may have been moved there.
func showing(loc *time.Location, us *big.Rat) (*big.Rat, []cast.Effect) {
	t, ok := instantAt(us)
	if !ok {
		return us, nil
	}
	off := offsetAt(loc, t)
	var notes []cast.Effect
	if at, before, ok := changeBefore(loc, t); ok && off > before {
		since := new(big.Rat).Sub(us, new(big.Rat).Mul(micros(at.Unix()), micros(referenceSecond)))
		if since.Cmp(micros((off-before)*referenceSecond)) < 0 {
			notes = []cast.Effect{cast.AfterGap}
		}
	}
	return new(big.Rat).Add(us, micros(off*referenceSecond)), notes
}

// changeBefore is the latest change of a zone's offset in the three days up to
// t, and the offset before it. It looks at every third hour, and then
// halves the time between: no zone has two changes within three hours.
func changeBefore(loc *time.Location, t time.Time) (at time.Time, before int64, ok bool) {
	const step = 3 * 3600
	now := offsetAt(loc, t)
	for late := t.Unix(); late > t.Unix()-3*86_400; late -= step {
		if before = offsetAt(loc, time.Unix(late-step, 0)); before == now {
			continue
		}
		low, high := late-step, late // another offset at low, the present one at high
		for high-low > 1 {
			if mid := low + (high-low)/2; offsetAt(loc, time.Unix(mid, 0)) == now {
				high = mid
			} else {
				low = mid
			}
		}
		return time.Unix(high, 0), offsetAt(loc, time.Unix(low, 0)), true
	}
	return at, 0, false
}

// shownAt is when a clock in a zone shows a reading: the first of two times,
// and by the offset before the change where it never does.
func shownAt(loc *time.Location, wall *big.Rat) (*big.Rat, []cast.Effect) {
	t, ok := instantAt(wall)
	if !ok {
		return wall, nil
	}
	var offsets []int64
	for k := int64(-2 * 86_400); k <= 2*86_400; k += 3 * 3600 {
		if off := offsetAt(loc, time.Unix(t.Unix()+k, 0)); !slices.Contains(offsets, off) {
			offsets = append(offsets, off)
		}
	}
	var when []int64
	for _, off := range offsets {
		if at := t.Unix() - off; offsetAt(loc, time.Unix(at, 0)) == off {
			when = append(when, at)
		}
	}
	slices.Sort(when)
	var notes []cast.Effect
	switch len(when) {
	case 0:
		// The reading is in a gap: an instant that many seconds after the
		// change, by the offset before it.
		_, before, _ := changeBefore(loc, time.Unix(t.Unix()-slices.Min(offsets), 0))
		when, notes = []int64{t.Unix() - before}, []cast.Effect{cast.InGap}
	case 1:
	default:
		notes = []cast.Effect{cast.Ambiguous}
	}
	moved := micros((when[0] - t.Unix()) * referenceSecond)
	return moved.Add(moved, wall), notes
}
