package lakecopy_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// onDisk makes files and links below a folder, and opens the folder named copy in it.
func onDisk(t *testing.T, files map[string][]byte, links map[string]string) (*lakecopy.Copy, error) {
	t.Helper()
	root := t.TempDir()
	at := func(name string) string {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, data := range files {
		if err := os.WriteFile(at(name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range links {
		if err := os.Symlink(filepath.Join(root, filepath.FromSlash(to)), at(name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	s, err := store.OpenLocal(filepath.Join(root, "copy"))
	if err != nil {
		t.Fatal(err)
	}
	return lakecopy.Open(t.Context(), s, lakecopy.Options{})
}

func TestLinkedFoldersBelongToTheCopy(t *testing.T) {
	one, two := made(t, "id bigint", `{"id":1}`), made(t, "id bigint", `{"id":2}`)
	c, err := onDisk(t, map[string][]byte{"copy/year=2026/b.parquet": two, "elsewhere/a.parquet": one},
		map[string]string{"copy/year=2025": "elsewhere", "copy/year=2026/back": "copy", "copy/notes.txt": "nowhere", "copy/_SUCCESS": "nowhere"})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := ids(t, c, nil); c.Rows != 2 || !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("%d rows, %v", c.Rows, got)
	}
	if !slices.Equal(c.Skipped, []string{"_SUCCESS", "notes.txt"}) {
		t.Errorf("skipped %q", c.Skipped)
	}
}

func TestLinksThatLoseOrDoubleRowsAreRefused(t *testing.T) {
	one := made(t, "id bigint", `{"id":1}`)
	for _, c := range []struct {
		name  string
		code  verdict.Code
		says  string
		files []string
		links map[string]string
	}{
		{"a dead link to a file", verdict.CopyUnreadable, "year=2025/z.parquet", nil, map[string]string{"copy/year=2025/z.parquet": "gone.parquet"}},
		{"a dead link to a folder", verdict.CopyUnreadable, "year=2025", nil, map[string]string{"copy/year=2025": "gone"}},
		{"a dead link to a folder with a point", verdict.CopyUnreadable, "v=1.5", nil, map[string]string{"copy/v=1.5": "gone"}},
		{"links in a circle", verdict.CopyUnreadable, "z.parquet", nil, map[string]string{"copy/z.parquet": "copy/z.parquet"}},
		{"a file twice", verdict.CopyNotACopy, "one file under two names", nil, map[string]string{"copy/z.parquet": "copy/a.parquet"}},
		{"a folder twice", verdict.CopyNotACopy, "latest/b.parquet", []string{"copy/y2025/b.parquet"}, map[string]string{"copy/latest": "copy/y2025"}},
		{"a folder of a Delta table", verdict.CopyNotACopy, "table", []string{"table/_delta_log/0.json", "table/p=1/b.parquet"}, map[string]string{"copy/p=1": "table/p=1"}},
		{"a file of a Delta table", verdict.CopyNotACopy, "table", []string{"table/_delta_log/0.json", "table/b.parquet"}, map[string]string{"copy/b.parquet": "table/b.parquet"}},
		{"a whole Delta table", verdict.CopyNotACopy, "Delta", []string{"table/_delta_log/0.json", "table/b.parquet"}, map[string]string{"copy/b": "table"}},
	} {
		files := map[string][]byte{"copy/a.parquet": one}
		for _, name := range c.files {
			files[name] = one
		}
		_, err := onDisk(t, files, c.links)
		if e := verdict.As(err); e == nil || e.Code != c.code || len(e.Hint) == 0 || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestAPipeInAFilesPlaceIsRefused(t *testing.T) {
	root := t.TempDir()
	if err := makePipe(filepath.Join(root, "p.parquet")); err != nil {
		t.Skip("no pipes here:", err)
	}
	s, err := store.OpenLocal(root)
	if err != nil {
		t.Fatal(err)
	}
	_, err = lakecopy.Open(t.Context(), s, lakecopy.Options{})
	if !errors.Is(err, verdict.CopyUnreadable) || !strings.Contains(err.Error(), "p.parquet") {
		t.Errorf("got %v", err)
	}
}
