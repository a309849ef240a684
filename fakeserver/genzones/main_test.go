package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
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
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("no go command at hand: %v", err)
	}
	want, err := os.ReadFile(filepath.Join("..", "zones.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run([]string{strings.TrimSpace(string(root))}, &out); err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%v; the table differs from zones.go", err)
	}
	if err := run(nil, &out); !errors.Is(err, errUsage) {
		t.Errorf("without arguments: %v", err)
	}
	if err := run([]string{t.TempDir()}, &out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without sources: %v", err)
	}
}
