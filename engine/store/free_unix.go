//go:build unix

package store

import (
	"errors"

	"golang.org/x/sys/unix"
)

// freeAt is what the file system of an existing folder has left for this user.
func freeAt(dir string) (int64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true // of types that differ between systems
}

// writableAt asks the system whether this user may make files in an existing folder.
func writableAt(dir string) (may, known bool) {
	switch err := unix.Access(dir, unix.W_OK|unix.X_OK); {
	case err == nil:
		return true, true
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EROFS), errors.Is(err, unix.EPERM):
		return false, true
	}
	return false, false
}
