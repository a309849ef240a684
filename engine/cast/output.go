package cast

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// width are the values of fixed width that targets have.
type width interface {
	int16 | int32 | int64 | float32 | float64 | decimal128.Num
}

// nulls is the validity of an array being made: as the source's, less what a
// kernel takes away.
type nulls struct {
	mem   memory.Allocator
	buf   *memory.Buffer // nil while nothing is NULL
	n     int
	count int
}

func newNulls(mem memory.Allocator, src arrow.Array) nulls {
	v := nulls{mem: mem, n: src.Len(), count: src.NullN()}
	if v.count > 0 {
		v.buf = memory.NewResizableBuffer(mem)
		v.buf.Resize(int(bitutil.BytesForBits(int64(v.n))))
		if bits := src.NullBitmapBytes(); len(bits) > 0 {
			bitutil.CopyBitmap(bits, src.Data().Offset(), v.n, v.buf.Bytes(), 0)
		} else {
			clear(v.buf.Bytes()) // an array of type null
		}
	}
	return v
}

// set makes the value at i NULL.
func (v *nulls) set(i int) {
	if v.buf == nil {
		v.buf = memory.NewResizableBuffer(v.mem)
		v.buf.Resize(int(bitutil.BytesForBits(int64(v.n))))
		bitutil.SetBitsTo(v.buf.Bytes(), 0, int64(v.n), true)
	}
	if bitutil.BitIsSet(v.buf.Bytes(), i) {
		bitutil.ClearBit(v.buf.Bytes(), i)
		v.count++
	}
}

func (v *nulls) release() {
	if v.buf != nil {
		v.buf.Release()
	}
}

// fixed is an array of fixed width being made.
type fixedOut[T width] struct {
	nulls
	vals []T
	data *memory.Buffer
}

func newFixed[T width](c *column, src arrow.Array) *fixedOut[T] {
	o := &fixedOut[T]{nulls: newNulls(c.mem, src), data: memory.NewResizableBuffer(c.mem)}
	var zero T
	size := int(unsafe.Sizeof(zero))
	o.data.Resize(o.n * size)
	if o.n > 0 {
		o.vals = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(o.data.Bytes()))), o.n)
	}
	return o
}

// done is the array, of the type given.
func (o *fixedOut[T]) done(t arrow.DataType) arrow.Array {
	d := array.NewData(t, o.n, []*memory.Buffer{o.buf, o.data}, nil, o.count, 0)
	o.release()
	o.data.Release()
	defer d.Release()
	return array.MakeFromData(d)
}

// relabel is the same values under another type with the same layout: no copy.
func relabel(src arrow.Array, t arrow.DataType) arrow.Array {
	if arrow.TypeEqual(src.DataType(), t) {
		src.Retain()
		return src
	}
	in := src.Data()
	d := array.NewData(t, in.Len(), in.Buffers(), nil, in.NullN(), in.Offset())
	defer d.Release()
	return array.MakeFromData(d)
}

// allNull is n NULLs of a type.
func allNull(mem memory.Allocator, t arrow.DataType, n int) arrow.Array {
	return array.MakeArrayOfNull(mem, t, n)
}
