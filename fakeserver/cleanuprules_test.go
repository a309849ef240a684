package fakeserver_test

import (
	"errors"
	"testing"

	"cdcseed/fakeserver"
	"cdcseed/fakeserver/tds"
)

// The clean-up as its pages describe it, a rule a case. The mapping has 0x10 to
// 0x80 in steps of 0x10; dbo.Orders has two change rows each at 0x30, 0x40 and
// 0x50. The expected states are the two watermarks, the lowest mapping row and
// the number of change rows.
func TestCleanupRules(t *testing.T) {
	mark := func(l string) func(*testing.T, *fakeserver.Server) (fakeserver.LSN, error) {
		return func(t *testing.T, s *fakeserver.Server) (fakeserver.LSN, error) { return s.Cleanup("Sales", lsn(t, l)) }
	}
	for _, c := range []struct {
		rule                              string
		run                               func(*testing.T, *fakeserver.Server) (fakeserver.LSN, error)
		orders, gated, mapping, remaining string
		number                            int32
	}{
		{rule: "change rows and mapping rows below the mark go, the mark's own stay", run: mark("0x40"), orders: "0x40", gated: "0x40", mapping: "0x40", remaining: "4"},
		{rule: "an idle entry is a mark like any other", run: mark("0x20"), orders: "0x20", gated: "0x20", mapping: "0x20", remaining: "6"},
		{rule: "the newest entry may be the mark", run: mark("0x80"), orders: "0x80", gated: "0x80", mapping: "0x80", remaining: "0"},
		{rule: "a mark that is no current entry is refused", run: mark("0x41"), orders: "0x10", gated: "0x10", mapping: "0x10", remaining: "6", number: 22964},
		{rule: "an instance that is above the mark stays where it is", run: func(t *testing.T, s *fakeserver.Server) (fakeserver.LSN, error) {
			if _, err := s.CleanupInstance("Sales", "dbo_Gated", lsn(t, "0x60")); err != nil {
				return fakeserver.LSN{}, err
			}
			return s.Cleanup("Sales", lsn(t, "0x30"))
		}, orders: "0x30", gated: "0x60", mapping: "0x30", remaining: "6"},
		{rule: "mapping rows that another instance reaches down to stay", run: func(t *testing.T, s *fakeserver.Server) (fakeserver.LSN, error) {
			return s.CleanupInstance("Sales", "dbo_Orders", lsn(t, "0x50"))
		}, orders: "0x50", gated: "0x10", mapping: "0x10", remaining: "2"},
		{rule: "a deletion that fails leaves the watermarks moved and the rows in place", run: func(t *testing.T, s *fakeserver.Server) (fakeserver.LSN, error) {
			return s.CleanupFailing("Sales", lsn(t, "0x50"), 1)
		}, orders: "0x50", gated: "0x50", mapping: "0x10", remaining: "5"},
		{rule: "without a mark the watermark stays and what lies below it goes", run: func(t *testing.T, s *fakeserver.Server) (fakeserver.LSN, error) {
			if _, err := s.CleanupFailing("Sales", lsn(t, "0x50"), 0); err != nil {
				return fakeserver.LSN{}, err
			}
			return s.CleanupLeftovers("Sales", "dbo_Orders")
		}, orders: "0x50", gated: "0x50", mapping: "0x50", remaining: "2"},
		{rule: "the job counts the retention back from the newest entry and not from the clock", run: func(t *testing.T, s *fakeserver.Server) (fakeserver.LSN, error) {
			s.Advance(100 * 24 * 3600e9)
			l, err := s.RunCleanup("Sales")
			if l == nil {
				return fakeserver.LSN{}, err
			}
			return *l, err
		}, orders: "0x30", gated: "0x30", mapping: "0x30", remaining: "6"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := catalogue(t)
			_, err := c.run(t, s)
			var e *tds.Error
			if errors.As(err, &e); (err != nil) != (c.number != 0) || err != nil && e.Number != c.number {
				t.Fatalf("%v, want error %d", err, c.number)
			}
			want(t, as(t, s, "dba"), watermarks, full(t, c.orders)+" "+full(t, c.gated)+" "+full(t, c.mapping)+" "+c.remaining)
		})
	}
}

// Rows that a failed clean-up left can be read in the change table and not
// through the function, whose range begins at the watermark.
func TestLeftoversAreOutOfRange(t *testing.T) {
	s := catalogue(t)
	if _, err := s.CleanupFailing("Sales", lsn(t, "0x50"), 0); err != nil {
		t.Fatal(err)
	}
	db := as(t, s, "dba")
	want(t, db, "SELECT COUNT(*) FROM cdc.dbo_Orders_CT", "6")
	want(t, db, "SELECT COUNT(*) FROM cdc.fn_cdc_get_all_changes_dbo_Orders(sys.fn_cdc_get_min_lsn('dbo_Orders'), sys.fn_cdc_get_max_lsn(), 'all')", "1")
	wantError(t, db, "SELECT COUNT(*) FROM cdc.fn_cdc_get_all_changes_dbo_Orders(0x00000000000000000040, sys.fn_cdc_get_max_lsn(), 'all')", 313)
}

// A transaction without change rows has no row in the mapping: one on a table
// that nobody tracks, one that changes no captured column, one that changes nothing.
func TestUntrackedChangesAreNotMapped(t *testing.T) {
	w := load(t, "catalogue.json")
	w.Databases[0].Instances[0].Columns = []string{"Id", "Qty"}
	s := serve(t, w, fakeserver.Options{})
	db := as(t, s, "dba")
	for _, c := range []fakeserver.Change{
		change("dbo.Types", "update", `{"c_int":1,"c_bit":false}`),
		change("dbo.Orders", "update", `{"Id":1,"Name":"unseen"}`),
		change("dbo.Orders", "update", `{"Id":1,"Qty":2}`),
	} {
		commit(t, s, c)
		want(t, db, maxLSN, full(t, "0x80"))
	}
	want(t, db, "SELECT Name FROM dbo.Orders WHERE Id = 1", "unseen")
	l := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Name":"seen","Qty":3}`))
	want(t, db, maxLSN, l.String())
	want(t, db, "SELECT CONVERT(varchar(10), [__$update_mask], 1), Qty FROM cdc.dbo_Orders_CT WHERE [__$start_lsn] = "+l.String(), "0x02 2", "0x02 3")
}
