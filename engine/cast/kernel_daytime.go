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

// daytimeNanos is a time of day in nanoseconds.
func daytimeNanos(arr arrow.Array, i int) int64 {
	switch a := arr.(type) {
	case *array.Time32:
		return int64(a.Value(i)) * int64(unitOf(a.DataType()).Multiplier())
	case *array.Time64:
		return int64(a.Value(i)) * int64(unitOf(a.DataType()).Multiplier())
	}
	return 0
}

// unitDigits is the number of fraction digits that a unit can tell.
func unitDigits(u arrow.TimeUnit) int {
	return map[arrow.TimeUnit]int{arrow.Second: 0, arrow.Millisecond: 3, arrow.Microsecond: 6, arrow.Nanosecond: 9}[u]
}

func castTimeToText(c *column, src arrow.Array) (arrow.Array, error) {
	var unit arrow.TimeUnit
	switch t := src.DataType().(type) {
	case *arrow.Time32Type:
		unit = t.Unit
	case *arrow.Time64Type:
		unit = t.Unit
	default:
		return nil, c.unexpected(src)
	}
	return c.daytimes(src, func(i int) (daytimeValue, bool) {
		return daytimeValue{nanos: daytimeNanos(src, i), digits: unitDigits(unit)}, true
	})
}

func castTextToTime(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	return c.daytimes(src, func(i int) (daytimeValue, bool) {
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
	vals, below := c.micros(a)
	return c.daytimes(src, func(i int) (daytimeValue, bool) {
		if outlandish(vals[i]) {
			c.refuse(OutOfRange, i, 0)
			return daytimeValue{}, false
		}
		v := c.onWall(i, vals[i])
		day := floorDiv(v, dayMicros)
		if c.day == nil {
			first := int32(day)
			c.day = &first
		}
		if int64(*c.day) != day {
			c.refuse(DatesDiffer, i, 0)
			return daytimeValue{}, false
		}
		return daytimeValue{nanos: (v-day*dayMicros)*1000 + below(i).nanos, digits: unitDigits(unit)}, true
	})
}

// daytimes makes the stream's text of times of day; read gives a value, or
// false for one that was refused.
func (c *column) daytimes(src arrow.Array, read func(i int) (v daytimeValue, ok bool)) (arrow.Array, error) {
	b := c.newText(src, 18)
	defer b.release()
	step := int64(1)
	if s := c.target.SQL.Scale; s < 9 {
		step = int64(pow10(9 - s))
	}
	var room [18]byte
	for i := range src.Len() {
		if src.IsNull(i) {
			b.null(i)
			continue
		}
		v, ok := read(i)
		if ok && (v.nanos < 0 || v.nanos >= dayNanos) {
			c.refuse(OutOfRange, i, 0)
			ok = false
		}
		if ok && (v.nanos%step != 0 || v.finer) {
			_, ok = c.lossy(i, float64(v.nanos%step), BeyondScale)
			v.nanos -= v.nanos % step
		}
		if !ok {
			b.null(i)
			continue
		}
		if v.digits < c.target.SQL.Scale {
			c.note(Shortened, i, float64(c.target.SQL.Scale-v.digits))
		}
		b.addBytes(appendDaytime(room[:0], v.nanos))
	}
	return b.done(c.out)
}
