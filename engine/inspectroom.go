package engine

import (
	"fmt"

	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// room finds how much is free at the target's place and whether this user may
// write there, as far as that can be known without writing.
func (v *TargetView) room(location string) {
	path, err := store.LocalPath(location)
	if err != nil {
		return
	}
	if n, ok := store.Free(path); ok {
		v.Free = &n
	}
	switch may, known := store.Writable(path); {
	case known && may:
		v.Checks = append(v.Checks, verdict.Okay("this user can write there"))
	case known:
		v.Checks = append(v.Checks, verdict.Noted("this user may not write at the target's place", "The seed would stop there, before anything is visible."))
	}
}

// Room compares what is free on the target's disk with the size of the copy,
// which a seed is about as large as.
func (v TargetView) Room(c CopyView) verdict.Check {
	switch {
	case v.Free == nil:
		return verdict.Noted("how much is free on the target's disk is not known", "", verdict.Facts("copy", Size(c.Bytes))...)
	case *v.Free < c.Bytes:
		return verdict.Noted(fmt.Sprintf("the target's disk has %s free, and the copy has %s", Size(*v.Free), Size(c.Bytes)),
			"The seed is about as large as its copy. A disk that fills up stops it before anything is visible.")
	}
	return verdict.Okay(fmt.Sprintf("the target's disk has %s free; the copy has %s", Size(*v.Free), Size(c.Bytes)))
}

// Size writes a number of bytes in decimal units.
func Size(n int64) string {
	f, units := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for f >= 1000 && i < len(units)-1 {
		f /= 1000
		i++
	}
	if i == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", f, units[i])
}
