package parquetfile

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/apache/arrow/go/v17/arrow/memory"
)

// guard runs fn and turns a panic of the library into an error. The library
// panics on broken pages, on logical types it does not know and on impossible
// sizes; a panic of the runtime that no input explains is let through.
func guard(fn func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			err = fmt.Errorf("broken content: %w", p)
		case error:
			err = fmt.Errorf("not readable: %w", p)
		default:
			err = fmt.Errorf("not readable: %v", p)
		}
	}()
	return fn()
}

// maxAllocation is the largest single buffer that a page may ask for. A page of
// a real writer has about a megabyte, one huge value a page of its own.
const maxAllocation = 1 << 30

var errTooLarge = errors.New("a page claims more than 1 GiB")

// limited allocates from Go's heap and refuses sizes that only a broken page
// header asks for.
type limited struct{}

func (limited) Allocate(size int) []byte {
	if size > maxAllocation {
		panic(errTooLarge)
	}
	return memory.DefaultAllocator.Allocate(size)
}

func (limited) Reallocate(size int, b []byte) []byte {
	if size > maxAllocation {
		panic(errTooLarge)
	}
	return memory.DefaultAllocator.Reallocate(size, b)
}

func (limited) Free(b []byte) { memory.DefaultAllocator.Free(b) }
