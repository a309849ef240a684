package footer_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/splice/footer"
)

// The columns of a made file, by number.
const (
	colID = iota
	colSmall
	colText
	colDay
	colAt
	colPrice
	colWide
	colReal
	colFlag
	colNothing
	madeColumns
)

var madeSchema = arrow.NewSchema([]arrow.Field{
	colID:      {Name: "id", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	colSmall:   {Name: "small", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	colText:    {Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
	colDay:     {Name: "day", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
	colAt:      {Name: "at", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, Nullable: true},
	colPrice:   {Name: "price", Type: &arrow.Decimal128Type{Precision: 9, Scale: 2}, Nullable: true},
	colWide:    {Name: "wide", Type: &arrow.Decimal128Type{Precision: 30, Scale: 4}, Nullable: true},
	colReal:    {Name: "real", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	colFlag:    {Name: "flag", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	colNothing: {Name: "nothing", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
}, nil)

// made is a file of two row groups of 50 rows; every tenth value is null, of
// the last column each.
func made(t testing.TB) []byte {
	t.Helper()
	file, err := madeOnce()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(file)
}

var madeOnce = sync.OnceValues(func() ([]byte, error) {
	var out bytes.Buffer
	w, err := parquetfile.NewWriter(&out, madeSchema, parquetfile.WriterOptions{})
	if err != nil {
		return nil, err
	}
	for group := range 2 {
		rec := madeRows(group*50, 50)
		if err := w.Write(rec); err != nil {
			return nil, err
		}
		rec.Release()
		if err := w.EndRowGroup(); err != nil {
			return nil, err
		}
	}
	_, err = w.Close()
	return out.Bytes(), err
})

func madeRows(from, n int) arrow.Record {
	b := array.NewRecordBuilder(memory.DefaultAllocator, madeSchema)
	defer b.Release()
	for i := from; i < from+n; i++ {
		if i%10 == 3 {
			for _, f := range b.Fields() {
				f.AppendNull()
			}
			continue
		}
		b.Field(colID).(*array.Int64Builder).Append(int64(i) - 20)
		b.Field(colSmall).(*array.Int32Builder).Append(int32(i % 4))
		b.Field(colText).(*array.StringBuilder).Append(fmt.Sprintf("text %03d", i))
		b.Field(colDay).(*array.Date32Builder).Append(arrow.Date32(i * 100))
		b.Field(colAt).(*array.TimestampBuilder).Append(arrow.Timestamp(i*1_000_000 + 1))
		b.Field(colPrice).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i)*7 - 100))
		b.Field(colWide).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i)*1_000_000_007 - 10_000_000_000))
		b.Field(colReal).(*array.Float64Builder).Append(float64(i) / 3)
		b.Field(colFlag).(*array.BooleanBuilder).Append(i%2 == 0)
		b.Field(colNothing).AppendNull()
	}
	return b.NewRecord()
}

func read(t testing.TB, file []byte) *footer.Footer {
	t.Helper()
	f, err := footer.Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// edited is the file with another footer: edit changes the tree of the old one.
func edited(t testing.TB, file []byte, edit func(*footer.Footer)) []byte {
	t.Helper()
	f := read(t, file)
	body := len(file) - 8 - len(f.Append(nil))
	edit(f)
	out, err := f.AppendEnd(bytes.Clone(file[:body]))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
