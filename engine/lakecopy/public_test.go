package lakecopy_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"

	"github.com/apache/arrow/go/v17/arrow"
)

func localStore(t *testing.T, dir string) store.Reader {
	t.Helper()
	l, err := store.OpenLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// rowsOf reads a whole copy, all columns that any class has, as rows.
func rowsOf(t *testing.T, c *lakecopy.Copy) []map[string]any {
	t.Helper()
	var names []string
	for _, class := range c.Classes {
		for _, col := range class.Columns {
			if !slices.Contains(names, col.Name) {
				names = append(names, col.Name)
			}
		}
	}
	var out []map[string]any
	for _, f := range c.Files {
		s := c.Read(context.Background(), f, names, 7)
		for s.Next() {
			out = append(out, recordRows(s.Record())...)
		}
		if err := errors.Join(s.Err(), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if int64(len(out)) != c.Rows {
		t.Errorf("%d rows read, the copy says %d", len(out), c.Rows)
	}
	return out
}

func recordRows(rec arrow.Record) []map[string]any {
	out := make([]map[string]any, rec.NumRows())
	for i := range out {
		out[i] = map[string]any{}
		for c, col := range rec.Columns() {
			out[i][rec.ColumnName(c)] = value(col, i)
		}
	}
	return out
}

// refusedParquet are the public files that are refused, with what the refusal names.
var refusedParquet = map[string]string{
	"lz4_raw_compressed.parquet": "LZ4_RAW",
}

func TestPublicParquetFiles(t *testing.T) {
	dir := testdata(t, "parquet")
	names, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil || len(names) != 22 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, path := range names {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			c, err := lakecopy.Open(context.Background(), localStore(t, dir), lakecopy.Options{File: name})
			if why, refused := refusedParquet[name]; refused {
				if !errors.Is(err, verdict.CopyUnreadable) || !strings.Contains(err.Error(), why) {
					t.Fatalf("want a refusal naming %s, got %v", why, err)
				}
				t.Log(err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			compareInOrder(t, expectedRows(t, path+".expected.jsonl"), rowsOf(t, c))
		})
	}
}

func compareInOrder(t *testing.T, want, got []map[string]any) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if !same(want[i], got[i]) {
			t.Fatalf("row %d is %v, want %v", i, got[i], want[i])
		}
	}
}

// refusedTables are the public Delta tables that are refused, with what the refusal names.
var refusedTables = map[string]string{
	"catalog-owned-preview": "catalog",
}

// renamedInside are tables whose nested columns have physical names inside too.
// No cast takes a nested column, and only its own name is translated.
var renamedInside = map[string]bool{"table-with-columnmapping-mode-name": true}

// zonedPartitions are timestamp partition columns whose text was written in
// another zone than UTC, which the log does not tell: their text stays as it is.
var zonedPartitions = map[string]string{
	"data-reader-partition-values": "as_timestamp",
	"kernel-timestamp-int96":       "part",
}

func TestPublicDeltaTables(t *testing.T) {
	dir := testdata(t, "delta")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	tables := 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		tables++
		t.Run(e.Name(), func(t *testing.T) {
			c, err := lakecopy.Open(context.Background(), localStore(t, filepath.Join(dir, e.Name(), "table")), lakecopy.Options{})
			if why, refused := refusedTables[e.Name()]; refused {
				if !errors.Is(err, verdict.CopyFeature) || !strings.Contains(err.Error(), why) {
					t.Fatalf("want a refusal naming %s, got %v", why, err)
				}
				t.Log(err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want, got := expectedRows(t, filepath.Join(dir, e.Name(), "expected.jsonl")), rowsOf(t, c)
			if renamedInside[e.Name()] {
				dropNested(t, c, want, got)
			}
			compareAnyOrder(t, want, got, zonedPartitions[e.Name()])
			if c.Evidence.What == "" || c.Evidence.Earliest == 0 {
				t.Errorf("evidence is %+v", c.Evidence)
			}
		})
	}
	if tables != 19 {
		t.Errorf("%d tables, want 19", tables)
	}
}

// dropNested leaves the flat columns to be compared; the nested ones must be
// there under their own names, and be NULL in the same rows.
func dropNested(t *testing.T, c *lakecopy.Copy, want, got []map[string]any) {
	t.Helper()
	nested := 0
	for _, col := range c.Classes[0].Columns {
		if col.Physical != "GROUP" {
			continue
		}
		nested++
		for i, rows := range [][]map[string]any{want, got} {
			for _, row := range rows {
				v, has := row[col.Name]
				if !has {
					t.Errorf("column %q is not among %v (%d)", col.Name, row, i)
				}
				row[col.Name] = fmt.Sprint(v == nil)
			}
		}
	}
	if flat := len(c.Classes[0].Columns) - nested; nested == 0 || flat == 0 {
		t.Errorf("%d nested columns of %d", nested, len(c.Classes[0].Columns))
	}
}

func compareAnyOrder(t *testing.T, want, got []map[string]any, but string) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for _, g := range got {
		at := slices.IndexFunc(want, func(w map[string]any) bool {
			w, g := maps.Clone(w), maps.Clone(g)
			delete(w, but)
			delete(g, but)
			return same(w, g)
		})
		if at < 0 {
			t.Fatalf("row %v is not among the expected ones, such as %v", g, want[0])
		}
		want = slices.Delete(want, at, at+1)
	}
}
