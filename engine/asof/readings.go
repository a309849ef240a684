package asof

import (
	"fmt"
	"strings"
	"time"

	"cdcseed/engine/clock"
)

// Zone is a zone that a time without one may have been meant in.
type Zone struct {
	Label string         // what the user sees: "UTC", "the server's zone", "this machine's zone"
	Rules *time.Location // its rules
}

// Reading is what a time without a zone means in one of them.
type Reading struct {
	Zone     Zone
	Local    clock.Local     // the time as typed
	Instants []clock.Instant // one; two where the hour is repeated, earliest first; none where it is skipped
	Note     string          // why there is not exactly one, or empty
}

// Readings reads a time without a zone in each of the zones, for a person to
// choose from: none is taken by itself. The fraction is cut to the microsecond.
// A text that is no such time is verdict.AsOfInvalid.
func Readings(text string, zones []Zone) ([]Reading, error) {
	text = strings.TrimSpace(text)
	m := timeText.FindStringSubmatch(text)
	if m == nil || m[4] != "" {
		return nil, invalid(text, fmt.Sprintf("%q is not a date and time without a zone", text), nil)
	}
	l, err := parseWall(m)
	if err != nil {
		return nil, invalid(text, fmt.Sprintf("%q is no date and time", text), err)
	}
	out := make([]Reading, 0, len(zones))
	for _, z := range zones {
		w := &wall{loc: z.Rules}
		r := Reading{Zone: z, Local: l, Instants: w.instants(l)}
		switch len(r.Instants) {
		case 0:
			r.Note = fmt.Sprintf("%s does not exist there: the clock was set forward over it", l)
		case 2:
			r.Note = fmt.Sprintf("%s came twice there: the clock was set back by %s", l, clock.Words(r.Instants[1].Sub(r.Instants[0])))
		}
		out = append(out, r)
	}
	return out, nil
}
