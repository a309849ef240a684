package store

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"sort"
	"strings"

	"cdcseed/engine/clock"
)

// List walks only folders that can hold an answer. Links are followed, to files
// and to folders; one that leads back to a folder that is being listed is passed
// by, because what it shows is listed already. A link that leads nowhere and what
// is neither file nor folder (a pipe, a socket) are listed with size 0: nothing of
// a name that stands there is lost, and Stat and Open refuse it. Keys are in byte
// order, which is not the order of a folder walk: "a.x" comes before "a/x".
func (l *Local) List(ctx context.Context, prefix, after string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		dir := ""
		if i := strings.LastIndexByte(prefix, '/'); i >= 0 {
			dir = prefix[:i]
		}
		if dir != "" && !validKey(dir) {
			yield(Object{}, fmt.Errorf("list %q in %q: not a prefix below the root", prefix, l.url))
			return
		}
		w := walk{l, ctx, prefix, after, yield}
		w.folder(dir, w.above(dir))
	}
}

// walk is one listing.
type walk struct {
	*Local
	ctx           context.Context //nolint:containedctx // of the one listing
	prefix, after string
	yield         func(Object, error) bool
}

// above are the folders on the way to dir.
func (w walk) above(dir string) (open []fs.FileInfo) {
	for at := dir; at != "" && at != "."; {
		at = path.Dir(at)
		if info, err := os.Stat(w.place(at)); err == nil {
			open = append(open, info)
		}
	}
	return open
}

// folder lists dir, below the open ones, and reports whether to go on.
func (w walk) folder(dir string, open []fs.FileInfo) bool {
	at := w.place(dir)
	info, err := os.Stat(at)
	var entries []fs.DirEntry
	if err == nil {
		entries, err = os.ReadDir(at)
	}
	if absent(err) {
		return true
	}
	if err != nil {
		return w.stop(dir, err)
	}
	if slices.ContainsFunc(open, func(o fs.FileInfo) bool { return os.SameFile(o, info) }) {
		return true
	}
	open = append(slices.Clip(open), info)
	for _, e := range w.sorted(dir, entries) {
		if err := w.ctx.Err(); err != nil {
			return w.stop(dir, err)
		}
		if !w.entry(e, open) {
			return false
		}
	}
	return true
}

func (w walk) entry(e entry, open []fs.FileInfo) bool {
	switch {
	case e.folder():
		return !e.mayHold(w.prefix, w.after) || w.folder(strings.TrimSuffix(e.key, "/"), open)
	case e.key <= w.after || !strings.HasPrefix(e.key, w.prefix):
		return true
	case e.err != nil:
		return w.stop(e.key, e.err)
	case e.followed != nil:
		return w.yield(object(e.key, e.followed), nil)
	}
	info, err := e.Info()
	switch {
	case absent(err):
		return true // gone meanwhile
	case err != nil:
		return w.stop(e.key, err)
	case !info.Mode().IsRegular():
		return w.yield(Object{Key: e.key, Modified: clock.Of(info.ModTime())}, nil)
	}
	return w.yield(object(e.key, info), nil)
}

func (w walk) stop(key string, err error) bool {
	w.yield(Object{}, w.fail("list", key, err))
	return false
}

// entry is a folder's entry under its key; a folder's key ends in "/", by
// which its content sorts.
type entry struct {
	key string
	fs.DirEntry
	followed fs.FileInfo // where a link leads, to a file or a folder
	err      error       // why nobody can tell where
}

func (w walk) sorted(dir string, in []fs.DirEntry) []entry {
	out := make([]entry, 0, len(in))
	for _, d := range in {
		e := entry{key: path.Join(dir, d.Name()), DirEntry: d}
		if !d.IsDir() && !d.Type().IsRegular() && (strings.HasPrefix(e.key, w.prefix) || strings.HasPrefix(w.prefix, e.key+"/")) {
			info, err := os.Stat(w.place(e.key))
			switch {
			case err == nil && (info.IsDir() || info.Mode().IsRegular()):
				e.followed = info
			case err != nil && !absent(err):
				e.err = err
			}
		}
		if d.IsDir() || e.followed != nil && e.followed.IsDir() {
			e.key += "/"
		}
		out = append(out, e)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].key < out[j].key })
	return out
}

func (e entry) folder() bool { return strings.HasSuffix(e.key, "/") }

func (e entry) mayHold(prefix, after string) bool {
	wanted := strings.HasPrefix(e.key, prefix) || strings.HasPrefix(prefix, e.key)
	return wanted && (e.key > after || strings.HasPrefix(after, e.key))
}
