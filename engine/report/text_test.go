package report_test

import (
	"testing"

	"cdcseed/engine/report"
)

func TestSizes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 48_300_000: "48.3 MB", 5_000_000_000_000_000: "5000.0 TB"} {
		if got := report.Size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
