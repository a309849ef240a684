package tsql

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// timeLiteral is a time as it was written.
type timeLiteral struct {
	t      time.Time // in the offset written, else labelled UTC
	offset bool      // an offset was written
	zulu   bool      // ... and it was Z
	digits int       // of the fraction of a second
}

var (
	timePattern = regexp.MustCompile(`^(?:(\d{4})[-/](\d{1,2})[-/](\d{1,2})|(\d{4})(\d\d)(\d\d)|` +
		`(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})|([A-Za-z]{3,9}) +(\d{1,2}),? +(\d{4}))?` +
		`(?:(?:^|T| +)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.:](\d{1,9}))?)?(?: ?([AaPp][Mm]))?)?` +
		` *(Z|[-+]\d\d:\d\d)?$`)
	monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec"
)

// parseTime reads a time in the ISO 8601 and ODBC forms, in digits alone, with
// the month first (SET DATEFORMAT mdy), or with the name of the month. Styles
// 103 to 105 read the day first. An empty text is the first moment of 1900.
func parseTime(s string, style int) (lit timeLiteral, ok bool) {
	m := timePattern.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return lit, false
	}
	y, mo, d, ok := dateOf(m, style)
	if !ok {
		return lit, false
	}
	h, mi, sec := number(m[13]), number(m[14]), number(m[15])
	if m[17] != "" {
		if h < 1 || h > 12 {
			return lit, false
		}
		h = h%12 + 12*strings.Count(strings.ToUpper(m[17]), "P")
	}
	if h > 23 || mi > 59 || sec > 59 {
		return lit, false
	}
	loc := time.UTC
	if m[18] != "" {
		lit.offset, lit.zulu = true, m[18] == "Z"
		if !lit.zulu {
			if loc, ok = parseOffset(m[18]); !ok {
				return lit, false
			}
		}
	}
	lit.digits = len(m[16])
	nano := number((m[16] + "000000000")[:9])
	lit.t = time.Date(y, time.Month(mo), d, h, mi, sec, nano, loc)
	return lit, lit.t.Day() == d && int(lit.t.Month()) == mo
}

func dateOf(m []string, style int) (y, mo, d int, ok bool) {
	switch {
	case m[1] != "":
		y, mo, d = number(m[1]), number(m[2]), number(m[3])
	case m[4] != "":
		y, mo, d = number(m[4]), number(m[5]), number(m[6])
	case m[7] != "":
		y, mo, d = number(m[9]), number(m[7]), number(m[8])
		if style >= 103 && style <= 105 {
			mo, d = d, mo
		}
	case m[10] != "":
		i := strings.Index(monthNames, strings.ToUpper(m[10][:1])+strings.ToLower(m[10][1:3]))
		y, mo, d = number(m[12]), i/3+1, number(m[11])
		if i < 0 || i%3 != 0 {
			return 0, 0, 0, false
		}
	default:
		y, mo, d = 1900, 1, 1
	}
	return y, mo, d, y > 0 && mo >= 1 && mo <= 12
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // digits only, and none is 0
	return n
}

// parseOffset reads +hh:mm, at most 14 hours.
func parseOffset(s string) (*time.Location, bool) {
	if len(s) != 6 || s[3] != ':' || s[0] != '+' && s[0] != '-' {
		return nil, false
	}
	h, err1 := strconv.Atoi(s[1:3])
	m, err2 := strconv.Atoi(s[4:])
	minutes := 60*h + m
	if err1 != nil || err2 != nil || m > 59 || minutes > 14*60 {
		return nil, false
	}
	if s[0] == '-' {
		minutes = -minutes
	}
	return time.FixedZone("", 60*minutes), true
}

func fraction(t time.Time, scale byte) string {
	if scale == 0 {
		return ""
	}
	return fmt.Sprintf(".%09d", t.Nanosecond())[:int(scale)+1]
}

// layout is the part of a style that Go can write by itself; milliseconds and
// the offset are added after it.
func layout(style int) (date, clock string, ok bool) {
	switch style {
	case 1, 101:
		date = "01/02/2006"
	case 2, 102:
		date = "2006.01.02"
	case 3, 103:
		date = "02/01/2006"
	case 4, 104:
		date = "02.01.2006"
	case 5, 105:
		date = "02-01-2006"
	case 6, 106:
		date = "02 Jan 2006"
	case 7, 107:
		date = "Jan 02, 2006"
	case 10, 110:
		date = "01-02-2006"
	case 11, 111:
		date = "2006/01/02"
	case 12, 112:
		date = "20060102"
	case 8, 24, 108:
		clock = "15:04:05"
	case 20, 21, 25, 120, 121:
		date, clock = "2006-01-02", " 15:04:05"
	case 23:
		date = "2006-01-02"
	case 126, 127:
		date, clock = "2006-01-02", "T15:04:05"
	default:
		return "", "", false
	}
	if style <= 12 && date != "" {
		date = strings.Replace(date, "2006", "06", 1)
	}
	return date, clock, true
}

// timeText writes a time in a CONVERT style. Style 0 is the default of the
// type: with the name of the month for datetime, ODBC for the newer types.
func timeText(t tds.Type, v time.Time, style int) (string, error) {
	scale := t.Scale
	if t.ID == tds.DateTimNType {
		scale = 3
		if v = wall(v); t.Size == 8 {
			v = tds.RoundDateTime(v)
		}
		if style == 0 {
			style = 100
		}
	}
	switch {
	case style == 0:
		style = 121
	case style == 100:
		return namedMonth(t, v), nil
	case !playedStyle(t, style):
		return "", notSimulated("style %d of %s", style, TypeName(t))
	case listed(" 9 13 14 109 113 114 ", strconv.Itoa(style)):
		return colonText(v, style), nil
	case style == 127 && t.ID == tds.DateTimeOffType:
		v = v.UTC()
	}
	date, clock, ok := layout(style)
	if !ok || t.ID == tds.TimeNType && clock == "" || t.ID == tds.DateNType && date == "" {
		return "", badStyle(t, style)
	}
	if t.ID == tds.DateNType {
		return v.Format(date), nil
	}
	if t.ID == tds.TimeNType {
		date, clock = "", strings.Trim(clock, " T")
	}
	out := v.Format(date + clock)
	if clock != "" {
		out += fractionInStyle(v, scale, style) + offsetInStyle(t, v, style)
	}
	return out, nil
}

func namedMonth(t tds.Type, v time.Time) string {
	date, clock := v.Format("Jan _2 2006"), fmt.Sprintf("%2d%s", (v.Hour()+11)%12+1, v.Format(":04PM"))
	switch t.ID {
	case tds.DateNType:
		return date
	case tds.TimeNType:
		return clock
	case tds.DateTimeOffType:
		return date + " " + clock + v.Format(" -07:00")
	}
	return date + " " + clock
}

// fractionInStyle: the ISO styles leave a fraction of zero out.
func fractionInStyle(v time.Time, scale byte, style int) string {
	switch style {
	case 21, 25, 121:
		return fraction(v, scale)
	case 126, 127:
		if f := fraction(v, scale); strings.Trim(f, ".0") != "" {
			return f
		}
	}
	return ""
}

func offsetInStyle(t tds.Type, v time.Time, style int) string {
	switch {
	case t.ID != tds.DateTimeOffType || style == 8 || style == 24 || style == 108:
		return ""
	case style == 126:
		return v.Format("-07:00")
	case style == 127:
		return "Z"
	}
	return v.Format(" -07:00")
}
