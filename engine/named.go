package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"cdcseed/engine/delta"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// namedFiles are the files that any readable version of the table's log names,
// and how long VACUUM leaves others alone. A file that a readable commit removes
// is named too: its add may be older than the log, and versions before the
// removal still read it.
func namedFiles(ctx context.Context, r store.Reader) (map[string]bool, time.Duration, error) {
	names := newNames(r.URL())
	snap, err := openTable(ctx, r)
	if err != nil || snap == nil {
		return names.keys, vacuumAge, err
	}
	for _, f := range snap.Files {
		if err := names.add(f.Path); err != nil {
			return nil, 0, err
		}
	}
	for c, err := range delta.Commits(ctx, r) {
		if err != nil {
			return nil, 0, storeError("reading the target's log", err)
		}
		for _, f := range c.Adds {
			err = errors.Join(err, names.add(f.Path))
		}
		for _, f := range c.Removes {
			err = errors.Join(err, names.add(f.Path))
		}
		if err != nil {
			return nil, 0, err
		}
	}
	return names.keys, retentionOf(snap), nil
}

// names gathers the keys of files that a log names, however it does.
type names struct {
	keys map[string]bool
	root []string // the table's folder, as it is given and with its links followed; none for another store
}

func newNames(location string) names {
	n := names{keys: map[string]bool{}}
	if at, ok := fileURL(location); ok {
		location = at
	} else if strings.Contains(location, "://") {
		return n
	}
	if abs, err := filepath.Abs(location); err == nil {
		n.root = append(n.root, abs)
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			n.root = append(n.root, real)
		}
	}
	return n
}

// add takes a path of the log. The last part of any path counts as a key where it
// is a staged file's name, which no two files share: the path may lead to the
// file through a link, or by the name that its disk has on another machine.
func (n names) add(text string) error {
	plain := text
	if decoded, err := url.PathUnescape(text); err == nil {
		plain = decoded
	}
	for _, p := range []string{text, plain} {
		if base := path.Base(strings.ReplaceAll(p, `\`, "/")); isStaged(base) {
			n.keys[base] = true
		}
	}
	f := delta.Add{Path: text}
	if f.Absolute() {
		return n.absolute(text, plain)
	}
	key, err := f.Key()
	if err != nil {
		return storeError("reading the target's log", err)
	}
	n.keys[key] = true
	return nil
}

func isStaged(name string) bool {
	_, ok := rewrite.ParseStageName(name)
	return ok
}

// absolute takes a path that may lead below the table's folder all the same.
func (n names) absolute(text, plain string) error {
	places := []string{text, plain} // a path without a scheme is encoded by some writers only
	if at, ok := fileURL(text); ok {
		places = []string{at}
	} else if strings.Contains(text, "://") {
		return nil // another store's
	}
	if len(n.root) == 0 {
		return nil // no path leads into this store
	}
	for _, at := range places {
		at = filepath.Clean(filepath.FromSlash(at))
		n.below(at)
		real, err := filepath.EvalSymlinks(at)
		switch {
		case err == nil:
			n.below(real)
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
			return &verdict.Error{
				Code: verdict.TargetFeature, What: fmt.Sprintf("the target's log names a file by an absolute path that cannot be followed: %q", text),
				Why:  "It may lead to a file in the table's own folder, which must then stay.",
				Hint: []string{"Give the user that runs this the right to look there, then run the same command again."},
				Err:  err,
			}
		}
	}
	return nil
}

// below takes a path on the disk that lies in the table's folder.
func (n names) below(at string) {
	for _, root := range n.root {
		if rel, err := filepath.Rel(root, at); err == nil && filepath.IsLocal(rel) {
			n.keys[filepath.ToSlash(rel)] = true
		}
	}
}

// fileURL is the path of a URL with the scheme file, in one of its spellings.
func fileURL(text string) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Path == "" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	at := u.Path
	if filepath.Separator == '\\' && len(at) > 2 && at[2] == ':' {
		at = at[1:] // file:///C:/data
	}
	return filepath.FromSlash(at), true
}
