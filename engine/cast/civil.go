package cast

import (
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

const (
	dayMicros = 86_400_000_000
	dayNanos  = 86_400_000_000_000
)

// daysOf is the number of days from 1970-01-01 to a date of the proleptic
// Gregorian calendar. A day past the month's end runs into the next month.
func daysOf(y, m, d int64) int64 {
	if m <= 2 {
		y--
		m += 12
	}
	era := floorDiv(y, 400)
	yoe := y - era*400
	doy := (153*(m-3)+2)/5 + d - 1
	return era*146_097 + yoe*365 + yoe/4 - yoe/100 + doy - 719_468
}

// dateOf is the date that is so many days after 1970-01-01.
func dateOf(days int64) (y, m, d int64) {
	days += 719_468
	era := floorDiv(days, 146_097)
	doe := days - era*146_097
	yoe := (doe - doe/1_460 + doe/36_524 - doe/146_096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	y, m, d = yoe+era*400, mp+3, doy-(153*mp+2)/5+1
	if m > 12 {
		y, m = y+1, m-12
	}
	return y, m, d
}

// floorDiv divides toward minus infinity.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// gregorianStart is 1582-10-15, the first day of the Gregorian calendar where
// it followed the Julian one.
const gregorianStart = -141_427

// rebase gives a day that a hybrid calendar counted the number that the
// proleptic Gregorian calendar has for the same digits: a Julian 29 February
// that the other calendar lacks is 1 March, as Spark makes it.
func rebase(days int64) int64 {
	if days >= gregorianStart {
		return days
	}
	// Years that begin in March, counted in Julian days from 0000-03-01, which is
	// the Gregorian day -719470. The calendars part by a day where a century ends
	// without a leap day, which is where such a year begins.
	y := floorDiv(4*(days+719_470)+3, 1_461)
	return days + 2 - floorDiv(y, 100) + floorDiv(y, 400)
}

// dayText is a day number as YYYY-MM-DD.
func dayText(days int32) string { return string(appendDate(nil, int64(days))) }

func appendDate(b []byte, days int64) []byte {
	y, m, d := dateOf(days)
	if y < 0 {
		b, y = append(b, '-'), -y
	}
	b = appendDigits(b, y, 4)
	b = appendDigits(append(b, '-'), m, 2)
	return appendDigits(append(b, '-'), d, 2)
}

// appendDigits writes v with at least n digits.
func appendDigits(b []byte, v int64, n int) []byte {
	for limit := int64(10); n > 1; n, limit = n-1, limit*10 {
		if v < limit {
			for ; n > 1; n-- {
				b = append(b, '0')
			}
			break
		}
	}
	return strconv.AppendInt(b, v, 10)
}

// appendStamp writes date and time with the fraction digits that it needs.
func appendStamp(b []byte, v int64, unit arrow.TimeUnit) []byte {
	per := int64(unit.Multiplier())
	second := int64(1e9) / per
	days := floorDiv(v, 86_400*second)
	rest := (v - days*86_400*second) * per
	b = append(appendDate(b, days), 'T')
	b = appendDaytime(b, rest)
	for b[len(b)-1] == '0' && b[len(b)-2] != ':' && hasPoint(b) {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	return b
}

func hasPoint(b []byte) bool {
	for k := len(b) - 1; k >= 0 && b[k] != ':'; k-- {
		if b[k] == '.' {
			return true
		}
	}
	return false
}

// appendDaytime writes a time of day as HH:MM:SS and nine digits, the stream's
// form of SQL Server's time.
func appendDaytime(b []byte, nanos int64) []byte {
	sec := nanos / 1e9
	h, m, s, f := sec/3600, sec/60%60, sec%60, nanos%1e9
	b = append(b, byte('0'+h/10), byte('0'+h%10), ':', byte('0'+m/10), byte('0'+m%10), ':', byte('0'+s/10), byte('0'+s%10), '.')
	for div := int64(1e8); div > 0; div /= 10 {
		b = append(b, byte('0'+f/div%10))
	}
	return b
}
