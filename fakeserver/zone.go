package fakeserver

import (
	"fmt"
	"sort"
	"strings"
	"time"
	_ "time/tzdata" // Windows has no IANA database, and results must not depend on the machine

	"cdcseed/fakeserver/tsql"
)

// zoneByName is the time zone of a Windows name, in any letter case, and the
// name as Windows spells it.
func zoneByName(name string) (*time.Location, string, error) {
	for _, z := range windowsZones {
		if strings.EqualFold(z[0], name) {
			loc, err := time.LoadLocation(z[1])
			if err != nil {
				return nil, "", fmt.Errorf("time zone %q: %w", name, err)
			}
			return loc, z[0], nil
		}
	}
	return nil, "", fmt.Errorf("%q is no Windows time zone name", name)
}

// zoneForStatement is what AT TIME ZONE resolves its name with.
func zoneForStatement(name string) (*time.Location, error) {
	loc, _, err := zoneByName(name)
	if err != nil {
		return nil, tsql.Errorf(9820, 16, "The time zone parameter '%s' provided to AT TIME ZONE clause is invalid.", name)
	}
	return loc, nil
}

// zoneNames lists the Windows names in alphabetical order, as
// sys.time_zone_info is read by most people.
func zoneNames() []string {
	out := make([]string, 0, len(windowsZones))
	for _, z := range windowsZones {
		out = append(out, z[0])
	}
	sort.Strings(out)
	return out
}

// offsetText writes an offset from UTC as +hh:mm.
func offsetText(t time.Time) string { return t.Format("-07:00") }

// wallClock is t's own reading of the clock, labelled UTC: the form in which
// every zone-less SQL value is kept here.
func wallClock(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}
