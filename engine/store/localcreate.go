package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"
)

// Create starts a file under a dot name beside its final one.
func (l *Local) Create(ctx context.Context, key string) (Upload, error) {
	u, err := l.create(ctx, key)
	if err != nil {
		return nil, err
	}
	return u, nil
}

func (l *Local) create(ctx context.Context, key string) (*upload, error) {
	final, err := l.path(ctx, "create", key)
	if err != nil {
		return nil, err
	}
	dir, name := filepath.Split(final)
	if err := makeDirs(filepath.Clean(dir)); err != nil {
		return nil, l.fail("create", key, err)
	}
	temp := filepath.Join(dir, "."+name+"."+uuid.NewString()+".tmp")
	// 0666 and not 0600: others, Spark among them, read what is written here.
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, l.fail("create", key, err)
	}
	return &upload{store: l, key: key, f: f, temp: temp, final: final}, nil
}

// CreateOnce makes the file whole under a dot name first, so that no reader
// ever sees a part of it.
func (l *Local) CreateOnce(ctx context.Context, key string, data []byte) error {
	u, err := l.create(ctx, key)
	if err != nil {
		return err
	}
	if _, err := u.Write(data); err != nil {
		return errors.Join(err, u.discard())
	}
	if _, err := u.Finish(ctx); err != nil {
		// A name that stands stays: the caller reads it back.
		return errors.Join(err, u.discard())
	}
	return nil
}

type upload struct {
	store   *Local
	key     string
	f       *os.File // nil once closed
	temp    string
	final   string
	written int64
	placed  bool // the final name is ours
	done    bool // and the folder is synced
}

func (u *upload) Write(p []byte) (int, error) {
	if u.f == nil {
		return 0, fmt.Errorf("write %q in %q: already finished or aborted", u.key, u.store.url)
	}
	n, err := u.f.Write(p)
	u.written += int64(n)
	if err != nil {
		return n, u.store.fail("write", u.key, err)
	}
	return n, nil
}

func (u *upload) Finish(ctx context.Context) (Object, error) {
	if err := ctx.Err(); err != nil {
		return Object{}, u.store.fail("finish", u.key, err)
	}
	if u.f == nil {
		return Object{}, fmt.Errorf("finish %q in %q: already finished or aborted", u.key, u.store.url)
	}
	if err := u.seal(); err != nil {
		return Object{}, u.store.fail("finish", u.key, err)
	}
	if err := place(u.store.placer, u.temp, u.final); err != nil {
		err = u.store.fail("finish", u.key, err)
		if errors.Is(err, ErrExist) {
			err = errors.Join(err, u.discard())
		}
		return Object{}, err
	}
	u.placed = true
	// The final name holds the file whatever becomes of the dot name; one that
	// stays is only litter, and listed as such.
	_ = os.Remove(u.temp)
	if err := syncDir(filepath.Dir(u.final)); err != nil {
		return Object{}, u.store.fail("sync the folder of", u.key, err)
	}
	info, err := os.Stat(u.final)
	if err == nil && info.Size() != u.written {
		err = fmt.Errorf("%d bytes were written, %d are there", u.written, info.Size())
	}
	if err != nil {
		return Object{}, u.store.fail("finish", u.key, err)
	}
	u.done = true
	return object(u.key, info), nil
}

// seal syncs and closes the dot-named file, and proves its length.
func (u *upload) seal() error {
	err := u.f.Sync()
	info, statErr := u.f.Stat()
	err = errors.Join(err, statErr, u.f.Close())
	u.f = nil
	if err == nil && info.Size() != u.written {
		err = fmt.Errorf("%d bytes were written, %d are there", u.written, info.Size())
	}
	return err
}

// Abort also takes back a final name that Finish made but could not prove.
func (u *upload) Abort(context.Context) error {
	if u.done {
		return nil
	}
	err := u.discard()
	if u.placed {
		err = errors.Join(err, u.store.gone(u.key, u.final))
		u.placed = false
	}
	return err
}

// discard removes the dot-named file.
func (u *upload) discard() error {
	if u.f != nil {
		_ = u.f.Close() // what it holds is unwanted
		u.f = nil
	}
	return u.store.gone(u.key, u.temp)
}

func (l *Local) gone(key, path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return l.fail("remove what was written of", key, err)
	}
	return nil
}

// makeDirs creates dir and the folders above it, each synced into its parent.
func makeDirs(dir string) error {
	if info, err := os.Stat(dir); err == nil {
		if info.IsDir() {
			return nil
		}
		return &fs.PathError{Op: "mkdir", Path: dir, Err: errors.New("a file stands where a folder is needed")}
	}
	parent := filepath.Dir(dir)
	if parent == dir {
		return &fs.PathError{Op: "mkdir", Path: dir, Err: fs.ErrNotExist}
	}
	if err := makeDirs(parent); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(parent)
}
