package parquetfile

import (
	"fmt"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// flat reads a top-level primitive column into arrays, many values at a time.
type flat interface {
	chunkReader
	// rows reads n rows into a new array, or fewer where more would take more than
	// most bytes; one at least. It answers how many.
	rows(n, most int) (int, error)
	// array hands over what was read.
	array() arrow.Array
}

// flatLevels is how many values a flat column decodes at a time.
const flatLevels = 4096

// levels decodes a flat column's values and definition levels.
type levels[P any] struct {
	descr *pqschema.Column
	r     batchReader[P]
	vals  []P
	def   []int16
}

func levelsOf[P any](d *pqschema.Column) levels[P] {
	return levels[P]{descr: d, vals: make([]P, flatLevels), def: make([]int16, flatLevels)}
}

func (l *levels[P]) open(r file.ColumnChunkReader) error {
	t, ok := r.(batchReader[P])
	if !ok {
		return fmt.Errorf("a chunk of %s under a column of %s", r.Type(), l.descr.PhysicalType())
	}
	l.r = t
	return nil
}

// next decodes at most n rows, into the room given or, where that is nil, into
// its own. def is nil where none of them is NULL.
func (l *levels[P]) next(n int, room []P) (rows int, vals []P, def []int16, err error) {
	n = min(n, flatLevels)
	if room == nil {
		room = l.vals
	}
	full := l.descr.MaxDefinitionLevel()
	if full > 0 {
		def = l.def[:n]
	}
	got, read, err := l.r.ReadBatch(int64(n), room[:n], def, nil)
	if err == nil {
		err = l.r.Err()
	}
	if err == nil && got == 0 {
		err = errShort
	}
	if err != nil {
		return 0, nil, nil, err
	}
	if full > 0 {
		def = def[:got]
		need := 0
		for _, d := range def {
			if d == full {
				need++
			}
		}
		if need != read {
			return 0, nil, nil, fmt.Errorf("%d values decoded where the levels say %d", read, need)
		}
	}
	if read == int(got) {
		def = nil
	}
	return int(got), room[:read], def, nil
}

func (l *levels[P]) rest() error {
	var def []int16
	if l.descr.MaxDefinitionLevel() > 0 {
		def = l.def[:1]
	}
	got, _, err := l.r.ReadBatch(1, l.vals[:1], def, nil)
	if err == nil {
		err = l.r.Err()
	}
	if err == nil && got > 0 {
		err = errMore
	}
	return err
}

// presence is the validity of an array being read; without a bitmap while
// nothing is NULL.
type presence struct {
	n, nulls int
	bits     []byte
}

func (p *presence) begin(n int) { *p = presence{n: n} }

// add tells of rows from at on which are NULL: those whose level is not full.
func (p *presence) add(at, rows int, def []int16, full int16) {
	if def == nil {
		if p.bits != nil {
			bitutil.SetBitsTo(p.bits, int64(at), int64(rows), true)
		}
		return
	}
	if p.bits == nil {
		p.bits = make([]byte, bitutil.BytesForBits(int64(p.n)))
		bitutil.SetBitsTo(p.bits, 0, int64(at), true)
	}
	there := 0
	for k, d := range def {
		bit := byte(0)
		if d == full {
			bit = 1
		}
		there += int(bit)
		p.bits[(at+k)>>3] |= bit << ((at + k) & 7)
	}
	p.nulls += rows - there
}

func (p *presence) array(t arrow.DataType, buffers ...[]byte) arrow.Array {
	list := make([]*memory.Buffer, 1, 1+len(buffers))
	if p.bits != nil {
		list[0] = memory.NewBufferBytes(p.bits)
	}
	for _, b := range buffers {
		list = append(list, memory.NewBufferBytes(b))
	}
	d := array.NewData(t, p.n, list, nil, p.nulls, 0)
	defer d.Release()
	return array.MakeFromData(d)
}

// bytesOf sees values as the bytes that they are.
func bytesOf[V any](in []V) []byte {
	var one V
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(in))), len(in)*int(unsafe.Sizeof(one)))
}

// flatValues reads values of fixed width. Where no conversion is given, the
// column's values are the array's, bit by bit.
type flatValues[P, V any] struct {
	levels[P]
	presence

	typ     arrow.DataType
	convert func(out []V, in []P) error
	out     []V
	some    []V // those of rows that are not all there
}

func flatOf[P, V any](d *pqschema.Column, t arrow.DataType, convert func(out []V, in []P) error) flat {
	return &flatValues[P, V]{levels: levelsOf[P](d), typ: t, convert: convert, some: make([]V, flatLevels)}
}

func (f *flatValues[P, V]) rows(n, _ int) (int, error) {
	f.begin(n)
	f.out = make([]V, n)
	for at := 0; at < n; {
		var room []P
		if f.convert == nil && f.descr.MaxDefinitionLevel() == 0 {
			room = sameValues[P](f.out[at:])
		}
		rows, vals, def, err := f.next(n-at, room)
		if err != nil {
			return 0, err
		}
		f.add(at, rows, def, f.descr.MaxDefinitionLevel())
		if room == nil {
			if err := f.spread(f.out[at:at+rows], vals, def); err != nil {
				return 0, err
			}
		}
		at += rows
	}
	return n, nil
}

// spread puts values to the rows that have one; the others keep 0.
func (f *flatValues[P, V]) spread(out []V, in []P, def []int16) error {
	to := out
	if def != nil {
		to = f.some[:len(in)]
	}
	if f.convert != nil {
		if err := f.convert(to, in); err != nil {
			return err
		}
	} else {
		copy(to, sameValues[V](in))
	}
	if def == nil {
		return nil
	}
	full, v := f.descr.MaxDefinitionLevel(), 0
	for k, d := range def {
		if d == full {
			out[k] = to[v]
			v++
		}
	}
	return nil
}

func (f *flatValues[P, V]) array() arrow.Array { return f.presence.array(f.typ, bytesOf(f.out)) }

// sameValues sees a slice as one of another type of the same size.
func sameValues[T, S any](in []S) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(in))), len(in))
}

// flatBits reads booleans.
type flatBits struct {
	levels[bool]
	presence

	out []byte
}

func (f *flatBits) rows(n, _ int) (int, error) {
	f.begin(n)
	f.out = make([]byte, bitutil.BytesForBits(int64(n)))
	for at := 0; at < n; {
		rows, vals, def, err := f.next(n-at, nil)
		if err != nil {
			return 0, err
		}
		full := f.descr.MaxDefinitionLevel()
		f.add(at, rows, def, full)
		v := 0
		for k := range rows {
			if def != nil && def[k] != full {
				continue
			}
			bit := byte(0)
			if vals[v] {
				bit = 1
			}
			f.out[(at+k)>>3] |= bit << ((at + k) & 7)
			v++
		}
		at += rows
	}
	return n, nil
}

func (f *flatBits) array() arrow.Array { return f.presence.array(arrow.FixedWidthTypes.Boolean, f.out) }
