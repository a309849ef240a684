package lakecopy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// columnTypes are the types that a made file may have, by the word after a column's name.
func columnTypes() map[string]arrow.DataType {
	return map[string]arrow.DataType{
		"int": arrow.PrimitiveTypes.Int32, "bigint": arrow.PrimitiveTypes.Int64, "string": arrow.BinaryTypes.String,
		"bool": arrow.FixedWidthTypes.Boolean, "time": &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
		"date": arrow.FixedWidthTypes.Date32, "decimal": &arrow.Decimal128Type{Precision: 9, Scale: 3},
		"float": arrow.PrimitiveTypes.Float64, "real": arrow.PrimitiveTypes.Float32, "bytes": arrow.BinaryTypes.Binary,
	}
}

// made is a Parquet file with the columns ("id bigint, name string") and rows (JSON objects).
func made(t *testing.T, columns string, rows ...string) []byte {
	t.Helper()
	return madeWith(t, len(rows), nil, columns, rows...)
}

// madeInGroups is such a file with so many rows in each row group.
func madeInGroups(t *testing.T, group int, columns string, rows ...string) []byte {
	t.Helper()
	return madeWith(t, group, nil, columns, rows...)
}

// withIDs is such a file whose columns have field ids.
func withIDs(t *testing.T, ids []int32, columns string, rows ...string) []byte {
	t.Helper()
	return madeWith(t, len(rows), ids, columns, rows...)
}

func madeWith(t *testing.T, group int, ids []int32, columns string, rows ...string) []byte {
	t.Helper()
	var fields []arrow.Field
	for c := range strings.SplitSeq(columns, ", ") {
		name, typ, _ := strings.Cut(c, " ")
		f := arrow.Field{Name: name, Type: columnTypes()[typ], Nullable: true}
		if ids != nil {
			f.Metadata = arrow.MetadataFrom(map[string]string{"PARQUET:field_id": fmt.Sprint(ids[len(fields)])})
		}
		fields = append(fields, f)
	}
	sc := arrow.NewSchema(fields, nil)
	var buf bytes.Buffer
	o := parquetfile.WriterOptions{CreatedBy: "parquet-mr version 1.12.3 (build f8dced182c4c1fbdec6ccb3185537b5a01e6ed6b)"}
	if group < len(rows) {
		o.RowGroupBytes = 1 // each write is a row group of its own
	}
	w, err := parquetfile.NewWriter(&buf, sc, o)
	for err == nil && len(rows) > 0 {
		part := rows[:min(group, len(rows))]
		rows = rows[len(part):]
		var rec arrow.Record
		if rec, _, err = array.RecordFromJSON(memory.DefaultAllocator, sc, strings.NewReader("["+strings.Join(part, ",")+"]")); err == nil {
			err = w.Write(rec)
		}
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// withKeys is a file of one date, with footer keys.
func withKeys(t *testing.T, day int32, int96 bool, keys ...string) []byte {
	t.Helper()
	fields := pqschema.FieldList{pqschema.Must(pqschema.NewPrimitiveNodeLogical("d", parquet.Repetitions.Required, pqschema.DateLogicalType{}, parquet.Types.Int32, -1, -1))}
	if int96 {
		fields = append(fields, pqschema.NewInt96Node("t", parquet.Repetitions.Required, -1))
	}
	var buf bytes.Buffer
	w := file.NewParquetWriter(&buf, pqschema.MustGroup(pqschema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)))
	g := w.AppendRowGroup()
	cw, err := g.NextColumn()
	if err == nil {
		_, err = cw.(*file.Int32ColumnChunkWriter).WriteBatch([]int32{day}, nil, nil)
	}
	if int96 && err == nil {
		if cw, err = g.NextColumn(); err == nil {
			_, err = cw.(*file.Int96ColumnChunkWriter).WriteBatch([]parquet.Int96{{}}, nil, nil)
		}
	}
	for i := 0; i < len(keys); i += 2 {
		err = errors.Join(err, w.AppendKeyValueMetadata(keys[i], keys[i+1]))
	}
	if err = errors.Join(err, g.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// folder is a store with files: a key, then its content as bytes or text.
func folder(t *testing.T, files ...any) *storetest.Mem {
	t.Helper()
	m := storetest.NewMem()
	for i := 0; i < len(files); i += 2 {
		put(t, m, files[i].(string), files[i+1])
	}
	return m
}

func put(t *testing.T, m *storetest.Mem, key string, content any) {
	t.Helper()
	data, ok := content.([]byte)
	if !ok {
		data = []byte(content.(string))
	}
	if err := m.CreateOnce(context.Background(), key, data); err != nil {
		t.Fatal(err)
	}
}

func mustOpen(t *testing.T, m *storetest.Mem, o lakecopy.Options) *lakecopy.Copy {
	t.Helper()
	c, err := lakecopy.Open(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// refusal asserts that opening is refused with a code, naming each of names.
func refusal(t *testing.T, m *storetest.Mem, o lakecopy.Options, code verdict.Code, names ...string) {
	t.Helper()
	_, err := lakecopy.Open(context.Background(), m, o)
	if !errors.Is(err, code) {
		t.Fatalf("want %s, got %v", code, err)
	}
	e := verdict.As(err)
	if len(e.Hint) == 0 {
		t.Errorf("no hint: %v", err)
	}
	for _, n := range names {
		if !strings.Contains(err.Error(), n) {
			t.Errorf("%q is not named in: %v", n, err)
		}
	}
}

// ids reads the id column of every file, one file after the other.
func ids(t *testing.T, c *lakecopy.Copy, exclude *lakecopy.Mark) (out []string, excluded int64) {
	t.Helper()
	for _, f := range c.Files {
		s := c.Read(context.Background(), f, []string{"id"}, 2)
		if exclude != nil {
			s.ExcludeFlagged(*exclude)
		}
		for s.Next() {
			for i := range int(s.Record().NumRows()) {
				out = append(out, fmt.Sprint(value(s.Record().Column(0), i)))
			}
		}
		excluded += s.Excluded()
		if err := errors.Join(s.Err(), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return out, excluded
}
