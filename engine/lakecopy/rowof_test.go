package lakecopy_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/lakecopy"
)

// A row's number in the file is the same however many are left out before it.
func TestRowsOfAFileAreNumbered(t *testing.T) {
	const rows, batch = 3_000, 700
	left := map[string]func(i int) bool{
		"none":         func(int) bool { return false },
		"every second": func(i int) bool { return i%2 == 1 },
		"two of three": func(i int) bool { return i%3 > 0 },
		"a stretch":    func(i int) bool { return i >= 650 && i < 1_500 },
		"the first":    func(i int) bool { return i < 10 },
	}
	for name, out := range left {
		t.Run(name, func(t *testing.T) {
			lines := make([]string, rows)
			for i := range lines {
				lines[i] = fmt.Sprintf(`{"id": %d, "_fivetran_deleted": %v}`, i, out(i))
			}
			c := mustOpen(t, folder(t, "p.parquet", made(t, "id bigint, _fivetran_deleted bool", lines...)), lakecopy.Options{})
			s := c.Read(context.Background(), c.Files[0], []string{"id"}, batch).ExcludeFlagged(c.Marks[0])
			defer func() { _ = s.Close() }()
			seen := 0
			for s.Next() {
				ids := s.Record().Column(0).(*array.Int64)
				for i := range ids.Len() {
					if got := s.RowOf(i); got != ids.Value(i)+1 {
						t.Fatalf("row %d of a record is number %d, want %d", i, got, ids.Value(i)+1)
					}
				}
				seen += ids.Len()
				if got := s.RowOf(ids.Len()); got != 0 {
					t.Errorf("there is no row %d, it is number %d", ids.Len(), got)
				}
			}
			if s.Err() != nil || seen == 0 {
				t.Fatalf("%d rows, %v", seen, s.Err())
			}
		})
	}
}
