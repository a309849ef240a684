package main

import (
	"strings"
	"testing"
)

func TestLSNOfATime(t *testing.T) {
	c := newConsole(t)
	c.serve()
	out, messages := c.want(0, "lsn", "--table", "dbo.Orders", "--as-of", demoAsOf)
	wants(t, out, "as of      2026-10-25T00:40:00Z", "2026-10-25T02:40:00 on its clock, W. Europe Standard Time",
		"looked up  2026-10-25T01:40:00 on its clock, 2026-10-24T23:40:00Z", demoL,
		"committed 2026-10-24T23:36:20.153Z, server 2026-10-25T01:36:20.153", "1 h 3 m 39 s before as_of",
		"warn  fell_back", "ok    the changes right after L are kept", "oldest     0x0000002A000268000001")
	fits(t, out)
	if messages != "" {
		t.Errorf("messages: %s", messages)
	}
	json, _ := c.want(0, "lsn", "--json", "--table", "dbo_Orders", "--as-of", "2026-10-25T02:40:00+02:00")
	last := lastLine(t, json)
	if last["lsn"] != demoL || last["commit_ts"] != "2026-10-24T23:36:20.153Z" || last["fell_back"] != true || last["used_local"] != "2026-10-25T01:40:00" {
		t.Errorf("got %v", last)
	}
	if checks, ok := last["checks"].([]any); !ok || len(checks) != 3 {
		t.Errorf("checks %v", last["checks"])
	}
	// A lag takes as_of out of the hour that came twice.
	lagged, _ := c.want(0, "lsn", "--table", "dbo.Orders", "--as-of", demoAsOf, "--copy-lag", "1h")
	if strings.Contains(lagged, "fell_back") {
		t.Error(lagged)
	}
}

func TestLSNOfAnLSN(t *testing.T) {
	c := newConsole(t)
	c.serve()
	c.env["CDCSEED_TABLE"], c.env["CDCSEED_AS_OF"] = "dbo.Orders", strings.ToLower(demoL)
	out, _ := c.want(0, "lsn")
	wants(t, out, "as of      "+demoL, "L          "+demoL, "server     clock W. Europe Standard Time, now 2026-10-26T09:00:00Z")
	fits(t, out)
	// Between two commits: nothing is known of its time.
	out, _ = c.want(0, "lsn", "--as-of", "0x0000002A0005320B0002")
	wants(t, out, "commit time not known", "warn  lsn_no_commit: no commit has this LSN")
	json, _ := c.want(0, "lsn", "--json", "--as-of", "0x0000002A0005320B0002")
	if last := lastLine(t, json); last["commit_ts"] != nil || !strings.Contains(json, `"commit_ts":null`) {
		t.Errorf("got %s", json)
	}
}

func TestLSNNow(t *testing.T) {
	c := newConsole(t)
	c.serve()
	c.env["CDCSEED_AS_OF"] = "2026-10-25T00:40:00Z" // for other commands: --now does not look at it
	out, _ := c.want(0, "lsn", "--table", "dbo.Orders", "--now")
	wants(t, out, "L          0x0000002A000725C00001", "Write L down, take the copy, then seed it with\n  --as-of 0x0000002A000725C00001")
	fits(t, out)
	json, _ := c.want(0, "lsn", "--json", "--table", "dbo.Orders", "--now")
	if last := lastLine(t, json); last["lsn"] != "0x0000002A000725C00001" || last["commit_ts"] != "2026-10-26T08:55:00.03Z" {
		t.Errorf("got %v", last)
	}
	_, messages := c.want(2, "lsn", "--table", "dbo.Orders", "--now", "--as-of", demoAsOf)
	wants(t, messages, "--now takes neither --as-of nor --copy-lag")
}

func TestLSNRefusals(t *testing.T) {
	c := newConsole(t)
	c.serve()
	for _, r := range []struct {
		exit  int
		code  string
		asOf  string
		table string
	}{
		{2, "as_of_invalid", "yesterday", "dbo.Orders"},
		{2, "as_of_no_zone", "2026-10-25T02:40:00", "dbo.Orders"},
		{2, "as_of_invalid", "42:1234:1", "dbo.Orders"}, // two readings
		{3, "as_of_in_future", "2026-10-27T00:00:00Z", "dbo.Orders"},
		{3, "lsn_above_max", "0x0000002B000000000001", "dbo.Orders"},
		{4, "no_commit", "2026-10-20T00:40:00Z", "dbo.Orders"},
		{3, "no_instance", demoAsOf, "dbo.Nothing"},
		{2, "usage", "", "dbo.Orders"},
		{2, "usage", demoAsOf, ""},
	} {
		args := []string{"lsn", "--as-of", r.asOf, "--table", r.table}
		_, messages := c.want(r.exit, args...)
		wants(t, messages, "STOP", "Nothing was written.", "("+r.code+", exit status")
		out, _ := c.want(r.exit, append(args, "--json")...)
		last := lastLine(t, out)
		if last["type"] != "error" || last["code"] != r.code || last["exit"] != float64(r.exit) {
			t.Errorf("%s of %s: %s", r.asOf, r.table, out)
		}
	}
}
