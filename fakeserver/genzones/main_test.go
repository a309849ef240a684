package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	src := "package time\n\nvar abbrs = map[string]abbr{\n\t\"Egypt Standard Time\":             {\"EET\", \"EEST\"},    // Africa/Cairo\n\t\"UTC\":  {\"UTC\", \"UTC\"},   // Etc/UTC\n}\n"
	out, err := table([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"Egypt Standard Time", "Africa/Cairo"},`, `{"UTC", "Etc/UTC"},`, "DO NOT EDIT", "package fakeserver"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if _, err := table([]byte("package time")); err == nil {
		t.Error("a source without rows gave a table")
	}
}

// The table in the tree is what the program writes from this Go's sources.
func TestRun(t *testing.T) {
	if _, err := os.Stat(filepath.Join(runtime.GOROOT(), "src", "time", "zoneinfo_abbrs_windows.go")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("Go's sources are not here: %v", err)
	}
	want, err := os.ReadFile(filepath.Join("..", "zones.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run([]string{runtime.GOROOT()}, &out, &errs); code != 0 || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("exit %d, %s; the table differs from zones.go", code, errs.String())
	}
	if code := run(nil, &out, &errs); code != 2 {
		t.Errorf("exit %d without arguments", code)
	}
	if code := run([]string{t.TempDir()}, &out, &errs); code != 1 {
		t.Errorf("exit %d without sources", code)
	}
}
