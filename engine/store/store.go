// Package store is where files are read and written, and the only place in the
// engine that writes bytes. A Reader cannot write by its type; a Writer makes a
// file visible whole or not at all. The interfaces fit object stores: keys, range
// reads, listing after a key, entity tags, create-once, streaming creation.
package store

import (
	"context"
	"errors"
	"io"
	"iter"

	"cdcseed/engine/clock"
)

// The answers that callers tell apart. Every store wraps its own errors in
// these, with the key in the text.
var (
	ErrNotExist = errors.New("no such file")
	ErrExist    = errors.New("file exists")
	ErrDenied   = errors.New("no permission")
	ErrFull     = errors.New("no space left")
)

// Object is a stored file. Its key is its path below the store's root, parts
// joined by "/", without a leading one.
type Object struct {
	Key      string        `json:"key"`
	Size     int64         `json:"size"`           // bytes
	Modified clock.Instant `json:"modified"`       // when it was last written
	ETag     string        `json:"etag,omitempty"` // changes whenever the content does, where the store has one
}

// File is an open stored file. It reads one version: should the content be
// replaced meanwhile, reads either give the old bytes or fail.
type File interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Reader reads below one root.
type Reader interface {
	// URL is the root as the user gave it, without secrets.
	URL() string
	// Stat is the file's present state, or ErrNotExist.
	Stat(ctx context.Context, key string) (Object, error)
	// List gives, in ascending byte order of keys, every file whose key begins
	// with prefix and comes after the key after (empty: from the start). A
	// prefix that names nothing gives nothing. A name that stands there and holds
	// no file that can be read, such as a link that leads nowhere, is given with
	// size 0; Stat answers ErrNotExist for it. Iteration stops at the first error.
	List(ctx context.Context, prefix, after string) iter.Seq2[Object, error]
	// Open opens the file for range reads, or answers ErrNotExist.
	Open(ctx context.Context, key string) (File, error)
}

// Upload is a file being created. Nothing is visible under its key before
// Finish; after Abort nothing ever is.
type Upload interface {
	io.Writer
	// Finish makes the file durable and visible, once, and returns its state.
	// ErrExist where the key is taken; then nothing was changed.
	Finish(ctx context.Context) (Object, error)
	// Abort removes what was written. It may be called after Finish and does nothing then.
	Abort(ctx context.Context) error
}

// Writer also writes below its root.
type Writer interface {
	Reader
	// Create starts a new file of unknown size.
	Create(ctx context.Context, key string) (Upload, error)
	// CreateOnce makes a small file appear whole, or answers ErrExist and
	// changes nothing. Of several callers exactly one succeeds, in this process
	// or any other. Any other error leaves the outcome unknown: read the key back.
	CreateOnce(ctx context.Context, key string, data []byte) error
	// Remove removes a file; one that is gone already is no error.
	Remove(ctx context.Context, key string) error
}

// ReadAll reads a whole file.
func ReadAll(ctx context.Context, r Reader, key string) (data []byte, err error) {
	f, err := r.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data = make([]byte, f.Size())
	_, err = io.ReadFull(io.NewSectionReader(f, 0, f.Size()), data)
	return data, err
}
