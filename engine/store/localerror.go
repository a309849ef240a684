package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// fail names the operation, the key and the root, and adds the store's own
// answer to the system's. The system's error already holds a path of its own,
// which is dropped.
func (l *Local) fail(op, key string, err error) error {
	where := fmt.Sprintf("%s %q in %q", op, key, l.url)
	if key == "" {
		where = fmt.Sprintf("%s %q", op, l.url)
	}
	cause := err
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		cause = path.Err
	case errors.As(err, &link):
		cause = link.Err
	}
	if answer := answerFor(err); answer != nil && !errors.Is(err, answer) {
		return fmt.Errorf("%s: %w: %w", where, answer, cause)
	}
	return fmt.Errorf("%s: %w", where, cause)
}

func answerFor(err error) error {
	switch {
	case absent(err):
		return ErrNotExist
	case errors.Is(err, fs.ErrExist):
		return ErrExist
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ErrDenied
	case full(err):
		return ErrFull
	default:
		return nil
	}
}

// absent also holds where a part of the path is a file and not a folder, and
// where links lead to one another.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || endless(err)
}
