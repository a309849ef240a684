package lakecopy_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/verdict"
)

// TestAFoldersColumnThatTheFileHasToo reads the column when the two agree, and
// names both values, the row and the file where they do not.
func TestAFoldersColumnThatTheFileHasToo(t *testing.T) {
	const null = "__HIVE_DEFAULT_PARTITION__"
	for _, c := range []struct {
		typ, folder, value string
		same               bool
	}{
		{"bigint", "9", `9`, true},
		{"bigint", "9", `1`, false},
		{"bigint", "-7", `-7`, true},
		{"bigint", "007", `7`, true},
		{"bigint", "7.0", `7`, false},
		{"bigint", "9", `null`, false},
		{"bigint", null, `null`, true},
		{"bigint", null, `0`, false},
		{"int", "2147483647", `2147483647`, true},
		{"int", "x", `0`, false},
		{"string", "01", `"01"`, true},
		{"string", "01", `"1"`, false},
		{"string", "a%2Fb", `"a/b"`, true},
		{"string", null, `""`, false},
		{"bool", "True", `true`, true},
		{"bool", "1", `true`, false},
		{"date", "2024-02-29", `"2024-02-29"`, true},
		{"date", "2024-02-29", `"2024-03-01"`, false},
		{"date", "20240229", `"2024-02-29"`, false},
		{"time", "2024-02-29 12%3A00%3A00.5", `"2024-02-29 12:00:00.5"`, true},
		{"time", "2024-02-29T12%3A00%3A00Z", `"2024-02-29 12:00:00"`, true},
		{"time", "2024-02-29", `"2024-02-29 00:00:00"`, true},
		{"time", "2024-02-29 12%3A00%3A00", `"2024-02-29 12:00:01"`, false},
		{"decimal", "1.50", `"1.5"`, true},
		{"decimal", "-0.005", `"-0.005"`, true},
		{"decimal", "1.5001", `"1.5"`, false},
		{"decimal", "1e1", `"10"`, false},
		{"float", "1e3", `1000`, true},
		{"float", "0.1", `0.1`, true},
		{"float", "0.1", `0.2`, false},
		{"real", "0.1", `0.1`, true},
		{"bytes", "ab", `"YWI="`, true},
		{"bytes", "ab", `"YWM="`, false},
	} {
		t.Run(fmt.Sprintf("%s %s and %s", c.typ, c.folder, c.value), func(t *testing.T) {
			file := made(t, "id bigint, Part "+c.typ, fmt.Sprintf(`{"id":1,"Part":%s}`, c.value), fmt.Sprintf(`{"id":2,"Part":%s}`, c.value))
			key := "part=" + c.folder + "/p.parquet"
			m := folder(t, key, file)
			copied := mustOpen(t, m, lakecopy.Options{})
			s := copied.Read(t.Context(), copied.Files[0], []string{"part", "id"}, 10)
			defer s.Close()
			read := s.Next()
			if c.same {
				if !read || s.Err() != nil || s.Record().NumCols() != 2 || s.Record().ColumnName(0) != "part" || s.Record().NumRows() != 2 {
					t.Errorf("read %t, %v", read, s.Err())
				}
				return
			}
			if read || !errors.Is(s.Err(), verdict.ColumnAmbiguous) {
				t.Fatalf("read %t, %v", read, s.Err())
			}
			told := fmt.Sprint(s.Err(), verdict.As(s.Err()).Facts)
			for _, part := range []string{key, `"part"`, `"Part"`, "1"} {
				if !strings.Contains(told, part) {
					t.Errorf("%s is not told in %s", part, told)
				}
			}
		})
	}
}

func TestTheRowThatDiffersIsNamed(t *testing.T) {
	m := folder(t, "k=5/p.parquet", made(t, "id bigint, k int", `{"id":1,"k":5}`, `{"id":2,"k":5}`, `{"id":3,"k":6}`))
	c := mustOpen(t, m, lakecopy.Options{})
	s := c.Read(t.Context(), c.Files[0], nil, 1)
	defer s.Close()
	rows := 0
	for s.Next() {
		rows++
	}
	e := verdict.As(s.Err())
	if rows != 2 || e == nil || !slices.Contains(e.Facts, verdict.Facts("row", 3)[0]) || !slices.Contains(e.Facts, verdict.Facts("the folder says", `"5"`)[0]) {
		t.Errorf("%d rows, then %v", rows, s.Err())
	}
	// Who does not ask for the column does not read it.
	if got, _ := ids(t, c, nil); !slices.Equal(got, []string{"1", "2", "3"}) {
		t.Errorf("without the column: %v", got)
	}
}

// A flagged row is left out by what the folder says as much as by what the file says.
func TestAFlagThatStandsTwice(t *testing.T) {
	m := folder(t, "_fivetran_deleted=true/p.parquet", made(t, "id bigint, _fivetran_deleted bool", `{"id":1,"_fivetran_deleted":false}`))
	c := mustOpen(t, m, lakecopy.Options{})
	s := c.Read(t.Context(), c.Files[0], []string{"id"}, 1).ExcludeFlagged(c.Marks[0])
	defer s.Close()
	if s.Next() || !errors.Is(s.Err(), verdict.ColumnAmbiguous) {
		t.Errorf("got %v", s.Err())
	}
}
