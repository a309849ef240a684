package parquetfile

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// leaf reads one primitive column under a nested one into a builder, value by value.
type leaf interface {
	chunkReader
	// peek is the next value's levels; ok is false at the chunk's end.
	peek() (def, rep int16, ok bool, err error)
	// take appends the peeked value, or a null where it has none.
	take() error
	// size is how many bytes the values take that were taken since the last array.
	size() int
	// skip passes the peeked value by: it stands for a null or empty ancestor.
	skip() error
}

// chunkReader reads one column chunk after the other.
type chunkReader interface {
	// open starts the column chunk of a row group.
	open(r file.ColumnChunkReader) error
	// rest reports an error where the chunk has values left.
	rest() error
}

// batchReader is the library's typed reader of a column chunk.
type batchReader[T any] interface {
	file.ColumnChunkReader
	ReadBatch(n int64, values []T, def, rep []int16) (levels int64, read int, err error)
}

// chunkLevels is how many values a leaf decodes at a time.
const chunkLevels = 1024

type typedLeaf[T any] struct {
	b        array.Builder
	descr    *pqschema.Column
	r        batchReader[T]
	put      func(T) error
	null     func()
	vals     []T
	def, rep []int16
	n, i, v  int // levels decoded, levels and values used
}

func newTyped[T any](d *pqschema.Column, b array.Builder, put func(T) error) *typedLeaf[T] {
	return &typedLeaf[T]{
		b: b, descr: d, put: put, null: b.AppendNull,
		vals: make([]T, chunkLevels), def: make([]int16, chunkLevels), rep: make([]int16, chunkLevels),
	}
}

func (l *typedLeaf[T]) open(r file.ColumnChunkReader) error {
	t, ok := r.(batchReader[T])
	if !ok {
		return fmt.Errorf("a chunk of %s under a column of %s", r.Type(), l.descr.PhysicalType())
	}
	l.r, l.n, l.i, l.v = t, 0, 0, 0
	return nil
}

// fill decodes more levels when all are used. After it, i < n or the chunk is at its end.
func (l *typedLeaf[T]) fill() error {
	if l.i < l.n {
		return nil
	}
	levels, read, err := l.r.ReadBatch(chunkLevels, l.vals, l.def, l.rep)
	if err == nil {
		err = l.r.Err()
	}
	if err != nil {
		return err
	}
	if l.descr.MaxDefinitionLevel() > 0 {
		need := 0
		for _, d := range l.def[:levels] {
			if d == l.descr.MaxDefinitionLevel() {
				need++
			}
		}
		if need != read {
			return fmt.Errorf("%d values decoded where the levels say %d", read, need)
		}
	}
	l.n, l.i, l.v = int(levels), 0, 0
	return nil
}

var (
	errShort = errors.New("the column chunk ends before its rows do")
	errMore  = errors.New("the column chunk has more values than the row group has rows")
)

func (l *typedLeaf[T]) peek() (def, rep int16, ok bool, err error) {
	if err := l.fill(); err != nil || l.i == l.n {
		return 0, 0, false, err
	}
	return l.def[l.i], l.rep[l.i], true, nil
}

func (l *typedLeaf[T]) take() error {
	d := l.def[l.i]
	l.i++
	if d != l.descr.MaxDefinitionLevel() {
		l.null()
		return nil
	}
	l.v++
	return l.put(l.vals[l.v-1])
}

func (l *typedLeaf[T]) size() int {
	const numbers = 8 // about what any other value takes
	if t, ok := l.b.(interface{ DataLen() int }); ok {
		return t.DataLen() + l.b.Len()
	}
	return numbers * l.b.Len()
}

func (l *typedLeaf[T]) skip() error {
	if l.def[l.i] == l.descr.MaxDefinitionLevel() {
		return errors.New("a value under a parent that is null")
	}
	l.i++
	return nil
}

func (l *typedLeaf[T]) rest() error {
	if err := l.fill(); err != nil {
		return err
	}
	if l.i < l.n {
		return errMore
	}
	return nil
}

// newLeaf pairs a column with the builder that takes its values.
func newLeaf(d *pqschema.Column, b array.Builder) (leaf, error) {
	switch d.PhysicalType() {
	case parquet.Types.Boolean:
		return leafOf(d, b, putBool)
	case parquet.Types.Int32:
		return leafOf(d, b, putInt32)
	case parquet.Types.Int64:
		return leafOf(d, b, putInt64)
	case parquet.Types.Int96:
		return leafOf(d, b, putInt96)
	case parquet.Types.Float:
		return leafOf(d, b, putFloat)
	case parquet.Types.Double:
		return leafOf(d, b, putDouble)
	case parquet.Types.ByteArray:
		return leafOf(d, b, putBytes[parquet.ByteArray])
	case parquet.Types.FixedLenByteArray:
		return leafOf(d, b, putBytes[parquet.FixedLenByteArray])
	default:
		return nil, fmt.Errorf("physical type %s is not known", d.PhysicalType())
	}
}

func leafOf[T any](d *pqschema.Column, b array.Builder, putter func(array.Builder) func(T) error) (leaf, error) {
	put := putter(b)
	if put == nil {
		return nil, fmt.Errorf("%s does not fill %s", d.PhysicalType(), b.Type())
	}
	return newTyped(d, b, put), nil
}
