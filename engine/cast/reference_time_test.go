package cast_test

import (
	"fmt"
	"math/big"
	"time"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// Times are exact numbers of microseconds since 1970, on whatever clock.

const (
	referenceSecond = 1_000_000
	referenceDay    = 86_400 * referenceSecond
)

func micros(us int64) *big.Rat { return new(big.Rat).SetInt64(us) }

// dateMicros is midnight of a date, in the calendar that the time package has.
func dateMicros(y int, m time.Month, d int) *big.Int {
	return new(big.Int).Mul(big.NewInt(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix()), big.NewInt(referenceSecond))
}

// dayOf is the day of a time and what is left of it.
func dayOf(us *big.Rat) (day *big.Int, rest *big.Rat) {
	day = floored(new(big.Rat).Quo(us, micros(referenceDay)))
	midnight := new(big.Rat).Mul(new(big.Rat).SetInt(day), micros(referenceDay))
	return day, new(big.Rat).Sub(us, midnight)
}

func betweenInts(low, high *big.Int) func(*big.Int) bool {
	return func(x *big.Int) bool { return x.Cmp(low) >= 0 && x.Cmp(high) <= 0 }
}

// sqlDates are the days of SQL Server's date.
func sqlDates() func(*big.Int) bool {
	day := big.NewInt(referenceDay)
	return betweenInts(new(big.Int).Div(dateMicros(1, 1, 1), day), new(big.Int).Div(dateMicros(9999, 12, 31), day))
}

// sqlTimes are the microseconds of a SQL Server type.
func sqlTimes(t schema.SQLType) func(*big.Int) bool {
	low, end := dateMicros(1, 1, 1), dateMicros(10000, 1, 1)
	switch t.Name {
	case "datetime":
		low = dateMicros(1753, 1, 1)
	case "smalldatetime":
		low, end = dateMicros(1900, 1, 1), dateMicros(2079, 6, 7)
	}
	return betweenInts(low, end.Sub(end, big.NewInt(1)))
}

// julian is a day that a hybrid calendar numbered, by its digits: the first
// day of the Gregorian calendar is 1582-10-15, and a 29 February that it has
// not is 1 March.
func julian(day int64) int64 {
	if day >= time.Date(1582, 10, 15, 0, 0, 0, 0, time.UTC).Unix()/86_400 {
		return day
	}
	// Four Julian years have 1461 days; day 0 of 1970 is Julian day 2440588.
	// Whole cycles are taken out first, so that all numbers are positive.
	n := day + 2_440_588
	cycles := n/1461 - 1
	n -= cycles * 1461
	f := n + 1401
	e := 4*f + 3
	h := 5*(e%1461/4) + 2
	d := h%153/5 + 1
	m := (h/153+2)%12 + 1
	y := e/1461 - 4716 + (12+2-m)/12 + 4*cycles
	return time.Date(int(y), time.Month(m), int(d), 0, 0, 0, 0, time.UTC).Unix() / 86_400
}

// momentOf is the copy's time, Julian digits kept, and what is counted for
// that; false where the value is text that is no time.
func (j *judge) momentOf(v int64) (us *big.Rat, notes []cast.Effect) {
	if j.is("DATE") {
		day := v
		if j.rule.Legacy {
			day = julian(v)
		}
		if day != v {
			notes = append(notes, cast.Rebased)
		}
		return new(big.Rat).Mul(micros(day), micros(referenceDay)), notes
	}
	us = new(big.Rat).Mul(micros(v), big.NewRat(nanosPer(unitOfArray(j.array)), 1000))
	if !j.rule.Legacy || us.Cmp(new(big.Rat).SetInt(dateMicros(1900, 1, 1))) >= 0 {
		return us, nil
	}
	notes = append(notes, cast.OldTime)
	day, rest := dayOf(us)
	if !day.IsInt64() || day.Int64() < -4e8 || day.Int64() > 4e8 {
		return us, notes // no type holds it
	}
	if moved := julian(day.Int64()); moved != day.Int64() {
		notes = append(notes, cast.Rebased)
		us = new(big.Rat).Add(new(big.Rat).Mul(micros(moved), micros(referenceDay)), rest)
	}
	return us, notes
}

// onClock is a timestamp on the source's clock, for a column that needs it there.
func (j *judge) onClock(v int64) (us *big.Rat, notes []cast.Effect) {
	us, notes = j.momentOf(v)
	if j.zone == nil || !j.from.UTC && j.from.Physical != "INT96" {
		return us, notes
	}
	us, e := showing(j.zone, us)
	return us, append(notes, e...)
}

// date is what a date column makes of a value. A time of day needs leave.
func (j *judge) date(v any) outcome {
	var us *big.Rat
	var notes []cast.Effect
	switch v := v.(type) {
	case string:
		t, ok := timeIn(v)
		if !ok || t.zoned {
			return unwritten(cast.Unparseable)
		}
		us = t.us
	case int64:
		us, notes = j.onClock(v)
	}
	day, rest := dayOf(us)
	return j.choose(rest.Sign() == 0, day, new(big.Int).Add(day, big.NewInt(1)), cast.Inexact, sqlDates(), notes...)
}

// stamp is what a column of date and time makes of a value.
func (j *judge) stamp(v any) outcome {
	var us *big.Rat
	var notes []cast.Effect
	switch v := v.(type) {
	case string:
		t, ok := timeIn(v)
		if !ok {
			return unwritten(cast.Unparseable)
		}
		var placed bool
		if us, notes, placed = j.place(t); !placed {
			return unwritten(cast.ZoneUnknown)
		}
	case int64:
		us, notes = j.shifted(v)
	}
	return j.fraction(us, notes)
}

// shifted is a timestamp of the copy on the target's clock.
func (j *judge) shifted(v int64) (us *big.Rat, notes []cast.Effect) {
	us, notes = j.momentOf(v)
	var e []cast.Effect
	wall := j.to.Type.Kind == schema.TimestampNTZ
	switch instant := j.from.UTC || j.is("INT96"); {
	case j.zone == nil, j.is("DATE") && wall:
	case wall && instant:
		us, e = showing(j.zone, us)
	case !wall && !instant:
		us, e = shownAt(j.zone, us)
	}
	return us, append(notes, e...)
}

// place brings a text's time to the target's clock: by its own offset, by the
// zone that was named, or not at all.
func (j *judge) place(t timeText) (us *big.Rat, notes []cast.Effect, ok bool) {
	moment := new(big.Rat).Sub(t.us, micros(t.offset))
	wall, zone := j.to.Type.Kind == schema.TimestampNTZ, j.rule.Zone
	switch {
	case wall && !t.zoned:
		return t.us, nil, true
	case !wall && t.zoned:
		return moment, nil, true
	case zone == "", !wall && zone == cast.WallClock:
		return nil, nil, false
	case zone == cast.WallClock:
		return t.us, []cast.Effect{cast.ZoneDropped}, true
	case zone == "UTC":
		return moment, nil, true // a text without offset has the offset zero
	case wall:
		us, notes = showing(j.zone, moment)
	default:
		us, notes = shownAt(j.zone, t.us)
	}
	return us, notes, true
}

// fraction fits a time to the digits that the SQL type has.
func (j *judge) fraction(us *big.Rat, notes []cast.Effect) outcome {
	in := sqlTimes(j.to.SQL)
	switch {
	case j.to.SQL.Name == "datetime":
		return j.tick(us, in, notes)
	case j.to.SQL.Name == "smalldatetime":
		return j.units(us, 60*referenceSecond, cast.NotATick, in, notes)
	case j.to.SQL.Scale < 7:
		return j.units(us, bigPow(10, int64(6-j.to.SQL.Scale)).Int64(), cast.BeyondScale, in, notes)
	}
	// The seventh digit: the stream cuts it from the same value.
	cut := floored(us)
	if !us.IsInt() {
		notes = append(notes, cast.SubMicro)
	}
	return j.choose(true, cut, nil, "", in, notes...)
}

// units is a time in whole units: to the nearest, halves toward the future, or
// cut toward the past.
func (j *judge) units(us *big.Rat, unit int64, reason cast.Effect, in func(*big.Int) bool, notes []cast.Effect) outcome {
	x := new(big.Rat).Quo(us, micros(unit))
	times := func(n *big.Int) *big.Int { return new(big.Int).Mul(n, big.NewInt(unit)) }
	return j.choose(x.IsInt(), times(floored(x)), times(floored(new(big.Rat).Add(x, big.NewRat(1, 2)))), reason, in, notes...)
}

// tick is a datetime: a number of 1/300 s, which the stream spells to the
// nearest millisecond. That spelling is exact; within a microsecond of the
// tick it is another spelling of it.
func (j *judge) tick(us *big.Rat, in func(*big.Int) bool, notes []cast.Effect) outcome {
	one := big.NewRat(referenceSecond, 300)
	n := new(big.Rat).Quo(us, one)
	nearest, before := floored(new(big.Rat).Add(n, big.NewRat(1, 2))), floored(n)
	if us.Cmp(new(big.Rat).SetInt(spelled(nearest))) == 0 {
		return j.choose(true, spelled(nearest), nil, "", in, notes...)
	}
	if apart(us, new(big.Rat).Mul(one, new(big.Rat).SetInt(nearest))).Cmp(micros(1)) <= 0 {
		return j.choose(true, spelled(nearest), nil, "", in, append(notes, cast.Normalised)...)
	}
	return j.choose(false, spelled(before), spelled(nearest), cast.NotATick, in, notes...)
}

// spelled is tick n in microseconds as the stream writes it.
func spelled(n *big.Int) *big.Int {
	ms := floored(new(big.Rat).Add(new(big.Rat).SetFrac(new(big.Int).Mul(n, big.NewInt(10)), big.NewInt(3)), big.NewRat(1, 2)))
	return ms.Mul(ms, big.NewInt(1000))
}

// outlandish is beyond 146 thousand years, where a time of day means nothing.
func outlandish(us *big.Rat) bool {
	return floored(us).CmpAbs(bigPow(2, 62)) > 0
}

// daytime is what a time column makes of a value: the stream's text.
func (j *judge) daytime(v any) outcome {
	var nanos *big.Rat
	var digits int
	var notes []cast.Effect
	switch v := v.(type) {
	case string:
		var ok bool
		if nanos, digits, ok = daytimeIn(v); !ok {
			return unwritten(cast.Unparseable)
		}
	case int64:
		per := nanosPer(unitOfArray(j.array))
		digits = map[int64]int{1_000_000: 3, 1_000: 6, 1: 9}[per]
		if j.is("TIME") {
			nanos = new(big.Rat).Mul(micros(v), micros(per))
			break
		}
		if us, _ := j.momentOf(v); outlandish(us) {
			return unwritten(cast.OutOfRange)
		}
		var us *big.Rat
		us, notes = j.onClock(v)
		day, rest := dayOf(us)
		if d := day.Int64(); j.day == nil {
			j.day = &d
		}
		if day.Int64() != *j.day {
			return unwritten(cast.DatesDiffer)
		}
		nanos = new(big.Rat).Mul(rest, micros(1000))
	}
	if nanos.Sign() < 0 || nanos.Cmp(micros(86_400_000_000_000)) >= 0 {
		return unwritten(cast.OutOfRange)
	}
	unit := bigPow(10, int64(9-j.to.SQL.Scale))
	x := new(big.Rat).Quo(nanos, new(big.Rat).SetInt(unit))
	cut := new(big.Int).Mul(floored(x), unit)
	o := j.choose(x.IsInt(), cut, nil, cast.BeyondScale, func(*big.Int) bool { return true }, notes...)
	if o.reason != "" {
		return o
	}
	if digits < j.to.SQL.Scale {
		o.notes = append(o.notes, cast.Shortened)
	}
	n := cut.Int64()
	o.out = fmt.Sprintf("%q", fmt.Sprintf("%02d:%02d:%02d.%09d", n/3_600_000_000_000, n/60_000_000_000%60, n/1_000_000_000%60, n%1_000_000_000))
	return o
}
