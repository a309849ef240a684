package cast_test

import (
	"testing"
	"time"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// us is a time's microseconds since 1970, read as UTC.
func us(s string) int {
	t, err := time.Parse("2006-01-02T15:04:05.999999999", s)
	if err != nil {
		panic(err)
	}
	return int(t.UnixMicro())
}

func ns(s string) int {
	t, err := time.Parse("2006-01-02T15:04:05.999999999", s)
	if err != nil {
		panic(err)
	}
	return int(t.UnixNano())
}

func TestTimestamps(t *testing.T) {
	ntz, utc := stampCol("MICROS", false), stampCol("MICROS", true)
	dt2 := scaled("datetime2", 0, 7)
	dto := scaled("datetimeoffset", 0, 7)
	for _, r := range []rule{
		{from: ntz, to: dt2, in: []any{us("0001-01-01T00:00:00"), us("9999-12-31T23:59:59.999999"), us("9999-12-31T23:59:59.999999") + 1, nil}, want: "0001-01-01T00:00:00 9999-12-31T23:59:59.999999 NULL NULL", refused: 1, effects: "out_of_range:1"},
		{from: stampCol("MILLIS", false), to: dt2, in: []any{us("2026-01-01T00:00:00.123") / 1000, 1 << 62}, want: "2026-01-01T00:00:00.123 NULL", refused: 1, effects: "out_of_range:1"},
		// case 34: nanoseconds, cut toward the past
		{from: stampCol("NANOS", false), to: dt2, in: []any{ns("2026-01-01T00:00:00.1234567"), ns("2026-01-01T00:00:00.123456"), nil, -100}, want: "2026-01-01T00:00:00.123456 2026-01-01T00:00:00.123456 NULL 1969-12-31T23:59:59.999999", effects: "sub_micro:2"},
		{from: ntz, to: scaled("datetime2", 0, 3), in: []any{us("2026-01-01T00:00:00.123"), us("2026-01-01T00:00:00.123456")}, want: "2026-01-01T00:00:00.123 NULL", refused: 1, effects: "beyond_scale:1"},
		{from: ntz, to: scaled("datetime2", 0, 3), answer: cast.Round, in: []any{us("2026-01-01T00:00:00.1235"), us("1969-12-31T23:59:59.9994")}, want: "2026-01-01T00:00:00.124 1969-12-31T23:59:59.999", effects: "rounded:2"},
		{from: ntz, to: scaled("datetime2", 0, 0), answer: cast.Cut, in: []any{us("1969-12-31T23:59:59.5")}, want: "1969-12-31T23:59:59", effects: "cut:1"},
		// case 12 (b): a datetime's ticks
		{from: ntz, to: sqlType("datetime"), in: []any{us("2026-01-01T11:44:31.856667"), us("2026-01-01T11:44:31.857"), us("2026-01-01T11:44:31.853333"), us("2026-01-01T00:00:00.996667")}, want: "2026-01-01T11:44:31.857 2026-01-01T11:44:31.857 2026-01-01T11:44:31.853 2026-01-01T00:00:00.997", effects: "normalised:3"},
		{from: ntz, to: sqlType("datetime"), in: []any{us("2026-01-01T00:00:00.5005"), us("1753-01-01T00:00:00"), us("1752-12-31T23:59:59.997"), us("1969-12-31T23:59:59.996667")}, want: "NULL 1753-01-01T00:00:00 NULL 1969-12-31T23:59:59.997", refused: 2, effects: "normalised:1 out_of_range:1 not_a_tick:1"},
		{from: ntz, to: sqlType("datetime"), answer: cast.Round, in: []any{us("2026-01-01T00:00:00.999999"), us("2026-01-01T00:00:00.001")}, want: "2026-01-01T00:00:01 2026-01-01T00:00:00", effects: "rounded:1 normalised:1"},
		{from: ntz, to: sqlType("datetime"), answer: cast.Cut, in: []any{us("2026-01-01T00:00:00.998999")}, want: "2026-01-01T00:00:00.997", effects: "cut:1"},
		{from: stampCol("NANOS", false), to: sqlType("datetime"), in: []any{ns("2026-01-01T11:44:31.856666700")}, want: "2026-01-01T11:44:31.857", effects: "normalised:1"},
		{from: ntz, to: sqlType("smalldatetime"), in: []any{us("2026-01-01T11:44:00"), us("2026-01-01T11:44:31"), us("1899-12-31T23:59:00"), us("2079-06-06T23:59:00"), us("2079-06-07T00:00:00")}, want: "2026-01-01T11:44:00 NULL NULL 2079-06-06T23:59:00 NULL", refused: 3, effects: "out_of_range:2 not_a_tick:1"},
		{from: dateCol, to: dt2, in: []any{0, -719162, 2932896, -719163}, want: "1970-01-01T00:00:00 0001-01-01T00:00:00 9999-12-31T00:00:00 NULL", refused: 1, effects: "out_of_range:1"},
		// case 2: an instant in somebody's zone
		{from: utc, to: sqlType("datetime"), zone: "America/Sao_Paulo", in: []any{us("2026-07-01T15:00:00"), nil}, want: "2026-07-01T12:00:00 NULL"},
		{from: utc, to: sqlType("datetime"), zone: "UTC", in: []any{us("2026-07-01T15:00:00")}, want: "2026-07-01T15:00:00"},
		{from: utc, to: sqlType("datetime"), zone: "wall-clock", in: []any{us("2026-07-01T15:00:00")}, want: "2026-07-01T15:00:00"},
		{from: int96Col, to: dt2, zone: "America/New_York", in: []any{us("2026-07-01T15:00:00.123456")}, want: "2026-07-01T11:00:00.123456"},
		{from: utc, to: dt2, zone: "America/New_York", in: []any{us("2026-03-08T06:59:59"), us("2026-03-08T07:30:00"), us("2026-03-08T08:00:00")}, want: "2026-03-08T01:59:59 2026-03-08T03:30:00 2026-03-08T04:00:00", effects: "after_gap:1"},
		{from: ntz, to: dto, zone: "America/New_York", in: []any{us("2026-07-01T12:00:00"), us("2026-03-08T02:30:00"), us("2026-11-01T01:30:00"), us("2026-11-01T02:00:00")}, want: "2026-07-01T16:00:00Z 2026-03-08T07:30:00Z 2026-11-01T05:30:00Z 2026-11-01T07:00:00Z", effects: "in_gap:1 ambiguous:1"},
		{from: dateCol, to: dto, zone: "Asia/Tokyo", in: []any{0}, want: "1969-12-31T15:00:00Z"},
		// case 35: datetimeoffset
		{from: textCol, to: dto, in: []any{"2026-06-23 00:01:05.0900948 -07:00", "2026-06-23T00:01:05.0900948+05:30", "2026-06-23T07:01:05.090094Z", "2026-06-23 07:01:05"}, want: "2026-06-23T07:01:05.090094Z 2026-06-22T18:31:05.090094Z 2026-06-23T07:01:05.090094Z NULL", refused: 1, effects: "sub_micro:2 zone_unknown:1"},
		{from: textCol, to: dto, zone: "Asia/Tokyo", in: []any{"2026-06-23 07:01:05"}, want: "2026-06-22T22:01:05Z"},
		{from: textCol, to: dto, zone: "wall-clock", in: []any{"2026-06-23 07:01:05"}, want: "NULL", refused: 1, effects: "zone_unknown:1"},
		{from: utc, to: dto, in: []any{us("2026-06-23T07:01:05.090094")}, want: "2026-06-23T07:01:05.090094Z"},
		{from: int96Col, to: dto, zone: "UTC", in: []any{us("2026-06-23T07:01:05.090094")}, want: "2026-06-23T07:01:05.090094Z"},
		// text to a zone-less time
		{from: textCol, to: dt2, in: []any{"2026-07-01T12:00:00", "2026-07-01", "20260701", " 2026-07-01 12:00 ", "07/01/2026", "2026-02-30", "2026-07-01T24:00:00", ""}, want: "2026-07-01T12:00:00 2026-07-01T00:00:00 2026-07-01T00:00:00 2026-07-01T12:00:00 NULL NULL NULL NULL", refused: 4, effects: "unparseable:4"},
		{from: textCol, to: dt2, in: []any{"2026-07-01T15:00:00Z"}, want: "NULL", refused: 1, effects: "zone_unknown:1"},
		{from: textCol, to: dt2, zone: "America/Sao_Paulo", in: []any{"2026-07-01T15:00:00Z", "2026-07-01T17:00:00+02:00", "2026-07-01T15:00:00"}, want: "2026-07-01T12:00:00 2026-07-01T12:00:00 2026-07-01T15:00:00"},
		{from: textCol, to: dt2, zone: "wall-clock", in: []any{"2026-07-01T15:00:00+02:00"}, want: "2026-07-01T15:00:00", effects: "zone_dropped:1"},
		{from: textCol, to: sqlType("datetime"), in: []any{"2026-01-01 11:44:31.857", "2026-01-01 11:44:31.8566667"}, want: "2026-01-01T11:44:31.857 2026-01-01T11:44:31.857", effects: "normalised:1"},
		// every form is rounded by all of its digits
		{from: textCol, to: scaled("datetime2", 0, 6), answer: cast.Round, in: []any{"2026-01-01T00:00:00.1234569", "2026-01-01T00:00:00.12345649999999", "2026-01-01T00:00:00.1234565", "1969-12-31T23:59:59.9999995", "1969-12-31T23:59:59.99999949999"}, want: "2026-01-01T00:00:00.123457 2026-01-01T00:00:00.123456 2026-01-01T00:00:00.123457 1970-01-01T00:00:00 1969-12-31T23:59:59.999999", effects: "rounded:5"},
		{from: textCol, to: scaled("datetimeoffset", 0, 6), answer: cast.Round, in: []any{"2026-01-01T00:00:00.1234569+01:00"}, want: "2025-12-31T23:00:00.123457Z", effects: "rounded:1"},
		{from: textCol, to: scaled("datetime2", 0, 6), answer: cast.Cut, in: []any{"1969-12-31T23:59:59.9999999"}, want: "1969-12-31T23:59:59.999999", effects: "cut:1"},
		{from: textCol, to: scaled("datetime2", 0, 6), in: []any{"2026-01-01T00:00:00.1234560000", "2026-01-01T00:00:00.1234560001"}, want: "2026-01-01T00:00:00.123456 NULL", refused: 1, effects: "beyond_scale:1"},
		{from: stampCol("NANOS", false), to: scaled("datetime2", 0, 6), answer: cast.Round, in: []any{ns("2026-01-01T00:00:00.1234565"), ns("1969-12-31T23:59:59.999999499")}, want: "2026-01-01T00:00:00.123457 1969-12-31T23:59:59.999999", effects: "rounded:2"},
		{from: textCol, to: sqlType("datetime"), answer: cast.Round, in: []any{"2026-01-01T00:00:00.0016669", "2026-01-01T00:00:00.0016666666666", "2026-01-01T00:00:00.00166666666666666666667", "1969-12-31T23:59:59.9983333333"}, want: "2026-01-01T00:00:00.003 2026-01-01T00:00:00 2026-01-01T00:00:00.003 1969-12-31T23:59:59.997", effects: "rounded:4"},
		{from: stampCol("NANOS", false), to: sqlType("datetime"), answer: cast.Round, in: []any{ns("2026-01-01T00:00:00.001666667"), ns("2026-01-01T00:00:00.001666666"), ns("1969-12-31T23:59:59.998333334")}, want: "2026-01-01T00:00:00.003 2026-01-01T00:00:00 1970-01-01T00:00:00", effects: "rounded:3"},
		{from: stampCol("NANOS", false), to: sqlType("datetime"), answer: cast.Cut, in: []any{ns("2026-01-01T00:00:00.009999999"), ns("2026-01-01T00:00:00.003334")}, want: "2026-01-01T00:00:00.01 2026-01-01T00:00:00.003", effects: "normalised:2"},
		// a datetime never holds digits below its ticks, not even a few behind the stream's spelling
		{from: stampCol("NANOS", false), to: sqlType("datetime"), in: []any{ns("2026-01-01T00:00:00.857"), ns("2026-01-01T00:00:00.857000001")}, want: "2026-01-01T00:00:00.857 NULL", refused: 1, effects: "not_a_tick:1"},
		{from: textCol, to: sqlType("smalldatetime"), answer: cast.Round, in: []any{"2026-01-01T00:00:29.99999999", "2026-01-01T00:00:30"}, want: "2026-01-01T00:00:00 2026-01-01T00:01:00", effects: "rounded:2"},
		{from: partCol, to: dt2, in: []any{"2025-02-19 13:00:00"}, want: "2025-02-19T13:00:00"}, // case 38
	} {
		r.check(t)
	}
}

func TestDates(t *testing.T) {
	for _, r := range []rule{
		{from: dateCol, to: sqlType("date"), in: []any{-719162, 2932896, nil}, want: "0001-01-01 9999-12-31 NULL"},
		{from: dateCol, to: sqlType("date"), in: []any{-719164, -719163, 2932897, 0}, want: "NULL NULL NULL 1970-01-01", refused: 3, effects: "out_of_range:3"},
		{from: textCol, to: sqlType("date"), in: []any{"2026-07-01", "20260701", "2026-07-01T00:00:00", "0000-01-01", "01.07.2026", "2026-07-01T00:00:00Z"}, want: "2026-07-01 2026-07-01 2026-07-01 NULL NULL NULL", refused: 3, effects: "out_of_range:1 unparseable:2"},
		{from: textCol, to: sqlType("date"), in: []any{"2026-07-01 13:00"}, want: "NULL", refused: 1, effects: "inexact:1"},
		{from: textCol, to: sqlType("date"), answer: cast.Cut, in: []any{"2026-07-01 13:00"}, want: "2026-07-01", effects: "cut:1"},
		{from: stampCol("MICROS", false), to: sqlType("date"), answer: cast.Stop, in: []any{us("2026-07-01T00:00:00"), us("2026-07-01T13:00:00")}, want: "2026-07-01 NULL", refused: 1, effects: "inexact:1"},
		{from: stampCol("NANOS", false), to: sqlType("date"), answer: cast.Cut, in: []any{-1}, want: "1969-12-31", effects: "cut:1"},
		{from: stampCol("MICROS", true), to: sqlType("date"), answer: cast.Stop, zone: "Asia/Tokyo", in: []any{us("2026-06-30T15:00:00")}, want: "2026-07-01"},
	} {
		r.check(t)
	}
}

// case 42: the Julian calendar
func TestLegacyFiles(t *testing.T) {
	old := schema.FileClass{Legacy: true}
	rule{from: dateCol, in: []any{-719164, -141427, -141428, 0}, want: "0001-01-01 1582-10-15 1582-10-04 1970-01-01", effects: "rebased:2"}.
		checkWith(t, target(t, sqlType("date")), old, cast.Answers{})
	rule{from: stampCol("MICROS", true), in: []any{-719164 * 86_400_000_000, us("1899-12-31T23:59:59"), us("1900-01-01T00:00:00")}, want: "0001-01-01T00:00:00 1899-12-31T23:59:59 1900-01-01T00:00:00", effects: "rebased:1 old_time:2"}.
		checkWith(t, target(t, scaled("datetime2", 0, 7)), old, cast.Answers{Zone: "UTC"})
	rule{from: stampCol("MICROS", false), in: []any{-719162 * 86_400_000_000, us("1899-12-31T23:59:59")}, want: "0001-01-01T00:00:00 1899-12-31T23:59:59"}.
		checkWith(t, target(t, scaled("datetime2", 0, 7)), old, cast.Answers{})
	rule{from: dateCol, in: []any{-719162}, want: "0001-01-01"}.
		checkWith(t, target(t, sqlType("date")), schema.FileClass{}, cast.Answers{})
}

// case 41: time(7)
func TestTimesOfDay(t *testing.T) {
	seven := scaled("time", 0, 7)
	for _, r := range []rule{
		{from: timeCol("MICROS"), to: seven, in: []any{45296123456, nil}, want: "12:34:56.123456000 NULL", effects: "shortened:1"},
		{from: timeCol("NANOS"), to: seven, in: []any{45296123456700, 86_400_000_000_000}, want: "12:34:56.123456700 NULL", refused: 1, effects: "out_of_range:1"},
		{from: timeCol("NANOS"), to: seven, in: []any{45296123456789}, want: "NULL", refused: 1, effects: "beyond_scale:1"},
		{from: timeCol("NANOS"), to: seven, answer: cast.Cut, in: []any{45296123456789}, want: "12:34:56.123456700", effects: "cut:1"},
		{from: textCol, to: seven, answer: cast.Cut, in: []any{"12:34:56.12345678901", "12:34:56.12345670001"}, want: "12:34:56.123456700 12:34:56.123456700", effects: "cut:2"},
		{from: timeCol("MILLIS"), to: scaled("time", 0, 3), in: []any{45296123}, want: "12:34:56.123000000"},
		{from: stampCol("MICROS", false), to: seven, in: []any{us("1900-01-01T12:34:56.123456"), us("1900-01-01T00:00:00")}, want: "12:34:56.123456000 00:00:00.000000000", effects: "shortened:2"},
		{from: stampCol("MICROS", false), to: scaled("time", 0, 6), in: []any{us("1900-01-01T12:34:56"), us("1900-01-02T12:34:56")}, want: "12:34:56.000000000 NULL", refused: 1, effects: "dates_differ:1"},
		{from: int96Col, to: scaled("time", 0, 6), zone: "UTC", in: []any{us("1970-01-02T12:34:56")}, want: "12:34:56.000000000"},
		{from: textCol, to: seven, in: []any{"12:34:56", "12:34", "12:34:56.1234567", "12:34:56.12345678", "24:00:00", "1:00:00", "12:34:56Z"}, want: "12:34:56.000000000 12:34:00.000000000 12:34:56.123456700 NULL NULL NULL NULL", refused: 4, effects: "shortened:2 unparseable:3 beyond_scale:1"},
	} {
		r.check(t)
	}
}
