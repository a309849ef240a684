//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe or a device that is named where a file of ours should be is refused at
// once: it may have no end, or nothing to say.
func TestNamedFilesAreRegular(t *testing.T) {
	c := newConsole(t)
	dir := c.kept(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	c.env["CDCSEED_TARGET"] = filepath.Join(dir, "other")
	for name, args := range map[string][]string{
		"a plan to be kept in a pipe":   {"seed", "--dry-run", "--plan-out", pipe},
		"a plan to be kept in a device": {"seed", "--dry-run", "--plan-out", "/dev/zero"},
		"a plan from a pipe":            {"seed", "--plan", pipe, "--dry-run"},
		"a plan from a device":          {"seed", "--plan", "/dev/zero", "--dry-run"},
	} {
		_, messages := c.want(2, args...)
		if !strings.Contains(messages, "is there and is no plan") && !strings.Contains(messages, errNoFile.Error()) {
			t.Errorf("%s: %s", name, messages)
		}
	}
}

// A file that is no plan is told so, before its file list is looked for.
func TestAPlanThatIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(path, []byte("root:x:0:0::/root:/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, messages := newConsole(t).want(2, "seed", "--plan", path)
	wants(t, messages, path+" is no plan")
	_, messages = newConsole(t).want(2, "seed", "--plan", "")
	wants(t, messages, `No plan ""`)
}

// A password comes from a pipe too, as a shell's <(...) gives one, and never
// without end.
func TestPasswordFromAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile(pipe, []byte("Demo-only!1\n"), 0o600) }()
	if got, err := passwordOf(t.Context(), pipe); got != "Demo-only!1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := passwordOf(t.Context(), "/dev/zero"); err == nil || !strings.Contains(err.Error(), "longer than any password") {
		t.Errorf("%v", err)
	}
}
