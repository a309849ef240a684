package lakecopy_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

func TestMarkerFilesArePassedOverAndListed(t *testing.T) {
	two := made(t, "id bigint", `{"id":1}`, `{"id":2}`)
	none := made(t, "id bigint")
	m := folder(t, "_SUCCESS", "", ".part-0.parquet.crc", "x", "_committed_123", "", "_temporary/0/part-9.parquet", two,
		"part-0.parquet", two, "part-1.parquet", none, "part-2.parquet", "", "part-3.parquet.tmp", two)
	refusal(t, m, lakecopy.Options{}, verdict.CopyUnreadable, "part-2.parquet")

	if err := m.Remove(context.Background(), "part-2.parquet"); err != nil {
		t.Fatal(err)
	}
	c := mustOpen(t, m, lakecopy.Options{})
	want := []string{".part-0.parquet.crc", "_SUCCESS", "_committed_123", "_temporary/0/part-9.parquet", "part-3.parquet.tmp"}
	if !slices.Equal(c.Skipped, want) {
		t.Errorf("skipped %q", c.Skipped)
	}
	if got, _ := ids(t, c, nil); c.Rows != 2 || len(c.Files) != 2 || !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("%d rows in %d files: %v", c.Rows, len(c.Files), got)
	}
	if len(c.Classes) != 1 || c.Classes[0].Files != 2 || c.Classes[0].Writer != "parquet-mr 1.12.3" {
		t.Errorf("classes %+v", c.Classes)
	}
}

// Every name below the root is a file of the copy or is passed over, and listed.
func TestNothingIsLostBetweenFilesAndSkipped(t *testing.T) {
	data := made(t, "id bigint", `{"id":1}`)
	m := folder(t, "a.csv", "x", "b.parquet", data, "c/.d/e.parquet", data, "c/_f", "", "c/g.PARQUET", data, "c/h", "text", "c/i.parq", data,
		"j=1/_k/l.pq", data, "m.parquet.crc", "x", "_spark_metadata/0", "v1\n{\"path\":\"file:///x/b.parquet\",\"action\":\"add\"}\n",
		"_started_1", "", "n.parquet", data, "z", "")
	c := mustOpen(t, m, lakecopy.Options{})
	all := slices.Clone(c.Skipped)
	for _, f := range c.Files {
		all = append(all, f.Key)
	}
	slices.Sort(all)
	var want []string
	for o, err := range m.List(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, o.Key)
	}
	if !slices.Equal(all, want) {
		t.Errorf("files and skipped are %q, the folder has %q", all, want)
	}
	if len(c.Files) != 1 || !slices.IsSorted(c.Skipped) {
		t.Errorf("%d files, skipped %q", len(c.Files), c.Skipped)
	}
}

func TestFoldersWithoutDataAreRefused(t *testing.T) {
	refusal(t, folder(t, "_SUCCESS", ""), lakecopy.Options{}, verdict.CopyNotACopy, "no data files", "_SUCCESS")
	refusal(t, folder(t), lakecopy.Options{}, verdict.CopyNotFound)
	refusal(t, folder(t, "a.parquet", "x"), lakecopy.Options{File: "b.parquet"}, verdict.CopyNotFound, "b.parquet")
	refusal(t, folder(t, "data.csv", "id\n1\n"), lakecopy.Options{}, verdict.CopyNotACopy, "data.csv")

	empty := mustOpen(t, folder(t, "p.parquet", made(t, "id bigint")), lakecopy.Options{})
	if empty.Rows != 0 || len(empty.Files) != 1 {
		t.Errorf("a valid file without rows: %+v", empty)
	}
}

func TestDataUnderANameWithoutSuffixIsRefused(t *testing.T) {
	data := made(t, "id bigint", `{"id":1}`)
	m := folder(t, "000000_0", data, "p.parquet", data, "notes", "no Parquet at all, this one")
	refusal(t, m, lakecopy.Options{}, verdict.CopyNotACopy, "000000_0")
}

func TestOtherTableFormatsAreRefused(t *testing.T) {
	data := made(t, "id bigint", `{"id":1}`)
	for key, names := range map[string][]string{
		"metadata/v3.metadata.json":               {"Iceberg", "metadata/v3.metadata.json"},
		"sales/metadata/version-hint.text":        {"Iceberg", "sales"},
		".hoodie/hoodie.properties":               {"Hudi"},
		"t1/_delta_log/00000000000000000000.json": {"Delta", "t1"},
	} {
		refusal(t, folder(t, key, "{}", "data/p.parquet", data), lakecopy.Options{}, verdict.CopyNotACopy, names...)
	}
}

