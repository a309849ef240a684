package engine

import (
	"fmt"
	"strconv"
	"strings"

	"cdcseed/engine/splice"
)

// Bounds of --memory.
const (
	defaultMemory = 1 << 30
	leastMemory   = 64 << 20
)

// parseMemory reads a size as --memory takes it: digits and a unit, of 1000 (MB,
// GB) or of 1024 (MiB, GiB). Empty is the default.
func parseMemory(text string) (int64, error) {
	if strings.TrimSpace(text) == "" {
		return defaultMemory, nil
	}
	text = strings.TrimSpace(text)
	digits := strings.TrimRightFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	unit := strings.ToLower(strings.TrimSpace(text[len(digits):]))
	bytes, known := map[string]float64{
		"b": 1, "kb": 1e3, "kib": 1 << 10, "mb": 1e6, "mib": 1 << 20, "gb": 1e9, "gib": 1 << 30, "tb": 1e12, "tib": 1 << 40,
	}[unit]
	n, err := strconv.ParseFloat(digits, 64)
	hint := "Give a number and a unit, such as 512MiB or 2GB."
	switch {
	case err != nil || !known || strings.Trim(digits, "0123456789.") != "":
		return 0, usage(fmt.Sprintf("--memory %q is no size", text), hint)
	case n*bytes < leastMemory:
		return 0, usage(fmt.Sprintf("--memory %s is less than 64MiB, the least that writing works with", text), hint)
	}
	return int64(min(n*bytes, 1<<62)), nil
}

// What one file takes while it is written, at most: measured, with room.
const (
	copyMemory   = 48 << 20  // bytes are copied
	recodeMemory = 160 << 20 // a column or all of them go through Arrow, a row group at a time
)

// memory is what making such a file takes, in bytes.
func (w WaysPlan) memory() int64 {
	if w.Rewrite != "" {
		return recodeMemory
	}
	for _, c := range w.Columns {
		if c.Way == splice.Recoded || c.Way == splice.Dictionary { // which is recoded where an entry turns out to be counted
			return recodeMemory
		}
	}
	return copyMemory
}
