package lakecopy_test

import (
	"testing"

	"cdcseed/engine/lakecopy"
)

func TestFilesOfTheHybridCalendarAreLegacy(t *testing.T) {
	const version, dates, int96 = "org.apache.spark.version", "org.apache.spark.legacyDateTime", "org.apache.spark.legacyINT96"
	for name, c := range map[string]struct {
		day    int32
		int96  bool
		keys   []string
		legacy bool
	}{
		"Spark 2.4":                 {-719164, false, []string{version, "2.4.8"}, true},
		"Spark 3.5":                 {-719164, false, []string{version, "3.5.0"}, false},
		"Spark 3.5, legacy dates":   {-719164, false, []string{version, "3.5.0", dates, ""}, true},
		"Spark 3.5, legacy INT96":   {-719164, false, []string{version, "3.5.0", int96, ""}, true},
		"no keys":                   {-719162, false, nil, false},
		"Spark 3.0":                 {0, false, []string{version, "3.0.3"}, false},
		"Spark 3.0 with INT96":      {0, true, []string{version, "3.0.3"}, true},
		"Spark 3.1 with INT96":      {0, true, []string{version, "3.1.0"}, false},
		"a version that nobody has": {0, false, []string{version, "latest"}, false},
	} {
		copied := mustOpen(t, folder(t, "p.parquet", withKeys(t, c.day, c.int96, c.keys...)), lakecopy.Options{})
		if copied.Classes[0].Legacy != c.legacy {
			t.Errorf("%s: legacy is %v (writer %q)", name, copied.Classes[0].Legacy, copied.Classes[0].Writer)
		}
	}
	both := mustOpen(t, folder(t, "a.parquet", withKeys(t, 0, false, version, "2.4.8"), "b.parquet", withKeys(t, 0, false, version, "3.5.0")), lakecopy.Options{})
	if len(both.Classes) != 2 || both.Classes[0].Writer != "Spark 2.4.8, parquet-go 17.0.0" {
		t.Errorf("classes %+v", both.Classes)
	}
}
