package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// logged reads a log's lines.
func loggedLines(t *testing.T, path string) (lines []map[string]any, text string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		lines = append(lines, m)
	}
	return lines, string(b)
}

// said counts the lines of a message.
func saidInLog(lines []map[string]any, message string) int {
	n := 0
	for _, l := range lines {
		if l["msg"] == message {
			n++
		}
	}
	return n
}

// A seed's log has its events, with times on the program's clock, its result and
// its end, and no secret. Another run goes on behind it.
func TestLogOfASeed(t *testing.T) {
	c := newConsole(t)
	dir := c.kept(t)
	c.now = func() time.Time { return time.Date(2026, 10, 26, 9, 0, 0, 0, time.UTC) }
	path := filepath.Join(t.TempDir(), "seed.jsonl")
	c.env["CDCSEED_TARGET"] = filepath.Join(dir, "logged")
	c.want(0, "seed", "--confirm", "dbo.Orders", "--log", path)
	lines, text := loggedLines(t, path)
	if saidInLog(lines, "phase started") < 4 || saidInLog(lines, "phase done") < 4 || saidInLog(lines, "result") != 1 || saidInLog(lines, "ends") != 1 {
		t.Error(text)
	}
	for _, l := range lines {
		if l["time"] != "2026-10-26T09:00:00Z" {
			t.Errorf("time %v", l["time"])
		}
	}
	if strings.Contains(text, c.env["CDCSEED_PASSWORD"]) {
		t.Error("the log holds the password")
	}
	c.want(6, "seed", "--confirm", "dbo.Orders", "--as-of", "2026-10-25T12:00:00Z", "--log", path)
	more, text := loggedLines(t, path)
	if last := more[len(more)-1]; len(more) <= len(lines) || last["msg"] != "ends" || last["exit"] != 6.0 || last["level"] != "ERROR" || last["what"] == "" {
		t.Error(text)
	}
}

func TestLogThatCannotBeWritten(t *testing.T) {
	_, messages := newConsole(t).want(2, "tables", "--log", filepath.Join(t.TempDir(), "missing", "x"))
	wants(t, messages, "--log: open", "Nothing was written.")
}
