package footer_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"cdcseed/engine/splice/footer"
)

// TestWriters takes files that the writers of other libraries made, in the
// folder that CDCSEED_WRITERS names: their footers come out byte for byte, their
// pages are found, and what the footers tell is true of the values.
func TestWriters(t *testing.T) {
	dir := os.Getenv("CDCSEED_WRITERS")
	if dir == "" {
		t.Skip("CDCSEED_WRITERS names no folder of files; engine/interop/writers/make makes one")
	}
	writers := map[string]bool{}
	var seen tally
	for _, path := range parquetFiles(t, dir) {
		file, end := raw(t, path)
		f := read(t, file)
		got, err := f.AppendEnd(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, end) {
			t.Errorf("%s: a footer of %d bytes came out as %d other bytes", path, len(end), len(got))
		}
		name, _, _ := strings.Cut(f.CreatedBy(), " version")
		writers[name] = true
		whole(t, path, file)
		judge(t, path, &seen)
	}
	if len(writers) < 6 {
		t.Errorf("files of %d writers: %v; six are asked for", len(writers), writers)
	}
	if seen.counts < 100 || seen.bounds < 100 {
		t.Errorf("only %d null counts and %d bounds were compared", seen.counts, seen.bounds)
	}
}

// whole holds that nothing about a good file is refused and that each of its
// pages is found.
func whole(t *testing.T, path string, file []byte) {
	t.Helper()
	f := read(t, file)
	for _, p := range f.Check(int64(len(file))) {
		if p.Kind.Remedy() == footer.Refuse {
			t.Errorf("%s: %v", path, p)
		}
	}
	for g, group := range f.Groups() {
		for _, leaf := range f.Leaves() {
			c := group.Chunk(leaf.Leaf)
			pages, err := footer.Walk(bytes.NewReader(file), leaf, c, nil)
			if err != nil {
				t.Errorf("%s, row group %d: %v", path, g, err)
				continue
			}
			for _, said := range c.EncodingStats() {
				if said.Page == footer.DictionaryPage && said.Count == 1 && pages.Dictionary == nil {
					t.Errorf("%s, %s: the footer counts a dictionary page, none was found", path, leaf.Name())
				}
			}
		}
	}
}

func TestPublicFilesAreWhole(t *testing.T) {
	for _, path := range publicFiles(t) {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole(t, path, file)
	}
}
