package main

import (
	"encoding/json"
	"errors"
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

// The log's last line has the status that the process ends with, also where the
// command's own output says what is wrong.
func TestLogEndsAsTheProcess(t *testing.T) {
	c := newConsole(t)
	c.kept(t)
	path := filepath.Join(t.TempDir(), "log")
	c.want(4, "doctor", "--table", "dbo.Orders", "--as-of", "2026-09-01T00:00:00Z", "--log", path)
	lines, text := loggedLines(t, path)
	if last := lines[len(lines)-1]; last["msg"] != "ends" || last["exit"] != 4.0 || last["code"] != nil {
		t.Error(text)
	}
}

// A log that takes no more lines is told: somebody counts on it.
func TestLogThatIsNotWhole(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no device that is full: ", err)
	}
	_, messages := newConsole(t).want(2, "version", "--log", "/dev/full")
	wants(t, messages, "--log:", "no space left")
	f := &logFile{to: &fullAfter{lines: 1}}
	log := newLog(f, &app{streams: streams{now: time.Now}})
	log.Info("one")
	log.Info("two")
	if err := f.close(); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("the failure is %v", err)
	}
}

// fullAfter takes so many lines.
type fullAfter struct{ lines int }

func (f *fullAfter) Write(p []byte) (int, error) {
	if f.lines--; f.lines < 0 {
		return 0, errors.New("it is full")
	}
	return len(p), nil
}

func (*fullAfter) Close() error { return nil }
