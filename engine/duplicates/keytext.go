package duplicates

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// ValueText is the value at a place of an array as people read it.
type ValueText func(arr arrow.Array, i int) string

// keyText is a raw key as people read it: id = 17, code = A.
func keyText(columns []Column, raw []byte, show ValueText) (string, error) {
	var parts []string
	for _, c := range columns {
		text, rest, err := valueText(c, raw, show)
		if err != nil {
			return "", fmt.Errorf("key column %q: %w", c.Name, err)
		}
		parts = append(parts, c.Name+" = "+text)
		raw = rest
	}
	return strings.Join(parts, ", "), nil
}

// valueText reads one value from the front of a raw key.
func valueText(c Column, raw []byte, show ValueText) (text string, rest []byte, err error) {
	if len(raw) == 0 {
		return "", nil, errCut
	}
	tag, raw := raw[0], raw[1:]
	b := array.NewBuilder(memory.DefaultAllocator, c.Type)
	defer b.Release()
	n := 0
	switch tag {
	case isNull:
		b.AppendNull()
	default:
		if n, err = appendValue(b, raw); err != nil {
			return "", nil, err
		}
	}
	arr := b.NewArray()
	defer arr.Release()
	return show(arr, 0), raw[n:], nil
}

// appendValue reads a value that is not NULL and returns how long it is.
func appendValue(b array.Builder, raw []byte) (n int, err error) {
	switch b := b.(type) {
	case *array.StringBuilder:
		v, n, err := sized(raw)
		b.Append(string(v))
		return n, err
	case *array.BinaryBuilder:
		v, n, err := sized(raw)
		b.Append(v)
		return n, err
	}
	width := map[arrow.Type]int{
		arrow.BOOL: 1, arrow.INT16: 2, arrow.INT32: 4, arrow.DATE32: 4, arrow.FLOAT32: 4,
		arrow.INT64: 8, arrow.TIMESTAMP: 8, arrow.FLOAT64: 8, arrow.DECIMAL128: 16,
	}[b.Type().ID()]
	if width == 0 || len(raw) < width {
		return 0, errCut
	}
	switch b := b.(type) {
	case *array.BooleanBuilder:
		b.Append(raw[0] != 0)
	case *array.Int16Builder:
		b.Append(int16(binary.BigEndian.Uint16(raw)))
	case *array.Int32Builder:
		b.Append(int32(binary.BigEndian.Uint32(raw)))
	case *array.Date32Builder:
		b.Append(arrow.Date32(binary.BigEndian.Uint32(raw)))
	case *array.Int64Builder:
		b.Append(int64(binary.BigEndian.Uint64(raw)))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(binary.BigEndian.Uint64(raw)))
	case *array.Float32Builder:
		b.Append(math.Float32frombits(binary.BigEndian.Uint32(raw)))
	case *array.Float64Builder:
		b.Append(math.Float64frombits(binary.BigEndian.Uint64(raw)))
	case *array.Decimal128Builder:
		b.Append(decimal128.New(int64(binary.BigEndian.Uint64(raw)), binary.BigEndian.Uint64(raw[8:])))
	}
	return width, nil
}

// sized reads bytes behind their length, and how long both are.
func sized(raw []byte) (v []byte, n int, err error) {
	size, head := binary.Uvarint(raw)
	if head <= 0 || size > uint64(len(raw)-head) {
		return nil, 0, errCut
	}
	n = head + int(size)
	return raw[head:n], n, nil
}
