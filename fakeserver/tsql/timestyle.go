package tsql

import (
	"fmt"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// readable says whether a text has the form that a style of CONVERT describes.
// How far servers go beyond it is not known, so nothing beyond is read.
func readable(text string, style int) bool {
	text = strings.TrimSpace(text)
	first := strings.IndexFunc(text, func(c rune) bool { return !isDigit(c) })
	sep := byte(0)
	if first >= 0 {
		sep = text[first]
	}
	yearFirst := first == 4 || first < 0
	switch style {
	case 0, 100:
		return true
	case 101, 103:
		return sep == '/' && !yearFirst
	case 104:
		return sep == '.' && !yearFirst
	case 105, 110:
		return sep == '-' && !yearFirst
	case 111:
		return sep == '/' && yearFirst
	case 106, 107, 109, 113:
		return first == 0
	case 112:
		return first == 8 || first < 0 && len(text) == 8
	case 20, 21, 23, 25, 120, 121:
		return sep == '-' && yearFirst && !strings.ContainsAny(text, "Tt")
	case 126, 127:
		return sep == '-' && yearFirst && strings.Contains(text, "T")
	case 8, 14, 24, 108, 114:
		return sep == ':'
	}
	return false
}

// playedStyle is false for the styles that SQL Server has and layout lacks for a type.
func playedStyle(t tds.Type, style int) bool {
	switch style {
	case 22, 130, 131:
		return false
	case 9, 13, 14, 109, 113, 114:
		return t.ID == tds.DateTimNType
	}
	return true
}

// colonText writes datetime in the styles that have a colon before the milliseconds.
func colonText(v time.Time, style int) string {
	milli := fmt.Sprintf(":%03d", v.Nanosecond()/1e6)
	switch style {
	case 9, 109:
		return v.Format("Jan _2 2006 ") + fmt.Sprintf("%2d", (v.Hour()+11)%12+1) + v.Format(":04:05") + milli + v.Format("PM")
	case 13, 113:
		return v.Format("02 Jan 2006 15:04:05") + milli
	}
	return v.Format("15:04:05") + milli
}
