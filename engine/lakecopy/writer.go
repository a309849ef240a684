package lakecopy

import (
	"regexp"
	"strconv"

	"cdcseed/engine/parquetfile"
)

// Footer keys by which Spark says how it stored dates and timestamps.
const (
	sparkVersion = "org.apache.spark.version"
	legacyDates  = "org.apache.spark.legacyDateTime"
	legacyInt96  = "org.apache.spark.legacyINT96"
)

var (
	createdBy = regexp.MustCompile(`^(.*?)(?:\s+version\s+v?([0-9][0-9A-Za-z.+-]*))?(?:\s*\(.*)?$`)
	twoParts  = regexp.MustCompile(`^(\d+)\.(\d+)`)
)

// writerOf names what wrote a file, without builds, and says whether its dates
// may be in the hybrid Julian calendar: files of Spark before 3.0, of Spark
// before 3.1 with INT96, and those that say so themselves.
func writerOf(f *parquetfile.File) (writer string, legacy bool) {
	writer = shortWriter(f.CreatedBy())
	_, dates := f.KeyValue(legacyDates)
	_, int96 := f.KeyValue(legacyInt96)
	legacy = dates || int96
	version, ok := f.KeyValue(sparkVersion)
	if !ok {
		return writer, legacy
	}
	if m := twoParts.FindStringSubmatch(version); m != nil {
		major, _ := strconv.Atoi(m[1]) // digits by the pattern; too many of them read as the greatest
		minor, _ := strconv.Atoi(m[2])
		legacy = legacy || major < 3 || major == 3 && minor < 1 && hasInt96(f)
	}
	return "Spark " + version + ", " + writer, legacy
}

func hasInt96(f *parquetfile.File) bool {
	for _, c := range f.Columns() {
		if c.Physical == "INT96" {
			return true
		}
	}
	return false
}

// shortWriter is a footer's created_by without the build: "parquet-mr 1.12.3".
func shortWriter(s string) string {
	m := createdBy.FindStringSubmatch(s)
	if m == nil || m[2] == "" {
		return s
	}
	return m[1] + " " + m[2]
}
