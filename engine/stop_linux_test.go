package engine_test

import (
	"fmt"
	"syscall"
	"testing"
)

// smallDisk mounts a disk of a few pages, and answers a way to give it more.
// Only root may; elsewhere the test is skipped.
func smallDisk(t *testing.T) (root string, grow func()) {
	t.Helper()
	root = t.TempDir()
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size=32k"); err != nil {
		t.Skipf("no disk of its own to fill: mounting one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(root, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return root, func() {
		if err := syscall.Mount("tmpfs", root, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", 64<<20)); err != nil {
			t.Fatal(err)
		}
	}
}
