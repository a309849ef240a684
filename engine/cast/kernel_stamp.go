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
	if days >= gregorianStart {
		return v
	}
	c.note(Rebased, i, 0)
	return rebase(days)*dayMicros + v - days*dayMicros
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
	how, write := p.c.lossy(i, math.Abs(float64(v-second-nearest)), NotATick)
	if how == Cut {
		return second + before, write
	}
	return second + nearest, write
}

// toUnit needs no more of what is below than whether there is some: the half of
// every unit is a whole number of microseconds.
func (p *stampPath) toUnit(i int, v int64, below finer) (int64, bool) {
	floor := floorDiv(v, p.unit) * p.unit
	if v == floor && !below.some() {
		return v, true
	}
	how, write := p.c.lossy(i, float64(v-floor), p.reason)
	if how == Round && v-floor >= p.unit/2 {
		floor += p.unit
	}
	return floor, write
}

// toMicro is for a SQL type of exactly six digits that got more.
func (p *stampPath) toMicro(i int, v int64, below finer) (int64, bool) {
	how, write := p.c.lossy(i, float64(below.nanos)/1000, p.reason)
	if how == Round && below.half() {
		v++
	}
	return v, write
}

// micros gives timestamps in microseconds, cut toward the past, and what each
// value had below. Values beyond the range come out at its ends.
func (c *column) micros(a *array.Timestamp) (vals []int64, below func(i int) finer) {
	raw := a.TimestampValues()
	vals = c.scratch(len(raw))
	never := func(int) finer { return finer{} }
	switch unitOf(a.DataType()) {
	case arrow.Nanosecond:
		for i, v := range raw {
			vals[i] = floorDiv(int64(v), 1000)
		}
		return vals, func(i int) finer { return finer{nanos: int64(raw[i]) - vals[i]*1000} }
	case arrow.Microsecond:
		for i, v := range raw {
			vals[i] = int64(v)
		}
	case arrow.Millisecond:
		scaleUp(vals, raw, 1_000)
	default:
		scaleUp(vals, raw, 1_000_000)
	}
	return vals, never
}

// scaleUp multiplies; what overflows becomes the extreme, which no type holds.
func scaleUp(out []int64, in []arrow.Timestamp, by int64) {
	for i, v := range in {
		n := int64(v)
		switch {
		case n > math.MaxInt64/by:
			out[i] = math.MaxInt64
		case n < math.MinInt64/by:
			out[i] = math.MinInt64
		default:
			out[i] = n * by
		}
	}
}

// outlandish is far outside of every type's range; arithmetic on it would overflow.
func outlandish(v int64) bool { return v > 1<<62 || v < -(1<<62) }

func castStamp(c *column, src arrow.Array) (arrow.Array, error) {
	a, ok := src.(*array.Timestamp)
	if !ok {
		return nil, c.unexpected(src)
	}
	p := newStampPath(c)
	if p.straight() && unitOf(a.DataType()) == arrow.Microsecond && inRange(a, p.low, p.high) {
		return relabel(src, c.out), nil
	}
	vals, below := c.micros(a)
	o := newFixed[int64](c, src)
	for i, v := range vals {
		if outlandish(v) {
			c.refuse(OutOfRange, i, 0)
			o.set(i)
			continue
		}
		v, ok := p.settle(i, p.shift(i, v), below(i))
		if !ok {
			o.set(i)
			continue
		}
		o.vals[i] = v
	}
	return o.done(c.out), nil
}

func inRange(a *array.Timestamp, low, high int64) bool {
	for i, v := range a.TimestampValues() {
		if (int64(v) < low || int64(v) > high) && a.IsValid(i) {
			return false
		}
	}
	return true
}

func castDateToStamp(c *column, src arrow.Array) (arrow.Array, error) {
	a, ok := src.(*array.Date32)
	if !ok {
		return nil, c.unexpected(src)
	}
	p := newStampPath(c)
	o := newFixed[int64](c, src)
	for i, d := range a.Date32Values() {
		v, ok := p.settle(i, p.shift(i, int64(d)*dayMicros), finer{})
		if !ok {
			o.set(i)
			continue
		}
		o.vals[i] = v
	}
	return o.done(c.out), nil
}

func castTextToStamp(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	p := newStampPath(c)
	o := newFixed[int64](c, src)
	for i := range src.Len() {
		if src.IsNull(i) {
			continue
		}
		t, ok := readStamp(in.Value(i))
		if !ok {
			c.refuse(Unparseable, i, 0)
			o.set(i)
			continue
		}
		v, ok := c.placed(i, t)
		if ok {
			v, ok = p.settle(i, v, t.below)
		}
		if !ok {
			o.set(i)
			continue
		}
		o.vals[i] = v
	}
	return o.done(c.out), nil
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
