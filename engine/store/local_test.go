package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
)

func open(t *testing.T, root string) *store.Local {
	t.Helper()
	l, err := store.OpenLocal(root)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestContract(t *testing.T) {
	t.Run("local", func(t *testing.T) {
		storetest.RunContract(t, func() store.Writer { return open(t, filepath.Join(t.TempDir(), "not", "there")) })
	})
	t.Run("mem", func(t *testing.T) {
		storetest.RunContract(t, func() store.Writer { return storetest.NewMem() })
	})
	t.Run("mem with links", func(t *testing.T) {
		storetest.RunContract(t, func() store.Writer {
			m := storetest.NewMem()
			m.Links = true
			return m
		})
	})
	t.Run("faultless", func(t *testing.T) {
		storetest.RunContract(t, func() store.Writer { return storetest.FailNth(storetest.NewMem(), 0, nil) })
	})
}

func TestOpenLocal(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", file, "file://elsewhere/x", "file:///x?sig=1", "file:"} {
		if _, err := store.OpenLocal(bad); err == nil {
			t.Errorf("%q was taken for a folder", bad)
		}
	}
	url := "file://" + filepath.ToSlash(dir)
	if runtime.GOOS == "windows" {
		url = "file:///" + filepath.ToSlash(dir)
	}
	l := open(t, url)
	if _, err := l.Stat(t.Context(), "file"); err != nil || l.URL() != url {
		t.Errorf("%q: %v", l.URL(), err)
	}
}

// A dot name is there while a file is being written, and listed, so that
// left-overs of a killed program can be found.
func TestDotNameIsListed(t *testing.T) {
	l := open(t, t.TempDir())
	u, err := l.Create(t.Context(), "d/part.parquet")
	if err != nil {
		t.Fatal(err)
	}
	got := names(t, l, "d/")
	if len(got) != 1 || !strings.HasPrefix(got[0], "d/.part.parquet.") || !strings.HasSuffix(got[0], ".tmp") {
		t.Errorf("got %q", got)
	}
	if err := u.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := names(t, l, ""); len(got) != 0 {
		t.Errorf("left behind %q", got)
	}
}

func TestFolderIsNoFile(t *testing.T) {
	l := open(t, t.TempDir())
	if err := l.CreateOnce(t.Context(), "d/f", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Stat(t.Context(), "d"); !errors.Is(err, store.ErrNotExist) {
		t.Error(err)
	}
	if _, err := l.Open(t.Context(), "d"); !errors.Is(err, store.ErrNotExist) {
		t.Error(err)
	}
	if _, err := l.Stat(t.Context(), "d/f/g"); !errors.Is(err, store.ErrNotExist) {
		t.Error(err)
	}
	if err := l.Remove(t.Context(), "d"); err == nil {
		t.Error("a folder was removed")
	}
	if err := l.CreateOnce(t.Context(), "d/f/g", nil); err == nil || errors.Is(err, store.ErrExist) {
		t.Errorf("a file below a file: %v", err)
	}
	if err := l.CreateOnce(t.Context(), "d", nil); !errors.Is(err, store.ErrExist) {
		t.Errorf("a folder's name: %v", err)
	}
}

func TestDenied(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("this user may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	err := open(t, dir).CreateOnce(t.Context(), "f", nil)
	if !errors.Is(err, store.ErrDenied) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), `"f"`) {
		t.Error(err)
	}
}

func TestOverwrittenWhileOpen(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	if err := l.CreateOnce(t.Context(), "f", []byte("old old")); err != nil {
		t.Fatal(err)
	}
	f, err := l.Open(t.Context(), "f")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before, err := l.Stat(t.Context(), "f")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("new new"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Unix(1_900_000_000, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.ReadAt(make([]byte, 3), 0); err == nil {
		t.Error("new bytes were given for old ones")
	}
	if after, err := l.Stat(t.Context(), "f"); err != nil || after.ETag == before.ETag {
		t.Errorf("the tag stayed %q, %v", after.ETag, err)
	}
}

func TestErrorText(t *testing.T) {
	dir := t.TempDir()
	_, err := open(t, dir).Stat(t.Context(), "a/b")
	if err == nil || !strings.HasPrefix(err.Error(), `stat "a/b" in "`+dir+`": no such file`) {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, err := range open(t, dir).List(ctx, "", "") {
		t.Error("an empty folder gave", err)
	}
}

func names(t *testing.T, r store.Reader, prefix string) []string {
	t.Helper()
	var out []string
	for o, err := range r.List(t.Context(), prefix, "") {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, o.Key)
	}
	return out
}
