package fakeserver_test

import (
	"errors"
	"testing"

	"cdcseed/fakeserver"
	"cdcseed/fakeserver/tds"
)

const watermarks = "SELECT CONVERT(varchar(22), sys.fn_cdc_get_min_lsn('dbo_Orders'), 1), CONVERT(varchar(22), sys.fn_cdc_get_min_lsn('dbo_Gated'), 1), " +
	"CONVERT(varchar(22), (SELECT MIN(start_lsn) FROM cdc.lsn_time_mapping), 1), (SELECT COUNT(*) FROM cdc.dbo_Orders_CT)"

func TestCleanupMovesEverything(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	low, err := s.Cleanup("Sales", lsn(t, "0x40"))
	if err != nil || low != lsn(t, "0x40") {
		t.Fatalf("Cleanup = %v, %v", low, err)
	}
	l := full(t, "0x40")
	want(t, db, watermarks, l+" "+l+" "+l+" 4")
	// A lower mark moves nothing back.
	if _, err := s.Cleanup("Sales", lsn(t, "0x40")); err != nil {
		t.Fatal(err)
	}
	want(t, db, watermarks, l+" "+l+" "+l+" 4")
	var e *tds.Error
	for _, mark := range []string{"0x30", "0x41", "0x0"} { // cleaned away, between two, zero
		if _, err := s.Cleanup("Sales", lsn(t, mark)); !errors.As(err, &e) || e.Number != 22964 {
			t.Errorf("mark %s: %v, want 22964", mark, err)
		}
	}
	want(t, db, "SELECT COUNT(*) FROM dbo.Orders", "3") // the table itself is left alone
}

// Mapping rows stay while another instance still reaches down to them.
func TestCleanupOfOneInstance(t *testing.T) {
	s := catalogue(t)
	if _, err := s.CleanupInstance("Sales", "dbo_Orders", lsn(t, "0x50")); err != nil {
		t.Fatal(err)
	}
	want(t, as(t, s, "dba"), watermarks, full(t, "0x50")+" "+full(t, "0x10")+" "+full(t, "0x10")+" 2")
	if _, err := s.CleanupInstance("Sales", "nothing", lsn(t, "0x50")); err == nil {
		t.Error("an unknown instance was cleaned")
	}
}

// The mark is lowered to the smallest LSN of its commit time.
func TestCleanupLowersTheMark(t *testing.T) {
	s := catalogue(t)
	var ties []fakeserver.LSN
	for range 2 {
		l, err := s.CommitAt("Sales", "2026-11-01T03:00:00")
		if err != nil {
			t.Fatal(err)
		}
		ties = append(ties, l)
	}
	if low, err := s.Cleanup("Sales", ties[1]); err != nil || low != ties[0] {
		t.Errorf("Cleanup = %v, %v; want %v", low, err, ties[0])
	}
}

// The retention of 60 minutes counts back from the newest tran_end_time,
// 02:10, whatever the clock says: to 01:10, which is 0x30 by the two-step
// reading and, by the LSN's, 0x50.
func TestRetention(t *testing.T) {
	for reading, mark := range map[string]string{"by_time": "0x30", "by_lsn": "0x50"} {
		w := load(t, "catalogue.json")
		w.Server.MapTime = reading
		s := serve(t, w, fakeserver.Options{})
		s.Advance(1000 * 3600e9)
		low, err := s.RunCleanup("Sales")
		if err != nil || low == nil || *low != lsn(t, mark) {
			t.Errorf("%s: RunCleanup = %v, %v; want %s", reading, low, err, mark)
		}
	}
	if _, err := catalogue(t).RunCleanup("Plain"); err == nil {
		t.Error("a database without CDC was cleaned")
	}
}

func TestRetentionLongerThanTheMapping(t *testing.T) {
	w := load(t, "catalogue.json")
	w.Databases[0].Cleanup.RetentionMinutes = 4320
	s := serve(t, w, fakeserver.Options{})
	if low, err := s.RunCleanup("Sales"); low != nil || err != nil {
		t.Errorf("RunCleanup = %v, %v; want nothing", low, err)
	}
	want(t, as(t, s, "dba"), watermarks, full(t, "0x10")+" "+full(t, "0x10")+" "+full(t, "0x10")+" 6")
}
