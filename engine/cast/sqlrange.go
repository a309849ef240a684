package cast

import "cdcseed/engine/schema"

// micros of a date of the proleptic Gregorian calendar.
func microsOf(y, m, d int64) int64 { return daysOf(y, m, d) * dayMicros }

// stampRange is the first and last microsecond that a SQL Server type holds.
func stampRange(t schema.SQLType) (low, high int64) {
	end := microsOf(10_000, 1, 1) - 1
	switch t.Name {
	case "datetime":
		return microsOf(1753, 1, 1), end
	case "smalldatetime":
		return microsOf(1900, 1, 1), microsOf(2079, 6, 7) - 1
	}
	return microsOf(1, 1, 1), end
}

// streamCuts reports whether a SQL Server type has digits below the microsecond,
// which the stream cuts from every value.
func streamCuts(t schema.SQLType) bool {
	return (t.Name == "datetime2" || t.Name == "datetimeoffset") && t.Scale > 6
}

// dateRange is the first and last day of SQL Server's date: 0001-01-01 to 9999-12-31.
func dateRange() (low, high int64) { return daysOf(1, 1, 1), daysOf(9999, 12, 31) }

// tickMicros is the k-th tick of 1/300 s in the stream's spelling, to the
// millisecond: 0, 3 000, 7 000, 10 000 ...
func tickMicros(k int64) int64 { return (k*10 + 1) / 3 * 1000 }

// A tick of datetime in thirds of a nanosecond, and how near to one a time is
// taken for it: within 1 us, as a cast to datetime2 leaves it.
const (
	tickThirds = 10_000_000
	tickNear   = 3000
)

// tick judges a datetime's fraction: microseconds and what is below. exact: it
// is spelled as the stream does. near: it lies near a tick. nearest is the
// stream's spelling of the nearest tick and before that of the last one at or
// before the fraction.
func tick(fraction int64, below finer) (exact, near bool, nearest, before int64) {
	at := 3*(fraction*1000+below.nanos) + below.thirds()
	k := (at + tickThirds/2) / tickThirds
	nearest = tickMicros(k)
	off := at - k*tickThirds
	near = off >= -tickNear && (off < tickNear || off == tickNear && below.tail == "")
	return fraction == nearest && !below.some(), near, nearest, tickMicros(at / tickThirds)
}
