package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/store"
)

// A linked file is one file, and as new as one that was copied.
func TestALinkedFileCountsAsWrittenNow(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	if err := l.CreateOnce(t.Context(), "old", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "old"), time.Time{}, time.Now().Add(-48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	o, err := l.Link(t.Context(), "old", "new")
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no links here:", err)
	}
	if err != nil || o.Modified < clock.Of(time.Now().Add(-time.Hour)) {
		t.Errorf("%+v, %v", o, err)
	}
	one, err1 := os.Stat(filepath.Join(dir, "old"))
	other, err2 := os.Stat(filepath.Join(dir, "new"))
	if err1 != nil || err2 != nil || !os.SameFile(one, other) {
		t.Errorf("two files: %v, %v", err1, err2)
	}
}

// A symbolic link is not linked: the new name would lead where another decides.
func TestALinkToALinkIsUnsupported(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	if err := l.CreateOnce(t.Context(), "file", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", filepath.Join(dir, "symbolic")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if _, err := l.Link(t.Context(), "symbolic", "new"); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	if got := names(t, l, ""); len(got) != 2 {
		t.Errorf("left behind: %q", got)
	}
}

// The other file system is whatever of these is one.
func TestALinkAcrossDisksIsUnsupported(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no second file system is known here")
	}
	there, err := os.MkdirTemp("/dev/shm", "link")
	if err != nil {
		t.Skip("no second file system:", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(there) })
	dir := t.TempDir()
	if err := os.Symlink(there, filepath.Join(dir, "there")); err != nil {
		t.Fatal(err)
	}
	l := open(t, dir)
	if err := l.CreateOnce(t.Context(), "file", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Link(t.Context(), "file", "there/file"); err == nil {
		t.Skip("the temporary folder is on the same file system")
	} else if !errors.Is(err, errors.ErrUnsupported) || errors.Is(err, store.ErrExist) {
		t.Error(err)
	}
}
