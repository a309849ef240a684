//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

func TestFullIsAnAnswer(t *testing.T) {
	l := &Local{url: "/data"}
	for _, err := range []error{syscall.ENOSPC, syscall.EDQUOT} {
		got := l.fail("write", "a", &os.PathError{Op: "write", Path: "/data/a", Err: err})
		if !errors.Is(got, ErrFull) || !errors.Is(got, err) || got.Error() != `write "a" in "/data": no space left: `+err.Error() {
			t.Errorf("%v: %v", err, got)
		}
	}
	if got := l.fail("write", "a", syscall.EIO); errors.Is(got, ErrFull) {
		t.Errorf("a disk that fails is not full: %v", got)
	}
}
