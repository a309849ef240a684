package lakecopy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/clock"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

const (
	protocolLine = `{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}`
	ms           = clock.Instant(clock.Millisecond)
)

// metaLine is a metaData action; columns as in made.
func metaLine(columns string, partitions ...string) string {
	var fields []string
	names := map[string]string{"bigint": "long", "int": "integer", "string": "string", "bool": "boolean"}
	for c := range strings.SplitSeq(columns, ", ") {
		name, typ, _ := strings.Cut(c, " ")
		fields = append(fields, fmt.Sprintf(`{"name":%q,"type":%q,"nullable":true,"metadata":{}}`, name, names[typ]))
	}
	schema, _ := json.Marshal(`{"type":"struct","fields":[` + strings.Join(fields, ",") + `]}`)
	parts, _ := json.Marshal(append([]string{}, partitions...))
	return fmt.Sprintf(`{"metaData":{"id":"5fba94ed-9794-4965-ba6e-6ee3c0d22af9","format":{"provider":"parquet","options":{}},"schemaString":%s,"partitionColumns":%s,"configuration":{}}}`, schema, parts)
}

func addLine(key string, data []byte, at int64, change bool, partition string) string {
	if partition == "" {
		partition = "{}"
	}
	return fmt.Sprintf(`{"add":{"path":%q,"partitionValues":%s,"size":%d,"modificationTime":%d,"dataChange":%v}}`, key, partition, len(data), at, change)
}

func removeLine(key string, change bool) string {
	return fmt.Sprintf(`{"remove":{"path":%q,"deletionTimestamp":1,"dataChange":%v}}`, key, change)
}

func infoLine(at int64, operation, parameters string) string {
	return fmt.Sprintf(`{"commitInfo":{"timestamp":%d,"operation":%q,"operationParameters":%s}}`, at, operation, parameters)
}

func commit(t *testing.T, m *storetest.Mem, version int, at int64, lines ...string) {
	t.Helper()
	key := fmt.Sprintf("_delta_log/%020d.json", version)
	put(t, m, key, strings.Join(lines, "\n")+"\n")
	if err := m.SetModified(key, clock.Instant(at)*ms); err != nil {
		t.Fatal(err)
	}
}

func TestADeltaRootIsReadByItsLog(t *testing.T) {
	f1 := made(t, "id bigint, old string", `{"id":1}`, `{"id":2}`, `{"id":3}`)
	f2 := made(t, "ID bigint", `{"ID":1}`, `{"ID":3}`)
	m := folder(t, "f1.parquet", f1, "f 2.parquet", f2, "stray.parquet", f1)
	commit(t, m, 0, 1000, infoLine(1000, "WRITE", "{}"), protocolLine, metaLine("id bigint, new int"), addLine("f1.parquet", f1, 900, true, ""))
	commit(t, m, 1, 2000, infoLine(2000, "DELETE", "{}"), removeLine("f1.parquet", true), addLine("f%202.parquet", f2, 1900, true, ""))
	c := mustOpen(t, m, lakecopy.Options{})
	if c.Kind != lakecopy.Delta || *c.Version != 1 || c.Rows != 2 || c.Files[0].Key != "f 2.parquet" {
		t.Errorf("%+v", c)
	}
	compareInOrder(t, []map[string]any{{"id": "1", "new": nil}, {"id": "3", "new": nil}}, rowsOf(t, c))

	s := c.Read(context.Background(), c.Files[0], []string{"new", "id"}, 10)
	defer s.Close()
	if !s.Next() || s.Record().Column(0).NullN() != 2 || s.Record().ColumnName(1) != "id" {
		t.Errorf("a column that the file lacks: %v, %v", s.Record(), s.Err())
	}

	version := int64(0)
	old := mustOpen(t, m, lakecopy.Options{Version: &version})
	if got, _ := ids(t, old, nil); !slices.Equal(got, []string{"1", "2", "3"}) || *old.Version != 0 || old.Hash == c.Hash {
		t.Errorf("version 0: %v", got)
	}
	version = 7
	refusal(t, m, lakecopy.Options{Version: &version}, verdict.CopyNotFound, "version 7")
}

