package engine_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

const stagedTail = "-0123456789abcdef-0b1c2d3e-4f50-4617-8899-aabbccddeeff.c000.snappy.parquet"

func stagedKey(i int) string { return fmt.Sprintf("part-%05d%s", i, stagedTail) }

// tableWithStaged is a table whose log adds staged files 0 and 1 and removes 1
// and 2 (2 was added before the log that is left), with 3 and 4 named by
// nothing, one unfinished file, and files that only look alike.
func tableWithStaged(t *testing.T) *storetest.Mem {
	t.Helper()
	w := storetest.NewMem()
	add := func(i int) string {
		return fmt.Sprintf(`{"add":{"path":"%s","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true}}`, stagedKey(i))
	}
	remove := func(i int) string {
		return fmt.Sprintf(`{"remove":{"path":"%s","deletionTimestamp":1,"dataChange":true}}`, stagedKey(i))
	}
	files := map[string]string{
		"_delta_log/00000000000000000000.json": strings.Join([]string{
			`{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}`,
			`{"metaData":{"id":"a","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[]}","partitionColumns":[],"configuration":{}}}`,
			add(0), add(1),
		}, "\n"),
		"_delta_log/00000000000000000001.json":                                remove(1) + "\n" + remove(2),
		"." + stagedKey(5) + ".11111111-2222-4333-8444-555555555555.tmp":      "x",
		"." + stagedKey(6) + ".tmp":                                           "no uuid",
		".part-00007.11111111-2222-4333-8444-555555555555.tmp":                "no name of ours",
		"part-00000-0b1c2d3e-4f50-4617-8899-aabbccddeeff.c000.snappy.parquet": "Spark's",
		"sub/" + stagedKey(8):                                                 "not at the root",
	}
	for i := range 5 {
		files[stagedKey(i)] = "12345"
	}
	for key, text := range files {
		if err := w.CreateOnce(t.Context(), key, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func keysOf(files []engine.StagedFile) string {
	var out []string
	for _, f := range files {
		out = append(out, f.Key)
	}
	return strings.Join(out, " ")
}

func TestStagedListsWhatNoVersionNames(t *testing.T) {
	found, err := engine.Staged(t.Context(), tableWithStaged(t))
	if err != nil {
		t.Fatal(err)
	}
	want := "." + stagedKey(5) + ".11111111-2222-4333-8444-555555555555.tmp " + stagedKey(3) + " " + stagedKey(4)
	if keysOf(found) != want {
		t.Errorf("found %s", keysOf(found))
	}
	if found[0].Whole || !found[1].Whole || found[1].Size != 5 {
		t.Errorf("found %+v", found)
	}
	none, err := engine.Staged(t.Context(), storetest.NewMem())
	if err != nil || none == nil || len(none) != 0 {
		t.Errorf("an empty place has %v, %v", none, err)
	}
}

func TestRemoveStagedLeavesYoungFiles(t *testing.T) {
	w := tableWithStaged(t)
	files, err := engine.Staged(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	at := func(d time.Duration) clock.Instant { return files[2].Modified.Add(d) }
	removed, left, err := engine.RemoveStaged(t.Context(), w, at(59*time.Minute), false)
	if err != nil || len(removed) != 0 || len(left) != 3 {
		t.Errorf("a minute too early: removed %v, left %v, %v", removed, left, err)
	}
	if removed, left, err = engine.RemoveStaged(t.Context(), w, at(-time.Minute), true); err != nil || len(removed) != 3 || len(left) != 0 {
		t.Errorf("all: removed %v, left %v, %v", removed, left, err)
	}
	for _, i := range []int{0, 1, 2} {
		if _, err := w.Stat(t.Context(), stagedKey(i)); err != nil {
			t.Errorf("a file that the log names is gone: %v", err)
		}
	}
	w = tableWithStaged(t)
	if removed, _, err = engine.RemoveStaged(t.Context(), w, at(61*time.Minute), false); err != nil || len(removed) != 3 {
		t.Errorf("after an hour: removed %v, %v", removed, err)
	}
}

// A failure at any operation must remove nothing that the log names, and say
// what is gone and what is not.
func TestRemoveStagedUnderFailures(t *testing.T) {
	bad := errors.New("the disk said no")
	failed := 0
	for n, operations := 0, 0; n <= operations; n++ { // the first time nothing fails
		w := tableWithStaged(t)
		f := storetest.Intercept(w, func(op storetest.Op) storetest.Fault {
			operations = max(operations, op.N)
			if op.N == n {
				return storetest.Fault{Err: bad}
			}
			return storetest.Fault{}
		})
		removed, left, err := engine.RemoveStaged(t.Context(), f, clock.Of(time.Now().Add(2*time.Hour)), false)
		if err != nil {
			failed++
		}
		for _, f := range removed {
			if _, err := w.Stat(t.Context(), f.Key); !errors.Is(err, store.ErrNotExist) {
				t.Errorf("operation %d: %s was said to be removed", n, f.Key)
			}
		}
		for _, f := range left {
			if _, err := w.Stat(t.Context(), f.Key); err != nil {
				t.Errorf("operation %d: %s was said to be left: %v", n, f.Key, err)
			}
		}
		for i := range 3 {
			if _, err := w.Stat(t.Context(), stagedKey(i)); err != nil {
				t.Fatalf("operation %d: a file that the log names is gone", n)
			}
		}
	}
	if failed < 10 { // the hint to the last checkpoint is one that may be missing
		t.Errorf("only %d operations failed", failed)
	}
}

// spelled is a table on the disk whose log names staged file 0 in some spelling,
// with 1 named by nothing. It lies at root, to which a link leads.
func spelled(t *testing.T, path func(root, link string) string, remove bool) (root string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the spellings are those of paths that begin with a slash")
	}
	base := filepath.Join(t.TempDir(), "a b%41")
	root, link := filepath.Join(base, "table"), filepath.Join(base, "link")
	if err := os.MkdirAll(filepath.Join(root, "_delta_log"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := os.Symlink(filepath.Join(root, stagedKey(0)), filepath.Join(base, "alias.parquet")); err != nil {
		t.Fatal(err)
	}
	add := fmt.Sprintf(`{"add":{"path":%q,"partitionValues":{},"size":1,"modificationTime":1,"dataChange":true}}`, path(root, link))
	if remove {
		add = fmt.Sprintf(`{"remove":{"path":%q,"deletionTimestamp":1,"dataChange":true}}`, path(root, link))
	}
	for key, text := range map[string]string{
		stagedKey(0): "named", stagedKey(1): "nobody's",
		"_delta_log/00000000000000000000.json": strings.Join([]string{
			`{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}`,
			`{"metaData":{"id":"a","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[]}","partitionColumns":[],"configuration":{}}}`,
			add,
		}, "\n"),
	} {
		if err := os.WriteFile(filepath.Join(root, key), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestRemoveStagedKnowsEverySpelling names the file by each way that a log may.
func TestRemoveStagedKnowsEverySpelling(t *testing.T) {
	encoded := func(p string) string { return (&url.URL{Path: p}).EscapedPath() }
	for name, path := range map[string]func(root, link string) string{
		"relative":                  func(string, string) string { return stagedKey(0) },
		"absolute":                  func(root, _ string) string { return encoded(filepath.Join(root, stagedKey(0))) },
		"absolute, not encoded":     func(root, _ string) string { return filepath.Join(root, stagedKey(0)) },
		"URL":                       func(root, _ string) string { return "file://" + encoded(filepath.Join(root, stagedKey(0))) },
		"URL with a host":           func(root, _ string) string { return "file://localhost" + encoded(filepath.Join(root, stagedKey(0))) },
		"short URL":                 func(root, _ string) string { return "file:" + encoded(filepath.Join(root, stagedKey(0))) },
		"through a link":            func(_, link string) string { return "file://" + encoded(filepath.Join(link, stagedKey(0))) },
		"by a link of another name": func(root, _ string) string { return encoded(filepath.Join(filepath.Dir(root), "alias.parquet")) },
		"with dots":                 func(root, _ string) string { return encoded(root + "/x/../" + stagedKey(0)) },
		"by another machine's path": func(string, string) string { return "/mnt/lake/table/" + stagedKey(0) },
		"in another store":          func(string, string) string { return "abfss://lake@account.dfs.core.windows.net/table/" + stagedKey(0) },
	} {
		for _, remove := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, removed %t", name, remove), func(t *testing.T) {
				root := spelled(t, path, remove)
				w, err := engine.OpenTarget(root)
				if err != nil {
					t.Fatal(err)
				}
				removed, _, err := engine.RemoveStaged(t.Context(), w, clock.Of(time.Now().Add(2*time.Hour)), true)
				if err != nil || keysOf(removed) != stagedKey(1) {
					t.Errorf("removed %s, %v", keysOf(removed), err)
				}
				if _, err := os.Stat(filepath.Join(root, stagedKey(0))); err != nil {
					t.Error("a file that the log names is gone:", err)
				}
			})
		}
	}
}

func TestRemoveStagedRefusesWhatCannotBeFollowed(t *testing.T) {
	root := spelled(t, func(root, _ string) string { return filepath.Dir(root) + "/loop/x.parquet" }, false)
	loop := filepath.Join(filepath.Dir(root), "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	w, err := engine.OpenTarget(root)
	if err != nil {
		t.Fatal(err)
	}
	removed, _, err := engine.RemoveStaged(t.Context(), w, clock.Of(time.Now().Add(2*time.Hour)), true)
	if e := verdict.As(err); e == nil || e.Code != verdict.TargetFeature || !strings.Contains(e.What, "loop/x.parquet") || len(removed) != 0 {
		t.Errorf("removed %s, %v", keysOf(removed), err)
	}
}

func TestStagedIsStoppedWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, stagedKey(0)), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := engine.OpenTarget(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := engine.RemoveStaged(ctx, w, clock.Of(time.Now().Add(2*time.Hour)), true); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
