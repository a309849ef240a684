package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/store"
	"cdcseed/fakeserver"
)

// startedDemo is a demo that has not done anything yet.
func startedDemo(t *testing.T) *demo {
	t.Helper()
	a := &app{streams: streams{now: time.Now}, env: func(string) (string, bool) { return "", false }}
	d, err := a.startDemo(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.server.Close() })
	return d
}

func TestSampleCopyIsTheTableWhenItBegan(t *testing.T) {
	d := startedDemo(t)
	began, err := d.beganAt()
	if err != nil {
		t.Fatal(err)
	}
	if got := began.String(); got != "0x0000002A000541CC0001" { // 02:39:22, in the first pass of the hour
		t.Errorf("the newest commit when the copy began is %s", got)
	}
	if err := d.copy(t.Context(), began); err != nil {
		t.Fatal(err)
	}
	w, err := store.OpenLocal(d.path("copy"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := lakecopy.Open(t.Context(), w, lakecopy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, rows := d.server.Rows(demoDatabase, demoSchema, demoTable, (*[10]byte)(&began))
	if len(c.Files) != sampleFiles || c.Rows != int64(len(rows)) || len(c.Classes) != 1 || len(c.Marks) != 0 {
		t.Errorf("%d files, %d rows of %d, %d classes, marks %v", len(c.Files), c.Rows, len(rows), len(c.Classes), c.Marks)
	}
	if at, err := time.Parse(time.RFC3339, demoAsOf); err != nil || c.Evidence.Earliest <= clock.Of(at) {
		t.Errorf("file times contradict as_of: %s, %v", c.Evidence.Earliest, err)
	}
}

// A folder of an earlier run is the same copy; what is missing is written again.
func TestSampleCopyIsWrittenOnce(t *testing.T) {
	d := startedDemo(t)
	began, err := d.beganAt()
	if err != nil {
		t.Fatal(err)
	}
	read := func() (out [sampleFiles]string) {
		for i := range sampleFiles {
			b, err := os.ReadFile(d.path("copy", sampleName(i)))
			if err != nil {
				t.Fatal(err)
			}
			out[i] = string(b)
		}
		return out
	}
	if err := d.copy(t.Context(), began); err != nil {
		t.Fatal(err)
	}
	first := read()
	if err := os.Remove(d.path("copy", sampleName(1))); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(d.path("copy", sampleName(0)))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.copy(t.Context(), began); err != nil {
		t.Fatal(err)
	}
	if read() != first {
		t.Error("the copy is another one the second time")
	}
	after, err := os.Stat(filepath.Join(d.path("copy"), sampleName(0)))
	if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a file that was there was written again: %v", err)
	}
}

func TestSampleRecordRefusesWhatItDoesNotKnow(t *testing.T) {
	if _, err := sampleRecord([]fakeserver.Column{{Name: "OrderId"}}, nil); err == nil {
		t.Error("a table without the demo's columns was taken")
	}
	d := startedDemo(t)
	columns, rows := d.server.Rows(demoDatabase, demoSchema, demoTable, nil)
	rows[0][0] = "text"
	if _, err := sampleRecord(columns, rows[:1]); err == nil {
		t.Error("a text was taken for a number")
	}
}

// The times of the world's commits must be those that the server's zone gives:
// here by zone rules, in the demo by the order of the log.
func TestDemoCommitTimes(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skipf("no time zones on this machine: %v", err)
	}
	commits, err := startedDemo(t).commits()
	if err != nil {
		t.Fatal(err)
	}
	var last time.Time
	for _, c := range commits {
		if shown := c.at.In(berlin).Format("2006-01-02T15:04:05.000"); shown != c.LocalTime || !c.at.After(last) {
			t.Errorf("%s at %s is %s there, after %s; the world says %s", c.LSN, c.at, shown, last, c.LocalTime)
		}
		last = c.at
	}
}
