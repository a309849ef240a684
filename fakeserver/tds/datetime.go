package tds

import (
	"fmt"
	"time"
)

// Days that the date types start from and end at.
var (
	epoch1900 = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	epoch0001 = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
)

const (
	maxDay0001 = 3_652_058 // 9999-12-31, from 0001-01-01
	minDay1900 = -53_690   // 1753-01-01, from 1900-01-01
	maxDay1900 = 2_958_463 // 9999-12-31, from 1900-01-01

	ticksPerDay   = 300 * 86_400
	minutesPerDay = 24 * 60
	secondsPerDay = 86_400
)

// wall drops the zone of t and keeps what its clock shows.
func wall(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// days counts the days from an epoch to the date t shows.
func days(from, t time.Time) int64 {
	y, m, d := t.Date()
	return (time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() - from.Unix()) / secondsPerDay
}

// nanoOfDay is the time of day that t shows, in nanoseconds.
func nanoOfDay(t time.Time) int64 {
	return int64(t.Hour()*3600+t.Minute()*60+t.Second())*1e9 + int64(t.Nanosecond())
}

// Ticks returns the datetime encoding of what t's clock shows: days since
// 1900-01-01 and three-hundredths of a second, rounded to nearest.
func Ticks(t time.Time) (d int32, tick uint32) {
	d = int32(days(epoch1900, t))
	n := (nanoOfDay(t)*3 + 5_000_000) / 10_000_000
	if n >= ticksPerDay {
		d, n = d+1, n-ticksPerDay
	}
	return d, uint32(n)
}

// FromTicks is the value that datetime holds, exact to the nanosecond: tick n
// is n*10/3 milliseconds.
func FromTicks(d int32, tick uint32) time.Time {
	return epoch1900.AddDate(0, 0, int(d)).Add(time.Duration(int64(tick) * 10_000_000 / 3))
}

// RoundDateTime is what storing t in a datetime column gives back, shown as
// SQL Server shows it (.000 .003 .007), labelled UTC.
func RoundDateTime(t time.Time) time.Time {
	d, n := Ticks(t)
	ms := (int64(n)*10 + 1) / 3 // 1 tick is 3 ms, 2 ticks are 7
	return epoch1900.AddDate(0, 0, int(d)).Add(time.Duration(ms) * time.Millisecond)
}

// timeUnit is the length of the last of scale digits of a second.
func timeUnit(scale byte) int64 {
	n := int64(1e9)
	for range scale {
		n /= 10
	}
	return n
}

func rangeError(v any, t Type) error {
	return fmt.Errorf("tds: %v is out of range for type 0x%02x of size %d", v, byte(t.ID), t.Size)
}
