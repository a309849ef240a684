package store

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Ranger is an Upload that takes bytes of a stored file over by itself, without
// showing them to the program, where both lie so that it can.
type Ranger interface {
	// TakeRange puts n bytes of f, from its offset off on, at the upload's end. It
	// answers how many bytes it put there: fewer than n, without an error, where
	// the rest has to go the other way. At a stop or an error some may be there.
	TakeRange(ctx context.Context, f File, off, n int64) (int64, error)
}

// Sizes of what is moved at a time. A larger buffer falls out of a core's cache
// and is slower; between ranges a stop is heard.
const (
	CopyBuffer = 256 << 10 // bytes, of the buffer that CopyRange wants
	rangeBytes = 16 << 20
)

// CopyRange puts n bytes of f, from its offset off on, at the end of an upload:
// by the upload itself where it is a Ranger, and through buffer where it is not
// or cannot. seen is how many bytes went through the buffer.
func CopyRange(ctx context.Context, u Upload, f File, off, n int64, buffer []byte) (seen int64, err error) {
	if off < 0 || n < 0 || off > f.Size()-n {
		return 0, fmt.Errorf("copy %d bytes at %d of a file of %d: %w", n, off, f.Size(), io.ErrUnexpectedEOF)
	}
	if r, ok := u.(Ranger); ok {
		done, err := r.TakeRange(ctx, f, off, n)
		if err != nil {
			return 0, err
		}
		off, n = off+done, n-done
	}
	if n > 0 && len(buffer) == 0 {
		buffer = make([]byte, min(n, CopyBuffer))
	}
	for n > 0 {
		if err := ctx.Err(); err != nil {
			return seen, err
		}
		part := buffer[:min(n, int64(len(buffer)))]
		got, err := f.ReadAt(part, off)
		if got < len(part) {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return seen, err
		}
		if _, err := u.Write(part); err != nil {
			return seen, err
		}
		off, n, seen = off+int64(got), n-int64(got), seen+int64(got)
	}
	return seen, nil
}
