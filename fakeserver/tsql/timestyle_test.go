package tsql

import (
	"fmt"
	"testing"
)

// TestTicksAsShown: a tick is 1/300 s, and every third one has a millisecond
// of its own; the two between end in 3 and 7.
func TestTicksAsShown(t *testing.T) {
	for tick := range 300 {
		want := 10*(tick/3) + []int{0, 3, 7}[tick%3]
		expectRows(t, fmt.Sprintf("SELECT CONVERT(varchar(30), CAST(0x00000000%08X AS datetime), 121), DATEPART(ms, CAST(0x00000000%08X AS datetime))", tick, tick),
			fmt.Sprintf("1900-01-01 00:00:00.%03d %d", want, want))
	}
}

// TestDateTimeBesideDateTime2: under compatibility level 130 and above a
// datetime is the exact fraction that its tick is.
func TestDateTimeBesideDateTime2(t *testing.T) {
	for _, c := range []struct{ shown, exact, equal string }{
		{".000", ".0000000", "1"}, {".003", ".0033333", "0"}, {".007", ".0066667", "0"}, {".010", ".0100000", "1"}, {".997", ".9966667", "0"},
	} {
		d := "CAST('2026-10-25 02:30:00" + c.shown + "' AS datetime)"
		expectRows(t, "SELECT CAST("+d+" AS datetime2(7))", "2026-10-25 02:30:00"+c.exact)
		expectRows(t, "SELECT IIF("+d+" = CAST('2026-10-25 02:30:00"+c.shown+"' AS datetime2(7)), 1, 0)", c.equal)
		// Casting the other side to datetime makes them equal again.
		expectRows(t, "SELECT IIF("+d+" = CAST(CAST('2026-10-25 02:30:00"+c.shown+"' AS datetime2(7)) AS datetime), 1, 0)", "1")
	}
}

// TestStyles is the table of the CONVERT page for datetime, and what the newer
// types show in the styles that are played.
func TestStyles(t *testing.T) {
	for style, want := range map[int]string{
		0: "Jan  2 2026  3:04PM", 100: "Jan  2 2026  3:04PM", 1: "01/02/26", 101: "01/02/2026", 2: "26.01.02", 102: "2026.01.02", 3: "02/01/26", 103: "02/01/2026",
		4: "02.01.26", 104: "02.01.2026", 5: "02-01-26", 105: "02-01-2026", 6: "02 Jan 26", 106: "02 Jan 2026", 7: "Jan 02, 26", 107: "Jan 02, 2026",
		8: "15:04:05", 24: "15:04:05", 108: "15:04:05", 9: "Jan  2 2026  3:04:05:007PM", 109: "Jan  2 2026  3:04:05:007PM", 10: "01-02-26", 110: "01-02-2026",
		11: "26/01/02", 111: "2026/01/02", 12: "260102", 112: "20260102", 13: "02 Jan 2026 15:04:05:007", 113: "02 Jan 2026 15:04:05:007", 14: "15:04:05:007", 114: "15:04:05:007",
		20: "2026-01-02 15:04:05", 120: "2026-01-02 15:04:05", 21: "2026-01-02 15:04:05.007", 25: "2026-01-02 15:04:05.007", 121: "2026-01-02 15:04:05.007", 23: "2026-01-02",
		126: "2026-01-02T15:04:05.007", 127: "2026-01-02T15:04:05.007",
	} {
		expectRows(t, fmt.Sprintf("SELECT CONVERT(varchar(40), CAST('2026-01-02 15:04:05.007' AS datetime), %d)", style), want)
	}
	for text, want := range map[string]int32{
		"SELECT CONVERT(varchar(40), GETDATE(), 130)":                       NotSimulated,
		"SELECT CONVERT(varchar(40), GETDATE(), 22)":                        NotSimulated,
		"SELECT CONVERT(varchar(40), CAST('2026-01-02' AS datetime2), 109)": NotSimulated,
		"SELECT CONVERT(varchar(40), 1e0, 126)":                             NotSimulated,
		"SELECT CONVERT(varchar(40), GETDATE(), 15)":                        281,
		"SELECT CONVERT(datetime, '2026-01-02 00:00:00', 126)":              NotSimulated,
		"SELECT CONVERT(datetime2, '2026-01-02', 126)":                      NotSimulated,
		"SELECT CONVERT(datetime, '01/02/2026', 104)":                       NotSimulated,
		"SELECT CONVERT(datetime, 'never', 104)":                            241,
	} {
		expectError(t, text, want)
	}
	for text, want := range map[string]string{
		"SELECT CONVERT(datetime2(0), '2026-01-02T15:04:05', 126)":            "2026-01-02 15:04:05",
		"SELECT CONVERT(datetime, '2026-01-02 15:04:05.007', 121)":            "2026-01-02 15:04:05.007",
		"SELECT CONVERT(date, '20260102', 112)":                               "2026-01-02",
		"SELECT CONVERT(date, '02.01.2026', 104)":                             "2026-01-02",
		"SELECT CONVERT(date, '02-01-2026', 105)":                             "2026-01-02",
		"SELECT CONVERT(date, '01-02-2026', 110)":                             "2026-01-02",
		"SELECT CONVERT(date, '2026/01/02', 111)":                             "2026-01-02",
		"SELECT CONVERT(time(0), '15:04:05', 108)":                            "15:04:05",
		"SELECT CONVERT(varchar(20), $1234.5678, 126)":                        "1234.5678",
		"SELECT CONVERT(datetimeoffset(0), '2026-01-02T15:04:05+02:00', 126)": "2026-01-02 15:04:05 +02:00",
	} {
		expectRows(t, text, want)
	}
}
