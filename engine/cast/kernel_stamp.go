package cast

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/schema"
)

// stampPath is what a date and time goes through on its way to the target.
type stampPath struct {
	c         *column
	low, high int64
	unit      int64  // of the SQL type's fraction, in microseconds; 0 where any will do
	reason    Effect // why a finer fraction is refused
	ticks     bool   // datetime's 1/300 s
	seventh   bool   // the SQL type has the digit that the stream cuts
	legacy    bool
	toWall    bool
	toInstant bool
}

func newStampPath(c *column) *stampPath {
	p := &stampPath{c: c, legacy: c.rule.Legacy, reason: BeyondScale}
	p.low, p.high = stampRange(c.target.SQL)
	switch c.target.SQL.Name {
	case "datetime":
		p.ticks = true
	case "smalldatetime":
		p.unit, p.reason = 60_000_000, NotATick
	case "datetime2", "datetimeoffset":
		p.seventh = streamCuts(c.target.SQL)
		if c.target.SQL.Scale < 6 {
			p.unit = int64(pow10(6 - c.target.SQL.Scale))
		}
	default:
		p.seventh = true
	}
	switch c.rule.Code {
	case InstantToWall, Int96ToWall:
		p.toWall = c.zone != nil
	case WallToInstant:
		p.toInstant = c.zone != nil
	}
	return p
}

// straight reports whether values of whole microseconds only need a look at their range.
func (p *stampPath) straight() bool {
	return !p.ticks && p.unit == 0 && !p.legacy && !p.toWall && !p.toInstant
}

// shift goes from the copy's clock to the target's.
func (p *stampPath) shift(i int, v int64) int64 {
	if p.legacy {
		v = p.c.rebased(i, v)
	}
	var e Effect
	switch {
	case p.toWall:
		v, e = p.c.zone.wall(v)
	case p.toInstant:
		v, e = p.c.zone.instant(v)
	}
	if e != "" {
		p.c.note(e, i, 0)
	}
	return v
}

// rebased counts and moves a time of a Julian file.
func (c *column) rebased(i int, v int64) int64 {
	if v >= microsOf(1900, 1, 1) {
		return v
	}
	c.note(OldTime, i, 0)
	days := floorDiv(v, dayMicros)
	return c.rebasedDay(i, days)*dayMicros + v - days*dayMicros
}

// rebasedDay counts and moves a day of a Julian file: in the third century both
// calendars have the same digits.
func (c *column) rebasedDay(i int, day int64) int64 {
	moved := rebase(day)
	if moved != day {
		c.note(Rebased, i, 0)
	}
	return moved
}

// settle fits a time to the SQL type's fraction and range; false where it was refused.
func (p *stampPath) settle(i int, v int64, below finer) (int64, bool) {
	ok := true
	switch {
	case p.ticks:
		v, ok = p.toTick(i, v, below)
	case p.unit > 0:
		v, ok = p.toUnit(i, v, below)
	case below.some() && p.seventh:
		p.c.note(SubMicro, i, 0)
	case below.some():
		v, ok = p.toMicro(i, v, below)
	}
	if ok && (v < p.low || v > p.high) {
		p.c.refuse(OutOfRange, i, 0)
		return 0, false
	}
	return v, ok
}

func (p *stampPath) toTick(i int, v int64, below finer) (int64, bool) {
	second := floorDiv(v, 1_000_000) * 1_000_000
	exact, near, nearest, before := tick(v-second, below)
	switch {
	case exact:
		return v, true
	case near:
		p.c.note(Normalised, i, 0)
		return second + nearest, true
	}
	how, write := p.drops(i, second+before, math.Abs(float64(v-second-nearest)), NotATick)
	if how == Cut {
		return second + before, write
	}
	return second + nearest, write
}

// drops is lossy for a time of which cut is left once its last digits are cut.
// Where that is out of range, it is told so.
func (p *stampPath) drops(i int, cut int64, loss float64, reason Effect) (how Answer, write bool) {
	if cut < p.low || cut > p.high {
		reason = OutOfRange
	}
	return p.c.lossy(i, loss, reason)
}

// toUnit needs no more of what is below than whether there is some: the half of
// every unit is a whole number of microseconds.
func (p *stampPath) toUnit(i int, v int64, below finer) (int64, bool) {
	floor := floorDiv(v, p.unit) * p.unit
	if v == floor && !below.some() {
		return v, true
	}
	how, write := p.drops(i, floor, float64(v-floor), p.reason)
	if how == Round && v-floor >= p.unit/2 {
		floor += p.unit
	}
	return floor, write
}

// toMicro is for a SQL type of exactly six digits that got more.
func (p *stampPath) toMicro(i int, v int64, below finer) (int64, bool) {
	how, write := p.drops(i, v, float64(below.nanos)/1000, p.reason)
	if how == Round && below.half() {
		v++
	}
	return v, write
}

// micros gives a time in microseconds, cut toward the past, and what it has
// below. One beyond the range comes out at its end.
func micros(v int64, unit arrow.TimeUnit) (int64, finer) {
	switch unit {
	case arrow.Nanosecond:
		q := floorDiv(v, 1000)
		return q, finer{nanos: v - q*1000}
	case arrow.Microsecond:
		return v, finer{}
	case arrow.Millisecond:
		return scaleUp(v, 1_000), finer{}
	}
	return scaleUp(v, 1_000_000), finer{}
}

// scaleUp multiplies; what overflows becomes the extreme, which no type holds.
func scaleUp(v, by int64) int64 {
	switch {
	case v > math.MaxInt64/by:
		return math.MaxInt64
	case v < math.MinInt64/by:
		return math.MinInt64
	}
	return v * by
}

