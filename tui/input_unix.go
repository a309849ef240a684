//go:build !windows

package tui

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// follows reports whether more bytes come from a terminal within a time.
func follows(f *os.File, within time.Duration) bool {
	fd := int(f.Fd())
	if fd < 0 || fd >= unix.FD_SETSIZE {
		return false
	}
	var ready unix.FdSet
	ready.Set(fd)
	wait := unix.NsecToTimeval(within.Nanoseconds())
	n, err := unix.Select(fd+1, &ready, nil, nil, &wait)
	return err == nil && n > 0
}
