package engine_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/delta"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/schema"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// publicData is a folder of files that others made. They are no part of the
// repository: without them the test is skipped, but never in CI.
func publicData(t *testing.T, kind string) string {
	t.Helper()
	root := os.Getenv("CDCSEED_TESTDATA")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "testdata")
	}
	dir, err := filepath.Abs(filepath.Join(root, kind))
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, "MANIFEST.json"))
	}
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no public test data: ", err)
		}
		t.Skip("no public test data (set CDCSEED_TESTDATA): ", err)
	}
	return dir
}

// publicColumn is a captured column made up for a column of a public copy.
type publicColumn struct{ name, sql string }

// publicSQL is the SQL Server type that holds every value of a copy's column,
// empty for a nested one.
func publicSQL(c schema.CopyColumn) string {
	switch {
	case c.Physical == "GROUP":
		return ""
	case c.Logical == "DECIMAL":
		return fmt.Sprintf("decimal(%d,%d)", c.Precision, c.Scale)
	case c.Logical == "DATE":
		return "date"
	case c.Logical == "TIME":
		return "time(6)"
	case c.Logical == "TIMESTAMP" && !c.UTC:
		return "datetime2(6)"
	case c.Logical == "TIMESTAMP", c.Physical == "INT96":
		return "datetimeoffset(6)"
	case c.Logical == "UUID":
		return "uniqueidentifier"
	case c.Logical == "FLOAT16", c.Physical == "FLOAT":
		return "real"
	case c.Logical == "STRING", c.Logical == "ENUM", c.Logical == "JSON", c.Physical == "PARTITION":
		return "nvarchar(max)"
	}
	return map[string]string{"BOOLEAN": "bit", "INT32": "int", "INT64": "bigint", "DOUBLE": "float", "BYTE_ARRAY": "varbinary(max)", "FIXED_LEN_BYTE_ARRAY": "varbinary(max)"}[c.Physical]
}

// deltaSQL is the same for a type of a Delta table.
func deltaSQL(f delta.Field) string {
	kind, ok := f.Primitive()
	if !ok {
		return ""
	}
	if strings.HasPrefix(kind, "decimal") {
		return kind
	}
	return map[string]string{
		"byte": "smallint", "short": "smallint", "integer": "int", "long": "bigint", "float": "real", "double": "float", "boolean": "bit",
		"string": "nvarchar(max)", "binary": "varbinary(max)", "date": "date", "timestamp": "datetimeoffset(6)", "timestamp_ntz": "datetime2(6)",
	}[kind]
}

