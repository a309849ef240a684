package main

import (
	"bytes"
	"os"
	"runtime"
	"testing"
)

// The table in the tree is what this program makes of the Go that builds it.
func TestTableIsUpToDate(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{runtime.GOROOT()}, &out, &errs); code != 0 {
		t.Skip("no Go source tree at hand:", errs.String())
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
	var out, errs bytes.Buffer
	if code := run(nil, &out, &errs); code != 2 {
		t.Error("no argument exits", code)
	}
	if code := run([]string{t.TempDir()}, &out, &errs); code != 1 || out.Len() > 0 {
		t.Error("a folder without Go exits", code)
	}
	if src, err := table([]byte("package time")); err == nil {
		t.Errorf("no rows gave %s", src)
	}
}
