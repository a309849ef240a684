package store

import "testing"

// File systems share whole blocks only: what stands before the first one must not
// keep the rest from being shared.
func TestARangeIsMovedByBlocks(t *testing.T) {
	for _, c := range []struct {
		name             string
		off, at, n, want int64
	}{
		{"up to the first block", 4, 4, 1 << 20, 4092},
		{"at other places of a block", 4, 5, 1 << 20, 1 << 20},
		{"from a block", 8192, 4096, 1 << 20, 1 << 20},
		{"the same place in other blocks", 4096*9 + 7, 4096*2 + 7, 1 << 20, 4089},
		{"no whole block behind it", 4, 4, 4092 + 4095, 4092 + 4095},
		{"one whole block behind it", 4, 4, 4092 + 4096, 4092},
		{"as much as is moved between two looks for a stop", 0, 0, 1 << 40, rangeBytes},
	} {
		if got := rangeStep(c.off, c.at, c.n); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}
