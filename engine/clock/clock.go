// Package clock keeps two kinds of time apart: an Instant, the same moment
// everywhere, and a Local, what the clock on a server's wall shows. Neither
// turns into the other without a time zone, and a time.Time in a local zone
// exists nowhere in the engine.
package clock

import (
	"fmt"
	"strings"
	"time"
)

// Instant is a moment: microseconds since 1970-01-01T00:00:00Z.
type Instant int64

// Local is a wall-clock reading without a zone: microseconds since
// 1970-01-01T00:00:00 on that clock. In an hour that a clock change repeats,
// two instants have the same Local.
type Local int64

// Microseconds in the units that rules speak of.
const (
	Millisecond = 1_000
	Second      = 1_000_000
	Minute      = 60 * Second
	Hour        = 60 * Minute
)

// Of takes the moment of t, cut toward minus infinity to the microsecond.
func Of(t time.Time) Instant { return Instant(t.UnixMicro()) }

// WallOf takes what t shows in its own zone, cut toward minus infinity to the microsecond.
func WallOf(t time.Time) Local {
	_, off := t.Zone()
	return Local(t.UnixMicro() + int64(off)*Second)
}

// Time is the moment as a time.Time in UTC.
func (i Instant) Time() time.Time { return time.UnixMicro(int64(i)).UTC() }

// Time is the reading as a time.Time that is labelled UTC only for want of a
// zone-less type: no moment may be derived from it.
func (l Local) Time() time.Time { return time.UnixMicro(int64(l)).UTC() }

// FloorSecond cuts to the second at or before i.
func (i Instant) FloorSecond() Instant { return Instant(floor(int64(i), Second)) }

// FloorSecond cuts to the second at or before l.
func (l Local) FloorSecond() Local { return Local(floor(int64(l), Second)) }

func floor(n, unit int64) int64 {
	if r := n % unit; r < 0 {
		return n - r - unit
	} else {
		return n - r
	}
}

// Add moves i by a duration.
func (i Instant) Add(d time.Duration) Instant { return i + Instant(d.Microseconds()) }

// Sub is the time from j to i.
func (i Instant) Sub(j Instant) time.Duration { return time.Duration(i-j) * time.Microsecond }

// Add moves l by a duration, on the clock's face.
func (l Local) Add(d time.Duration) Local { return l + Local(d.Microseconds()) }

// Sub is the distance on the clock's face from m to l, which a clock change
// between them makes different from the time that passed.
func (l Local) Sub(m Local) time.Duration { return time.Duration(l-m) * time.Microsecond }

// String is RFC 3339 in UTC with as many fraction digits as the value needs.
func (i Instant) String() string { return i.Time().Format("2006-01-02T15:04:05.999999Z07:00") }

// String is ISO 8601 without a zone, with as many fraction digits as the value needs.
func (l Local) String() string { return l.Time().Format("2006-01-02T15:04:05.999999") }

// CommitText is the form in which the stream's package prints a commit time:
// UTC, no zone letter, always three fraction digits. The rest is cut.
func (i Instant) CommitText() string {
	return Instant(floor(int64(i), Millisecond)).Time().Format("2006-01-02T15:04:05.000")
}

// MarshalText writes RFC 3339 in UTC.
func (i Instant) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText reads RFC 3339 with a zone.
func (i *Instant) UnmarshalText(b []byte) error {
	t, err := time.Parse(time.RFC3339Nano, string(b))
	if err != nil {
		return err
	}
	*i = Of(t)
	return nil
}

// MarshalText writes ISO 8601 without a zone.
func (l Local) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads ISO 8601 without a zone.
func (l *Local) UnmarshalText(b []byte) error {
	t, err := time.Parse("2006-01-02T15:04:05.999999999", string(b))
	if err != nil {
		return err
	}
	*l = WallOf(t)
	return nil
}

// Words says a length of time as people do: 1 d 2 h 30 m, 42 s, 250 ms.
func Words(d time.Duration) string {
	if d < 0 {
		return "minus " + Words(-d)
	}
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	var parts []string
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}} {
		if n := d / u.size; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, u.name))
			d -= n * u.size
		}
	}
	return strings.Join(parts, " ")
}
