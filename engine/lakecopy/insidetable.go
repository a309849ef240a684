package lakecopy

import (
	"os"
	"path/filepath"
	"strings"
)

// Table is a table of a format that keeps files which do not count any more.
type Table struct {
	Root   string // its folder
	Format string // Delta Lake, Apache Iceberg, Apache Hudi
}

// InsideTable looks from a local path upward for a table that the path lies
// inside of. What lies in the path itself is none: that makes it a table. Links
// are followed first, so that a link into a table is recognised.
func InsideTable(path string) (t Table, ok bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Table{}, false
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	for dir := filepath.Dir(abs); ; dir = filepath.Dir(dir) {
		if format := formatOf(dir); format != "" {
			return Table{dir, format}, true
		}
		if dir == filepath.Dir(dir) {
			return Table{}, false
		}
	}
}

// formatOf is the format of the table whose folder dir is, empty where it is none.
func formatOf(dir string) string {
	isDir := func(name string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && info.IsDir()
	}
	switch {
	case isDir("_delta_log"):
		return deltaLake
	case isDir(".hoodie"):
		return hudi
	case !isDir("metadata"):
		return ""
	}
	inside, err := os.ReadDir(filepath.Join(dir, "metadata"))
	if err != nil {
		return ""
	}
	for _, f := range inside {
		if icebergMetadata(f.Name()) {
			return iceberg
		}
	}
	return ""
}

// The formats whose folders hold files of rows that are gone.
const (
	deltaLake = "Delta Lake"
	hudi      = "Apache Hudi"
	iceberg   = "Apache Iceberg"
)

func icebergMetadata(name string) bool {
	return strings.HasSuffix(name, ".metadata.json") || name == "version-hint.text"
}
