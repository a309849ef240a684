//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

func full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// twoDisks tells that two names are on file systems of their own.
func twoDisks(err error) bool { return errors.Is(err, syscall.EXDEV) }

// endless tells links that lead to one another.
func endless(err error) bool { return errors.Is(err, syscall.ELOOP) }

// lacking lists the errors of file systems without a way of naming (FAT, some
// network shares and fuse mounts) that errors.ErrUnsupported leaves out.
func lacking(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EMLINK)
}

// syncDir makes a name durable. Some file systems have no sync of folders and
// say so; there is nothing better to do there.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
