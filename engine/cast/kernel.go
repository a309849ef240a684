package cast

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

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

// castNull writes NULL whatever the copy holds, and counts it as that: nothing
// of the copy is written as it is.
func castNull(c *column, src arrow.Array) (arrow.Array, error) {
	c.nulls += int64(src.Len() - src.NullN())
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

// hugeUint reports whether integers are unsigned of 64 bits, so that negative
// ones stand for 2^63 and more.
func hugeUint(src arrow.Array) bool { return src.DataType().ID() == arrow.UINT64 }
