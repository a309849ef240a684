package store_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"cdcseed/engine/store"
)

// What is free is asked of the nearest folder that is there, and of no file.
func TestFree(t *testing.T) {
	dir := t.TempDir()
	here, ok := store.Free(dir)
	if !ok || here <= 0 {
		t.Fatal(here, ok)
	}
	below, ok := store.Free(filepath.Join(dir, "not", "there", "yet"))
	if !ok || below <= 0 || below > 2*here || here > 2*below {
		t.Errorf("%d below, %d here, %v", below, here, ok)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "below")} {
		if n, ok := store.Free(path); ok {
			t.Errorf("%s has %d free", path, n)
		}
		if may, known := store.Writable(path); may || known {
			t.Errorf("%s: may %v, known %v", path, may, known)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Error("looking left something behind", entries, err)
	}
}

func TestWritable(t *testing.T) {
	dir := t.TempDir()
	may, known := store.Writable(filepath.Join(dir, "not", "there"))
	if known != (runtime.GOOS != "windows") || may != known {
		t.Error(may, known)
	}
	if !known || os.Getuid() == 0 {
		t.Skip("this user may write everywhere, or it cannot be known")
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if may, known := store.Writable(filepath.Join(dir, "new")); may || !known {
		t.Error(may, known)
	}
}
