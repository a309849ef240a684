package splice

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// annotatedRange reports whether a column's annotation claims fewer numbers than
// its bytes can hold. Readers differ on what they make of the others.
func annotatedRange(c schema.CopyColumn) bool {
	return c.Logical == "INT" && (c.Bits < 32 || c.Unsigned)
}

// inRange reports whether the bounds of every row group pass the rule's cast
// unchanged: then, ranges having no holes, so does every value between them. What
// was proven before is known without a cast.
func inRange(r cast.Rule, to schema.TargetColumn, f Facts, known *Ranges) bool {
	if !f.Bounded {
		return false
	}
	if len(f.Bounds) == 0 {
		return true // not one value
	}
	passes := func(values [][]byte) bool {
		a, ok := bounds(*r.Source, values)
		if !ok {
			return false
		}
		defer a.Release()
		_, report, err := castOne(r, to, a, nil)
		return err == nil && clean(report)
	}
	return known.prove(rangeOf{r.Class, to.Name}, *r.Source, f.Bounds, passes)
}

// clean reports whether a cast met nothing that is worth counting.
func clean(c cast.ColumnReport) bool {
	for _, n := range c.Effects {
		if n > 0 {
			return false
		}
	}
	return c.Changed == 0 && c.ToNull == 0 && c.Refused == 0
}

// castOne casts an array of a column's values with the column's rule alone, the
// array released by its caller like what comes out.
func castOne(r cast.Rule, to schema.TargetColumn, in arrow.Array, loc cast.Locate) (arrow.Array, cast.ColumnReport, error) {
	m := cast.Mapping{Columns: []cast.ColumnPlan{{Target: to, Rules: []cast.Rule{r}}}}
	k, err := m.Preview(r.Class, loc)
	if err != nil {
		return nil, cast.ColumnReport{}, err
	}
	rec := array.NewRecord(arrow.NewSchema([]arrow.Field{{Name: r.From, Type: in.DataType(), Nullable: true}}, nil), []arrow.Array{in}, int64(in.Len()))
	defer rec.Release()
	out, err := k.Cast(rec, cast.Place{FirstRow: 1})
	if err != nil {
		return nil, cast.ColumnReport{}, err
	}
	return out[0], k.Report().Columns[to.Name], nil
}

// bounds are stored values as an array of the column's type; false for a type
// whose range a footer cannot prove, and for a value outside of its annotation.
func bounds(c schema.CopyColumn, values [][]byte) (arrow.Array, bool) {
	switch {
	case c.Logical == "DECIMAL":
		return decimalBounds(c, values)
	case c.Physical == "INT32":
		return intBounds(c, values, 4)
	case c.Physical == "INT64":
		return intBounds(c, values, 8)
	}
	return nil, false
}

func intBounds(c schema.CopyColumn, values [][]byte, size int) (arrow.Array, bool) {
	var b array.Builder
	var put func(v int64) bool
	switch {
	case c.Logical == "DATE" && size == 4:
		d := array.NewDate32Builder(memory.DefaultAllocator)
		b, put = d, func(v int64) bool { d.Append(arrow.Date32(v)); return true }
	case c.Logical == "TIMESTAMP" && size == 8:
		unit, ok := map[string]arrow.TimeUnit{"MILLIS": arrow.Millisecond, "MICROS": arrow.Microsecond, "NANOS": arrow.Nanosecond}[c.Unit]
		if !ok {
			return nil, false
		}
		t := &arrow.TimestampType{Unit: unit}
		if c.UTC {
			t.TimeZone = "UTC"
		}
		s := array.NewTimestampBuilder(memory.DefaultAllocator, t)
		b, put = s, func(v int64) bool { s.Append(arrow.Timestamp(v)); return true }
	case c.Logical == "" || c.Logical == "INT":
		b, put = wholeBounds(c, size)
	}
	if b == nil {
		return nil, false
	}
	defer b.Release()
	for _, v := range values {
		n, ok := stored(v, size)
		if !ok || !put(n) {
			return nil, false
		}
	}
	return b.NewArray(), true
}

// wholeBounds makes arrays of the integer type that the reader makes of the column.
func wholeBounds(c schema.CopyColumn, size int) (array.Builder, func(v int64) bool) {
	bits := c.Bits
	if c.Logical == "" {
		bits = 8 * size
	}
	mem := memory.DefaultAllocator
	switch {
	case bits == 64 && size == 8 && !c.Unsigned:
		b := array.NewInt64Builder(mem)
		return b, func(v int64) bool { b.Append(v); return true }
	case size == 8 || bits == 64:
		return nil, nil
	case bits == 32 && c.Unsigned:
		b := array.NewUint32Builder(mem)
		return b, func(v int64) bool { b.Append(uint32(v)); return v >= 0 } // below: beyond every signed type
	case bits == 32:
		b := array.NewInt32Builder(mem)
		return b, func(v int64) bool { b.Append(int32(v)); return true }
	case bits == 16 && c.Unsigned:
		b := array.NewUint16Builder(mem)
		return b, func(v int64) bool { b.Append(uint16(v)); return int64(uint16(v)) == v }
	case bits == 16:
		b := array.NewInt16Builder(mem)
		return b, func(v int64) bool { b.Append(int16(v)); return int64(int16(v)) == v }
	case bits == 8 && c.Unsigned:
		b := array.NewUint8Builder(mem)
		return b, func(v int64) bool { b.Append(uint8(v)); return int64(uint8(v)) == v }
	case bits == 8:
		b := array.NewInt8Builder(mem)
		return b, func(v int64) bool { b.Append(int8(v)); return int64(int8(v)) == v }
	}
	return nil, nil
}

// stored reads a number of 4 or 8 bytes as Parquet stores it.
func stored(v []byte, size int) (int64, bool) {
	switch {
	case len(v) != size:
		return 0, false
	case size == 4:
		return int64(int32(binary.LittleEndian.Uint32(v))), true
	}
	return int64(binary.LittleEndian.Uint64(v)), true
}

func decimalBounds(c schema.CopyColumn, values [][]byte) (arrow.Array, bool) {
	if c.Precision > 38 || c.Precision < 1 {
		return nil, false
	}
	b := array.NewDecimal128Builder(memory.DefaultAllocator, &arrow.Decimal128Type{Precision: int32(c.Precision), Scale: int32(c.Scale)})
	defer b.Release()
	for _, v := range values {
		var n decimal128.Num
		switch {
		case c.Physical == "INT32" && len(v) == 4, c.Physical == "INT64" && len(v) == 8:
			i, _ := stored(v, len(v))
			n = decimal128.FromI64(i)
		case c.Physical == "FIXED_LEN_BYTE_ARRAY" && len(v) == c.Length && len(v) >= 1 && len(v) <= 16:
			n = bigEndian(v)
		default:
			return nil, false
		}
		b.Append(n)
	}
	return b.NewArray(), true
}

// bigEndian reads a two's complement number of at most 16 bytes.
func bigEndian(v []byte) decimal128.Num {
	var wide [16]byte
	if v[0]&0x80 != 0 {
		for i := range wide {
			wide[i] = 0xff
		}
	}
	copy(wide[16-len(v):], v)
	return decimal128.New(int64(binary.BigEndian.Uint64(wide[:8])), binary.BigEndian.Uint64(wide[8:]))
}
