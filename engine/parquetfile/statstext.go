package parquetfile

import (
	"time"
	"unicode/utf8"
)

const (
	boundChars    = 32 // of a text bound, as Delta's writers cut it
	maxBoundChars = 64 // a greatest value that needs more is left out
	lastDay       = 2_932_896
	firstDay      = -719_162
	lastMilli     = (lastDay+1)*86_400_000 - 1
	firstMilli    = firstDay * 86_400_000
)

// LowText is at most the first 32 characters: a lower bound of the whole. Text
// that is not UTF-8 has none.
func LowText(s string) string {
	if !utf8.ValidString(s) {
		return ""
	}
	n := 0
	for i := range s {
		if n == boundChars {
			return quote(s[:i])
		}
		n++
	}
	return quote(s)
}

// HighText is the text itself up to 32 characters. A longer one is cut, and a
// character is put on that sorts above the one cut off. Text that is not UTF-8 has none.
func HighText(s string) string {
	if !utf8.ValidString(s) {
		return ""
	}
	n := 0
	for i, r := range s {
		switch {
		case n < boundChars || r == utf8.MaxRune && n < maxBoundChars:
			n++
			continue
		case n >= maxBoundChars:
			return ""
		case r < 0x7f:
			return quote(s[:i] + "\x7f")
		}
		return quote(s[:i] + string(utf8.MaxRune))
	}
	return quote(s)
}

// DateBound is a day, counted from 1970, as a bound, or nothing outside the years 1 to 9999.
func DateBound(day int64) string {
	if day < firstDay || day > lastDay {
		return ""
	}
	return `"` + time.Unix(day*86_400, 0).UTC().Format("2006-01-02") + `"`
}

// TimestampBound is a time of micros, counted from 1970, as a bound in whole
// milliseconds: rounded down, or up for an upper bound, so that a reader that
// adds nothing is right. utc says that it is an instant.
func TimestampBound(micros int64, up, utc bool) string {
	milli := micros / 1000
	switch rest := micros % 1000; {
	case rest > 0 && up:
		milli++
	case rest < 0 && !up:
		milli--
	}
	if milli < firstMilli || milli > lastMilli {
		return ""
	}
	layout := "2006-01-02T15:04:05.000"
	if utc {
		layout += "Z"
	}
	return `"` + time.UnixMilli(milli).UTC().Format(layout) + `"`
}
