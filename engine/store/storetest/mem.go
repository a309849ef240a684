// Package storetest proves stores and what is built on them: a contract that
// every store.Writer keeps, a store in memory, and a wrapper that makes
// operations fail.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"sort"
	"strconv"
	"strings"
	"sync"

	"cdcseed/engine/clock"
	"cdcseed/engine/store"
)

// Mem is a store in memory, safe for many callers. Each write takes a time one
// second after the one before, so that tests see the same times on every run.
type Mem struct {
	Links bool // whether Link works; set before the first use

	mu     sync.Mutex
	files  map[string]memFile
	writes int64
}

type memFile struct {
	data []byte
	obj  store.Object
}

var _ store.Writer = (*Mem)(nil)

// FirstWrite is the time of a Mem's first write: 2026-01-01T00:00:00Z.
const FirstWrite clock.Instant = 1_767_225_600 * clock.Second

// NewMem is an empty store.
func NewMem() *Mem { return &Mem{files: map[string]memFile{}} }

// URL is a name that no other kind of store has.
func (m *Mem) URL() string { return "mem://" }

// Stat is the file's state.
func (m *Mem) Stat(ctx context.Context, key string) (store.Object, error) {
	f, err := m.file(ctx, "stat", key)
	return f.obj, err
}

// Open reads the file as it is now, whatever becomes of it.
func (m *Mem) Open(ctx context.Context, key string) (store.File, error) {
	f, err := m.file(ctx, "open", key)
	if err != nil {
		return nil, err
	}
	return memReader{bytes.NewReader(f.data)}, nil
}

func (m *Mem) file(ctx context.Context, op, key string) (memFile, error) {
	if err := check(ctx, op, key); err != nil {
		return memFile{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.files[key]
	if !ok {
		return memFile{}, fmt.Errorf("%s %q in mem: %w", op, key, store.ErrNotExist)
	}
	return f, nil
}

func check(ctx context.Context, op, key string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s %q in mem: %w", op, key, err)
	}
	if !fs.ValidPath(key) || key == "." {
		return fmt.Errorf("%s %q in mem: not a key below the root", op, key)
	}
	return nil
}

type memReader struct{ *bytes.Reader }

func (r memReader) Size() int64  { return r.Reader.Size() }
func (r memReader) Close() error { return nil }

// List gives what is there when the iteration starts.
func (m *Mem) List(ctx context.Context, prefix, after string) iter.Seq2[store.Object, error] {
	return func(yield func(store.Object, error) bool) {
		m.mu.Lock()
		var out []store.Object
		for key, f := range m.files {
			if strings.HasPrefix(key, prefix) && key > after {
				out = append(out, f.obj)
			}
		}
		m.mu.Unlock()
		sort.Slice(out, func(i, j int) bool { return out[i].Key < out[j].Key })
		for _, o := range out {
			if err := ctx.Err(); err != nil {
				yield(store.Object{}, fmt.Errorf("list %q in mem: %w", prefix, err))
				return
			}
			if !yield(o, nil) {
				return
			}
		}
	}
}

// CreateOnce adds the file if its key is free.
func (m *Mem) CreateOnce(ctx context.Context, key string, data []byte) error {
	if err := check(ctx, "create", key); err != nil {
		return err
	}
	_, err := m.add(key, bytes.Clone(data))
	return err
}

func (m *Mem) add(key string, data []byte) (store.Object, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, taken := m.files[key]; taken {
		return store.Object{}, fmt.Errorf("create %q in mem: %w", key, store.ErrExist)
	}
	o := store.Object{Key: key, Size: int64(len(data)), Modified: FirstWrite + clock.Instant(m.writes)*clock.Second, ETag: strconv.FormatInt(m.writes, 10)}
	m.writes++
	m.files[key] = memFile{data, o}
	return o, nil
}

// Link gives a file a second name and counts as a write of it.
func (m *Mem) Link(ctx context.Context, from, to string) (store.Object, error) {
	f, err := m.file(ctx, "link", from)
	if err != nil {
		return store.Object{}, err
	}
	if err := check(ctx, "link", to); err != nil {
		return store.Object{}, err
	}
	if !m.Links {
		return store.Object{}, fmt.Errorf("link %q in mem: %w", to, errors.ErrUnsupported)
	}
	o, err := m.add(to, f.data)
	if err != nil {
		return store.Object{}, err
	}
	return o, m.SetModified(from, o.Modified)
}

// Remove removes the file, if there is one.
func (m *Mem) Remove(ctx context.Context, key string) error {
	if err := check(ctx, "remove", key); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, key)
	return nil
}

// SetModified changes a file's time, as a copy between stores does.
func (m *Mem) SetModified(key string, at clock.Instant) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.files[key]
	if !ok {
		return fmt.Errorf("set the time of %q in mem: %w", key, store.ErrNotExist)
	}
	f.obj.Modified = at
	m.files[key] = f
	return nil
}

// Create collects the file until Finish.
func (m *Mem) Create(ctx context.Context, key string) (store.Upload, error) {
	if err := check(ctx, "create", key); err != nil {
		return nil, err
	}
	return &memUpload{store: m, key: key}, nil
}

type memUpload struct {
	store  *Mem
	key    string
	data   []byte
	closed bool
}

var errClosed = errors.New("already finished or aborted")

func (u *memUpload) Write(p []byte) (int, error) {
	if u.closed {
		return 0, fmt.Errorf("write %q in mem: %w", u.key, errClosed)
	}
	u.data = append(u.data, p...)
	return len(p), nil
}

func (u *memUpload) Finish(ctx context.Context) (store.Object, error) {
	if err := ctx.Err(); err != nil {
		return store.Object{}, fmt.Errorf("finish %q in mem: %w", u.key, err)
	}
	if u.closed {
		return store.Object{}, fmt.Errorf("finish %q in mem: %w", u.key, errClosed)
	}
	u.closed = true
	return u.store.add(u.key, u.data)
}

func (u *memUpload) Abort(context.Context) error {
	u.closed = true
	return nil
}
