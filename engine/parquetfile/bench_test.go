package parquetfile_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"

	"cdcseed/engine/parquetfile"
)

const (
	benchRows  = 200_000
	benchBatch = 64 << 10
)

// benchFields are the columns of the benchmark's file, a tenth of each NULL where
// nulls is set.
func benchFields(nulls bool) []arrow.Field {
	var out []arrow.Field
	for _, t := range []arrow.DataType{
		arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Float64, arrow.FixedWidthTypes.Boolean, arrow.FixedWidthTypes.Date32,
		&arrow.TimestampType{Unit: arrow.Microsecond}, &arrow.Decimal128Type{Precision: 18, Scale: 2}, arrow.BinaryTypes.String,
	} {
		out = append(out, arrow.Field{Name: t.Name(), Type: t, Nullable: nulls})
	}
	return out
}

// benchFile is the benchmark's file, written by the Arrow library.
func benchFile(b *testing.B, nulls bool) []byte {
	b.Helper()
	sc := arrow.NewSchema(benchFields(nulls), nil)
	rb := array.NewRecordBuilder(memory.DefaultAllocator, sc)
	defer rb.Release()
	for i := range benchRows {
		n := int(uint64(i) * 2_654_435_761 % (1 << 30))
		for c := range sc.NumFields() {
			if nulls && (n+c)%10 == 0 {
				rb.Field(c).AppendNull()
				continue
			}
			switch f := rb.Field(c).(type) {
			case *array.Int64Builder:
				f.Append(int64(n))
			case *array.Int32Builder:
				f.Append(int32(n % 1000))
			case *array.Float64Builder:
				f.Append(float64(n) / 7)
			case *array.BooleanBuilder:
				f.Append(n%3 == 0)
			case *array.Date32Builder:
				f.Append(arrow.Date32(n % 20_000))
			case *array.TimestampBuilder:
				f.Append(arrow.Timestamp(n) * 1_000_000)
			case *array.Decimal128Builder:
				f.Append(decimal128.FromI64(int64(n)))
			case *array.StringBuilder:
				f.Append(fmt.Sprintf("value %d", n))
			}
		}
	}
	rec := rb.NewRecord()
	defer rec.Release()
	var out bytes.Buffer
	w, err := parquetfile.NewWriter(&out, sc, parquetfile.WriterOptions{})
	if err == nil {
		err = w.Write(rec)
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// BenchmarkRead reads a file's columns one by one and all together, in turns with
// the Arrow library's own reader on one core: x-arrow is how many times as long it takes.
func BenchmarkRead(b *testing.B) {
	for _, nulls := range []bool{false, true} {
		data := benchFile(b, nulls)
		var all []string
		for _, f := range benchFields(nulls) {
			all = append(all, f.Name)
		}
		for _, columns := range append([][]string{all}, singles(all)...) {
			name := "all"
			if len(columns) == 1 {
				name = columns[0]
			}
			b.Run(fmt.Sprintf("%s/nulls=%v", name, nulls), func(b *testing.B) {
				var ours, theirs time.Duration
				b.ReportAllocs()
				for b.Loop() {
					start := time.Now()
					readOurs(b, data, columns)
					middle := time.Now()
					readTheirs(b, data, columns)
					ours, theirs = ours+middle.Sub(start), theirs+time.Since(middle)
				}
				values := float64(b.N) * benchRows * float64(len(columns)) / 1e6
				b.ReportMetric(values/ours.Seconds(), "Mvalues/s")
				b.ReportMetric(values/theirs.Seconds(), "arrow-Mvalues/s")
				b.ReportMetric(ours.Seconds()/theirs.Seconds(), "x-arrow")
			})
		}
	}
}

func singles(all []string) (out [][]string) {
	for _, name := range all {
		out = append(out, []string{name})
	}
	return out
}

func readOurs(b *testing.B, data []byte, columns []string) {
	f, err := parquetfile.Open(memFile{bytes.NewReader(data)})
	if err != nil {
		b.Fatal(err)
	}
	s := f.Read(b.Context(), columns, benchBatch)
	defer s.Close()
	rows := 0
	for s.Next() {
		rows += int(s.Record().NumRows())
	}
	if s.Err() != nil || rows != benchRows {
		b.Fatal(rows, s.Err())
	}
}

// readTheirs reads with the library's record readers, which fill Arrow's buffers
// and are all that its own readers of Arrow tables stand on.
func readTheirs(b *testing.B, data []byte, columns []string) {
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for _, name := range columns {
		at := r.MetaData().Schema.ColumnIndexByName(name)
		d := r.MetaData().Schema.Column(at)
		rr := file.NewRecordReader(d, file.LevelInfo{NullSlotUsage: 1, DefLevel: d.MaxDefinitionLevel()}, arrow.BinaryTypes.String, memory.DefaultAllocator, r.BufferPool())
		rows := int64(0)
		for g := range r.NumRowGroups() {
			pages, err := r.RowGroup(g).GetColumnPageReader(at)
			if err != nil {
				b.Fatal(err)
			}
			rr.SetPageReader(pages)
			for n := int64(1); n > 0; {
				rr.Reset()
				if err := rr.Reserve(benchBatch); err != nil {
					b.Fatal(err)
				}
				if n, err = rr.ReadRecords(benchBatch); err != nil {
					b.Fatal(err)
				}
				rows += n
				if t, ok := rr.(file.BinaryRecordReader); ok {
					for _, chunk := range t.GetBuilderChunks() {
						chunk.Release()
					}
					continue
				}
				release(rr.ReleaseValues(), rr.ReleaseValidBits())
			}
		}
		rr.Release()
		if rows != benchRows {
			b.Fatal(rows)
		}
	}
}

func release(buffers ...*memory.Buffer) {
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
}
