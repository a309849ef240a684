package asof

import (
	"fmt"
	"time"

	"cdcseed/engine/clock"
)

// Clock is how a server's wall clock relates to UTC. Commit times in
// cdc.lsn_time_mapping stand on it. The zero value is an offset of nothing that
// nobody vouches for, which is treated as carefully as any other offset.
type Clock struct {
	Zone          string `json:"zone,omitempty"`           // UTC or a Windows name; empty where only today's offset is known
	OffsetMinutes int    `json:"offset_minutes,omitempty"` // east of UTC, as it is today; 0 where Zone is set
}

// OnUTC is the clock of a server that runs on UTC.
func OnUTC() Clock { return Clock{Zone: utc} }

// InZone is the clock of a server in the named zone, by its Windows name, UTC,
// or an IANA name that has a Windows name. Refusal: verdict.ZoneUnknown.
func InZone(name string) (Clock, error) {
	zone, err := WindowsName(name)
	if err != nil {
		return Clock{}, err
	}
	if _, err := Location(zone); err != nil {
		return Clock{}, err
	}
	return Clock{Zone: zone}, nil
}

// AtOffset is the clock of a server that tells only today's offset, in minutes east of UTC.
func AtOffset(minutes int) Clock { return Clock{OffsetMinutes: minutes} }

// IsUTC reports whether the clock needs no conversion.
func (c Clock) IsUTC() bool { return c.Zone == utc }

// IsNamed reports whether the server converts by a zone's rules, clock changes included.
func (c Clock) IsNamed() bool { return c.Zone != "" && c.Zone != utc }

// IsOffset reports whether only today's offset is known, so that a time on the
// other side of a clock change may be read an hour wrong.
func (c Clock) IsOffset() bool { return c.Zone == "" }

// Location is the clock's rules; an offset is a zone that never changes.
func (c Clock) Location() (*time.Location, error) {
	if c.IsOffset() {
		return time.FixedZone(offsetText(c.OffsetMinutes), c.OffsetMinutes*60), nil
	}
	return Location(c.Zone)
}

// String names the clock: "W. Europe Standard Time", "UTC", "UTC+01:00 (today's offset)".
func (c Clock) String() string {
	if c.IsOffset() {
		return offsetText(c.OffsetMinutes) + " (today's offset)"
	}
	return c.Zone
}

func offsetText(minutes int) string {
	sign := '+'
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	return fmt.Sprintf("UTC%c%02d:%02d", sign, minutes/60, minutes%60)
}

// Wall is what the clock shows at an instant.
func (c Clock) Wall(i clock.Instant) (clock.Local, error) {
	w, err := newWall(c)
	if err != nil {
		return 0, err
	}
	return w.local(i), nil
}

// First is the earliest instant at which the clock shows a reading. A reading
// that a spring change skips is read with the offset before the change, as AT
// TIME ZONE reads it.
func (c Clock) First(l clock.Local) (clock.Instant, error) {
	w, err := newWall(c)
	if err != nil {
		return 0, err
	}
	return w.first(l), nil
}
