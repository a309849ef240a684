package cast

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// texts is an array of text or bytes, whose values are seen as strings without
// copying them.
type texts struct {
	data   string            // all values
	starts []int32           // of each value and of the end; nil for the forms below
	wide   []int64           // the same for large arrays
	width  int               // of values that all have one
	keys   *array.Dictionary // of which values are the texts
	values *texts
}

// Value is the value at i; of NULL it may be anything.
func (t *texts) Value(i int) string {
	if t.starts != nil {
		return t.data[t.starts[i]:t.starts[i+1]]
	}
	return t.other(i)
}

func (t *texts) other(i int) string {
	switch {
	case t.keys != nil:
		return t.values.Value(t.keys.GetValueIndex(i))
	case t.wide != nil:
		return t.data[t.wide[i]:t.wide[i+1]]
	}
	return t.data[i*t.width : (i+1)*t.width]
}

// textsOf sees an array of text or bytes as texts, false for any other.
func textsOf(arr arrow.Array) (texts, bool) {
	from := arr.Data().Offset()
	switch a := arr.(type) {
	case *array.String, *array.Binary:
		return texts{data: bufferText(arr, 2), starts: starts[int32](arr)}, true
	case *array.LargeString, *array.LargeBinary:
		return texts{data: bufferText(arr, 2), wide: starts[int64](arr)}, true
	case *array.FixedSizeBinary:
		width := widthOf(a.DataType())
		data := bufferText(arr, 1)
		return texts{data: data[min(from*width, len(data)):], width: width}, true
	case *array.Dictionary:
		values, ok := textsOf(a.Dictionary())
		return texts{keys: a, values: &values}, ok
	}
	return texts{}, false
}

// widthOf is the bytes of each value of a type of fixed width; 0 for any other.
func widthOf(t arrow.DataType) int {
	if f, ok := t.(*arrow.FixedSizeBinaryType); ok {
		return f.ByteWidth
	}
	return 0
}

// bufferText is one of an array's buffers, whole.
func bufferText(arr arrow.Array, k int) string {
	b := arr.Data().Buffers()[k]
	if b == nil {
		return ""
	}
	return unsafe.String(unsafe.SliceData(b.Bytes()), b.Len())
}

// starts are an array's offsets into its data, one more than it has values.
func starts[T int32 | int64](arr arrow.Array) []T {
	if arr.Len() == 0 || arr.Data().Buffers()[1] == nil {
		return make([]T, arr.Len()+1)
	}
	b := arr.Data().Buffers()[1].Bytes()
	var one T
	all := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(one)))
	from := arr.Data().Offset()
	return all[from : from+arr.Len()+1]
}
