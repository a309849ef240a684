package lakecopy_test

import (
	"bytes"
	"fmt"
	"testing"

	"cdcseed/engine/lakecopy"
)

// What a copy holds is told apart from where it lies: neither names nor order nor
// times count, every value does.
func TestContent(t *testing.T) {
	one, two := made(t, "id bigint", `{"id":1}`, `{"id":5}`, `{"id":9}`), made(t, "id bigint", `{"id":2}`)
	first := mustOpen(t, folder(t, "a.parquet", one, "b.parquet", two), lakecopy.Options{}).Content
	for name, c := range map[string]struct {
		files []any
		same  bool
	}{
		"again":              {[]any{"a.parquet", one, "b.parquet", two}, true},
		"other names":        {[]any{"z.parquet", one, "c.parquet", two}, true},
		"one gone":           {[]any{"a.parquet", one}, false},
		"one twice":          {[]any{"a.parquet", one, "b.parquet", two, "c.parquet", two}, false},
		"the other twice":    {[]any{"a.parquet", one, "b.parquet", one}, false},
		"a value in between": {[]any{"a.parquet", made(t, "id bigint", `{"id":1}`, `{"id":6}`, `{"id":9}`), "b.parquet", two}, false},
		"partitioned":        {[]any{"day=1/a.parquet", one, "day=1/b.parquet", two}, false},
	} {
		got := mustOpen(t, folder(t, c.files...), lakecopy.Options{}).Content
		if (got == first) != c.same || len(got) != 64 {
			t.Errorf("%s: %s, and %s at first", name, got, first)
		}
	}
	days := func(day string) string {
		return mustOpen(t, folder(t, "day="+day+"/a.parquet", one, "day=2/b.parquet", two), lakecopy.Options{}).Content
	}
	if days("1") == days("3") {
		t.Error("partition values do not count")
	}
}

// Above what is read whole, sizes, ends and footers count: a large file's other
// rows show in its footer.
func TestContentOfALargeCopy(t *testing.T) {
	rows := func(last int) []byte {
		lines := make([]string, 0, 1_300_000)
		for i := range cap(lines) {
			lines = append(lines, fmt.Sprintf(`{"id":%d}`, i*7919%1_000_003*4099))
		}
		lines[100] = fmt.Sprintf(`{"id":%d}`, last)
		return madeInGroups(t, 100_000, "id bigint", lines...)
	}
	one := rows(1)
	if len(one) < 4<<20 {
		t.Fatalf("%d bytes are not what this test is about", len(one))
	}
	files := func(data []byte) []any {
		return []any{"a.parquet", data, "b.parquet", data, "c.parquet", one, "d.parquet", one}
	}
	first := mustOpen(t, folder(t, files(one)...), lakecopy.Options{}).Content
	if again := mustOpen(t, folder(t, files(bytes.Clone(one))...), lakecopy.Options{}).Content; again != first {
		t.Error("the same copy is told as another")
	}
	if other := mustOpen(t, folder(t, files(rows(1<<60))...), lakecopy.Options{}).Content; other == first {
		t.Error("another copy is told as the same")
	}
}
