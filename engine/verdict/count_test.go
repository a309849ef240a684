package verdict_test

import (
	"testing"

	"cdcseed/engine/verdict"
)

func TestCounts(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1204113: "1,204,113", -1000: "-1,000", -999: "-999", 9223372036854775807: "9,223,372,036,854,775,807"} {
		if got := verdict.Count(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 rows", 1: "1 row", 2: "2 rows", 1500: "1,500 rows"} {
		if got := verdict.Plural(n, "row", "rows"); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
