package duplicates

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/schema"
)

// Column is a column of the key: how the source types it, and what its values are
// made of once they are cast.
type Column struct {
	Name string
	SQL  schema.SQLType // with the collation that its index compares by
	Type arrow.DataType // of the arrays that Writer.Add takes
}

// Undecided reports whether the collation's name leaves open which texts of the
// column are equal.
func (c Column) Undecided() bool { return c.text() && !parseCollation(c.SQL.Collation).binary }

// text reports whether values are compared by a collation.
func (c Column) text() bool {
	switch c.SQL.Name {
	case "char", "varchar", "nchar", "nvarchar":
		return true
	}
	return false
}

// A value in a key is a tag and what the tag says. NULL equals NULL in an index.
const (
	isNull = iota
	isValue
)

// encoder makes keys of a batch's rows. It is for one goroutine.
type encoder struct {
	columns []Column
	folds   []*folder // nil for columns that are compared as they are
	wide    []byte    // the three forms of the row that was encoded last
	sure    []byte
	raw     []byte
	text    []byte // scratch
}

func newEncoder(columns []Column) *encoder {
	e := &encoder{columns: columns, folds: make([]*folder, len(columns))}
	for i, c := range columns {
		if c.text() {
			e.folds[i] = newFolder(parseCollation(c.SQL.Collation))
		}
	}
	return e
}

// row encodes one row in its three forms: rows of equal sure forms are the same
// key, rows of unequal wide forms are not, and raw is the row as it is written.
func (e *encoder) row(arrs []arrow.Array, i int) error {
	e.wide, e.sure, e.raw = e.wide[:0], e.sure[:0], e.raw[:0]
	for k, arr := range arrs {
		if arr.IsNull(i) {
			e.all(isNull)
			continue
		}
		e.all(isValue)
		switch a := arr.(type) {
		case *array.String:
			e.string(k, a.Value(i))
		case *array.Binary:
			e.bytes(a.Value(i))
		default:
			if err := e.number(arr, i); err != nil {
				return fmt.Errorf("key column %q: %w", e.columns[k].Name, err)
			}
		}
	}
	return nil
}

// all appends the same to all forms.
func (e *encoder) all(b ...byte) {
	e.wide, e.sure, e.raw = append(e.wide, b...), append(e.sure, b...), append(e.raw, b...)
}

func (e *encoder) string(k int, s string) {
	e.raw = appendSized(e.raw, s)
	f := e.folds[k]
	if f == nil {
		e.wide, e.sure = appendSized(e.wide, s), appendSized(e.sure, s)
		return
	}
	e.text = f.sure(e.text[:0], s)
	e.sure = appendSized(e.sure, e.text)
	n := len(e.text)
	e.text = f.wide(e.text, e.text)
	e.wide = appendSized(e.wide, e.text[n:])
}

// bytes encodes a binary value. The server fills the shorter of two values up with
// zeros before it compares them.
func (e *encoder) bytes(b []byte) {
	e.raw = appendSized(e.raw, b)
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	e.wide, e.sure = appendSized(e.wide, b), appendSized(e.sure, b)
}

func appendSized[T string | []byte](dst []byte, s T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// number encodes a value of fixed width.
func (e *encoder) number(arr arrow.Array, i int) error {
	var b [16]byte
	n := 8
	switch a := arr.(type) {
	case *array.Boolean:
		if n = 1; a.Value(i) {
			b[0] = 1
		}
	case *array.Int16:
		n = 2
		binary.BigEndian.PutUint16(b[:], uint16(a.Value(i)))
	case *array.Int32:
		n = 4
		binary.BigEndian.PutUint32(b[:], uint32(a.Value(i)))
	case *array.Date32:
		n = 4
		binary.BigEndian.PutUint32(b[:], uint32(a.Value(i)))
	case *array.Int64:
		binary.BigEndian.PutUint64(b[:], uint64(a.Value(i)))
	case *array.Timestamp:
		binary.BigEndian.PutUint64(b[:], uint64(a.Value(i)))
	case *array.Float32:
		n = 4
		binary.BigEndian.PutUint32(b[:], math.Float32bits(a.Value(i)+0)) // -0 is 0
	case *array.Float64:
		binary.BigEndian.PutUint64(b[:], math.Float64bits(a.Value(i)+0))
	case *array.Decimal128:
		n = 16
		v := a.Value(i)
		binary.BigEndian.PutUint64(b[:], uint64(v.HighBits()))
		binary.BigEndian.PutUint64(b[8:], v.LowBits())
	default:
		return fmt.Errorf("no key is made of %s", arr.DataType())
	}
	e.all(b[:n]...)
	return nil
}
