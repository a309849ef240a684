package bronze_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
)

// row is a row of a test table; what is missing is NULL.
type row map[string]any

// table is a bronze table in memory that tests write by hand.
type table struct {
	*storetest.Mem
	files int
}

func newTable(t *testing.T, columns []schema.TargetColumn) (*table, *delta.Snapshot) {
	t.Helper()
	create, err := bronze.NewTable(columns, true, "table", commit)
	if err != nil {
		t.Fatal(err)
	}
	return tableFrom(t, create)
}

func tableFrom(t *testing.T, create delta.Create) (*table, *delta.Snapshot) {
	t.Helper()
	data, err := create.Lines(commit.At)
	if err != nil {
		t.Fatal(err)
	}
	w := &table{Mem: storetest.NewMem()}
	if err := delta.Put(t.Context(), w, 0, data); err != nil {
		t.Fatal(err)
	}
	return w, w.open(t)
}

func (w *table) open(t *testing.T) *delta.Snapshot {
	t.Helper()
	snap, err := delta.Open(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// file writes a data file that no commit names yet.
func (w *table) file(t *testing.T, s delta.Schema, rows ...row) delta.Add {
	t.Helper()
	rec := record(t, s, rows)
	defer rec.Release()
	var b bytes.Buffer
	pw, err := parquetfile.NewWriter(&b, rec.Schema(), parquetfile.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := pw.Write(rec); err != nil {
		t.Fatal(err)
	}
	sum, err := pw.Close()
	if err != nil {
		t.Fatal(err)
	}
	w.files++
	key := fmt.Sprintf("part-%05d.parquet", w.files)
	if err := w.CreateOnce(t.Context(), key, b.Bytes()); err != nil {
		t.Fatal(err)
	}
	o, err := w.Stat(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return delta.NewAdd(o, sum.Stats)
}

// commit adds files in one commit and answers the table as it is then.
func (w *table) commit(t *testing.T, adds ...delta.Add) *delta.Snapshot {
	t.Helper()
	snap := w.open(t)
	version, data, err := snap.Lines(delta.Append{Operation: "WRITE", Adds: adds, TxnID: fmt.Sprint("t", snap.Version)}, commit.At)
	if err != nil {
		t.Fatal(err)
	}
	if err := delta.Put(t.Context(), w, version, data); err != nil {
		t.Fatal(err)
	}
	return w.open(t)
}

func record(t *testing.T, s delta.Schema, rows []row) arrow.Record {
	t.Helper()
	types := map[string]arrow.DataType{
		"string": arrow.BinaryTypes.String, "integer": arrow.PrimitiveTypes.Int32, "long": arrow.PrimitiveTypes.Int64,
		"double": arrow.PrimitiveTypes.Float64, "timestamp_ntz": &arrow.TimestampType{Unit: arrow.Microsecond},
	}
	var fields []arrow.Field
	for _, f := range s.Fields {
		kind, _ := f.Primitive()
		fields = append(fields, arrow.Field{Name: f.Name, Type: types[kind], Nullable: true})
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for _, r := range rows {
		for i, f := range s.Fields {
			switch v := r[f.Name].(type) {
			case nil:
				b.Field(i).AppendNull()
			case string:
				b.Field(i).(*array.StringBuilder).Append(v)
			case int:
				b.Field(i).(*array.Int32Builder).Append(int32(v))
			case clock.Instant:
				b.Field(i).(*array.TimestampBuilder).Append(arrow.Timestamp(v))
			default:
				t.Fatalf("no way to append %T", v)
			}
		}
	}
	return b.NewRecord()
}

// rowsOf are n rows of a whole snapshot.
func rowsOf(s bronze.Stamp, n int) []row {
	var out []row
	for i := range n {
		r := row{"order_id": i, "status": "new"}
		for _, c := range bronze.Columns(nil, true) {
			switch v := s.Constant(c.Name).(type) {
			case int32:
				r[c.Name] = int(v)
			default:
				r[c.Name] = v
			}
		}
		out = append(out, r)
	}
	return out
}

func logFile(t *testing.T, r store.Reader, version int) []byte {
	t.Helper()
	data, err := store.ReadAll(context.Background(), r, fmt.Sprintf("_delta_log/%020d.json", version))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func testPen() bronze.Pen {
	n := 0
	return bronze.Pen{
		Engine: "cdcseed/test",
		Now:    func() clock.Instant { return commit.At },
		NewID:  func() string { n++; return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) },
	}
}
