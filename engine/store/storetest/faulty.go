package storetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"cdcseed/engine/store"
)

// Op is one operation that a Faulty store saw.
type Op struct {
	N    int    // 1 for the first
	Name string // Stat Open ReadAt List Create Write Finish Abort CreateOnce Link Remove
	Key  string // or the prefix, of List; the new name, of Link
}

// Fault is what becomes of an operation. The zero value lets it be.
type Fault struct {
	Err  error // the answer given, nil for the store's own
	Done bool  // the operation is done, and only its answer is lost
}

// Faulty is a store whose operations fail as told. A read that is "done" fails
// like any other.
type Faulty struct {
	w      store.Writer
	decide func(Op) Fault

	mu  sync.Mutex
	ops []Op
}

var _ store.Writer = (*Faulty)(nil)

// Intercept asks decide before every operation. decide may itself use the
// store underneath, to let another writer come first.
func Intercept(w store.Writer, decide func(Op) Fault) *Faulty {
	return &Faulty{w: w, decide: decide}
}

// FailNth fails the n-th operation, counted from 1, before it does anything.
func FailNth(w store.Writer, n int, err error) *Faulty {
	return Intercept(w, func(op Op) Fault {
		if op.N == n {
			return Fault{Err: err}
		}
		return Fault{}
	})
}

// LoseNth does the n-th operation and answers err all the same.
func LoseNth(w store.Writer, n int, err error) *Faulty {
	return Intercept(w, func(op Op) Fault {
		if op.N == n {
			return Fault{Err: err, Done: true}
		}
		return Fault{}
	})
}

// Count is the number of operations so far, failed ones included. A test that
// fails the n-th for n = 1, 2, ... is through once Count stays below n.
func (f *Faulty) Count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.ops)
}

// Ops lists the operations so far.
func (f *Faulty) Ops() []Op {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Op(nil), f.ops...)
}

func (f *Faulty) next(name, key string) (Fault, Op) {
	f.mu.Lock()
	op := Op{N: len(f.ops) + 1, Name: name, Key: key}
	f.ops = append(f.ops, op)
	f.mu.Unlock()
	return f.decide(op), op
}

func (op Op) fail(err error) error {
	return fmt.Errorf("%s %q (operation %d): %w", op.Name, op.Key, op.N, err)
}

// change runs an operation that changes the store under its fault.
func change[T any](f *Faulty, name, key string, do func() (T, error)) (T, error) {
	var none T
	fault, op := f.next(name, key)
	if fault.Err == nil {
		return do()
	}
	if fault.Done {
		if _, err := do(); err != nil {
			return none, err
		}
	}
	return none, op.fail(fault.Err)
}

// URL is the store's own.
func (f *Faulty) URL() string { return f.w.URL() }

// Stat counts as one operation.
func (f *Faulty) Stat(ctx context.Context, key string) (store.Object, error) {
	if fault, op := f.next("Stat", key); fault.Err != nil {
		return store.Object{}, op.fail(fault.Err)
	}
	return f.w.Stat(ctx, key)
}

// List counts once, when its iteration starts.
func (f *Faulty) List(ctx context.Context, prefix, after string) iter.Seq2[store.Object, error] {
	return func(yield func(store.Object, error) bool) {
		if fault, op := f.next("List", prefix); fault.Err != nil {
			yield(store.Object{}, op.fail(fault.Err))
			return
		}
		f.w.List(ctx, prefix, after)(yield)
	}
}

// Open counts as one operation, each ReadAt as another.
func (f *Faulty) Open(ctx context.Context, key string) (store.File, error) {
	if fault, op := f.next("Open", key); fault.Err != nil {
		return nil, op.fail(fault.Err)
	}
	file, err := f.w.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	return &faultyFile{File: file, f: f, key: key}, nil
}

type faultyFile struct {
	store.File
	f   *Faulty
	key string
}

func (r *faultyFile) ReadAt(p []byte, off int64) (int, error) {
	if fault, op := r.f.next("ReadAt", r.key); fault.Err != nil {
		return 0, op.fail(fault.Err)
	}
	return r.File.ReadAt(p, off)
}

// Create counts as one operation; so does each Write, Finish and Abort.
func (f *Faulty) Create(ctx context.Context, key string) (store.Upload, error) {
	u, err := change(f, "Create", key, func() (store.Upload, error) { return f.w.Create(ctx, key) })
	if err != nil {
		return nil, err
	}
	return &faultyUpload{u: u, f: f, key: key}, nil
}

// CreateOnce counts as one operation.
func (f *Faulty) CreateOnce(ctx context.Context, key string, data []byte) error {
	_, err := change(f, "CreateOnce", key, func() (struct{}, error) { return struct{}{}, f.w.CreateOnce(ctx, key, data) })
	return err
}

// Link counts as one operation, also where the store underneath has no links.
func (f *Faulty) Link(ctx context.Context, from, to string) (store.Object, error) {
	return change(f, "Link", to, func() (store.Object, error) {
		if l, ok := f.w.(linker); ok {
			return l.Link(ctx, from, to)
		}
		return store.Object{}, fmt.Errorf("link %q: %w", to, errors.ErrUnsupported)
	})
}

// linker is a store that can give a file a second name.
type linker interface {
	Link(ctx context.Context, from, to string) (store.Object, error)
}

// Remove counts as one operation.
func (f *Faulty) Remove(ctx context.Context, key string) error {
	_, err := change(f, "Remove", key, func() (struct{}, error) { return struct{}{}, f.w.Remove(ctx, key) })
	return err
}

type faultyUpload struct {
	u   store.Upload
	f   *Faulty
	key string
}

func (u *faultyUpload) Write(p []byte) (int, error) {
	return change(u.f, "Write", u.key, func() (int, error) { return u.u.Write(p) })
}

func (u *faultyUpload) Finish(ctx context.Context) (store.Object, error) {
	return change(u.f, "Finish", u.key, func() (store.Object, error) { return u.u.Finish(ctx) })
}

func (u *faultyUpload) Abort(ctx context.Context) error {
	_, err := change(u.f, "Abort", u.key, func() (struct{}, error) { return struct{}{}, u.u.Abort(ctx) })
	return err
}
