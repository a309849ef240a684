package cast

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// daytimeValue is a time of day as a copy tells it.
type daytimeValue struct {
	nanos  int64 // since midnight
	finer  bool  // there were digits below the nanosecond
	digits int   // fraction digits that the copy could tell
}

// daytimeNanos is a time of day in nanoseconds, false for a number that is none:
// it may be too large to be told so.
func daytimeNanos(arr arrow.Array, i int) (nanos int64, ok bool) {
	raw, by := int64(0), int64(unitOf(arr.DataType()).Multiplier())
	switch a := arr.(type) {
	case *array.Time32:
		raw = int64(a.Value(i))
	case *array.Time64:
		raw = int64(a.Value(i))
	}
	if raw < 0 || raw >= dayNanos/by {
		return 0, false
	}
	return raw * by, true
}

// unitDigits is the number of fraction digits that a unit can tell.
func unitDigits(u arrow.TimeUnit) int {
	return map[arrow.TimeUnit]int{arrow.Second: 0, arrow.Millisecond: 3, arrow.Microsecond: 6, arrow.Nanosecond: 9}[u]
}

func castTimeToText(c *column, src arrow.Array) (arrow.Array, error) {
	id := src.DataType().ID()
	if id != arrow.TIME32 && id != arrow.TIME64 {
		return nil, c.unexpected(src)
	}
	unit := unitOf(src.DataType())
	digits, by := unitDigits(unit), int64(unit.Multiplier())
	load, _ := c.wholes(src)
	return c.daytimes(src, digits, func(_ *timeBlock, out []int64, from, to int) bool {
		in := load(from, to)
		for k, v := range in {
			out[k] = v * by
		}
		return within(in, 0, dayNanos/by-1)
	}, func(i int) (daytimeValue, bool) {
		nanos, ok := daytimeNanos(src, i)
		if !ok {
			c.refuse(OutOfRange, i, 0)
		}
		return daytimeValue{nanos: nanos, digits: digits}, ok
	})
}

func castTextToTime(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	return c.daytimes(src, 9, func(_ *timeBlock, out []int64, from, to int) bool {
		for k := range out {
			out[k] = 0
			if src.IsNull(from + k) {
				continue
			}
			nanos, written, ok := shortDaytime(in.Value(from + k))
			if !ok || written < c.target.SQL.Scale {
				return false
			}
			out[k] = nanos
		}
		return true
	}, func(i int) (daytimeValue, bool) {
		t, rest, ok := readDaytime(trim(in.Value(i)))
		if !ok || rest != "" {
			c.refuse(Unparseable, i, 0)
			return daytimeValue{}, false
		}
		return daytimeValue{nanos: t.nanos, finer: t.tail != "", digits: t.written}, true
	})
}

// castStampToTime keeps the time of day of timestamps that a tool made from
// times. Their date means nothing, which holds only while it is one and the same.
func castStampToTime(c *column, src arrow.Array) (arrow.Array, error) {
	a, ok := src.(*array.Timestamp)
	if !ok {
		return nil, c.unexpected(src)
	}
	unit := unitOf(a.DataType())
	digits, raw := unitDigits(unit), a.TimestampValues()
	load, _ := c.wholes(src)
	return c.daytimes(src, digits, func(b *timeBlock, out []int64, from, to int) bool {
		return b.take(load(from, to), unit) && b.onWall() && b.daytimes(out, src, from)
	}, func(i int) (daytimeValue, bool) {
		v, below := micros(int64(raw[i]), unit)
		if outlandish(v) {
			c.refuse(OutOfRange, i, 0)
			return daytimeValue{}, false
		}
		v = c.onWall(i, v)
		day := floorDiv(v, dayMicros)
		if c.day == nil {
			first := int32(day)
			c.day = &first
		}
		if int64(*c.day) != day {
			c.refuse(DatesDiffer, i, 0)
			return daytimeValue{}, false
		}
		return daytimeValue{nanos: (v-day*dayMicros)*1000 + below.nanos, digits: digits}, true
	})
}

