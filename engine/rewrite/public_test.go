package rewrite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// publicData is the folder of test data that others made; see decision 37.
func publicData(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("CDCSEED_TESTDATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "testdata")
	}
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the public test data is needed in CI: %v", err)
		}
		t.Skipf("no public test data: %v", err)
	}
	return dir
}

// every SQL type that a column of a public file could be captured as
func sqlTypes() []schema.SQLType {
	var out []schema.SQLType
	for _, name := range []string{"bit", "tinyint", "smallint", "int", "bigint", "real", "float", "money", "smallmoney", "date", "datetime", "smalldatetime", "text", "xml", "uniqueidentifier", "timestamp"} {
		out = append(out, schema.SQLType{Name: name, AnsiPad: true})
	}
	for _, name := range []string{"decimal", "datetime2", "datetimeoffset", "time"} {
		out = append(out, schema.SQLType{Name: name, Precision: 38, Scale: 7})
	}
	for _, name := range []string{"char", "varchar", "nchar", "nvarchar", "binary", "varbinary"} {
		out = append(out, schema.SQLType{Name: name, Length: 64, CodePage: 1252, AnsiPad: true})
	}
	return out
}

// Whatever a public file holds, its columns either have no cast to a type, or
// every batch that the reader gives is cast and every row accounted for.
func TestPublicFilesCastToEveryType(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(publicData(t), "parquet", "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	casts := 0
	for _, path := range files {
		w, err := store.OpenLocal(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		f, err := w.Open(t.Context(), filepath.Base(path))
		if err != nil {
			t.Fatal(err)
		}
		p, err := parquetfile.Open(f)
		if err != nil {
			t.Log("the reader refuses it, as its own tests say:", err)
			f.Close()
			continue
		}
		for _, c := range p.Columns() {
			for _, sql := range sqlTypes() {
				casts += castPublic(t, p, filepath.Base(path), c, sql)
			}
		}
		f.Close()
	}
	if casts < 290 {
		t.Errorf("only %d casts were possible", casts)
	}
}

func castPublic(t *testing.T, p *parquetfile.File, name string, c schema.CopyColumn, sql schema.SQLType) int {
	t.Helper()
	typ, err := sql.Target()
	if err != nil {
		t.Fatal(err)
	}
	to := schema.TargetColumn{Name: strings.ToUpper(c.Name), Type: typ, SQL: sql, Nullable: true}
	m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{{ID: "c1", Columns: []schema.CopyColumn{c}}}, cast.Answers{Zone: "UTC"})
	if errors.Is(err, verdict.CastImpossible) {
		return 0
	}
	if err != nil {
		t.Fatal(name, c, sql, err)
	}
	k, err := m.Preview("c1", nil)
	if err != nil {
		t.Fatal(name, c, sql, err)
	}
	s := p.Read(t.Context(), k.Columns(), 100)
	defer s.Close()
	written := int64(0)
	for s.Next() {
		out, err := k.Cast(s.Record(), cast.Place{File: name, FirstRow: 1})
		if err != nil {
			t.Errorf("%s: %s %s to %s: %v", name, c.Name, c, sql, err)
			return 0
		}
		written += int64(out[0].Len() - out[0].NullN())
		out[0].Release()
	}
	if s.Err() != nil {
		t.Errorf("%s: %s: %v", name, c.Name, s.Err())
		return 0
	}
	r := k.Report().Columns[to.Name]
	if r.Values != p.Rows() || r.Nulls+r.Refused != r.Values-written || r.Unchanged+r.Changed != written {
		t.Errorf("%s: %s %s to %s: %d rows, %d NULL, %d refused, %d written", name, c.Name, c, sql, p.Rows(), r.Nulls, r.Refused, written)
	}
	return 1
}
