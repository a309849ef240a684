package tsql

import (
	"time"

	"cdcseed/fakeserver/tds"
)

// inZone is AT TIME ZONE. A value with an offset keeps its instant. A value
// without one is read in the zone: a time that the clock skips takes the offset
// from after the change, which shows it moved ahead; a time that comes twice
// takes the offset from before.
func inZone(from tds.Type, t time.Time, loc *time.Location) time.Time {
	if from.ID == tds.DateTimeOffType {
		return t.In(loc)
	}
	if from.ID == tds.DateTimNType {
		t = tds.RoundDateTime(t)
	}
	u := wall(t) // the clock's reading, taken as if it were UTC
	before, after := offsetAt(u.Add(-24*time.Hour), loc), offsetAt(u.Add(24*time.Hour), loc)
	off := before
	if offsetAt(u.Add(-before), loc) != before && offsetAt(u.Add(-after), loc) == after {
		off = after
	}
	return u.Add(-off).In(loc)
}

func offsetAt(t time.Time, loc *time.Location) time.Duration {
	_, seconds := t.In(loc).Zone()
	return time.Duration(seconds) * time.Second
}
