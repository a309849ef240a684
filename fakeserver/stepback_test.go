package fakeserver_test

import (
	"testing"

	"cdcseed/fakeserver"
)

// A clock that is set back between two statements: commit times run backwards
// while LSNs grow, and GETDATE() is of the new time at once.
func TestClockStepsBack(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	fault(t, s, fakeserver.Fault{Match: "GETDATE()", Nth: 2, Times: 1, Clock: "-30m"})
	const clock = "SELECT CONVERT(varchar(19), GETDATE(), 126), CONVERT(varchar(19), SYSUTCDATETIME(), 126)"
	want(t, db, clock, "2026-11-01T03:00:00 2026-11-01T08:00:00")
	first := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":10}`))
	want(t, db, clock, "2026-11-01T02:30:00 2026-11-01T07:30:00")
	second := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":11}`))
	want(t, db, "SELECT CONVERT(varchar(22), start_lsn, 1), CONVERT(varchar(19), tran_end_time, 126) FROM cdc.lsn_time_mapping WHERE start_lsn > 0x00000000000000000080 ORDER BY start_lsn",
		first.String()+" 2026-11-01T03:00:00", second.String()+" 2026-11-01T02:30:00")
	want(t, db, clock, "2026-11-01T02:30:00 2026-11-01T07:30:00") // once
	// The two readings differ here as they do in a repeated hour.
	const at = "SELECT CONVERT(varchar(22), sys.fn_cdc_map_time_to_lsn(N'largest less than or equal', '2026-11-01T03:00:00'), 1)"
	want(t, db, at, first.String())
	w := load(t, "catalogue.json")
	w.Server.MapTime = "by_lsn"
	s = serve(t, w, fakeserver.Options{})
	commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":10}`))
	s.Advance(-30 * 60e9)
	second = commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Qty":11}`))
	want(t, as(t, s, "dba"), at, second.String())
}

// A step may come with a delay or an error.
func TestClockStepsForwardWithAnError(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	fault(t, s, fakeserver.Fault{Match: "GETDATE()", Times: 1, Clock: "24h", Error: &fakeserver.FaultError{Number: 1205}})
	wantError(t, db, "SELECT GETDATE()", 1205)
	want(t, db, "SELECT CONVERT(varchar(19), GETDATE(), 126)", "2026-11-02T03:00:00")
}
