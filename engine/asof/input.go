package asof

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// Input is an as_of as read from what was typed: a time or an LSN, exactly one
// of them.
type Input struct {
	Text      string         `json:"text"`                // as typed, without blanks around it
	Instant   *clock.Instant `json:"instant,omitempty"`   // a time; digits below the microsecond are cut
	LSN       *lsn.LSN       `json:"lsn,omitempty"`       // a position
	Notation  string         `json:"notation,omitempty"`  // how an LSN was read: one of the Notation names
	Exclusive bool           `json:"exclusive,omitempty"` // LSN is the record after the copy, as a backup's last LSN is
}

// IsTime reports whether as_of is a time.
func (in Input) IsTime() bool { return in.Instant != nil }

// TypedInUTC reports whether as_of is a time that was typed with Z or an offset
// of nothing, which is easily added to digits that another clock showed.
func (in Input) TypedInUTC() bool {
	m := timeText.FindStringSubmatch(in.Text)
	return in.Instant != nil && m != nil && (m[4] == "Z" || m[4] == "z" || strings.HasSuffix(m[4], "00:00"))
}

// String is the normal form: RFC 3339 in UTC, or 0x and 20 digits.
func (in Input) String() string {
	if in.Instant != nil {
		return in.Instant.String()
	}
	if in.LSN != nil {
		return in.LSN.String()
	}
	return ""
}

// timeText is a date and a time as people type them: the parts are date, time,
// fraction and zone.
var timeText = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d+))? ?([Zz]|[+-]\d{2}:\d{2})?$`)

// Parse reads an as_of. A time is RFC 3339 with its zone; a blank for the T and
// missing seconds are forgiven. Everything else must be an LSN in one of the
// notations that ParseLSN reads. Refusals: verdict.AsOfNoZone, verdict.AsOfInvalid.
func Parse(text string) (Input, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Input{}, invalid(text, "as_of is empty", nil)
	}
	m := timeText.FindStringSubmatch(text)
	if m == nil {
		return parsePosition(text)
	}
	wall, err := parseWall(m)
	if err != nil {
		return Input{}, invalid(text, fmt.Sprintf("%q is no date and time", text), err)
	}
	if m[4] == "" {
		return Input{}, noZone(text, wall)
	}
	zone := strings.ToUpper(m[4])
	at, err := time.Parse("2006-01-02T15:04:05Z07:00", wall.FloorSecond().String()+zone)
	if err != nil {
		return Input{}, invalid(text, fmt.Sprintf("%q has no usable zone", text), err)
	}
	i := clock.Of(at).Add(wall.Sub(wall.FloorSecond()))
	if y := at.UTC().Year(); y < firstYear || y > lastYear {
		return Input{}, invalid(text, fmt.Sprintf("%q is outside the years that SQL Server's datetime has", text), nil)
	}
	return Input{Text: text, Instant: &i}, nil
}

// SQL Server's datetime begins in 1753; the margin leaves room for conversions.
const (
	firstYear = 1754
	lastYear  = 9998
)

// parseWall reads the date, time and fraction of a match of timeText, the
// fraction cut to the microsecond.
func parseWall(m []string) (clock.Local, error) {
	hms := m[2]
	if len(hms) == len("15:04") {
		hms += ":00"
	}
	t, err := time.Parse("2006-01-02T15:04:05", m[1]+"T"+hms)
	if err != nil {
		return 0, err
	}
	micros := 0
	for i := range 6 {
		micros *= 10
		if i < len(m[3]) {
			micros += int(m[3][i] - '0')
		}
	}
	return clock.WallOf(t).Add(time.Duration(micros) * time.Microsecond), nil
}

func parsePosition(text string) (Input, error) {
	p, err := ParseLSN(text)
	if err != nil {
		return Input{}, err
	}
	return Input{Text: text, LSN: &p.LSN, Notation: p.Notation, Exclusive: p.Exclusive}, nil
}

func invalid(text, what string, cause error) error {
	e := &verdict.Error{
		Code: verdict.AsOfInvalid,
		What: what,
		Why:  "as_of decides which changes the stream replays, so nothing about it is guessed.",
		Hint: []string{
			"Type a time with its zone, such as 2026-10-25T00:40:00Z or 2026-10-25T02:40:00+02:00.",
			"Or type an LSN as 0x and 20 hexadecimal digits.",
		},
		Err: cause,
	}
	if text != "" {
		e.Facts = verdict.Facts("as_of", text)
	}
	return e
}

func noZone(text string, wall clock.Local) error {
	return &verdict.Error{
		Code:  verdict.AsOfNoZone,
		What:  fmt.Sprintf("%q has no time zone", text),
		Facts: verdict.Facts("as_of", text),
		Why:   "Read in the wrong zone it would be hours late, and a late as_of loses changes.",
		Hint: []string{
			fmt.Sprintf("If it is UTC, type %sZ.", wall),
			"If it is another zone, put its offset from UTC at that time in place of the Z.",
		},
	}
}
