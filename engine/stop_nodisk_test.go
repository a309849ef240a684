//go:build !linux

package engine_test

import "testing"

// smallDisk is Linux's alone.
func smallDisk(t *testing.T) (root string, grow func()) {
	t.Helper()
	t.Skip("no disk of its own to fill: only Linux mounts one in memory")
	return "", nil
}