func TestDeltaPartitionValuesComeFromTheLogAlone(t *testing.T) {
	data := made(t, "id bigint, state string", `{"id":1,"state":"in the file"}`)
	m := folder(t, "state=wrong/f.parquet", data, "g.parquet", data)
	commit(t, m, 0, 1000, protocolLine, metaLine("state string, id bigint", "state"),
		addLine("state=wrong/f.parquet", data, 900, true, `{"state":"01"}`), addLine("g.parquet", data, 900, true, `{"state":null}`))
	c := mustOpen(t, m, lakecopy.Options{})
	compareAnyOrder(t, []map[string]any{{"state": "01", "id": "1"}, {"state": nil, "id": "1"}}, rowsOf(t, c), "")
}

func TestDeltaRefusals(t *testing.T) {
	data := made(t, "id bigint", `{"id":1}`)
	for name, c := range map[string]struct {
		lines []string
		code  verdict.Code
		names string
	}{
		"unknown feature": {
			[]string{`{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["fooBar"],"writerFeatures":["fooBar"]}}`, metaLine("id bigint")},
			verdict.CopyFeature, "fooBar",
		},
		"deletion vector": {
			[]string{protocolLine, metaLine("id bigint"), strings.Replace(addLine("f.parquet", data, 1, true, ""), `"dataChange"`,
				`"deletionVector":{"storageType":"i","pathOrInlineDv":"x","sizeInBytes":1,"cardinality":1},"dataChange"`, 1)},
			verdict.CopyUnreadable, "base 85",
		},
		"absolute path": {
			[]string{protocolLine, metaLine("id bigint"), addLine("s3://other/f.parquet", data, 1, true, "")}, verdict.CopyFeature, "s3://other/f.parquet",
		},
		"vacuumed file": {
			[]string{protocolLine, metaLine("id bigint"), addLine("gone.parquet", data, 1, true, "")}, verdict.CopyUnreadable, "version 0",
		},
		"file of another size": {
			[]string{protocolLine, metaLine("id bigint"), addLine("f.parquet", data[1:], 1, true, "")}, verdict.CopyChanged, "f.parquet",
		},
		"broken log": {[]string{protocolLine, "{"}, verdict.CopyUnreadable, "line 2"},
	} {
		t.Run(name, func(t *testing.T) {
			m := folder(t, "f.parquet", data)
			commit(t, m, 0, 1000, c.lines...)
			refusal(t, m, lakecopy.Options{}, c.code, c.names)
		})
	}
	refusal(t, folder(t, "_delta_log/readme", "x", "f.parquet", data), lakecopy.Options{}, verdict.CopyNotACopy, "_delta_log")
}

