package parquetfile

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"cdcseed/engine/store"
)

// source is the store's file as the library wants it. It remembers the first
// failed read, because the library takes some of them for an early end.
type source struct {
	f    store.File
	size int64
	pos  int64

	tail   []byte            // the end of the file while the footer is read: one request, not three
	end    [sha256.Size]byte // of tail
	footer int64             // bytes, with the length and the mark behind them

	mu  sync.Mutex
	err error
}

// ErrStore is in the chain of an error that the store gave while bytes were
// read: the file itself may be whole.
var ErrStore = errors.New("read from the store")

const (
	tailBytes = 64 << 10
	maxFooter = 256 << 20
)

func newSource(f store.File) (*source, error) {
	s := &source{f: f, size: f.Size()}
	if s.size == 0 {
		return nil, errors.New("the file is empty")
	}
	if s.size < 12 {
		return nil, fmt.Errorf("%d bytes are no Parquet file", s.size)
	}
	tail := make([]byte, min(s.size, tailBytes))
	if _, err := s.ReadAt(tail, s.size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return nil, s.failure()
	}
	end := tail[len(tail)-8:]
	switch string(end[4:]) {
	case "PAR1":
	case "PARE":
		return nil, errors.New("the footer is encrypted")
	default:
		return nil, errors.New("the file does not end as a Parquet file does: not Parquet, or cut off")
	}
	if n := int64(binary.LittleEndian.Uint32(end)); n > maxFooter || n+12 > s.size {
		return nil, fmt.Errorf("a footer of %d bytes does not fit a file of %d bytes", n, s.size)
	}
	s.tail, s.end = tail, sha256.Sum256(tail)
	s.footer = int64(binary.LittleEndian.Uint32(end)) + 8
	return s, nil
}

func (s *source) dropTail() { s.tail = nil }

// ReadAt reads inside the file only; a short read there is an error to remember.
func (s *source) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("read at offset %d", off)
	}
	if from := s.size - int64(len(s.tail)); s.tail != nil && off >= from && off <= s.size {
		n := copy(p, s.tail[off-from:])
		if n < len(p) {
			return n, io.EOF
		}
		return n, nil
	}
	n, err := s.f.ReadAt(p, off)
	if n == len(p) {
		return n, nil
	}
	if err == nil || (errors.Is(err, io.EOF) && off+int64(n) < s.size) {
		err = io.ErrUnexpectedEOF
	}
	if !errors.Is(err, io.EOF) {
		s.mu.Lock()
		s.err = errors.Join(s.err, err)
		s.mu.Unlock()
	}
	return n, err
}

// failure is what went wrong in the store, if anything did.
func (s *source) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrStore, s.err)
}

// Seek is asked for by the library only to learn the size.
func (s *source) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		s.pos = offset
	case io.SeekCurrent:
		s.pos += offset
	case io.SeekEnd:
		s.pos = s.size + offset
	}
	if s.pos < 0 {
		return 0, fmt.Errorf("seek to %d", s.pos)
	}
	return s.pos, nil
}
