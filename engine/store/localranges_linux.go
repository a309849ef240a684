package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// moveRange moves up to n bytes of from at off to the place that to is being
// written at. It moves none, without an error, where the system cannot do it
// between these files; what stands in the way for any other reason is found by
// reading and writing.
func moveRange(to, from *os.File, off, n int64) (moved int64, err error) {
	raw, err := to.SyscallConn()
	if err != nil {
		return 0, err
	}
	src, err := from.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = raw.Control(func(dst uintptr) {
		failed = src.Control(func(fd uintptr) { moved, err = copyFileRange(int(dst), int(fd), off, n) })
	})
	return moved, errors.Join(err, failed)
}

func copyFileRange(dst, src int, off, n int64) (moved int64, err error) {
	for {
		got, err := unix.CopyFileRange(src, &off, dst, nil, int(n), 0)
		switch {
		case err == nil:
			return int64(got), nil
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EXDEV), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL),
			errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.EPERM):
			return 0, nil
		default:
			return 0, os.NewSyscallError("copy_file_range", err)
		}
	}
}
