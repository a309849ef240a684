package lakecopy

import (
	"os"
	"path/filepath"
)

// UnderDeltaTable looks from a local path upward for a Delta table that the
// path lies inside of, and gives its folder. The path's own _delta_log is none:
// that makes it a table itself. Links are followed first, so that a link into a
// table is recognised.
func UnderDeltaTable(path string) (root string, ok bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	for dir := filepath.Dir(abs); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "_delta_log")); err == nil && info.IsDir() {
			return dir, true
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}
