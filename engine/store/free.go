package store

import (
	"os"
	"path/filepath"
)

// Free is how many bytes this user may still write at a path: on the disk of the
// nearest folder on the way to it that exists. It is false where that is not known.
func Free(path string) (int64, bool) {
	dir, ok := nearest(path)
	if !ok {
		return 0, false
	}
	return freeAt(dir)
}

// Writable is whether this user may write at a path, as far as that can be known
// without writing: by the rights of the nearest folder on the way to it that exists.
func Writable(path string) (may, known bool) {
	dir, ok := nearest(path)
	if !ok {
		return false, false
	}
	return writableAt(dir)
}

// nearest is the path, or the nearest folder above it that exists.
func nearest(path string) (string, bool) {
	at, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	for {
		info, err := os.Stat(at)
		if err == nil {
			return at, info.IsDir()
		}
		above := filepath.Dir(at)
		if above == at || !absent(err) {
			return "", false
		}
		at = above
	}
}
