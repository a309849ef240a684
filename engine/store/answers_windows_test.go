package store

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/windows"
)

func TestFullIsAnAnswer(t *testing.T) {
	l := &Local{url: "C:\\data"}
	for _, err := range []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED} {
		if got := l.fail("write", "a", &os.PathError{Op: "write", Path: "a", Err: err}); !errors.Is(got, ErrFull) || !errors.Is(got, err) {
			t.Errorf("%v: %v", err, got)
		}
	}
}
