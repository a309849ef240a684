package parquetfile_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"cdcseed/engine/parquetfile"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// heap is the live heap after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestMemoryStaysBounded(t *testing.T) {
	const rows, batch = 300_000, 10_000
	const most = 48 << 20
	var buf bytes.Buffer
	w, err := parquetfile.NewWriter(&buf, everyType, parquetfile.WriterOptions{Codec: parquetfile.Uncompressed, RowGroupBytes: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for from := 0; from < rows; from += batch {
		if err := w.Write(sample(from, batch)); err != nil {
			t.Fatal(err)
		}
		if written += batch; written == rows/2 {
			if grown := int64(heap()) - int64(buf.Cap()); grown > most {
				t.Errorf("writing holds %d MB", grown>>20)
			}
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquetfile.Open(inMemory(buf.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	before := heap()
	s := f.Read(context.Background(), nil, 4096)
	defer s.Close()
	read, looks := 0, 0
	for s.Next() {
		if read += int(s.Record().NumRows()); read > (looks+1)*rows/4 {
			looks++
			if grown := int64(heap()) - int64(before); grown > 32<<20 {
				t.Errorf("after %d rows reading holds %d MB", read, grown>>20)
			}
		}
	}
	if s.Err() != nil || read != rows || written != rows || looks < 3 {
		t.Fatal(read, s.Err())
	}
	t.Logf("file of %d MB, %d row groups", buf.Len()>>20, f.RowGroups())
}

func TestLargeValuesMakeSmallBatches(t *testing.T) {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	for range 64 {
		b.Append(strings.Repeat("x", 1<<20))
	}
	sc := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	data, _ := writeRecords(t, parquetfile.WriterOptions{}, array.NewRecord(sc, []arrow.Array{b.NewArray()}, -1))
	f, err := parquetfile.Open(inMemory(data))
	if err != nil {
		t.Fatal(err)
	}
	s := f.Read(context.Background(), nil, 10_000)
	defer s.Close()
	rows, most := int64(0), int64(0)
	for s.Next() {
		rows += s.Record().NumRows()
		most = max(most, s.Record().NumRows())
	}
	if s.Err() != nil || rows != 64 || most > 20 {
		t.Errorf("%d rows, at most %d in a record, %v", rows, most, s.Err())
	}
}

func TestNullColumnsAreCheap(t *testing.T) {
	fields := make([]arrow.Field, 20)
	arrays := make([]arrow.Array, 20)
	for i := range fields {
		fields[i] = arrow.Field{Name: string(rune('a' + i)), Type: everyType.Field(i % everyType.NumFields()).Type, Nullable: true}
		arrays[i] = array.NewNull(100_000)
	}
	sc := arrow.NewSchema(fields, nil)
	var buf bytes.Buffer
	w, err := parquetfile.NewWriter(&buf, sc, parquetfile.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	nulls := make([]arrow.Field, 20)
	for i := range nulls {
		nulls[i] = arrow.Field{Name: fields[i].Name, Type: arrow.Null, Nullable: true}
	}
	if err := w.Write(array.NewRecord(arrow.NewSchema(nulls, nil), arrays, 100_000)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if rows, err := drain(buf.Bytes()); rows != 100_000 || err != nil || buf.Len() > 20_000 {
		t.Errorf("%d rows of 20 NULL columns take %d bytes, %v", rows, buf.Len(), err)
	}
}

// failing gives an error from some byte on.
type failing struct {
	memFile
	from int64
}

var errDisk = errors.New("disk error")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		return 0, errDisk
	}
	return f.memFile.ReadAt(p, off)
}

func TestAReadThatFailsIsNoShortAnswer(t *testing.T) {
	data, _ := writeRecords(t, parquetfile.WriterOptions{Codec: parquetfile.Uncompressed, RowGroupBytes: 300_000}, sample(0, 30_000))
	for from := int64(1000); from < int64(len(data))-70_000; from += int64(len(data)) / 13 {
		file := failing{inMemory(data), int64(len(data)) + 1}
		f, err := parquetfile.Open(&file)
		if err != nil {
			t.Fatal(err)
		}
		file.from = from
		s := f.Read(context.Background(), nil, 1000)
		for s.Next() {
		}
		if err := s.Err(); !errors.Is(err, errDisk) || !errors.Is(err, parquetfile.ErrStore) {
			t.Errorf("reads fail from byte %d on, and the scan ends with %v", from, err)
		}
		s.Close()
	}
	if _, err := parquetfile.Open(failing{inMemory(data), 0}); !errors.Is(err, parquetfile.ErrStore) {
		t.Errorf("opening ends with %v", err)
	}
}

// full is a sink without space after some bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

func TestAWriteThatFailsIsAnError(t *testing.T) {
	rec := sample(0, 20_000)
	data, _ := writeRecords(t, parquetfile.WriterOptions{RowGroupBytes: 100_000}, rec)
	for room := 0; room < len(data); room += len(data)/40 + 1 {
		w, err := parquetfile.NewWriter(&full{room}, everyType, parquetfile.WriterOptions{RowGroupBytes: 100_000})
		if err == nil {
			err = w.Write(rec)
		}
		if err == nil {
			_, err = w.Close()
		}
		if !errors.Is(err, errDisk) || err.Error() != errDisk.Error() {
			t.Fatalf("with room for %d of %d bytes: %v", room, len(data), err)
		}
	}
}

func TestWriterRefusals(t *testing.T) {
	for name, typ := range map[string]arrow.DataType{
		"nanoseconds": arrow.FixedWidthTypes.Timestamp_ns, "list": arrow.ListOf(arrow.PrimitiveTypes.Int32),
		"unsigned": arrow.PrimitiveTypes.Uint8, "decimal(0,0)": &arrow.Decimal128Type{},
	} {
		sc := arrow.NewSchema([]arrow.Field{{Name: "c", Type: typ}}, nil)
		if _, err := parquetfile.NewWriter(io.Discard, sc, parquetfile.WriterOptions{}); err == nil || !strings.Contains(err.Error(), `"c"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := parquetfile.NewWriter(io.Discard, everyType, parquetfile.WriterOptions{Codec: "lzma"}); err == nil {
		t.Error("a codec that nobody has")
	}
	w, err := parquetfile.NewWriter(io.Discard, everyType, parquetfile.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sc := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.PrimitiveTypes.Int64}}, nil)
	a := array.MakeArrayOfNull(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, 1)
	if err := w.Write(array.NewRecord(sc, []arrow.Array{a}, 1)); err == nil {
		t.Error("a record of another schema")
	}
}

func TestReadRefusals(t *testing.T) {
	data, _ := writeRecords(t, parquetfile.WriterOptions{}, sample(0, 10))
	f, err := parquetfile.Open(inMemory(data))
	if err != nil {
		t.Fatal(err)
	}
	s := f.Read(context.Background(), []string{"text", "nobody"}, 10)
	if s.Next() || s.Err() == nil || !strings.Contains(s.Err().Error(), "nobody") {
		t.Errorf("a column that is not there: %v", s.Err())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s = f.Read(ctx, nil, 10)
	if s.Next() || !errors.Is(s.Err(), context.Canceled) {
		t.Errorf("a stopped scan: %v", s.Err())
	}
	s = f.Read(context.Background(), []string{"text", "big"}, 3)
	if !s.Next() || s.Record().NumCols() != 2 || s.Record().ColumnName(0) != "text" || s.Record().NumRows() != 3 {
		t.Errorf("two columns in another order: %v", s.Err())
	}
	s.Close()
	if s.Next() {
		t.Error("a closed scanner goes on")
	}
	s = f.Read(context.Background(), []string{}, 4)
	rows := int64(0)
	for s.Next() {
		rows += s.Record().NumRows()
	}
	if rows != 10 || s.Err() != nil {
		t.Errorf("no columns: %d rows, %v", rows, s.Err())
	}
}