// outlandish is far outside of every type's range; arithmetic on it would overflow.
func outlandish(v int64) bool { return v > 1<<62 || v < -(1<<62) }

func castStamp(c *column, src arrow.Array) (arrow.Array, error) {
	a, ok := src.(*array.Timestamp)
	if !ok {
		return nil, c.unexpected(src)
	}
	p, unit := newStampPath(c), unitOf(a.DataType())
	load, _ := c.wholes(src)
	if p.straight() && unit == arrow.Microsecond && allWithin(src, load, p.low, p.high) {
		return relabel(src, c.out), nil
	}
	o := newFixed[int64](c, src)
	convertAt(src, o, load, func(from int, out, in []int64) bool {
		b := c.times(src, from)
		return b.take(in, unit) && p.block(out, b)
	}, func(i int, v int64) {
		v, below := micros(v, unit)
		if outlandish(v) {
			c.refuse(OutOfRange, i, 0)
			o.set(i)
			return
		}
		p.put(o, i, p.shift(i, v), below)
	})
	return o.done(c.out), nil
}

// block does a block that has not been shifted yet.
func (p *stampPath) block(out []int64, b *timeBlock) bool {
	if !b.shift(p) || !b.settle(p) || !b.tell() {
		return false
	}
	copy(out, b.vals)
	return true
}

// put settles a time and writes it, or NULL where it was refused.
func (p *stampPath) put(o *fixedOut[int64], i int, v int64, below finer) {
	v, ok := p.settle(i, v, below)
	if !ok {
		o.set(i)
		return
	}
	o.vals[i] = v
}

// farDay is a day far outside of every type's range; more of them would
// overflow when they are told in microseconds.
const farDay = 100_000_000

func castDateToStamp(c *column, src arrow.Array) (arrow.Array, error) {
	if src.DataType().ID() != arrow.DATE32 {
		return nil, c.unexpected(src)
	}
	p := newStampPath(c)
	p.legacy = false // a date has no offset to be old: its day alone is moved
	load, _ := c.wholes(src)
	o := newFixed[int64](c, src)
	convertAt(src, o, load, func(from int, out, in []int64) bool {
		b := c.times(src, from)
		b.vals = c.blockRoom().micros[:len(in)]
		for k, d := range in {
			if c.rule.Legacy && d < gregorianStart {
				moved := rebase(d)
				if moved != d {
					b.rebased++
				}
				d = moved
			}
			b.vals[k] = d * dayMicros
		}
		return within(in, -farDay, farDay) && p.block(out, b)
	}, func(i int, d int64) {
		if d < -farDay || d > farDay {
			c.refuse(OutOfRange, i, 0)
			o.set(i)
			return
		}
		if c.rule.Legacy {
			d = c.rebasedDay(i, d)
		}
		p.put(o, i, p.shift(i, d*dayMicros), finer{})
	})
	return o.done(c.out), nil
}

func castTextToStamp(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	p := newStampPath(c)
	o := newFixed[int64](c, src)
	for from := 0; from < o.n; from += blockLen {
		to := min(from+blockLen, o.n)
		if b, ok := c.shortStamps(src, in, from, to); ok && b.settle(p) && b.tell() {
			copy(o.vals[from:to], b.vals)
			continue
		}
		for i := from; i < to; i++ {
			if src.IsValid(i) {
				p.read(o, i, in.Value(i))
			}
		}
	}
	return o.done(c.out), nil
}

// read writes the time in the text of row i, or NULL where it was refused.
func (p *stampPath) read(o *fixedOut[int64], i int, s string) {
	t, ok := readStamp(s)
	if !ok {
		p.c.refuse(Unparseable, i, 0)
		o.set(i)
		return
	}
	v, ok := p.c.placed(i, t)
	if !ok {
		o.set(i)
		return
	}
	p.put(o, i, v, t.below)
}

// shortStamps reads a block of texts of the common form, none of which has a
// zone where the target has none; false where one is another.
func (c *column) shortStamps(src arrow.Array, in texts, from, to int) (*timeBlock, bool) {
	if c.target.Type.Kind != schema.TimestampNTZ {
		return nil, false
	}
	r := c.blockRoom()
	b := c.times(src, from)
	b.vals, b.fine = r.micros[:to-from], r.fine[:to-from]
	for k := range b.vals {
		b.vals[k], b.fine[k] = 0, 0
		if src.IsNull(from + k) {
			continue
		}
		day, nanos, ok := shortStamp(in.Value(from + k))
		if !ok {
			return nil, false
		}
		q := nanos / 1000
		b.vals[k], b.fine[k] = day*dayMicros+q, nanos-q*1000
	}
	return b, true
}

// placed brings a text's time to the target's clock: by its own offset to a
// moment, by the copy's zone where one of both has none.
func (c *column) placed(i int, t stampText) (int64, bool) {
	v, wall := t.micros, c.target.Type.Kind == schema.TimestampNTZ
	var e Effect
	switch {
	case wall && !t.zoned:
		return v, true
	case !wall && t.zoned:
		return v - t.offset, true
	case c.rule.Zone == "", !wall && c.rule.Zone == WallClock:
		c.refuse(ZoneUnknown, i, 0)
		return 0, false
	case wall && c.rule.Zone == WallClock:
		c.note(ZoneDropped, i, 0)
		return v, true
	case wall && c.zone != nil:
		v, e = c.zone.wall(v - t.offset)
	case wall:
		v -= t.offset
	case c.zone != nil:
		v, e = c.zone.instant(v)
	}
	if e != "" {
		c.note(e, i, 0)
	}
	return v, true
}
