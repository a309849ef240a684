package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The table in the tree is what this program makes of the Go that builds it.
func TestTableIsUpToDate(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("no go command at hand:", err)
	}
	var out bytes.Buffer
	if err := run([]string{strings.TrimSpace(string(root))}, &out); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../zones.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Error("engine/asof/zones.go is not what genzones writes; run it again")
	}
}

func TestRefusals(t *testing.T) {
	var out bytes.Buffer
	if err := run(nil, &out); !errors.Is(err, errUsage) {
		t.Error("no argument:", err)
	}
	if err := run([]string{t.TempDir()}, &out); !errors.Is(err, fs.ErrNotExist) || out.Len() > 0 {
		t.Error("a folder without Go:", err)
	}
	if src, err := table([]byte("package time")); err == nil {
		t.Errorf("no rows gave %s", src)
	}
}
