package store

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// List walks only folders that can hold an answer. Links to folders are not
// followed (the root may be one), so a loop cannot catch it; links to files
// are files. Keys are in byte order, which is not the order of a folder walk:
// "a.x" comes before "a/x".
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
		l.walk(ctx, dir, prefix, after, yield)
	}
}

// walk reports whether to go on.
func (l *Local) walk(ctx context.Context, dir, prefix, after string, yield func(Object, error) bool) bool {
	entries, err := os.ReadDir(filepath.Join(l.root, filepath.FromSlash(dir)))
	if absent(err) {
		return true
	}
	if err != nil {
		yield(Object{}, l.fail("list", dir, err))
		return false
	}
	for _, e := range sorted(dir, entries) {
		if err := ctx.Err(); err != nil {
			yield(Object{}, l.fail("list", dir, err))
			return false
		}
		if e.folder() {
			if e.mayHold(prefix, after) && !l.walk(ctx, strings.TrimSuffix(e.key, "/"), prefix, after, yield) {
				return false
			}
			continue
		}
		if e.key <= after || !strings.HasPrefix(e.key, prefix) {
			continue
		}
		info, err := e.stat(l)
		switch {
		case absent(err) || err == nil && !info.Mode().IsRegular():
			continue // gone meanwhile, a dangling link, or no file
		case err != nil:
			yield(Object{}, l.fail("list", e.key, err))
			return false
		}
		if !yield(object(e.key, info), nil) {
			return false
		}
	}
	return true
}

// entry is a folder's entry under its key; a folder's key ends in "/", by
// which its content sorts.
type entry struct {
	key string
	fs.DirEntry
}

func sorted(dir string, in []fs.DirEntry) []entry {
	out := make([]entry, 0, len(in))
	for _, d := range in {
		e := entry{key: path.Join(dir, d.Name()), DirEntry: d}
		if d.IsDir() {
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

func (e entry) stat(l *Local) (fs.FileInfo, error) {
	if e.Type()&fs.ModeSymlink != 0 {
		return os.Stat(filepath.Join(l.root, filepath.FromSlash(e.key)))
	}
	return e.Info()
}
