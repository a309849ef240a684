package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// serveAs serves a built-in world and names one of its logins to the commands.
func (c *console) serveAs(world, login string) {
	c.t.Helper()
	s := startWorld(c.t, world)
	c.now = s.Now
	c.serves(s, login)
}

func TestDoctor(t *testing.T) {
	c := newConsole(t)
	c.serveAs("orders-clock-change", "svc_cdc_ro")
	out, messages := c.want(0, "doctor", "--table", "dbo.Orders", "--as-of", demoAsOf)
	wants(t, out, "Connection\n  ok    connected: SQL Server 2022 (16.0.4125.3) on FAKESQL", "Clock", "W. Europe Standard Time, now UTC+01:00",
		"CDC", "Permissions", "ok SELECT on all 23 columns of dbo.Orders that dbo_Orders captures", "Tables", "Retention", "as_of",
		"2026-10-25T00:40:00Z maps to L "+demoL, "warn  fell_back", "> GRANT VIEW DATABASE STATE TO [svc_cdc_ro];", "Nothing found would stop a seed: ")
	fits(t, out)
	if messages != "" {
		t.Errorf("messages: %s", messages)
	}
	out, _ = c.want(0, "doctor")
	wants(t, out, "dbo_Customers (4 columns", "dbo_Orders: as_of may lie back 3 d 8 h")
	fits(t, out)
	_, messages = c.want(2, "doctor", "--cast", "a=stop")
	wants(t, messages, "cdcseed doctor has no flag --cast")
	c.env["CDCSEED_SERVER"] = ""
	_, messages = c.want(2, "doctor")
	wants(t, messages, "--server is missing")
}

// One line a finding, the last one what they come to; the status is that of the
// worst, and nothing is told twice.
func TestDoctorJSON(t *testing.T) {
	c := newConsole(t)
	c.serveAs("capture-stopped", "clerk")
	out, messages := c.want(3, "doctor", "--json", "--table", "dbo.Orders", "--copy", filepath.Join(t.TempDir(), "nothing"))
	if messages != "" {
		t.Errorf("messages: %s", messages)
	}
	counts := map[string]float64{}
	sections := map[string]bool{}
	for line := range strings.Lines(out) {
		var f map[string]any
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if f["type"] == "result" {
			continue
		}
		level, _ := f["level"].(string)
		section, _ := f["section"].(string)
		counts[level]++
		sections[section] = true
		if f["type"] != "check" || f["text"] == "" || section == "" || (level == "stop") != (f["cause"] != nil) || (level == "warn") != (f["code"] != nil) {
			t.Errorf("no finding: %s", line)
		}
	}
	last := lastLine(t, out)
	for level, name := range map[string]string{"ok": "ok", "note": "notes", "warn": "warnings", "stop": "stops"} {
		if counts[level] == 0 || last[name] != counts[level] {
			t.Errorf("%s: %v of %v", level, last[name], counts[level])
		}
	}
	if last["type"] != "result" || last["exit"] != float64(3) || last["made_at"] != "2026-10-05T10:00:00Z" || !sections["permissions"] || !sections["copy"] {
		t.Errorf("got %v, sections %v", last, sections)
	}
	c.env["CDCSEED_PASSWORD"] = "wrong"
	out, _ = c.want(7, "doctor", "--json")
	if last := lastLine(t, out); last["type"] != "result" || last["exit"] != float64(7) {
		t.Errorf("got %v", last)
	}
}

// A dump is for a ticket: all that was found, in text or JSON, and no secret.
func TestDoctorDump(t *testing.T) {
	c := newConsole(t)
	c.serveAs("capture-stopped", "dba")
	dir := t.TempDir()
	text, object := filepath.Join(dir, "ticket.txt"), filepath.Join(dir, "ticket.json")
	for _, path := range []string{text, object, text, object} { // over itself, too
		_, messages := c.want(0, "doctor", "--table", "dbo.Orders", "--dump", path)
		wants(t, messages, "For a ticket: "+path)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wants(t, string(b), "cdcseed/", "capture met error 9002", "OrderId bigint", "VIEW DATABASE STATE", "--table")
		if strings.Contains(string(b), "Demo-only") || strings.Contains(string(b), "LOG_BACKUP") {
			t.Errorf("%s holds what it must not:\n%s", path, b)
		}
	}
	b, err := os.ReadFile(object)
	if err != nil || !json.Valid(b) {
		t.Errorf("%v: %s", err, b)
	}
	out, _ := c.want(0, "doctor", "--json", "--dump", text)
	if last := lastLine(t, out); last["dump"] != text {
		t.Errorf("got %v", last)
	}

	other := filepath.Join(dir, "other.txt")
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, messages := c.want(2, "doctor", "--dump", other)
	wants(t, messages, "is there and is no dump: it would be overwritten")
	_, messages = c.want(2, "doctor", "--dump", os.DevNull)
	wants(t, messages, "--dump "+os.DevNull+" is no regular file", "Give --dump the path of a file.")
	_, messages = c.want(2, "doctor", "--dump", dir)
	wants(t, messages, "is no regular file")
	huge := filepath.Join(dir, "huge.json") // begins like a dump and is longer than any: not read
	if err := os.WriteFile(huge, []byte("cdcseed/1.0.0, "), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 65<<20); err != nil {
		t.Fatal(err)
	}
	_, messages = c.want(2, "doctor", "--dump", huge)
	wants(t, messages, "is there and is no dump")
	_, messages = c.want(2, "doctor", "--target", dir, "--dump", filepath.Join(dir, "new.txt"))
	wants(t, messages, "lies inside the target")
	_, messages = c.want(7, "doctor", "--dump", filepath.Join(dir, "no", "folder.txt"))
	wants(t, messages, "The dump could not be written")
	if b, err := os.ReadFile(other); err != nil || string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
}

// A name from outside cannot act on a terminal through a dump in JSON.
func TestDumpOfOddNames(t *testing.T) {
	c := newConsole(t)
	c.serveAs("capture-stopped", "clerk")
	path := filepath.Join(t.TempDir(), "ticket.json")
	c.want(3, "doctor", "--table", "dbo.Or\u202eders\u0085", "--dump", path)
	b, err := os.ReadFile(path)
	if err != nil || !json.Valid(b) || strings.ContainsAny(string(b), "\u202e\u0085") || !strings.Contains(string(b), `\u202e`) {
		t.Errorf("%v:\n%s", err, b)
	}
}
