package splice_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/store/storetest"
)

// publicData is the folder of test data that others made.
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

func parquetFiles(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".parquet") && !strings.Contains(path, "_delta_log") {
			out = append(out, path)
		}
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatal("no files", err)
	}
	return out
}

// Every column of files that other programs wrote comes out as a rewrite makes it,
// under every type of SQL Server that it can be cast to.
func TestFilesOfOthersAreSplicedAsRewritten(t *testing.T) {
	copied, compared := spliceAll(t, parquetFiles(t, publicData(t)))
	if copied < 100 || compared < 1000 {
		t.Errorf("%d columns were copied, %d compared", copied, compared)
	}
}

// The same for the files that engine/interop has real writers make.
func TestFilesOfWritersAreSplicedAsRewritten(t *testing.T) {
	dir := os.Getenv("CDCSEED_WRITERS")
	if dir == "" {
		t.Skip("CDCSEED_WRITERS names no folder of files: engine/interop/run sets it")
	}
	copied, compared := spliceAll(t, parquetFiles(t, dir))
	if copied < 200 || compared < 1000 {
		t.Errorf("%d columns were copied, %d compared", copied, compared)
	}
}

func spliceAll(t *testing.T, files []string) (copied, compared int) {
	t.Helper()
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m := storetest.NewMem()
		if err := m.CreateOnce(t.Context(), "f", data); err != nil {
			t.Fatal(err)
		}
		f, err := m.Open(t.Context(), "f")
		if err != nil {
			t.Fatal(err)
		}
		p, err := parquetfile.Open(f)
		if err != nil {
			continue // the reader's own tests say why
		}
		if p.Rows() == 0 {
			continue // nothing is made of it
		}
		for _, sql := range sqlTypes() {
			c, n := spliceAs(t, filepath.Base(path), data, p.Columns(), sql)
			copied, compared = copied+c, compared+n
		}
	}
	return copied, compared
}

// sqlTypes are types of SQL Server, one of each way of storing.
func sqlTypes() (out []schema.SQLType) {
	for _, name := range []string{"bit", "tinyint", "smallint", "int", "bigint", "real", "float", "money", "date", "datetime", "smalldatetime", "xml", "uniqueidentifier"} {
		out = append(out, schema.SQLType{Name: name, AnsiPad: true})
	}
	for _, ps := range [][2]int{{7, 2}, {9, 2}, {15, 2}, {18, 0}, {25, 2}, {38, 2}} {
		out = append(out, schema.SQLType{Name: "decimal", Precision: ps[0], Scale: ps[1]})
	}
	return append(out, schema.SQLType{Name: "datetime2", Scale: 7}, schema.SQLType{Name: "datetimeoffset", Scale: 7}, schema.SQLType{Name: "datetime2", Scale: 3},
		schema.SQLType{Name: "varbinary", Length: -1, AnsiPad: true}, schema.SQLType{Name: "binary", Length: 64, AnsiPad: true}, schema.SQLType{Name: "nvarchar", Length: 8000})
}

// spliceAs takes all of a file's columns that can be cast to a type as captured
// under it. A column whose values a rewrite refuses stands back.
func spliceAs(t *testing.T, file string, data []byte, columns []schema.CopyColumn, sql schema.SQLType) (copied, compared int) {
	t.Helper()
	var all []schema.TargetColumn
	for _, c := range columns {
		to := target(t, c.Name, sql)
		class := []schema.FileClass{{ID: "c1", Columns: []schema.CopyColumn{c}}}
		if m, err := cast.Match([]schema.TargetColumn{to}, class, cast.Answers{Zone: "UTC"}); err == nil && m.Refusal() == nil {
			all = append(all, to)
		}
	}
	for len(all) > 0 {
		s := newScene(t, data, all, cast.Answers{Zone: "UTC"})
		report := refusedBy(t, s)
		fits := slices.DeleteFunc(slices.Clone(all), func(c schema.TargetColumn) bool { return report.Columns[c.Name].Refused > 0 })
		if len(fits) < len(all) {
			all = fits
			continue
		}
		d := s.decide()
		if d.Rewrite != "" {
			return 0, 0
		}
		r, ways := s.splice()
		w, _ := s.rewrite()
		s.compare()
		if r.Rows != w.Rows {
			t.Errorf("%d rows, want %d", r.Rows, w.Rows)
		}
		for _, c := range all {
			if ways[c.Name].Copies() || ways[c.Name] == splice.Dictionary {
				copied++
			}
		}
		if t.Failed() {
			t.Fatalf("%s as %s: %v %v", file, sql, ways, d)
		}
		return copied, len(all)
	}
	return 0, 0
}

// refusedBy casts the whole file and counts.
func refusedBy(t *testing.T, s *scene) cast.Report {
	t.Helper()
	f := s.open()
	defer f.Close()
	p, err := parquetfile.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	k, err := s.mapping.Caster("c1", nil)
	if err != nil {
		t.Fatal(err)
	}
	scan := p.Read(t.Context(), k.Columns(), 1000)
	defer scan.Close()
	row := int64(1)
	for scan.Next() {
		out, err := k.Cast(scan.Record(), cast.Place{File: "f", FirstRow: row})
		if err != nil {
			t.Fatal(err)
		}
		row += scan.Record().NumRows()
		for _, a := range out {
			a.Release()
		}
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	return k.Report()
}
