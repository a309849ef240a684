package cast

import "github.com/apache/arrow/go/v17/arrow"

func castDate(c *column, src arrow.Array) (arrow.Array, error) {
	if src.DataType().ID() != arrow.DATE32 {
		return nil, c.unexpected(src)
	}
	load, _ := c.wholes(src)
	low, high := dateRange()
	first := low
	if c.rule.Legacy {
		first = gregorianStart
	}
	if allWithin(src, load, first, high) {
		return relabel(src, c.out), nil
	}
	o := newFixed[int32](c, src)
	convert(src, o, load, func(out []int32, in []int64) bool {
		if !c.rule.Legacy {
			return narrow(out, in, low, high)
		}
		var n int64
		for k, d := range in {
			v := rebase(d)
			if v != d {
				n++
			}
			c.blockRoom().micros[k] = v
		}
		return narrow(out, c.blockRoom().micros[:len(in)], low, high) && c.calmly(Rebased, n, 0)
	}, func(i int, d int64) {
		v := d
		if c.rule.Legacy {
			v = rebase(d)
		}
		if c.putDay(o, i, v, true) && v != d {
			c.note(Rebased, i, 0)
		}
	})
	return o.done(c.out), nil
}

// putDay writes a day, or NULL where it was refused already or is out of range;
// false of those.
func (c *column) putDay(o *fixedOut[int32], i int, day int64, ok bool) bool {
	low, high := dateRange()
	if ok && (day < low || day > high) {
		c.refuse(OutOfRange, i, 0)
		ok = false
	}
	if !ok {
		o.set(i)
		return false
	}
	o.vals[i] = int32(day)
	return true
}

// dropsTime is lossy for a time of day of a date: on one out of range it is
// told as that.
func (c *column) dropsTime(i int, day, rest int64) (write bool) {
	reason := Inexact
	if low, high := dateRange(); day < low || day > high {
		reason = OutOfRange
	}
	_, write = c.lossy(i, float64(rest), reason)
	return write
}

// castStampToDate drops the time of day; one that is not midnight needs the
// answer to.
func castStampToDate(c *column, src arrow.Array) (arrow.Array, error) {
	if src.DataType().ID() != arrow.TIMESTAMP {
		return nil, c.unexpected(src)
	}
	unit := unitOf(src.DataType())
	load, _ := c.wholes(src)
	o := newFixed[int32](c, src)
	convertAt(src, o, load, func(from int, out []int32, in []int64) bool {
		b := c.times(src, from)
		return b.take(in, unit) && b.onWall() && b.days(out) && b.tell()
	}, func(i int, raw int64) {
		v, below := micros(raw, unit)
		if outlandish(v) {
			c.refuse(OutOfRange, i, 0)
			o.set(i)
			return
		}
		v = c.onWall(i, v)
		day, write := floorDiv(v, dayMicros), true
		if rest := v - day*dayMicros; rest != 0 || below.some() {
			write = c.dropsTime(i, day, rest)
		}
		c.putDay(o, i, day, write)
	})
	return o.done(c.out), nil
}

// days makes days of the block's times.
func (b *timeBlock) days(out []int32) bool {
	_, lossy := b.c.lossyEffect()
	for k, v := range b.vals {
		day := floorDiv(v, dayMicros)
		if rest := v - day*dayMicros; rest != 0 || b.below(k) != 0 {
			if !lossy {
				return false
			}
			b.loses(float64(rest))
		}
		b.vals[k] = day
	}
	low, high := dateRange()
	return narrow(out, b.vals, low, high)
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
	o := newFixed[int32](c, src)
	for i := range src.Len() {
		if src.IsNull(i) {
			continue
		}
		s := in.Value(i)
		if day, ok := shortDate(s); ok {
			c.putDay(o, i, day, true)
			continue
		}
		t, ok := readStamp(s)
		if !ok || t.zoned {
			c.refuse(Unparseable, i, 0)
			o.set(i)
			continue
		}
		day, write := floorDiv(t.micros, dayMicros), true
		if t.timed {
			write = c.dropsTime(i, day, t.micros-day*dayMicros)
		}
		c.putDay(o, i, day, write)
	}
	return o.done(c.out), nil
}