// publicColumns are the captured columns for a copy. One of nested columns alone
// gets text columns, which no cast makes from them.
func publicColumns(t *testing.T, k *kit, path string) []publicColumn {
	t.Helper()
	var all, flat []publicColumn
	add := func(name, sql string) {
		if slices.ContainsFunc(all, func(c publicColumn) bool { return c.name == name }) {
			return
		}
		if sql != "" {
			flat = append(flat, publicColumn{name, sql})
		}
		all = append(all, publicColumn{name, "nvarchar(max)"})
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		snap, err := delta.Open(t.Context(), k.store(t, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range snap.Schema.Fields {
			add(f.Name, deltaSQL(f))
		}
	} else {
		c, err := lakecopy.Open(t.Context(), k.store(t, filepath.Dir(path)), lakecopy.Options{File: filepath.Base(path)})
		if err != nil { // the engine's refusal is what counts
			return []publicColumn{{"id", "int"}}
		}
		for _, class := range c.Classes {
			for _, col := range class.Columns {
				add(col.Name, publicSQL(col))
			}
		}
	}
	if len(flat) == 0 {
		return all
	}
	return flat
}

// publicWorld is the kit's world with other columns, and none of its rows.
func publicWorld(t *testing.T, columns []publicColumn) string {
	t.Helper()
	var list []map[string]any
	for _, c := range columns {
		list = append(list, map[string]any{"name": c.name, "type": c.sql, "nullable": true})
	}
	var w map[string]any
	if err := json.Unmarshal([]byte(world), &w); err != nil {
		t.Fatal(err)
	}
	table := w["databases"].([]any)[0].(map[string]any)["tables"].([]any)[0].(map[string]any)
	table["columns"], table["rows"] = list, []any{}
	delete(table, "primary_key")
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// publicCase is one public copy: its rows, or the code that refuses it.
type publicCase struct {
	path, expected string
	zone           string       // of its zone-less times; empty is UTC
	refused        verdict.Code // or empty
}

// run seeds the copy through the whole engine.
func (c publicCase) run(t *testing.T) {
	plain := newKit(t)
	columns := publicColumns(t, plain, c.path)
	k := kitOf(t, publicWorld(t, columns))
	k.request.Copy = c.path
	s, err := engine.OpenStores(k.request)
	if err != nil {
		t.Fatal(err)
	}
	target := storetest.NewMem()
	s.Target = target
	p, err := c.answered(t, k, s)
	if err == nil {
		err = p.Refusal()
	}
	if c.refused != "" {
		if !errors.Is(err, c.refused) {
			t.Fatalf("want %s, got %v", c.refused, err)
		}
		t.Log(err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	session, _ := k.open()
	got, err := engine.Execute(t.Context(), p, session, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, have := publicExpected(t, c.expected, columns), publicRows(t, target, columns)
	if int(got.Rows) != len(want) {
		t.Errorf("%d rows, want %d", got.Rows, len(want))
	}
	slices.Sort(want)
	slices.Sort(have)
	if len(have) != len(want) {
		t.Fatalf("%d rows stand there, want %d", len(have), len(want))
	}
	for i := range want {
		if want[i] != have[i] {
			t.Fatalf("a row is\n%s, want\n%s", have[i], want[i])
		}
	}
	t.Logf("%d rows of %d columns", len(want), len(columns))
}

// answered plans until nothing is left to ask: nothing may be lost, what is
// missing is NULL, zone-less times are of the case's zone, warnings are accepted.
func (c publicCase) answered(t *testing.T, k *kit, s engine.Stores) (engine.Plan, error) {
	t.Helper()
	session, _ := k.open()
	r := k.request
	r.Cast, r.Missing = map[string]string{}, map[string]string{}
	for range 6 {
		p, err := engine.Build(t.Context(), session, s.Readers(), r, engine.BuildOptions{Tool: "cdcseed/test"})
		if errors.Is(err, verdict.AsOfAfterCopy) && !r.AllowAsOfAfterCopy {
			r.AllowAsOfAfterCopy = true
			continue
		}
		if err != nil {
			return p, err
		}
		before := fmt.Sprint(r)
		for _, q := range p.Columns.Open() {
			switch q.Flag {
			case cast.FlagMissing:
				r.Missing[q.Column] = "null"
			case cast.FlagZone:
				r.CopyTimeZone = cmp.Or(c.zone, "UTC")
			default:
				r.Cast[q.Column] = "stop"
			}
		}
		for _, stop := range p.Stops { // text tells only by its values that a zone is owed
			if strings.Contains(strings.Join(stop.Hint, " "), cast.FlagZone) {
				r.CopyTimeZone = cmp.Or(c.zone, "UTC")
			}
		}
		for _, w := range p.Unaccepted() {
			r.Accept = append(r.Accept, string(w.Code))
		}
		if fmt.Sprint(r) == before {
			return p, nil
		}
	}
	t.Fatal("the plan keeps asking")
	return engine.Plan{}, nil
}

func publicRows(t *testing.T, r *storetest.Mem, columns []publicColumn) []string {
	t.Helper()
	var out []string
	for _, add := range openNow(t, r).Files {
		key, err := add.Key()
		if err != nil {
			t.Fatal(err)
		}
		eachRow(t, r, key, func(rec arrow.Record, i int) {
			row := make([]string, len(columns))
			for c, col := range columns {
				row[c] = col.name + "=" + publicValue(rec.Column(rec.Schema().FieldIndices(col.name)[0]), i)
			}
			out = append(out, strings.Join(row, " "))
		})
	}
	return out
}

func TestPublicDeltaTablesAreSeeded(t *testing.T) {
	t.Parallel()
	dir := publicData(t, "delta")
	cases := map[string]publicCase{
		"catalog-owned-preview":        {refused: verdict.CopyFeature},
		"multi_partitioned":            {refused: verdict.CastImpossible}, // bytes as a partition's text
		"data-reader-partition-values": {zone: "America/Los_Angeles"},
	}
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
		c := cases[e.Name()]
		c.path, c.expected = filepath.Join(dir, e.Name(), "table"), filepath.Join(dir, e.Name(), "expected.jsonl")
		t.Run(e.Name(), c.run)
	}
	if tables != 19 {
		t.Errorf("%d tables, want 19", tables)
	}
}

func TestPublicParquetFilesAreSeeded(t *testing.T) {
	t.Parallel()
	dir := publicData(t, "parquet")
	cases := map[string]publicCase{
		"lz4_raw_compressed.parquet": {refused: verdict.CopyUnreadable},
		// No column of SQL Server holds NaN.
		"float16_nonzeros_and_nans.parquet": {refused: verdict.ValueRefused},
		"nan_in_stats.parquet":              {refused: verdict.ValueRefused},
		"int96_from_spark.parquet":          {refused: verdict.ValueRefused}, // the year 290000
		// Nothing but nested columns.
		"list_columns.parquet":       {refused: verdict.CastImpossible},
		"null_list.parquet":          {refused: verdict.CastImpossible},
		"nulls.snappy.parquet":       {refused: verdict.CastImpossible},
		"old_list_structure.parquet": {refused: verdict.CastImpossible},
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil || len(names) != 22 {
		t.Fatalf("%d files, want 22; %v", len(names), err)
	}
	for _, path := range names {
		c := cases[filepath.Base(path)]
		c.path, c.expected = path, path+".expected.jsonl"
		t.Run(filepath.Base(path), c.run)
	}
}
