package parquetfile_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"cdcseed/engine/parquetfile"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// memFile is a stored file in memory.
type memFile struct{ *bytes.Reader }

func (memFile) Close() error { return nil }

func inMemory(b []byte) memFile { return memFile{bytes.NewReader(b)} }

var everyType = arrow.NewSchema([]arrow.Field{
	{Name: "flag", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	{Name: "tiny", Type: arrow.PrimitiveTypes.Int8, Nullable: true},
	{Name: "small", Type: arrow.PrimitiveTypes.Int16, Nullable: true},
	{Name: "int", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	{Name: "big", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "real", Type: arrow.PrimitiveTypes.Float32, Nullable: true},
	{Name: "float", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "dec9", Type: &arrow.Decimal128Type{Precision: 9, Scale: 2}, Nullable: true},
	{Name: "dec18", Type: &arrow.Decimal128Type{Precision: 18, Scale: 6}, Nullable: true},
	{Name: "dec38", Type: &arrow.Decimal128Type{Precision: 38, Scale: 10}, Nullable: true},
	{Name: "day", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
	{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, Nullable: true},
	{Name: "wall", Type: &arrow.TimestampType{Unit: arrow.Microsecond}, Nullable: true},
	{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "bytes", Type: arrow.BinaryTypes.Binary, Nullable: true},
}, nil)

// sample is rows of every type; every seventh value of a column is null.
func sample(from, n int) arrow.Record {
	b := array.NewRecordBuilder(memory.DefaultAllocator, everyType)
	defer b.Release()
	for i := from; i < from+n; i++ {
		for c, f := range b.Fields() {
			if (i+c)%7 == 0 {
				f.AppendNull()
				continue
			}
			appendSample(f, i)
		}
	}
	return b.NewRecord()
}

func appendSample(f array.Builder, i int) {
	signed := int64(i)
	if i%2 == 1 {
		signed = -signed
	}
	switch f := f.(type) {
	case *array.BooleanBuilder:
		f.Append(i%3 == 0)
	case *array.Int8Builder:
		f.Append(int8(i))
	case *array.Int16Builder:
		f.Append(int16(signed))
	case *array.Int32Builder:
		f.Append(int32(signed))
	case *array.Int64Builder:
		f.Append(signed << 33)
	case *array.Float32Builder:
		f.Append(float32(signed) / 3)
	case *array.Float64Builder:
		f.Append(float64(signed) / 7)
	case *array.Decimal128Builder:
		d := decimal128.FromI64(signed)
		if f.Type().(*arrow.Decimal128Type).Precision == 38 {
			d = d.Mul(decimal128.FromI64(math.MaxInt64))
		}
		f.Append(d)
	case *array.Date32Builder:
		f.Append(arrow.Date32(signed))
	case *array.TimestampBuilder:
		f.Append(arrow.Timestamp(signed * 86_400_123_457))
	case *array.StringBuilder:
		f.Append(fmt.Sprintf("row %d ü %s", i%1000, strings.Repeat("x", i%60)))
	case *array.BinaryBuilder:
		f.Append([]byte{byte(i), 0, byte(i >> 8)})
	default:
		panic(fmt.Sprintf("no sample for %T", f))
	}
}

func writeRecords(t *testing.T, o parquetfile.WriterOptions, recs ...arrow.Record) ([]byte, parquetfile.Summary) {
	t.Helper()
	var buf bytes.Buffer
	w, err := parquetfile.NewWriter(&buf, recs[0].Schema(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recs {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if sum.Bytes != int64(buf.Len()) {
		t.Errorf("summary says %d bytes, the file has %d", sum.Bytes, buf.Len())
	}
	return buf.Bytes(), sum
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	all := sample(0, 30_000)
	recs := []arrow.Record{sample(0, 20_000), sample(20_000, 1), sample(20_001, 9_999)}
	for _, codec := range []parquetfile.Codec{"", parquetfile.Zstd, parquetfile.Gzip, parquetfile.Uncompressed} {
		t.Run(string(codec), func(t *testing.T) {
			data, sum := writeRecords(t, parquetfile.WriterOptions{Codec: codec, RowGroupBytes: 400_000}, recs...)
			f, err := parquetfile.Open(inMemory(data))
			if err != nil {
				t.Fatal(err)
			}
			if sum.Rows != 30_000 || f.Rows() != 30_000 || f.RowGroups() != sum.RowGroups || f.RowGroups() < 2 {
				t.Fatalf("summary %+v, file of %d rows in %d groups", sum, f.Rows(), f.RowGroups())
			}
			if _, ok := f.KeyValue("ARROW:schema"); ok {
				t.Error("the footer has an Arrow schema")
			}
			s := f.Read(context.Background(), nil, 777)
			defer s.Close()
			row := 0
			for s.Next() {
				got := s.Record()
				want := all.NewSlice(int64(row), min(int64(row)+got.NumRows(), all.NumRows()))
				if !array.RecordEqual(got, want) {
					t.Fatalf("rows from %d differ:\n%v\n%v", row, got, want)
				}
				row += int(got.NumRows())
			}
			if s.Err() != nil || row != 30_000 {
				t.Fatal(row, s.Err())
			}
		})
	}
}