func TestEvidenceOfADeltaTable(t *testing.T) {
	data := made(t, "id bigint", `{"id":1}`)
	overwrite := `{"mode":"Overwrite","partitionBy":"[]"}`
	type step struct {
		operation, parameters string
		change                bool
	}
	load := step{"WRITE", overwrite, true}
	for name, c := range map[string]struct {
		steps []step // version n is committed at second n+1, its file written half a second before
		want  int64  // ms
		what  string
	}{
		"only version 0":              {[]step{load}, 500, "data file"},
		"append keeps the load":       {[]step{load, load, {"WRITE", `{"mode":"Append"}`, true}}, 1500, "data file"},
		"optimize is no load":         {[]step{load, load, {"OPTIMIZE", "{}", false}}, 2000, "version 1, WRITE"},
		"an overwrite that compacts":  {[]step{load, load, {"WRITE", overwrite, false}}, 2000, "version 1, WRITE"},
		"an overwrite of a predicate": {[]step{load, {"WRITE", `{"mode":"Overwrite","predicate":"[\"a = 1\"]"}`, true}}, 1000, "version 0"},
		"a dynamic overwrite":         {[]step{load, {"WRITE", `{"mode":"Overwrite","isDynamicPartitionOverwrite":"true"}`, true}}, 1000, "version 0"},
		"merge":                       {[]step{load, load, {"MERGE", "{}", true}, {"MERGE", "{}", true}}, 2000, "version 1"},
		"create table as select":      {[]step{load, {"CREATE OR REPLACE TABLE AS SELECT", "{}", true}, {"UPDATE", "{}", true}}, 2000, "version 1"},
		"replace table":               {[]step{load, load, {"REPLACE TABLE", "{}", true}, {"MERGE", "{}", true}}, 3000, "version 2"},
		"clone":                       {[]step{load, {"CLONE", "{}", true}, {"MERGE", "{}", true}}, 2000, "version 1"},
		"restore":                     {[]step{load, {"RESTORE", "{}", true}, {"MERGE", "{}", true}}, 2000, "version 1"},
	} {
		t.Run(name, func(t *testing.T) {
			m := folder(t)
			for v, s := range c.steps {
				at := int64(v+1) * 1000
				file := fmt.Sprintf("f%d.parquet", v)
				put(t, m, file, data)
				lines := []string{infoLine(at, s.operation, s.parameters), addLine(file, data, at-500, s.change, "")}
				if v == 0 {
					lines = append(lines, protocolLine, metaLine("id bigint"))
				} else if s.parameters != `{"mode":"Append"}` {
					lines = append(lines, removeLine(fmt.Sprintf("f%d.parquet", v-1), s.change))
				}
				commit(t, m, v, at+50_000, lines...) // the file's own time is renewed by copying
			}
			got := mustOpen(t, m, lakecopy.Options{}).Evidence
			if got.Earliest != clock.Instant(c.want)*ms || !strings.Contains(got.What, c.what) {
				t.Errorf("%d ms, %s; want %d, %s", got.Earliest/ms, got.What, c.want, c.what)
			}
		})
	}
}

func TestDeltaFileThatBreaksMidwayIsNamed(t *testing.T) {
	data := made(t, "id bigint", `{"id":1}`, `{"id":2}`)
	bad := slices.Clone(data)
	for i := 8; i < 40; i++ {
		bad[i] = 0xff // inside the pages; the footer stays whole
	}
	m := folder(t, "f.parquet", bad)
	commit(t, m, 0, 1000, protocolLine, metaLine("id bigint"), addLine("f.parquet", bad, 900, true, ""))
	c := mustOpen(t, m, lakecopy.Options{})
	s := c.Read(context.Background(), c.Files[0], nil, 10)
	defer s.Close()
	if s.Next() || !errors.Is(s.Err(), verdict.CopyUnreadable) || !strings.Contains(s.Err().Error(), "f.parquet") {
		t.Errorf("got %v", s.Err())
	}
}

// The protocol has an empty partition value for NULL, whatever the column's type,
// and what lies beside the table's files is nothing that was passed over.
func TestAnEmptyPartitionValueIsNull(t *testing.T) {
	one, two := made(t, "id bigint", `{"id":1}`), made(t, "id bigint", `{"id":2}`)
	m := folder(t, "a.parquet", one, "b.parquet", two, "stray.txt", "x", ".hidden", "x")
	commit(t, m, 0, 1000, protocolLine, metaLine("id bigint, p string, n int", "p", "n"),
		addLine("a.parquet", one, 900, true, `{"p":"","n":""}`), addLine("b.parquet", two, 900, true, `{"p":" ","n":null}`))
	c := mustOpen(t, m, lakecopy.Options{})
	compareInOrder(t, []map[string]any{{"id": "1", "p": nil, "n": nil}, {"id": "2", "p": " ", "n": nil}}, rowsOf(t, c))
	if len(c.Skipped) != 0 {
		t.Errorf("skipped %q", c.Skipped)
	}
}
