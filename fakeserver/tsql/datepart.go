package tsql

import (
	"strings"
	"time"
)

// datePart is the full name of a datepart word, or nothing.
func datePart(word string) string {
	switch word {
	case "year", "yy", "yyyy":
		return "year"
	case "quarter", "qq", "q":
		return "quarter"
	case "month", "mm", "m":
		return "month"
	case "dayofyear", "dy", "y":
		return "dayofyear"
	case "day", "dd", "d":
		return "day"
	case "week", "wk", "ww":
		return "week"
	case "weekday", "dw", "w":
		return "weekday"
	case "iso_week", "isowk", "isoww":
		return "iso_week"
	case "hour", "hh":
		return "hour"
	case "minute", "mi", "n":
		return "minute"
	case "second", "ss", "s":
		return "second"
	case "millisecond", "ms":
		return "millisecond"
	case "microsecond", "mcs":
		return "microsecond"
	case "nanosecond", "ns":
		return "nanosecond"
	case "tzoffset", "tz":
		return "tzoffset"
	}
	return ""
}

// partUnit is the length of a part that has a fixed one.
func partUnit(part string) (time.Duration, bool) {
	switch part {
	case "week":
		return 7 * 24 * time.Hour, true
	case "day", "dayofyear", "weekday":
		return 24 * time.Hour, true
	case "hour":
		return time.Hour, true
	case "minute":
		return time.Minute, true
	case "second":
		return time.Second, true
	case "millisecond":
		return time.Millisecond, true
	case "microsecond":
		return time.Microsecond, true
	case "nanosecond":
		return time.Nanosecond, true
	}
	return 0, false
}

// partOf reads one part of a time; weekday 1 is Sunday (DATEFIRST 7).
func partOf(t time.Time, part string) int64 {
	switch part {
	case "year":
		return int64(t.Year())
	case "quarter":
		return int64(t.Month()-1)/3 + 1
	case "month":
		return int64(t.Month())
	case "dayofyear":
		return int64(t.YearDay())
	case "day":
		return int64(t.Day())
	case "weekday":
		return int64(t.Weekday()) + 1
	case "week":
		first := time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
		return int64(t.YearDay()-1+int(first.Weekday()))/7 + 1
	case "iso_week":
		_, w := t.ISOWeek()
		return int64(w)
	case "hour":
		return int64(t.Hour())
	case "minute":
		return int64(t.Minute())
	case "second":
		return int64(t.Second())
	case "millisecond":
		return int64(t.Nanosecond()) / 1e6
	case "microsecond":
		return int64(t.Nanosecond()) / 1e3
	case "tzoffset":
		_, off := t.Zone()
		return int64(off / 60)
	}
	return int64(t.Nanosecond())
}

// addMonths keeps the day, or takes the last one of a shorter month.
func addMonths(t time.Time, n int64) time.Time {
	first := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, t.Location()).AddDate(0, int(n), 0)
	last := first.AddDate(0, 1, -1).Day()
	return time.Date(first.Year(), first.Month(), min(t.Day(), last), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
}

// boundaries counts the boundaries of a part between two times, as DATEDIFF does.
func boundaries(part string, from, to time.Time) (int64, bool) {
	months := func(t time.Time) int64 { return int64(t.Year())*12 + int64(t.Month()) - 1 }
	switch part {
	case "year":
		return int64(to.Year() - from.Year()), true
	case "quarter":
		return months(to)/3 - months(from)/3, true
	case "month":
		return months(to) - months(from), true
	case "week": // begins on Sunday, whatever DATEFIRST says
		sunday := func(t time.Time) int64 { return floorDiv(daysOf(t)+4, 7) }
		return sunday(to) - sunday(from), true
	}
	unit, ok := partUnit(part)
	if !ok {
		return 0, false
	}
	if unit >= time.Second {
		s := int64(unit / time.Second)
		return floorDiv(to.Unix(), s) - floorDiv(from.Unix(), s), true
	}
	n := int64(time.Second / unit)
	seconds := to.Unix() - from.Unix()
	if limit := int64(1) << 62 / n; seconds > limit || seconds < -limit {
		return 0, false
	}
	return seconds*n + int64(to.Nanosecond())/int64(unit) - int64(from.Nanosecond())/int64(unit), true
}

// daysOf is days since Thursday 1970-01-01.
func daysOf(t time.Time) int64 { return floorDiv(t.Unix(), 86400) }

func floorDiv(a, b int64) int64 {
	if q := a / b; a%b < 0 {
		return q - 1
	} else {
		return q
	}
}

func unknownPart(word, function string) error {
	return Errorf(155, 15, "'%s' is not a recognized %s option.", word, strings.ToLower(function))
}