func TestFolderInsideATable(t *testing.T) {
	for mark, format := range map[string]string{
		"_delta_log/00000000000000000000.json": "Delta Lake", "metadata/v1.metadata.json": "Apache Iceberg", "metadata/version-hint.text": "Apache Iceberg", ".hoodie/hoodie.properties": "Apache Hudi",
	} {
		root := t.TempDir()
		inside := filepath.Join(root, "data", "part=1", "deep")
		mark = filepath.Join(root, filepath.FromSlash(mark))
		for _, dir := range []string{inside, filepath.Dir(mark)} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(mark, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		got, ok := lakecopy.InsideTable(inside)
		real, err := filepath.EvalSymlinks(root)
		if want := (lakecopy.Table{Root: real, Format: format}); err != nil || !ok || got != want {
			t.Fatalf("%q lies in %+v, %v; want %+v", inside, got, ok, want)
		}
		if got, ok := lakecopy.InsideTable(root); ok {
			t.Errorf("the table itself lies in %+v", got)
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(inside, link); err != nil {
			t.Logf("no links here: %v", err)
		} else if _, ok := lakecopy.InsideTable(link); !ok {
			t.Error("a link into a table is not recognised")
		}
		refusal(t, folder(t, "p.parquet", made(t, "id bigint")), lakecopy.Options{Inside: got}, verdict.CopyNotACopy)
		refusal(t, folder(t, "p.parquet", made(t, "id bigint")), lakecopy.Options{Inside: got, File: "p.parquet"}, verdict.CopyNotACopy, real)
	}
	plain := t.TempDir()
	if err := os.MkdirAll(filepath.Join(plain, "metadata"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, ok := lakecopy.InsideTable(filepath.Join(plain, "data")); ok {
		t.Errorf("a folder called metadata makes a table of its neighbours: %+v", got)
	}
}

func TestFilesThatDisagreeBecomeClasses(t *testing.T) {
	m := folder(t,
		"p1.parquet", made(t, "id int, amount string", `{"id":1,"amount":"1.5"}`),
		"p2.parquet", made(t, "id bigint, amount string", `{"id":3000000000,"amount":"2"}`),
		"p3.parquet", made(t, "id bigint", `{"id":3}`),
		"p4.parquet", made(t, "id bigint, amount string", `{"id":4,"amount":"n/a"}`))
	c := mustOpen(t, m, lakecopy.Options{})
	var classes []string
	for _, f := range c.Files {
		classes = append(classes, f.Class)
	}
	if !slices.Equal(classes, []string{"c1", "c2", "c3", "c2"}) {
		t.Errorf("classes %v", classes)
	}
	if c.Classes[1].Rows != 2 || c.Classes[1].Files != 2 || c.Classes[0].Columns[0].Physical != "INT32" {
		t.Errorf("classes %+v", c.Classes)
	}
	want := []map[string]any{
		{"id": "1", "amount": "1.5"}, {"id": "3000000000", "amount": "2"}, {"id": "3", "amount": nil}, {"id": "4", "amount": "n/a"},
	}
	compareInOrder(t, want, rowsOf(t, c))
}

func TestBrokenFilesAreNamed(t *testing.T) {
	good := made(t, "id bigint", `{"id":1}`)
	cut := good[:len(good)-20]
	refusal(t, folder(t, "a.parquet", good, "b.parquet", cut), lakecopy.Options{}, verdict.CopyUnreadable, "b.parquet")
	refusal(t, folder(t, "a.parquet", "PAR1 is not enough PAR1"), lakecopy.Options{}, verdict.CopyUnreadable, "a.parquet")
}

func TestAFileThatChangedIsRefused(t *testing.T) {
	m := folder(t, "a.parquet", made(t, "id bigint", `{"id":1}`))
	c := mustOpen(t, m, lakecopy.Options{})
	if err := m.Remove(context.Background(), "a.parquet"); err != nil {
		t.Fatal(err)
	}
	put(t, m, "a.parquet", made(t, "id bigint", `{"id":1}`, `{"id":2}`, `{"id":3}`))
	s := c.Read(context.Background(), c.Files[0], nil, 10)
	defer s.Close()
	if s.Next() || !errors.Is(s.Err(), verdict.CopyChanged) {
		t.Errorf("got %v", s.Err())
	}
}

// denied is a store that lists and does not give.
type denied struct{ store.Reader }

func (d denied) Open(context.Context, string) (store.File, error) { return nil, store.ErrDenied }

func TestTheStoresAnswerKeepsItsCode(t *testing.T) {
	m := folder(t, "a.parquet", made(t, "id bigint", `{"id":1}`))
	if _, err := lakecopy.Open(context.Background(), denied{m}, lakecopy.Options{}); !errors.Is(err, verdict.StoreDenied) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := lakecopy.Open(ctx, m, lakecopy.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestProgressCountsEveryFooter(t *testing.T) {
	var files []any
	data := made(t, "id bigint", `{"id":1}`)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		files = append(files, name+".parquet", data)
	}
	var seen []int
	o := lakecopy.Options{Parallel: 3, Progress: func(done, total int) {
		if total != 5 {
			t.Errorf("total %d", total)
		}
		seen = append(seen, done)
	}}
	mustOpen(t, folder(t, files...), o)
	if !slices.Equal(seen, []int{1, 2, 3, 4, 5}) {
		t.Errorf("progress %v", seen)
	}
}

func TestHashTellsStatesApart(t *testing.T) {
	data := made(t, "id bigint", `{"id":1}`)
	a := mustOpen(t, folder(t, "a.parquet", data, "b.parquet", data), lakecopy.Options{})
	again := mustOpen(t, folder(t, "a.parquet", data, "b.parquet", data), lakecopy.Options{})
	later := mustOpen(t, folder(t, "_x", "", "a.parquet", data, "b.parquet", data), lakecopy.Options{})
	renamed := mustOpen(t, folder(t, "a.parquet", data, "c.parquet", data), lakecopy.Options{})
	if a.Hash != again.Hash || a.Hash == later.Hash || a.Hash == renamed.Hash || len(a.Hash) != 64 {
		t.Error(a.Hash, again.Hash, later.Hash, renamed.Hash)
	}
	if a.Evidence.Earliest != a.Files[0].Modified || a.Evidence.What == "" {
		t.Errorf("evidence %+v", a.Evidence)
	}
}
