package fakeserver_test

import (
	"strings"
	"testing"
)

func TestControlOfFailingCleanups(t *testing.T) {
	s := controlled(t)
	l := full(t, "0x50")
	for _, c := range []struct{ body, want string }{
		{`{"database":"Sales","to":"0x50","fail_after":1}`, `{"low_water_mark":"` + l + `"}`},
		{`{"database":"Sales","instance":"dbo_Orders","leftovers":true}`, `{"low_water_mark":"` + l + `"}`},
	} {
		if status, got := send(t, s, "POST", "/cleanup", c.body); status != 200 || got != c.want {
			t.Errorf("%s: %d %s, want %s", c.body, status, got, c.want)
		}
	}
	want(t, as(t, s, "dba"), watermarks, l+" "+l+" "+l+" 2")
	for _, c := range []struct{ body, want string }{
		{`{"database":"Sales"}`, "give to"},
		{`{"database":"Sales","to":"0x50","retention":true}`, "give to"},
		{`{"database":"Sales","retention":true,"instance":"dbo_Orders"}`, "give to"},
		{`{"database":"Sales","leftovers":true}`, "an instance's"},
		{`{"database":"Sales","instance":"dbo_Orders","to":"0x50","fail_after":1}`, "goes with to"},
		{`{"database":"Sales","to":"0x50","fail_after":-1}`, "goes with to"},
		{`{"database":"Sales","retention":true,"fail_after":1}`, "goes with to"},
		{`{"database":"Sales","instance":"dbo_Nothing","leftovers":true}`, "no capture instance"},
	} {
		if status, got := send(t, s, "POST", "/cleanup", c.body); status != 409 || !strings.Contains(got, c.want) {
			t.Errorf("%s: %d %s, want %s", c.body, status, got, c.want)
		}
	}
	if status, got := send(t, s, "POST", "/fault", `{"faults":[{"match":"GETDATE","times":1,"clock":"-1h"}]}`); status != 200 {
		t.Errorf("%d %s", status, got)
	}
	want(t, as(t, s, "dba"), "SELECT CONVERT(varchar(19), GETDATE(), 126)", "2026-11-01T02:00:00")
}
