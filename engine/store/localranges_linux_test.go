package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"cdcseed/engine/store"
)

// On this system no byte of a local file need be seen on its way into another.
func TestRangesAreMovedByTheSystem(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "from"), make([]byte, 1<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := l.Open(t.Context(), "from")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	u, err := l.Create(t.Context(), "to")
	if err != nil {
		t.Fatal(err)
	}
	defer u.Abort(t.Context())
	if seen, err := store.CopyRange(t.Context(), u, f, 3, 1<<20-3, nil); err != nil || seen != 0 {
		t.Errorf("%d bytes were seen, %v", seen, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "from"), make([]byte, 2<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := store.CopyRange(t.Context(), u, f, 3, 10, nil); err == nil {
		t.Error("bytes of a file that was overwritten were taken for those of the one that was opened")
	}
}
