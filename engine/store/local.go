package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cdcseed/engine/clock"
)

// Local is a folder on a file system. A file is written under a dot name
// beside its final name (".NAME.UUID.tmp"), synced, and then linked: a final
// name proves a file that is whole and on disk. The folder need not exist;
// creating a file creates it.
type Local struct {
	url    string
	root   string // absolute
	placer []placer
}

var _ Writer = (*Local)(nil)

// OpenLocal takes a path or a file URL. A folder that does not exist reads as
// an empty one; a file or a link that leads nowhere in its place is an error.
func OpenLocal(root string) (*Local, error) {
	path, err := LocalPath(root)
	if err != nil {
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, fmt.Errorf("find folder %q: %w", root, err)
	}
	l := &Local{url: root, root: path, placer: placers()}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("%q is a file, not a folder", root)
	case err != nil && !absent(err):
		return nil, l.fail("look at", "", err)
	case err != nil:
		if err := leadsNowhere(root, path); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// leadsNowhere is an error where path, which does not exist, cannot come to
// exist either: a part of it is a link to what is not there.
func leadsNowhere(root, path string) error {
	for at := path; ; at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			if _, err := os.Stat(at); err != nil {
				return fmt.Errorf("%q cannot be made: %q is a link that leads nowhere", root, at)
			}
		}
		if err == nil || at == filepath.Dir(at) {
			return nil
		}
	}
}

// LocalPath is the path of a local location: a path, or a file URL. Another
// scheme is an error; a single letter before a colon is a Windows drive.
func LocalPath(root string) (string, error) {
	if root == "" {
		return "", errors.New("no folder given")
	}
	if !strings.HasPrefix(root, "file:") {
		if scheme, _, ok := strings.Cut(root, ":"); ok && len(scheme) > 1 && isScheme(scheme) {
			return "", fmt.Errorf("%q is not on a local disk", root)
		}
		return root, nil
	}
	u, err := url.Parse(root)
	if err != nil {
		return "", fmt.Errorf("%q is no file URL: %w", root, err)
	}
	if u.Host != "" && u.Host != "localhost" || u.RawQuery != "" || u.Fragment != "" || u.Path == "" {
		return "", fmt.Errorf("%q is no local folder: write file:///path", root)
	}
	path := u.Path
	if filepath.Separator == '\\' && len(path) > 2 && path[2] == ':' {
		path = path[1:] // file:///C:/data
	}
	return filepath.FromSlash(path), nil
}

// isScheme tells a URL's scheme from a part of a path (RFC 3986, 3.1).
func isScheme(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	s = strings.ToLower(s)
	return strings.ContainsRune(letters, rune(s[0])) && strings.Trim(s, letters+"0123456789+-.") == ""
}

// URL is the folder as it was given to OpenLocal.
func (l *Local) URL() string { return l.url }

// Stat is the file's present state. A folder is no file.
func (l *Local) Stat(ctx context.Context, key string) (Object, error) {
	path, err := l.path(ctx, "stat", key)
	if err != nil {
		return Object{}, err
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return Object{}, l.fail("stat", key, err)
	}
	return object(key, info), nil
}

// Open opens the file for reading at any place. It looks first: opening a pipe
// would wait for a writer.
func (l *Local) Open(ctx context.Context, key string) (File, error) {
	path, err := l.path(ctx, "open", key)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, l.fail("open", key, fs.ErrNotExist)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, l.fail("open", key, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, errors.Join(l.fail("open", key, err), f.Close())
	}
	return &localFile{f: f, store: l, key: key, size: info.Size(), modified: info.ModTime()}, nil
}

// Remove removes a file, never a folder.
func (l *Local) Remove(ctx context.Context, key string) error {
	path, err := l.path(ctx, "remove", key)
	if err != nil {
		return err
	}
	info, err := os.Lstat(path)
	if err == nil && info.IsDir() {
		err = errors.New("it is a folder")
	} else if err == nil {
		err = os.Remove(path)
	}
	if err != nil && !absent(err) {
		return l.fail("remove", key, err)
	}
	return nil
}

// path is where key lies. A key that could leave the root, or that names
// another key's file by a second spelling, is refused.
func (l *Local) path(ctx context.Context, op, key string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", l.fail(op, key, err)
	}
	if !validKey(key) {
		return "", fmt.Errorf("%s %q in %q: not a key below the root", op, key, l.url)
	}
	return l.place(key), nil
}

// Follow is the system's path of a key's file, with its links followed, and
// whether there are any below the root.
func (l *Local) Follow(ctx context.Context, key string) (path string, linked bool, err error) {
	at, err := l.path(ctx, "follow", key)
	if err != nil {
		return "", false, err
	}
	if path, err = filepath.EvalSymlinks(at); err != nil {
		return "", false, l.fail("follow", key, err)
	}
	root, err := filepath.EvalSymlinks(l.root)
	if err != nil {
		return "", false, l.fail("follow", "", err)
	}
	return path, path != filepath.Join(root, filepath.FromSlash(key)), nil
}

func (l *Local) place(key string) string { return filepath.Join(l.root, filepath.FromSlash(key)) }

func validKey(key string) bool {
	if !fs.ValidPath(key) || key == "." || strings.ContainsRune(key, 0) {
		return false
	}
	if filepath.Separator == '\\' && strings.ContainsAny(key, `\:`) {
		return false
	}
	return filepath.IsLocal(filepath.FromSlash(key))
}

func object(key string, info fs.FileInfo) Object {
	return Object{Key: key, Size: info.Size(), Modified: clock.Of(info.ModTime()), ETag: etag(info)}
}

// localFile refuses to give bytes of a file that was overwritten in place
// after it was opened; one that was replaced keeps giving the old bytes.
type localFile struct {
	f        *os.File
	store    *Local
	key      string
	size     int64
	modified time.Time
}

func (f *localFile) Size() int64 { return f.size }

func (f *localFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.f.ReadAt(p, off)
	if changed := f.unchanged(); changed != nil {
		return 0, changed
	}
	return n, err
}

func (f *localFile) unchanged() error {
	info, err := f.f.Stat()
	if err != nil {
		return f.store.fail("read", f.key, err)
	}
	if info.Size() != f.size || !info.ModTime().Equal(f.modified) {
		return fmt.Errorf("read %q in %q: the file was changed while it was being read", f.key, f.store.url)
	}
	return nil
}

func (f *localFile) Close() error { return f.f.Close() }
