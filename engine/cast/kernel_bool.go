package cast

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// castIntToBool takes 0 and 1 alone: SQL Server would make any other number 1,
// but then the column it came from was no bit.
func castIntToBool(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := c.integers(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	return c.bools(src, func(i int) (bool, Effect) {
		if in[i]&^1 != 0 {
			return false, OutOfRange
		}
		return in[i] == 1, ""
	}), nil
}

func castTextToBool(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	return c.bools(src, func(i int) (bool, Effect) {
		switch s := trim(in.Value(i)); {
		case s == "1", s == "\x01", strings.EqualFold(s, "true"):
			return true, ""
		case s == "0", s == "\x00", strings.EqualFold(s, "false"):
			return false, ""
		}
		return false, Unparseable
	}), nil
}

func castBytesToBool(c *column, src arrow.Array) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	return c.bools(src, func(i int) (bool, Effect) {
		s := in.Value(i)
		if len(s) != 1 {
			return false, WrongLength
		}
		if s[0] > 1 {
			return false, OutOfRange
		}
		return s[0] == 1, ""
	}), nil
}

// bools makes a boolean array; read gives a value, or why there is none.
func (c *column) bools(src arrow.Array, read func(i int) (bool, Effect)) arrow.Array {
	b := array.NewBooleanBuilder(c.mem)
	defer b.Release()
	b.Reserve(src.Len())
	for i := range src.Len() {
		if src.IsNull(i) {
			b.UnsafeAppendBoolToBitmap(false)
			continue
		}
		v, bad := read(i)
		if bad != "" {
			c.refuse(bad, i, 0)
			b.UnsafeAppendBoolToBitmap(false)
			continue
		}
		b.UnsafeAppend(v)
	}
	return b.NewArray()
}
