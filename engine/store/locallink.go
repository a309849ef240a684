package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Link gives a file a second name, in no space and no time; each name stays when
// the other is removed. The file counts as written now, under both. ErrExist where
// the name to is taken; errors.ErrUnsupported, with nothing changed, where the two
// cannot share a file here: then a copy is the way. After any other error the new
// name may stand.
func (l *Local) Link(ctx context.Context, from, to string) (Object, error) {
	old, err := l.path(ctx, "link", from)
	if err != nil {
		return Object{}, err
	}
	final, err := l.path(ctx, "link", to)
	if err != nil {
		return Object{}, err
	}
	info, err := os.Lstat(old)
	if err != nil {
		return Object{}, l.fail("link", from, err)
	}
	if !info.Mode().IsRegular() {
		return Object{}, l.fail("link", from, errors.ErrUnsupported)
	}
	if err := makeDirs(filepath.Dir(final)); err != nil {
		return Object{}, l.fail("link", to, err)
	}
	if err := os.Link(old, final); err != nil {
		failed := l.fail("link", to, err)
		if unsupported(err) || twoDisks(err) {
			failed = fmt.Errorf("%w: %w", errors.ErrUnsupported, failed)
		}
		return Object{}, failed
	}
	return l.linked(to, final)
}

// linked dates and proves a name that was just made. A file that is not ours to
// date is none to share.
func (l *Local) linked(key, path string) (Object, error) {
	// The system's clock, as for a file that is written.
	if err := os.Chtimes(path, time.Time{}, time.Now()); err != nil {
		if left := l.gone(key, path); left != nil {
			return Object{}, left
		}
		return Object{}, fmt.Errorf("%w: %w", errors.ErrUnsupported, l.fail("date", key, err))
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return Object{}, l.fail("sync the folder of", key, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return Object{}, l.fail("link", key, err)
	}
	return object(key, info), nil
}
