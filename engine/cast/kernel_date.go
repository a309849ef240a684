package cast

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

func castDate(c *column, src arrow.Array) (arrow.Array, error) {
	a, ok := src.(*array.Date32)
	if !ok {
		return nil, c.unexpected(src)
	}
	low, high := dateRange()
	if c.rule.Legacy {
		return c.legacyDates(a, low, high), nil
	}
	for i, d := range a.Date32Values() {
		if (int64(d) < low || int64(d) > high) && a.IsValid(i) {
			return c.dates(src, func(i int) (int64, bool) { return int64(a.Value(i)), true })
		}
	}
	return relabel(src, c.out), nil
}

func (c *column) legacyDates(a *array.Date32, low, high int64) arrow.Array {
	o := newFixed[int32](c, a)
	for i, d := range a.Date32Values() {
		v := rebase(int64(d))
		if v < low || v > high {
			c.refuse(OutOfRange, i, 0)
			o.set(i)
			continue
		}
		if v != int64(d) {
			c.note(Rebased, i, 0)
		}
		o.vals[i] = int32(v)
	}
	return o.done(c.out)
}

// dates makes a date array; day gives a value's day number, or false for one
// that was refused.
func (c *column) dates(src arrow.Array, day func(i int) (int64, bool)) (arrow.Array, error) {
	low, high := dateRange()
	o := newFixed[int32](c, src)
	for i := range src.Len() {
		if src.IsNull(i) {
			continue
		}
		d, ok := day(i)
		if ok && (d < low || d > high) {
			c.refuse(OutOfRange, i, 0)
			ok = false
		}
		if !ok {
			o.set(i)
			continue
		}
		o.vals[i] = int32(d)
	}
	return o.done(c.out), nil
}

// castStampToDate drops the time of day; one that is not midnight needs the
// answer to.
func castStampToDate(c *column, src arrow.Array) (arrow.Array, error) {
	a, ok := src.(*array.Timestamp)
	if !ok {
		return nil, c.unexpected(src)
	}
	vals, below := c.micros(a)
	return c.dates(src, func(i int) (int64, bool) {
		if outlandish(vals[i]) {
			c.refuse(OutOfRange, i, 0)
			return 0, false
		}
		v := c.onWall(i, vals[i])
		day := floorDiv(v, dayMicros)
		if rest := v - day*dayMicros; rest != 0 || below(i).some() {
			_, write := c.lossy(i, float64(rest), Inexact)
			return day, write
		}
		return day, true
	})
}

// onWall brings a timestamp to the source's clock.
func (c *column) onWall(i int, v int64) int64 {
	if c.rule.Legacy {
		v = c.rebased(i, v)
	}
	if c.zone == nil || !c.rule.needsZone() {
		return v
	}
	v, e := c.zone.wall(v)
	if e != "" {
		c.note(e, i, 0)
	}
	return v
}

func castTextToDate(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	return c.dates(src, func(i int) (int64, bool) {
		t, ok := readStamp(in.Value(i))
		if !ok || t.zoned {
			c.refuse(Unparseable, i, 0)
			return 0, false
		}
		day := floorDiv(t.micros, dayMicros)
		if t.timed {
			_, write := c.lossy(i, float64(t.micros-day*dayMicros), Inexact)
			return day, write
		}
		return day, true
	})
}
