package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/store"
)

// A scratch folder is private, its name tells whose it is, and nothing of it stays.
func TestScratch(t *testing.T) {
	root := t.TempDir()
	s, err := store.NewScratch(root)
	if err != nil {
		t.Fatal(err)
	}
	if name := filepath.Base(s.Dir()); filepath.Dir(s.Dir()) != root || !strings.Contains(name, "-"+strconv.Itoa(os.Getpid())+"-") {
		t.Errorf("%s does not name its process", s.Dir())
	}
	f, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("abcdef")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 3)
	if _, err := f.ReadAt(got, 2); err != nil || string(got) != "cde" {
		t.Errorf("%q, %v", got, err)
	}
	if free, known := s.Free(); !known || free <= 0 {
		t.Error(free, known)
	}
	if runtime.GOOS != "windows" {
		err := filepath.WalkDir(s.Dir(), func(path string, d fs.DirEntry, err error) error {
			info, statErr := d.Info()
			if statErr != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s may be read by others: %v, %v", path, info.Mode(), statErr)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(s.Dir()); err != nil || len(left) != 0 {
		t.Error("a closed file stays", left, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) != 0 {
		t.Error("the folder stays", left, err)
	}
}

// A folder that was removed under the run is an error that names it; so is one
// that cannot be made.
func TestScratchGone(t *testing.T) {
	root := t.TempDir()
	s, err := store.NewScratch(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(s.Dir()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create(); !errors.Is(err, store.ErrNotExist) || !strings.Contains(err.Error(), s.Dir()) {
		t.Error(err)
	}
	if _, err := store.NewScratch(filepath.Join(root, "none")); !errors.Is(err, store.ErrNotExist) {
		t.Error(err)
	}
	if _, err := store.SweepScratch(filepath.Join(root, "none"), time.Unix(0, 0)); !errors.Is(err, store.ErrNotExist) {
		t.Error(err)
	}
}

// What a killed run left goes a day after the last write; what is younger is
// told, and what is none of ours stays.
func TestSweepScratch(t *testing.T) {
	root := t.TempDir()
	now := time.Date(2026, 10, 24, 12, 0, 0, 0, time.UTC)
	dated := func(name string, file, folder time.Duration) string {
		t.Helper()
		path := filepath.Join(root, name)
		inside := filepath.Join(path, "1")
		if err := errors.Join(
			os.Mkdir(path, 0o700), os.WriteFile(inside, []byte("x"), 0o600),
			os.Chtimes(inside, now.Add(-file), now.Add(-file)), os.Chtimes(path, now.Add(-folder), now.Add(-folder)),
		); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const day = 24 * time.Hour
	old := dated("cdcseed-scratch-1-a", day, 2*day)
	written := dated("cdcseed-scratch-2-b", day-time.Second, 2*day) // into a file that was made long ago
	fresh := dated("cdcseed-scratch-3-c", 2*day, time.Second)
	other := dated("cdcseed-other", 9*day, 9*day)
	if err := os.WriteFile(filepath.Join(root, "cdcseed-scratch-file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	younger, err := store.SweepScratch(root, now)
	if err != nil || len(younger) != 2 || younger[0] != written || younger[1] != fresh {
		t.Error(younger, err)
	}
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the old folder stays", err)
	}
	for _, path := range []string{written, fresh, other, filepath.Join(root, "cdcseed-scratch-file")} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}
