package engine

import (
	"errors"
	"testing"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/verdict"
)

// No copy that the readers take right gives other rows than planned, so the check
// is asked itself.
func TestEveryPlannedRowIsWrittenOrLeftOut(t *testing.T) {
	from := lakecopy.File{Key: "f.parquet", Rows: 10, Deleted: 3}
	for _, c := range []struct {
		written, excluded int64
		whole             bool
	}{{10, 0, true}, {6, 4, true}, {0, 10, true}, {13, 0, false}, {7, 0, false}, {10, 1, false}, {9, 0, false}} {
		err := allRows(from, c.written, c.excluded)
		if (err == nil) != c.whole || err != nil && !errors.Is(err, verdict.CopyChanged) {
			t.Errorf("%d written, %d left out: %v", c.written, c.excluded, err)
		}
	}
}
