package rewrite

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/clock"
)

// constant is a column of one value, made once for the largest batch and
// sliced for the others.
type constant struct {
	name  string
	typ   arrow.DataType
	value any
	made  arrow.Array
}

// rows is n rows of the constant; the caller releases them.
func (c *constant) rows(mem memory.Allocator, n int) (arrow.Array, error) {
	if c.made == nil || c.made.Len() < n {
		arr, err := c.build(mem, n)
		if err != nil {
			return nil, err
		}
		c.release()
		c.made = arr
	}
	return array.NewSlice(c.made, 0, int64(n)), nil
}

func (c *constant) release() {
	if c.made != nil {
		c.made.Release()
		c.made = nil
	}
}

func (c *constant) build(mem memory.Allocator, n int) (arrow.Array, error) {
	if c.value == nil {
		return array.MakeArrayOfNull(mem, c.typ, n), nil
	}
	b := array.NewBuilder(mem, c.typ)
	defer b.Release()
	b.Reserve(n)
	for range n {
		if err := c.append(b); err != nil {
			return nil, err
		}
	}
	return b.NewArray(), nil
}

func (c *constant) append(b array.Builder) error {
	zoned := false
	if t, ok := c.typ.(*arrow.TimestampType); ok {
		zoned = t.TimeZone != ""
	}
	switch v := c.value.(type) {
	case bool:
		if b, ok := b.(*array.BooleanBuilder); ok {
			b.Append(v)
			return nil
		}
	case int:
		return c.appendInt(b, int64(v))
	case int32:
		return c.appendInt(b, int64(v))
	case int64:
		return c.appendInt(b, v)
	case float64:
		if b, ok := b.(*array.Float64Builder); ok {
			b.Append(v)
			return nil
		}
	case string:
		if b, ok := b.(*array.StringBuilder); ok {
			b.Append(v)
			return nil
		}
	case []byte:
		if b, ok := b.(*array.BinaryBuilder); ok && c.typ.ID() == arrow.BINARY {
			b.Append(v)
			return nil
		}
	case clock.Local:
		if b, ok := b.(*array.TimestampBuilder); ok && !zoned {
			b.Append(arrow.Timestamp(v))
			return nil
		}
	case clock.Instant:
		if b, ok := b.(*array.TimestampBuilder); ok && zoned {
			b.Append(arrow.Timestamp(v))
			return nil
		}
	}
	return c.mismatch()
}

func (c *constant) appendInt(b array.Builder, v int64) error {
	switch b := b.(type) {
	case *array.Int16Builder:
		if int64(int16(v)) == v {
			b.Append(int16(v))
			return nil
		}
	case *array.Int32Builder:
		if int64(int32(v)) == v {
			b.Append(int32(v))
			return nil
		}
	case *array.Int64Builder:
		b.Append(v)
		return nil
	}
	return c.mismatch()
}

func (c *constant) mismatch() error {
	return fmt.Errorf("column %q of type %s cannot hold the constant %v (%T)", c.name, c.typ, c.value, c.value)
}
