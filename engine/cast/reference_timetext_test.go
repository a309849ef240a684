package cast_test

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// timeText is a date, perhaps a time of day and an offset, as text has them.
type timeText struct {
	us     *big.Rat
	zoned  bool
	offset int64 // microseconds east of UTC
}

var (
	daytimeForm = `([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]+))?)?`
	timeForm    = regexp.MustCompile(`^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:(?:[Tt]|[ \t\n\v\f\r]+)` + daytimeForm + `(?:[ \t\n\v\f\r]*(Z|z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?))?)?$`)
	compactForm = regexp.MustCompile(`^([0-9]{4})([0-9]{2})([0-9]{2})$`)
	onlyDaytime = regexp.MustCompile(`^` + daytimeForm + `$`)
)

func atoi(s string) int {
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// timeIn reads a time's text: the year first, and nothing that two countries
// read differently.
func timeIn(s string) (timeText, bool) {
	s = strings.Trim(s, asciiBlanks)
	m := compactForm.FindStringSubmatch(s)
	if m == nil {
		m = timeForm.FindStringSubmatch(s)
	}
	if m == nil {
		return timeText{}, false
	}
	y, mo, d := atoi(m[1]), time.Month(atoi(m[2])), atoi(m[3])
	day := time.Date(y, mo, d, 0, 0, 0, 0, time.UTC)
	if day.Year() != y || day.Month() != mo || day.Day() != d {
		return timeText{}, false
	}
	out := timeText{us: new(big.Rat).SetInt(dateMicros(y, mo, d))}
	if len(m) < 9 || m[4] == "" {
		return out, true
	}
	nanos, _, ok := daytimeOf(m[4:8])
	if !ok {
		return timeText{}, false
	}
	out.us.Add(out.us, nanos.Quo(nanos, micros(1000)))
	out.zoned = m[8] != ""
	if z := m[8]; len(z) > 1 && z != "UTC" {
		digits := strings.ReplaceAll(z[1:], ":", "") + "00"
		h, min := atoi(digits[:2]), atoi(digits[2:4])
		if min > 59 || h*60+min > 14*60 {
			return timeText{}, false
		}
		out.offset = int64(h*60+min) * 60 * referenceSecond
		if z[0] == '-' {
			out.offset = -out.offset
		}
	}
	return out, true
}

// daytimeOf is hours, minutes, seconds and digits of a second in nanoseconds,
// and how many digits there were.
func daytimeOf(m []string) (*big.Rat, int, bool) {
	h, min, sec := atoi(m[0]), atoi(m[1]), atoi(m[2])
	if h > 23 || min > 59 || sec > 59 {
		return nil, 0, false
	}
	nanos := new(big.Rat).SetInt64(int64(h*3600+min*60+sec) * 1_000_000_000)
	if m[3] != "" {
		digits, _ := new(big.Int).SetString(m[3], 10)
		f := new(big.Rat).SetFrac(digits, bigPow(10, int64(len(m[3]))))
		nanos.Add(nanos, f.Mul(f, micros(1_000_000_000)))
	}
	return nanos, len(m[3]), true
}

// daytimeIn reads a time of day.
func daytimeIn(s string) (*big.Rat, int, bool) {
	m := onlyDaytime.FindStringSubmatch(strings.Trim(s, asciiBlanks))
	if m == nil {
		return nil, 0, false
	}
	return daytimeOf(m[1:])
}

func timeTexts() copyKind {
	edges := []string{
		"", "2026-07-01", "20260701", "20260701 12:00", "20260701T12:00", "2026-7-1", "01-07-2026", "2026/07/01", "2026-02-29", "2024-02-29", "1900-02-29", "2000-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-01-00", "2026-01-32",
		"0000-12-31", "0000-01-01", "0001-01-01", "9999-12-31", "10000-01-01", "-001-01-01", "+2026-01-01", "2026-07-01T", "2026-07-01 ", "2026-07-01Z", "2026-07-01 Z", "2026-07-01T 12:00", "2026-07-01  12:00", "2026-07-01\t12:00", "2026-07-01t12:00z",
		"2026-07-01T12", "2026-07-01T12:", "2026-07-01T12:00", "2026-07-01T12:00:", "2026-07-01T12:00:5", "2026-07-01T12:00:60", "2026-07-01T24:00:00", "2026-07-01T23:60:00", "2026-07-01T12:00:00.", "2026-07-01T12:00.5", "2026-07-01T12:00:00,5", "2026-07-01T00:00:00.0000000000", "2026-07-01T00:00:00.0000000000000000000000001",
		"2026-06-23 00:01:05.0900948 -07:00", "2026-06-23 00:01:05.0900948+05:30", "2026-06-23T00:01:05Z", "2026-06-23T00:01:05 UTC", "2026-06-23T00:01:05utc", "2026-06-23T00:01:05 GMT", "2026-06-23T00:01:05+14:00", "2026-06-23T00:01:05+14:01", "2026-06-23T00:01:05-14:00", "2026-06-23T00:01:05-15:00", "2026-06-23T00:01:05+05", "2026-06-23T00:01:05+0530", "2026-06-23T00:01:05+5:30", "2026-06-23T00:01:05+05:3", "2026-06-23T00:01:05+05:60", "2026-06-23T00:01+05", "2026-06-23T00:01:05-00:00", "2026-06-23T00:01:05+05:30Z", "2026-06-23T00:01:05 +", "2026-06-23T00:01:05 [Europe/Berlin]",
		"0001-01-01T00:00:00+00:01", "0001-01-01T00:00:00-00:01", "9999-12-31T23:59:59.9999999-00:01", "9999-12-31T23:59:59.9999999+00:01", "9999-12-31T23:59:59.9999999999999", "9999-12-31T23:59:59.9999995", "\u00a02026-07-01", "2026-07-01\u00a012:00", "２026-07-01", " 2026-07-01 12:00:00 ", "2026-07-01 12:00:00.1234567890123456789", "2026-07-01 12:00:00.12345650000000000", "2026-07-01 12:00:00.1234564999999999",
		"2026-07-01 11:44:31.00333233333333333333333333333333333", "2026-07-01 11:44:31.00333233333333333333333333333333334", "2026-07-01 11:44:31.003334333333333333333333", "2026-07-01 11:44:31.0033343333333333333333334", "2026-07-01 11:44:31.0016666666666666666666666", "2026-07-01 11:44:31.0016666666666666666666667",
		"12:34:56", "12:34", "12:34:56.1234567", "12:34:56.12345678", "12:34:56.123456789", "12:34:56.1234567891", "12:34:56.12345670000000", "23:59:59.9999999", "23:59:59.9999999999", "24:00:00", "00:00", "1:00", "12:34:56 PM", "12:34:56Z", " 12:34 ", "12:34:", "12:3x", ":", "12:34:56.", "12:34:56.x", "\xff", "NULL",
	}
	for _, s := range momentEdges() {
		edges = append(edges, s, strings.TrimSuffix(strings.Replace(s, "T", " ", 1), "Z"))
	}
	return texts(edges, func(t *tape) string {
		at := time.Unix(t.int64()%400_000_000_000, t.int64()%1_000_000_000).UTC()
		layout := []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02", "20060102", "15:04:05.999999999", "15:04", "2006-01-02T15:04:05.0000000-07:00"}[t.pick(7)]
		s := at.In(time.FixedZone("", (t.pick(200)-100)*600)).Format(layout)
		if t.pick(3) == 0 {
			s += fmt.Sprint(t.bits() % 1000)
		}
		return s
	})
}
