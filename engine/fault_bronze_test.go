package engine_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/google/uuid"

	"cdcseed/engine/bronze"
	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
)

// worldNow is the time at which the kit's world stands.
const worldNow clock.Instant = 1_792_846_800 * clock.Second // 2026-10-24T13:00:00Z

// ordersColumns are the captured columns of the kit's table.
func ordersColumns() []schema.TargetColumn {
	return []schema.TargetColumn{
		{Name: "id", Type: schema.Type{Kind: schema.Integer}, Key: true},
		{Name: "name", Type: schema.Type{Kind: schema.String}, Nullable: true},
		{Name: "amount", Type: schema.DecimalOf(10, 2), Nullable: true},
	}
}

// makeBronze makes the kit's bronze table as a stream would have, without rows.
func makeBronze(t *testing.T, w store.Writer) {
	t.Helper()
	makeBronzeOf(t, w, ordersColumns())
}

func makeBronzeOf(t *testing.T, w store.Writer, captured []schema.TargetColumn) {
	t.Helper()
	c, err := bronze.NewTable(captured, true, uuid.NewString(), bronze.Commit{Engine: "stream", TxnID: uuid.NewString(), At: worldNow})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := c.Lines(worldNow)
	if err != nil {
		t.Fatal(err)
	}
	if err := delta.Put(t.Context(), w, 0, lines); err != nil {
		t.Fatal(err)
	}
}

// streamCommit appends inserts of the given ids as the stream does, in one commit.
func streamCommit(t *testing.T, w store.Writer, batch int, ids ...int32) {
	t.Helper()
	add := streamFile(t, w, batch, ids)
	commitAppend(t, w, delta.Append{
		Operation: "STREAMING UPDATE", Adds: []delta.Add{add},
		Txn: &delta.Txn{AppID: "some-stream", Version: int64(batch)}, EngineInfo: "stream", TxnID: uuid.NewString(),
	})
}

// commitAppend puts an append on top of the table as it stands.
func commitAppend(t *testing.T, w store.Writer, a delta.Append) {
	t.Helper()
	snap, err := delta.Open(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	version, lines, err := snap.Lines(a, worldNow)
	if err != nil {
		t.Fatal(err)
	}
	if err := delta.Put(t.Context(), w, version, lines); err != nil {
		t.Fatal(err)
	}
}

// streamFile writes a file of change rows that no log names yet.
func streamFile(t *testing.T, w store.Writer, batch int, ids []int32) delta.Add {
	t.Helper()
	columns := bronze.Columns(ordersColumns(), true)
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c.Name, Type: cast.ArrowType(c.Type), Nullable: true}
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for _, id := range ids {
		values := map[string]string{
			bronze.CaptureInstance: "dbo_orders", bronze.StartLSN: lsnAt(40 + batch), bronze.Seqval: lsnAt(40 + batch),
			bronze.Operation: "2", bronze.CommandID: "1", bronze.BatchID: fmt.Sprint(batch), "id": fmt.Sprint(id), "name": "changed",
		}
		for i, c := range columns {
			v, ok := values[c.Name]
			if !ok {
				b.Field(i).AppendNull()
			} else if err := b.Field(i).AppendValueFromString(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	rec := b.NewRecord()
	defer rec.Release()
	var out bytes.Buffer
	pw, err := parquetfile.NewWriter(&out, rec.Schema(), parquetfile.WriterOptions{})
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
	key := "part-00000-" + uuid.NewString() + "-c000.snappy.parquet" // Spark's form of a name
	if err := w.CreateOnce(t.Context(), key, out.Bytes()); err != nil {
		t.Fatal(err)
	}
	o, err := w.Stat(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return delta.NewAdd(o, sum.Stats)
}
