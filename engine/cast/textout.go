package cast

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// textOut is an array of text or bytes being made, one value after the other.
type textOut struct {
	nulls
	column  string
	offsets *memory.Buffer
	starts  []int32
	data    *memory.Buffer
	used    int
	next    int
	tooBig  bool
}

// newText makes room for as many values as src has, perValue bytes each to begin with.
func (c *column) newText(src arrow.Array, perValue int) *textOut {
	o := &textOut{
		nulls: newNulls(c.mem, src), column: c.target.Name,
		offsets: memory.NewResizableBuffer(c.mem), data: memory.NewResizableBuffer(c.mem),
	}
	o.offsets.Resize((o.n + 1) * arrow.Int32SizeBytes)
	o.starts = arrow.Int32Traits.CastFromBytes(o.offsets.Bytes())
	o.starts[0] = 0
	o.data.Resize(o.n * perValue)
	return o
}

// add appends the next value.
func (o *textOut) add(s string) { copy(o.room(len(s)), s) }

// addBytes appends the next value.
func (o *textOut) addBytes(b []byte) { copy(o.room(len(b)), b) }

// addPadded appends s and n times fill.
func (o *textOut) addPadded(s string, n int, fill byte) {
	room := o.room(len(s) + n)
	if len(room) == 0 {
		return
	}
	for i := copy(room, s); i < len(room); i++ {
		room[i] = fill
	}
}

// null appends NULL as the next value, which is number i.
func (o *textOut) null(i int) {
	o.set(i)
	o.room(0)
}

// room is space for the next value. It is none when the array would outgrow
// what its offsets can say.
func (o *textOut) room(n int) []byte {
	if o.used+n > math.MaxInt32 {
		o.tooBig, n = true, 0
	}
	if need := o.used + n; need > o.data.Len() {
		o.data.Resize(max(need, 2*o.data.Len()))
	}
	at := o.used
	o.used += n
	o.next++
	o.starts[o.next] = int32(o.used)
	return o.data.Bytes()[at:o.used]
}

// reserve is room for n more bytes, which count when used and next are moved;
// none when the array would outgrow what its offsets can say.
func (o *textOut) reserve(n int) []byte {
	if o.used+n > math.MaxInt32 {
		o.tooBig = true
		o.used = 0 // nothing of it is handed out
	}
	if need := o.used + n; need > o.data.Len() {
		o.data.Resize(max(need, 2*o.data.Len()))
	}
	return o.data.Bytes()[o.used : o.used+n]
}

// done is the array, as text or bytes.
func (o *textOut) done(typ arrow.DataType) (arrow.Array, error) {
	if o.tooBig {
		return nil, fmt.Errorf("column %q has more than 2 GiB of text in one batch", o.column)
	}
	d := array.NewData(typ, o.n, []*memory.Buffer{o.buf, o.offsets, o.data}, nil, o.count, 0)
	defer d.Release()
	return array.MakeFromData(d), nil
}

// release lets go of the buffers; an array that was done keeps its own hold.
func (o *textOut) release() {
	o.nulls.release()
	o.offsets.Release()
	o.data.Release()
}