// daytimes makes times of day of the block's times; false where the column's
// date is not known yet, or another.
func (b *timeBlock) daytimes(out []int64, src arrow.Array, from int) bool {
	if b.c.day == nil {
		return false
	}
	start := int64(*b.c.day) * dayMicros
	for k, v := range b.vals {
		rest := v - start
		if rest < 0 || rest >= dayMicros {
			if src.IsValid(from + k) {
				return false
			}
			rest = 0
		}
		out[k] = rest*1000 + b.below(k)
	}
	return true
}

// daytimes makes the stream's text of times of day of a copy that tells so many
// digits. calm gives a block's nanoseconds, all within a day, or false where one
// needs a closer look; read gives a value, or false for one that was refused.
func (c *column) daytimes(src arrow.Array, digits int, calm func(b *timeBlock, out []int64, from, to int) bool, read func(i int) (v daytimeValue, ok bool)) (arrow.Array, error) {
	o := c.newText(src, daytimeLen)
	defer o.release()
	step := int64(1)
	if s := c.target.SQL.Scale; s < 9 {
		step = int64(pow10(9 - s))
	}
	short := float64(c.target.SQL.Scale - digits)
	var text [daytimeLen]byte
	for from := 0; from < src.Len(); from += blockLen {
		to := min(from+blockLen, src.Len())
		nanos := c.blockRoom().nanos[:to-from]
		b := c.times(src, from)
		if short > 0 {
			b.short, b.shortened = short, present(src, from, to-from)
		}
		if calm(b, nanos, from, to) && divides(step, nanos) && b.tell() {
			o.addDaytimes(src, nanos)
			continue
		}
		for i := from; i < to; i++ {
			if src.IsNull(i) {
				o.null(i)
				continue
			}
			v, ok := read(i)
			if v, ok = c.daytime(i, v, ok, step); !ok {
				o.null(i)
				continue
			}
			o.addBytes(appendDaytime(text[:0], v.nanos))
		}
	}
	return o.done(c.out)
}

// daytime brings a time of day to the column's fraction; false where it was
// refused.
func (c *column) daytime(i int, v daytimeValue, ok bool, step int64) (daytimeValue, bool) {
	if ok && (v.nanos%step != 0 || v.finer) {
		_, ok = c.lossy(i, float64(v.nanos%step), BeyondScale)
		v.nanos -= v.nanos % step
	}
	if ok && v.digits < c.target.SQL.Scale {
		c.note(Shortened, i, float64(c.target.SQL.Scale-v.digits))
	}
	return v, ok
}

// divides reports whether all numbers are multiples of step.
func divides(step int64, in []int64) bool {
	if step == 1 {
		return true
	}
	for _, v := range in {
		if v%step != 0 {
			return false
		}
	}
	return true
}

// daytimeLen is the length of the stream's text of a time of day.
const daytimeLen = len("12:34:56.123456789")

// addDaytimes appends a block of times of day, but for NULLs.
func (o *textOut) addDaytimes(src arrow.Array, nanos []int64) {
	at := o.next
	room := o.reserve(len(nanos) * daytimeLen)
	used := 0
	for k, v := range nanos {
		if o.count == 0 || src.IsValid(at+k) {
			putDaytime((*[daytimeLen]byte)(room[used:]), v)
			used += daytimeLen
		}
		o.starts[at+k+1] = int32(o.used + used)
	}
	o.used += used
	o.next += len(nanos)
}

// putDaytime is appendDaytime without appending.
func putDaytime(b *[daytimeLen]byte, nanos int64) {
	seconds := uint32(uint64(nanos) / 1e9)
	fraction := uint32(uint64(nanos) - uint64(seconds)*1e9)
	minutes := seconds / 60
	hours := minutes / 60
	twoDigits(b[0:], hours)
	b[2] = ':'
	twoDigits(b[3:], minutes-hours*60)
	b[5] = ':'
	twoDigits(b[6:], seconds-minutes*60)
	b[8] = '.'
	top := fraction / 1_000_000
	b[9] = byte('0' + top/100)
	twoDigits(b[10:], top%100)
	middle := fraction - top*1_000_000
	low := middle / 100
	twoDigits(b[12:], low/100)
	twoDigits(b[14:], low%100)
	twoDigits(b[16:], middle-low*100)
}

// twoDigits writes a number of two digits.
func twoDigits(b []byte, v uint32) {
	_ = b[1]
	b[0], b[1] = byte('0'+v/10), byte('0'+v%10)
}
