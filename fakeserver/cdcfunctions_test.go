package fakeserver_test

import (
	"strings"
	"testing"

	"cdcseed/fakeserver"
)

// mapped is the query for a time and an operator.
func mapped(operator, at string) string {
	return "SELECT CONVERT(varchar(22), sys.fn_cdc_map_time_to_lsn(N'" + operator + "', '2026-11-01T" + at + "'), 1)"
}

// The clock of the test world goes back from 02:00 to 01:00 after LSN 0x40, so
// times run 00:20 00:50 01:10 01:40 | 01:05 01:20 01:50 02:10.
func TestMapTimeToLSN(t *testing.T) {
	const le, lt = "largest less than or equal", "largest less than"
	const ge, gt = "smallest greater than or equal", "smallest greater than"
	for _, c := range []struct{ operator, at, byTime, byLSN string }{
		{le, "00:19:59", "NULL", "NULL"},
		{le, "00:20:00", "0x10", "0x10"},
		{lt, "00:20:00", "NULL", "NULL"},
		{le, "00:30:00", "0x10", "0x10"},
		{le, "01:30:00", "0x60", "0x60"},
		{le, "01:15:00", "0x30", "0x50"}, // 01:10 of the first pass, or 01:05 of the second
		{lt, "01:10:00", "0x50", "0x50"},
		{le, "01:45:00", "0x40", "0x60"},
		{le, "02:05:00", "0x70", "0x70"},
		{le, "23:00:00", "0x80", "0x80"},
		{ge, "01:15:00", "0x60", "0x40"},
		{gt, "01:20:00", "0x40", "0x40"},
		{gt, "02:10:00", "NULL", "NULL"},
		{ge, "00:00:00", "0x10", "0x10"},
		{"LARGEST LESS THAN OR EQUAL", "00:20:00", "0x10", "0x10"},
		{"largest", "01:00:00", "NULL", "NULL"},
	} {
		for reading, expected := range map[string]string{"by_time": c.byTime, "by_lsn": c.byLSN} {
			t.Run(reading+" "+c.operator+" "+c.at, func(t *testing.T) {
				w := load(t, "catalogue.json")
				w.Server.MapTime = reading
				db := as(t, serve(t, w, fakeserver.Options{}), "nothing") // public may call it
				if expected != "NULL" {
					expected = full(t, expected)
				}
				want(t, db, mapped(c.operator, c.at), expected)
			})
		}
	}
}

// Commits that share a tran_end_time: the upper operators take the largest
// LSN, the lower ones the smallest.
func TestMapTimeTies(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	var ties []fakeserver.LSN
	for range 3 {
		l, err := s.CommitAt("Sales", "2026-11-01T03:00:00.003")
		if err != nil {
			t.Fatal(err)
		}
		ties = append(ties, l)
	}
	want(t, db, mapped("largest less than or equal", "03:00:00.003"), ties[2].String())
	want(t, db, mapped("smallest greater than or equal", "03:00:00.003"), ties[0].String())
	want(t, db, mapped("smallest greater than", "02:10:00"), ties[0].String())
	want(t, db, mapped("largest less than", "03:00:00.003"), full(t, "0x80"))
}

// The parameter is a datetime: .999 is rounded up to the next second.
func TestMapTimeRoundsToTicks(t *testing.T) {
	db := as(t, catalogue(t), "dba")
	want(t, db, mapped("largest less than or equal", "00:49:59.999"), full(t, "0x20"))
	want(t, db, mapped("largest less than or equal", "00:49:59.997"), full(t, "0x10"))
	want(t, db, "SELECT CONVERT(varchar(22), sys.fn_cdc_map_time_to_lsn(N'largest less than or equal', NULL), 1)", "NULL")
}

