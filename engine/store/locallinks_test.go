package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/store"
)

// linked makes a folder of files and of links, whose targets are taken from the folder's root.
func linked(t *testing.T, files []string, links map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range links {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(root, to), path); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	return root
}

// TestLinksAreFollowed lists all, below a prefix, and after a key.
func TestLinksAreFollowed(t *testing.T) {
	root := linked(t,
		[]string{"root/a", "root/y=1.x/p", "root/y=1/q", "elsewhere/b", "elsewhere/deep/c"},
		map[string]string{
			"link": "root", "root/file": "elsewhere/b", "root/y=2": "elsewhere", "root/y=1/in": "elsewhere/deep",
			"root/loop": "root", "root/y=1/up": "root", "elsewhere/back": "elsewhere", "root/z": "root/y=2/deep",
		})
	l := open(t, filepath.Join(root, "link"))
	for prefix, want := range map[string][]string{
		"":         {"a", "file", "y=1.x/p", "y=1/in/c", "y=1/q", "y=2/b", "y=2/deep/c", "z/c"},
		"y=2/":     {"y=2/b", "y=2/deep/c"},
		"y=2/d":    {"y=2/deep/c"},
		"y=1/in/":  {"y=1/in/c"},
		"y=1/up/":  nil,
		"nothing/": nil,
	} {
		got := names(t, l, prefix)
		if !slices.Equal(got, want) {
			t.Errorf("below %q: %q, want %q", prefix, got, want)
		}
		for i, after := range got {
			var rest []string
			for o, err := range l.List(t.Context(), prefix, after) {
				if err != nil {
					t.Fatal(err)
				}
				rest = append(rest, o.Key)
			}
			if !slices.Equal(rest, got[i+1:]) {
				t.Errorf("below %q after %q: %q", prefix, after, rest)
			}
		}
		for _, key := range got {
			data, err := store.ReadAll(t.Context(), l, key)
			if err != nil || !strings.HasSuffix(string(data), key[strings.LastIndexByte(key, '/')+1:]) && key != "file" { // which leads to b
				t.Errorf("%q: %q, %v", key, data, err)
			}
		}
	}
}

func TestWhatHoldsNoFileIsListedAndRefused(t *testing.T) {
	root := linked(t, []string{"a"}, map[string]string{"dangling.parquet": "nowhere", "d/year=2025": "nowhere/at/all", "self": "self"})
	want := []string{"a", "d/year=2025", "dangling.parquet", "self"}
	if makePipe(filepath.Join(root, "pipe.parquet")) == nil {
		want = []string{"a", "d/year=2025", "dangling.parquet", "pipe.parquet", "self"}
	}
	l := open(t, root)
	if got := names(t, l, ""); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for o, err := range l.List(t.Context(), "", "a") {
		if err != nil || o.Size != 0 || o.Modified == 0 {
			t.Errorf("%+v, %v", o, err)
		}
		if _, err := l.Stat(t.Context(), o.Key); !errors.Is(err, store.ErrNotExist) {
			t.Errorf("Stat of %q: %v", o.Key, err)
		}
		if _, err := l.Open(t.Context(), o.Key); err == nil {
			t.Errorf("%q was opened", o.Key)
		}
	}
}

// A root that a link to nothing stands for reads as no empty folder: nothing
// could be written there.
func TestOpenLocalThroughALinkToNothing(t *testing.T) {
	root := linked(t, []string{"there/x"}, map[string]string{"dangling": "nowhere", "fine": "there"})
	for _, bad := range []string{"dangling", "dangling/below/it"} {
		_, err := store.OpenLocal(filepath.Join(root, bad))
		if err == nil || !strings.Contains(err.Error(), "is a link that leads nowhere") || !strings.Contains(err.Error(), filepath.Join(root, "dangling")) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, good := range []string{"fine", "fine/below/it", "not/there"} {
		if _, err := store.OpenLocal(filepath.Join(root, good)); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}
