package cast

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/schema"
)

// kernelOf finds the kernel that does a rule's cast, or nil.
func kernelOf(r Rule, to schema.TargetColumn) kernel {
	switch r.Code {
	case MissingNull, AbsentNull, ComputedNull, EmptyNull:
		return castNull
	}
	if r.Source == nil {
		return nil
	}
	f := formOf(*r.Source)
	switch to.Type.Kind {
	case schema.Boolean:
		return map[form]kernel{boolean: castSame, integer: castIntToBool, text: castTextToBool, bytes: castBytesToBool, fixed: castBytesToBool}[f]
	case schema.Short:
		return integerKernel[int16](f)
	case schema.Integer:
		return integerKernel[int32](f)
	case schema.Long:
		return integerKernel[int64](f)
	case schema.Float:
		return floatKernel[float32](f)
	case schema.Double:
		return floatKernel[float64](f)
	case schema.Decimal:
		return map[form]kernel{decimal: castDecimal, integer: castIntToDecimal, half: castFloatToDecimal, single: castFloatToDecimal, double: castFloatToDecimal, text: castTextToDecimal}[f]
	case schema.Date:
		return map[form]kernel{date: castDate, stamp: castStampToDate, int96: castStampToDate, text: castTextToDate}[f]
	case schema.TimestampNTZ, schema.Timestamp:
		return map[form]kernel{stamp: castStamp, int96: castStamp, date: castDateToStamp, text: castTextToStamp}[f]
	case schema.String:
		if r.Encoding != "" {
			return decoding(r.Encoding, textKernel(r.Code))
		}
		return textKernel(r.Code)
	case schema.Binary:
		return binaryKernel(r.Code)
	}
	return nil
}

func textKernel(c Code) kernel {
	switch c {
	case Same, BytesToText, PadChar, AnsiChar:
		return castText
	case TimeToText:
		return castTimeToText
	case TextToTime:
		return castTextToTime
	case StampToTime:
		return castStampToTime
	case GUIDText:
		return castGUIDText
	case GUIDBytes, GUIDOrder:
		return castGUIDBytes
	}
	return nil
}

func binaryKernel(c Code) kernel {
	switch c {
	case Same, FixedBytes, PadBinary, AnsiBinary:
		return castBytes
	case RowversionRaw:
		return castRowversion
	case RowversionInt:
		return castRowversionInt
	case RowversionText:
		return castRowversionText
	}
	return nil
}

// castNull writes NULL whatever the copy holds.
func castNull(c *column, src arrow.Array) (arrow.Array, error) {
	return allNull(c.mem, c.out, src.Len()), nil
}

// castSame hands the values on; the type has no value that SQL Server lacks.
func castSame(c *column, src arrow.Array) (arrow.Array, error) {
	if src.DataType().ID() != c.out.ID() {
		return nil, c.unexpected(src)
	}
	return relabel(src, c.out), nil
}

// unexpected is the error for an array that the rule's class does not hold: a
// fault of the caller, never of the data.
func (c *column) unexpected(src arrow.Array) error {
	return fmt.Errorf("cast %s to column %q: the rule is for %s, the batch holds %s", c.rule.Code, c.target.Name, c.rule.FromType, src.DataType())
}

// integers gives the values as int64, in the column's scratch space where they
// are narrower. A uint64 above the range comes out negative: see hugeUint.
func (c *column) integers(src arrow.Array) ([]int64, bool) {
	switch a := src.(type) {
	case *array.Int64:
		return a.Int64Values(), true
	case *array.Int32:
		return widen(c, a.Int32Values()), true
	case *array.Int16:
		return widen(c, a.Int16Values()), true
	case *array.Int8:
		return widen(c, a.Int8Values()), true
	case *array.Uint8:
		return widen(c, a.Uint8Values()), true
	case *array.Uint16:
		return widen(c, a.Uint16Values()), true
	case *array.Uint32:
		return widen(c, a.Uint32Values()), true
	case *array.Uint64:
		return widen(c, a.Uint64Values()), true
	}
	return nil, false
}

func widen[T int8 | int16 | int32 | uint8 | uint16 | uint32 | uint64](c *column, in []T) []int64 {
	out := c.scratch(len(in))
	for i, v := range in {
		out[i] = int64(v)
	}
	return out
}

// scratch is room for n values that lives until the next batch.
func (c *column) scratch(n int) []int64 {
	if cap(c.ints) < n {
		c.ints = make([]int64, n)
	}
	return c.ints[:n]
}

// hugeUint reports whether integers are unsigned of 64 bits, so that negative
// ones stand for 2^63 and more.
func hugeUint(src arrow.Array) bool { return src.DataType().ID() == arrow.UINT64 }
