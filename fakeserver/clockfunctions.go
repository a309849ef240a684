package fakeserver

import (
	"time"

	"cdcseed/fakeserver/tds"
)

// clockFunction is a function that tells the time. All of a request's calls
// agree. CURRENT_TIMEZONE_ID is not there on
// every server.
func (s *session) clockFunction(name string) (function, bool) {
	at := func(t tds.Type, value func(s *session) time.Time) (function, bool) {
		return function{t, 0, 0, func(s *session, _ arguments) (any, error) { return value(s), nil }}, true
	}
	switch name {
	case "getdate", "current_timestamp":
		return at(tds.DateTime, func(s *session) time.Time { return toDateTime(s.local()) })
	case "getutcdate":
		return at(tds.DateTime, func(s *session) time.Time { return toDateTime(s.at) })
	case "sysdatetime":
		return at(tds.DateTime2(7), func(s *session) time.Time { return wallClock(s.local()).Truncate(100) })
	case "sysutcdatetime":
		return at(tds.DateTime2(7), func(s *session) time.Time { return s.at.Truncate(100) })
	case "sysdatetimeoffset":
		return at(tds.DateTimeOffset(7), func(s *session) time.Time { return s.local().Truncate(100) })
	case "current_timezone_id":
		return function{tds.VarChar(128), 0, 0, func(s *session, _ arguments) (any, error) { return s.srv.host.zoneName, nil }}, s.srv.host.namesZone()
	case "current_timezone":
		return function{tds.VarChar(128), 0, 0, func(s *session, _ arguments) (any, error) { return s.zoneDisplay(), nil }}, s.srv.host.namesZone()
	}
	return function{}, false
}

// zoneDisplay has the shape of Windows' display names; the words after the
// offset are the zone's own name, not a translation.
func (s *session) zoneDisplay() string {
	year := s.at.Year()
	winter := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).In(s.srv.host.zone)
	summer := time.Date(year, 7, 1, 0, 0, 0, 0, time.UTC).In(s.srv.host.zone)
	_, w := winter.Zone()
	if _, o := summer.Zone(); o < w { // south of the equator
		winter = summer
	}
	return "(UTC" + offsetText(winter) + ") " + s.srv.host.zoneName
}
