package parquetfile

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
)

// columnWriter appends an array of the column's type to its chunk. It keeps room
// for values from batch to batch and is for one goroutine.
type columnWriter func(cw file.ColumnChunkWriter, a arrow.Array) error

func columnWriterFor(t arrow.DataType) columnWriter {
	switch t := t.(type) {
	case *arrow.BooleanType:
		return converted(func(a *array.Boolean, out []bool) {
			for i := range out {
				out[i] = a.Value(i)
			}
		})
	case *arrow.Int8Type:
		return converted(func(a *array.Int8, out []int32) { widen(out, a.Int8Values()) })
	case *arrow.Int16Type:
		return converted(func(a *array.Int16, out []int32) { widen(out, a.Int16Values()) })
	case *arrow.Int32Type:
		return stored((*array.Int32).Int32Values)
	case *arrow.Int64Type:
		return stored((*array.Int64).Int64Values)
	case *arrow.Float32Type:
		return stored((*array.Float32).Float32Values)
	case *arrow.Float64Type:
		return stored((*array.Float64).Float64Values)
	case *arrow.Date32Type:
		return stored(func(a *array.Date32) []int32 { return numbers(a, arrow.Int32Traits.CastFromBytes) })
	case *arrow.TimestampType:
		return stored(func(a *array.Timestamp) []int64 { return numbers(a, arrow.Int64Traits.CastFromBytes) })
	case *arrow.StringType:
		return converted(func(a *array.String, out []parquet.ByteArray) { pieces(out, a.ValueBytes(), a.ValueOffset) })
	case *arrow.BinaryType:
		return converted(func(a *array.Binary, out []parquet.ByteArray) { pieces(out, a.ValueBytes(), a.ValueOffset) })
	case *arrow.Decimal128Type:
		return decimalWriter(t.Precision)
	}
	return nil
}

func decimalWriter(precision int32) columnWriter {
	switch size := decimalBytes(precision); {
	case precision <= 9:
		return converted(func(a *array.Decimal128, out []int32) {
			for i, v := range a.Values() {
				out[i] = int32(v.LowBits())
			}
		})
	case precision <= 18:
		return converted(func(a *array.Decimal128, out []int64) {
			for i, v := range a.Values() {
				out[i] = int64(v.LowBits())
			}
		})
	default:
		return converted(func(a *array.Decimal128, out []parquet.FixedLenByteArray) {
			room := make([]byte, 16*len(out)) // new each time: see pieces
			for i, v := range a.Values() {
				b := room[16*i : 16*i+16]
				binary.BigEndian.PutUint64(b, uint64(v.HighBits()))
				binary.BigEndian.PutUint64(b[8:], v.LowBits())
				out[i] = b[16-size:]
			}
		})
	}
}

func widen[T int8 | int16](out []int32, in []T) {
	for i, v := range in {
		out[i] = int32(v)
	}
}

// numbers are an array's values as the numbers that they are stored as.
func numbers[T any](a arrow.Array, cast func([]byte) []T) []T {
	d := a.Data()
	if d.Buffers()[1] == nil {
		return nil
	}
	return cast(d.Buffers()[1].Bytes())[d.Offset() : d.Offset()+d.Len()]
}

// pieces cuts text into its values. They are copied, all at once: the library
// keeps the least and the greatest until the row group ends, and what an array
// held may be used anew by then.
func pieces(out []parquet.ByteArray, text []byte, offset func(int) int) {
	if len(out) == 0 {
		return
	}
	text = bytes.Clone(text)
	first, from := offset(0), 0
	for i := range out {
		to := len(text)
		if i+1 < len(out) {
			to = offset(i+1) - first
		}
		out[i] = text[from:to:to]
		from = to
	}
}

// batchWriter is the library's typed writer of a column chunk.
type batchWriter[T any] interface {
	WriteBatch(values []T, def, rep []int16) (int64, error)
}

// stored makes a columnWriter of arrays that hold what Parquet stores.
func stored[A arrow.Array, T any](values func(A) []T) columnWriter {
	var l optional[T]
	return func(cw file.ColumnChunkWriter, a arrow.Array) error {
		w, ok := cw.(batchWriter[T])
		typed, same := a.(A)
		if !ok || !same {
			return fmt.Errorf("%T into a chunk of %s", a, cw.Type())
		}
		return l.write(w, a, values(typed))
	}
}

// converted makes a columnWriter of arrays whose values convert makes, those of
// NULLs too, which are then left out.
func converted[A arrow.Array, T any](convert func(a A, out []T)) columnWriter {
	var room []T
	var l optional[T]
	return func(cw file.ColumnChunkWriter, a arrow.Array) error {
		w, ok := cw.(batchWriter[T])
		typed, same := a.(A)
		if !ok || !same {
			return fmt.Errorf("%T into a chunk of %s", a, cw.Type())
		}
		room = sized(room, a.Len())
		convert(typed, room)
		return l.write(w, a, room)
	}
}

// optional writes values beside the definition levels of an optional column, NULLs
// left out: the library's way with NULLs in between drops errors.
type optional[T any] struct {
	def  []int16
	full int // how many of def are known to be 1
	kept []T
}

func (l *optional[T]) write(w batchWriter[T], a arrow.Array, values []T) error {
	n := a.Len()
	if cap(l.def) < n {
		l.full = 0
	}
	l.def = sized(l.def, n)
	if a.NullN() == 0 {
		for i := min(l.full, n); i < n; i++ {
			l.def[i] = 1
		}
		l.full = max(l.full, n)
		_, err := w.WriteBatch(values[:n], l.def, nil)
		return err
	}
	l.full = 0
	l.kept = sized(l.kept, n)
	bitmap, offset, kept := a.NullBitmapBytes(), a.Data().Offset(), 0
	for i, v := range values[:n] {
		l.def[i] = 0
		if bitutil.BitIsSet(bitmap, offset+i) {
			l.def[i] = 1
			l.kept[kept] = v
			kept++
		}
	}
	_, err := w.WriteBatch(l.kept[:kept], l.def, nil)
	return err
}

// sized is room for n values; what it held before may be gone.
func sized[T any](room []T, n int) []T {
	if cap(room) < n {
		return make([]T, n)
	}
	return room[:n]
}