func TestLSNFunctions(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "nothing")
	want(t, db, "SELECT CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)", full(t, "0x80"))
	want(t, db, "SELECT sys.fn_cdc_map_lsn_to_time(0x00000000000000000050), sys.fn_cdc_map_lsn_to_time(0x00000000000000000051)", "2026-11-01T01:05:00Z NULL")
	want(t, db, "SELECT CONVERT(varchar(22), sys.fn_cdc_increment_lsn(0x000000000000000000FF), 1), CONVERT(varchar(22), sys.fn_cdc_decrement_lsn(0x00000000000000010000), 1)",
		full(t, "0x100")+" "+full(t, "0xFFFF"))
	want(t, db, "SELECT CONVERT(varchar(22), sys.fn_cdc_increment_lsn(0x0000FFFFFFFFFFFFFFFF), 1), CONVERT(varchar(22), sys.fn_cdc_increment_lsn(NULL), 1)",
		"0x00010000000000000000 NULL")
	want(t, db, "SELECT CONVERT(varchar(22), start_lsn, 1), CONVERT(varchar(22), tran_id, 1) FROM cdc.lsn_time_mapping WHERE tran_id = 0x00", full(t, "0x20")+" 0x00")
}

func TestMaxLSNIsNullBeforeTheFirstCapture(t *testing.T) {
	w := load(t, "catalogue.json")
	d := &w.Databases[0]
	d.Mapping, d.Commits = nil, nil
	s := serve(t, w, fakeserver.Options{})
	want(t, as(t, s, "dba"), "SELECT CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)", "NULL")
	if l, err := s.MaxLSN("Sales"); l != nil || err != nil {
		t.Errorf("MaxLSN = %v, %v", l, err)
	}
}

func TestMinLSNOfNewInstanceIsAboveMax(t *testing.T) {
	s := catalogue(t)
	if err := s.Capture("Sales", fakeserver.Instance{Name: "dbo_Types", Table: "dbo.Types"}); err != nil {
		t.Fatal(err)
	}
	db := as(t, s, "dba")
	want(t, db, "SELECT CASE WHEN sys.fn_cdc_get_min_lsn('dbo_Types') > sys.fn_cdc_get_max_lsn() THEN 1 ELSE 0 END", "1")
	if _, err := s.Idle("Sales"); err != nil {
		t.Fatal(err)
	}
	want(t, db, "SELECT CASE WHEN sys.fn_cdc_get_min_lsn('dbo_Types') < sys.fn_cdc_get_max_lsn() THEN 1 ELSE 0 END", "1")
}

// The look-up that a seed makes: the earlier of as_of's local time and the
// local time an hour later less that hour. It gives a safe LSN under both
// readings of the repeated hour; the plain look-up does not.
func TestSafeLookUpAroundTheClockChange(t *testing.T) {
	const local = "CONVERT(datetime2(0), CONVERT(datetime2(0), %s, 126) AT TIME ZONE 'UTC' AT TIME ZONE CURRENT_TIMEZONE_ID())"
	now := strings.Replace(local, "%s", "@p1", 1)
	later := strings.Replace(local, "%s", "DATEADD(hour, 1, CONVERT(datetime2(0), @p1, 126))", 1)
	safe := "SELECT CONVERT(varchar(22), sys.fn_cdc_map_time_to_lsn(N'largest less than or equal', CASE WHEN a.t < b.t THEN a.t ELSE b.t END), 1) " +
		"FROM (SELECT " + now + " AS t) AS a CROSS JOIN (SELECT DATEADD(hour, -1, " + later + ") AS t) AS b"
	plain := "SELECT CONVERT(varchar(22), sys.fn_cdc_map_time_to_lsn(N'largest less than or equal', " + now + "), 1)"
	for _, reading := range []string{"by_time", "by_lsn"} {
		w := load(t, "catalogue.json")
		w.Server.MapTime = reading
		db := as(t, serve(t, w, fakeserver.Options{}), "nothing")
		for at, lsn := range map[string]string{"04:55:00": "0x20", "05:30:00": "0x10", "06:30:00": "0x60", "07:05:00": "0x70"} {
			got, err := rows(db, safe, "2026-11-01T"+at)
			if err != nil || len(got) != 1 || got[0] != full(t, lsn) {
				t.Errorf("%s %s: %q, %v; want %s", reading, at, got, err, full(t, lsn))
			}
		}
		if got, err := rows(db, plain, "2026-11-01T05:30:00"); err != nil || got[0] != full(t, "0x60") {
			t.Errorf("%s: the plain look-up gave %q, %v; it is the trap that this world sets", reading, got, err)
		}
	}
}
