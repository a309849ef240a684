package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"cdcseed/engine/rewrite"
)

// leftovers are two old files of one run, whole and unfinished, and two of a run
// that goes on, the older one finished hours ago, beside a seed that is committed.
func leftovers(t *testing.T, c *console) (target string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	c.want(0, "demo", "--dir", dir)
	target = filepath.Join(dir, "bronze", "orders")
	old := c.now().Add(-3 * time.Hour)
	key, live := rewrite.StageKey("a seed that broke"), rewrite.StageKey("a seed that goes on")
	for name, at := range map[string]time.Time{
		rewrite.StageName(0, key, "0b1c2d3e-4f50-4617-8899-aabbccddeeff", ""):                                                     old,
		"." + rewrite.StageName(1, key, "0b1c2d3e-4f50-4617-8899-aabbccddeeff", "") + ".11111111-2222-4333-8444-555555555555.tmp": old,
		rewrite.StageName(3, live, "0b1c2d3e-4f50-4617-8899-aabbccddeeff", ""):                                                    old,
		rewrite.StageName(2, live, "0b1c2d3e-4f50-4617-8899-aabbccddeeff", ""):                                                    c.now().Add(-10 * time.Minute),
	} {
		path := filepath.Join(target, name)
		if err := os.WriteFile(path, make([]byte, 1500), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return target
}

func count(t *testing.T, target string) int {
	t.Helper()
	entries, err := os.ReadDir(target)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestStagedListsAndRemoves(t *testing.T) {
	c := newConsole(t)
	target := leftovers(t, c)
	before := count(t, target)
	out, _ := c.want(0, "staged", "--target", target)
	wants(t, out, "part-00000-", ".part-00001-", "part-00002-", "1.5 kB, 3 h old", ", not finished", "1.5 kB, 10 m old",
		"4 files, 6.0 kB, that no reader sees. --remove removes them.")
	if count(t, target) != before {
		t.Error("a list removed files")
	}
	out, messages := c.want(3, "staged", "--target", target, "--remove")
	wants(t, out, "3 h old, removed", "3 h old, not finished, removed")
	wants(t, messages, "2 files belong to a run that wrote less than an hour ago and may go on", "2 older files were removed.", "--remove --all")
	if count(t, target) != before-2 {
		t.Errorf("%d of %d files are left", count(t, target), before)
	}
	out, _ = c.want(0, "staged", "--target", target, "--remove", "--all")
	wants(t, out, "2 files, 3.0 kB, that no reader sees; 2 removed.")
	out, _ = c.want(0, "staged", "--target", target)
	wants(t, out, "No staged files in "+target)
	// The seed is whole.
	again, _ := c.want(0, "demo", "--dir", filepath.Dir(filepath.Dir(target)))
	wants(t, again, "Already seeded.", "3,001 with operation 0 at L")
}

func TestStagedJSON(t *testing.T) {
	c := newConsole(t)
	target := leftovers(t, c)
	c.env["CDCSEED_TARGET"] = target
	out, _ := c.want(0, "staged", "--json")
	if last := lastLine(t, out); last["type"] != "result" || last["files"] != 4.0 || last["bytes"] != 6000.0 || last["removed"] != 0.0 {
		t.Errorf("got %s", out)
	}
	out, _ = c.want(3, "staged", "--json", "--remove")
	wants(t, out, `"whole":false,"removed":true`, `"removed":false`)
	if last := lastLine(t, out); last["type"] != "error" || last["exit"] != 3.0 || last["wrote"] != "2 older files were removed." {
		t.Errorf("got %s", out)
	}
	out, _ = c.want(0, "staged", "--json", "--remove", "--all")
	if last := lastLine(t, out); last["removed"] != 2.0 {
		t.Errorf("got %s", out)
	}
}

func TestStagedRefusals(t *testing.T) {
	c := newConsole(t)
	c.want(2, "staged")
	c.want(2, "staged", "--target", t.TempDir(), "--all")
	c.want(3, "staged", "--target", "s3://bucket/table")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.want(3, "staged", "--target", file)
	for _, nothing := range []string{filepath.Join(t.TempDir(), "misspelled"), t.TempDir()} {
		_, messages := c.want(3, "staged", "--target", nothing, "--remove")
		wants(t, messages, "There is nothing at", nothing, "(target_path, exit status 3)")
	}
}

// A folder of something else is told from a table without staged files; a first
// seed that broke off leaves files where no table is yet.
func TestStagedWhereNoTableIs(t *testing.T) {
	c := newConsole(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := c.want(0, "staged", "--target", dir)
	wants(t, out, "No staged files in "+dir+", which holds no Delta table.")
	name := rewrite.StageName(0, rewrite.StageKey("a first seed"), "0b1c2d3e-4f50-4617-8899-aabbccddeeff", "")
	if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 10), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ = c.want(0, "staged", "--target", dir)
	wants(t, out, "1 file, 10 B, that no reader sees")
	out, _ = c.want(0, "staged", "--target", dir, "--json")
	if last := lastLine(t, out); last["table"] != false || last["files"] != 1.0 {
		t.Error(out)
	}
}
