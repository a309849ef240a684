package lakecopy_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// mappedLines are the protocol and metaData of a table that maps its columns:
// "name type id physical", one a column.
func mappedLines(mode string, partitions string, columns ...string) []string {
	var fields []string
	for i, c := range columns {
		w := strings.Split(c, "|")
		fields = append(fields, fmt.Sprintf(`{\"name\":\"%s\",\"type\":\"%s\",\"nullable\":true,\"metadata\":{\"delta.columnMapping.id\":%d,\"delta.columnMapping.physicalName\":\"%s\"}}`,
			w[0], w[1], i+1, w[2]))
	}
	return []string{
		`{"protocol":{"minReaderVersion":2,"minWriterVersion":5}}`,
		fmt.Sprintf(`{"metaData":{"id":"5fba94ed-9794-4965-ba6e-6ee3c0d22af9","format":{"provider":"parquet","options":{}},`+
			`"schemaString":"{\"type\":\"struct\",\"fields\":[%s]}","partitionColumns":[%s],`+
			`"configuration":{"delta.columnMapping.mode":%q,"delta.columnMapping.maxColumnId":"9"}}}`, strings.Join(fields, ","), partitions, mode),
	}
}

func TestAMappedCopyIsReadByItsOwnNames(t *testing.T) {
	data := made(t, "col-5f2c bigint, col-77 string, order_id bigint", `{"col-5f2c":1,"col-77":"x","order_id":9}`)
	m := folder(t, "f.parquet", data)
	// The file's own order_id is a column that was dropped: its name means nothing now.
	lines := mappedLines("name", `"state"`, "order_id|long|col-5f2c", "a b|string|col-77", "state|string|col-st", "later|long|col-9")
	commit(t, m, 0, 1000, append(lines, addLine("f.parquet", data, 900, true, `{"col-st":"CA"}`))...)
	c := mustOpen(t, m, lakecopy.Options{})
	compareInOrder(t, []map[string]any{{"order_id": "1", "a b": "x", "state": "CA", "later": nil}}, rowsOf(t, c))
	if got := c.Classes[0].Columns[0]; got.Name != "order_id" || got.Physical != "INT64" {
		t.Errorf("%+v", got)
	}
}

// A partition value under another name than the table's files have is no NULL.
func TestPartitionValuesThatTheLogDoesNotHave(t *testing.T) {
	data := made(t, "col-1 bigint", `{"col-1":1}`)
	for _, values := range []string{`{}`, `{"state":"CA"}`, `{"COL-ST":"CA"}`} {
		m := folder(t, "f.parquet", data)
		commit(t, m, 0, 1000, append(mappedLines("name", `"state"`, "id|long|col-1", "state|string|col-st"), addLine("f.parquet", data, 900, true, values))...)
		refusal(t, m, lakecopy.Options{}, verdict.CopyUnreadable, "f.parquet", `"state"`, `"col-st"`)
	}
}

// A table that was mapped later keeps its names as physical ones, and files of
// before then may spell them otherwise: their values are no NULLs.
func TestPhysicalNamesInAnotherCase(t *testing.T) {
	data := made(t, "ID bigint", `{"ID":1}`)
	m := folder(t, "f.parquet", data)
	commit(t, m, 0, 1000, append(mappedLines("name", "", "order_id|long|id"), addLine("f.parquet", data, 900, true, ""))...)
	compareInOrder(t, []map[string]any{{"order_id": "1"}}, rowsOf(t, mustOpen(t, m, lakecopy.Options{})))
}

// In mode id the names in the files count for nothing, and files that number
// their columns otherwise are of another class.
func TestACopyMappedByID(t *testing.T) {
	one := withIDs(t, []int32{1, 2}, "z bigint, a string", `{"z":1,"a":"x"}`)
	two := withIDs(t, []int32{2, 1}, "z string, a bigint", `{"z":"y","a":2}`)
	same := withIDs(t, []int32{2, 1}, "z bigint, y bigint", `{"z":30,"y":3}`)
	again := withIDs(t, []int32{1, 2}, "z bigint, y bigint", `{"z":4,"y":40}`)
	m := folder(t, "f1.parquet", one, "f2.parquet", two)
	commit(t, m, 0, 1000, append(mappedLines("id", "", "id|long|col-1", "v|string|col-2"),
		addLine("f1.parquet", one, 900, true, ""), addLine("f2.parquet", two, 900, true, ""))...)
	compareInOrder(t, []map[string]any{{"id": "1", "v": "x"}, {"id": "2", "v": "y"}}, rowsOf(t, mustOpen(t, m, lakecopy.Options{})))

	m = folder(t, "f1.parquet", same, "f2.parquet", again)
	commit(t, m, 0, 1000, append(mappedLines("id", "", "id|long|col-1", "v|long|col-2"),
		addLine("f1.parquet", same, 900, true, ""), addLine("f2.parquet", again, 900, true, ""))...)
	compareInOrder(t, []map[string]any{{"id": "3", "v": "30"}, {"id": "4", "v": "40"}}, rowsOf(t, mustOpen(t, m, lakecopy.Options{})))
}

func TestFilesWithoutFieldIDs(t *testing.T) {
	for what, data := range map[string][]byte{
		"no field id":  made(t, "id bigint", `{"id":1}`),
		"stands twice": withIDs(t, []int32{1, 1}, "id bigint, v bigint", `{"id":1}`),
	} {
		m := folder(t, "f.parquet", data)
		commit(t, m, 0, 1000, append(mappedLines("id", "", "id|long|id"), addLine("f.parquet", data, 900, true, ""))...)
		refusal(t, m, lakecopy.Options{}, verdict.CopyFeature, "columnMapping", "f.parquet", what)
	}
}

// What a reader cannot honour is told before any data file is opened.
func TestUnknownFeatureBeforeAnyDataIsRead(t *testing.T) {
	m := folder(t, "f.parquet", "no Parquet file")
	commit(t, m, 0, 1000, `{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["fooBar"],"writerFeatures":["fooBar"]}}`, metaLine("id bigint"),
		addLine("f.parquet", []byte("no Parquet file"), 900, true, ""))
	r := storetest.Intercept(m, func(op storetest.Op) storetest.Fault {
		if op.Key == "f.parquet" {
			t.Errorf("%s of the data file", op.Name)
		}
		return storetest.Fault{}
	})
	if _, err := lakecopy.Open(context.Background(), r, lakecopy.Options{}); err == nil || !strings.Contains(err.Error(), "fooBar") {
		t.Error(err)
	}
}
