package engine

import (
	"context"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
)

// Readings are the meanings of a time that was typed without a zone: in UTC, on
// the server's clock and on this machine's, whose zone is here. None of them is
// chosen, and equal ones are listed each under its name (decision 1). A text
// that is no such time is verdict.AsOfInvalid.
func (s *Session) Readings(ctx context.Context, text string, here *time.Location) ([]ReadingView, error) {
	out, err := s.readings(ctx, text, here)
	return out, stoppedInspecting(ctx, err)
}

func (s *Session) readings(ctx context.Context, text string, here *time.Location) ([]ReadingView, error) {
	server, err := s.source.Clock(ctx, s.zone)
	if err != nil {
		return nil, err
	}
	rules, err := server.Clock.Location()
	if err != nil {
		return nil, err
	}
	label := server.Clock.Zone
	if server.Clock.IsOffset() {
		label = offsetOf(server) + " today"
	}
	zones := []asof.Zone{{Label: "UTC", Rules: time.UTC}, {Label: "the server's zone (" + label + ")", Rules: rules}}
	if here != nil {
		zones = append(zones, asof.Zone{Label: "this machine's zone (" + zoneLabel(here, s.now()) + ")", Rules: here})
	}
	found, err := asof.Readings(text, zones)
	if err != nil {
		return nil, err
	}
	var out []ReadingView
	for i, r := range found {
		note := ""
		if i == 1 && server.Clock.IsOffset() {
			note = "by today's offset: an hour wrong if the server's clock was changed since"
		}
		out = append(out, readingViews(r, note)...)
	}
	return out, nil
}

// zoneLabel is a zone's name. This machine's own has none but its abbreviation.
func zoneLabel(zone *time.Location, at clock.Instant) string {
	if zone.String() != "Local" { // what Go calls this machine's zone
		return zone.String()
	}
	name, _ := at.Time().In(zone).Zone()
	return name
}

// readingViews are the moments of one reading, and a line without one where the
// clock was set forward over it.
func readingViews(r asof.Reading, note string) []ReadingView {
	if len(r.Instants) == 0 {
		return []ReadingView{{Zone: r.Zone.Label, Note: r.Note}}
	}
	out := make([]ReadingView, len(r.Instants))
	for i, at := range r.Instants {
		out[i] = ReadingView{Zone: r.Zone.Label, At: at, Note: note, Value: withOffset(at, r.Zone.Rules)}
	}
	if len(out) > 1 {
		out[0].Note = "the first of two times that the clock showed this"
		out[1].Note = "the second of two times that the clock showed this"
	}
	return out
}

// withOffset is a moment as a person would type it in a zone: the clock there and
// its offset.
func withOffset(at clock.Instant, zone *time.Location) string {
	return at.Time().In(zone).Format("2006-01-02T15:04:05.999999Z07:00")
}
