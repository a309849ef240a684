package splice_test

import (
	"bytes"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// parquetOf writes records as another writer might: with the layout that props
// ask for, a row group a record, lists beside flat columns, and columns that the
// schema calls required.
func parquetOf(t testing.TB, recs []arrow.Record, props ...parquet.WriterProperty) []byte {
	t.Helper()
	return parquetWith(t, recs, nil, props...)
}

func parquetWith(t testing.TB, recs []arrow.Record, kv metadata.KeyValueMetadata, props ...parquet.WriterProperty) []byte {
	t.Helper()
	var nodes pqschema.FieldList
	for _, f := range recs[0].Schema().Fields() {
		nodes = append(nodes, nodeOf(f))
	}
	root := pqschema.MustGroup(pqschema.NewGroupNode("schema", parquet.Repetitions.Required, nodes, -1))
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root, file.WithWriterProps(parquet.NewWriterProperties(props...)), file.WithWriteMetadata(kv))
	for _, r := range recs {
		rg := w.AppendRowGroup()
		for i, c := range r.Columns() {
			cw, err := rg.NextColumn()
			if err != nil {
				t.Fatal(err)
			}
			writeColumn(t, cw, c, r.Schema().Field(i).Nullable)
			if err := cw.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := rg.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func nodeOf(f arrow.Field) pqschema.Node {
	rep := parquet.Repetitions.Required
	if f.Nullable {
		rep = parquet.Repetitions.Optional
	}
	leaf := func(l pqschema.LogicalType, p parquet.Type) pqschema.Node {
		return pqschema.MustPrimitive(pqschema.NewPrimitiveNodeLogical(f.Name, rep, l, p, -1, 77))
	}
	none := pqschema.NoLogicalType{}
	switch t := f.Type.(type) {
	case *arrow.BooleanType:
		return leaf(none, parquet.Types.Boolean)
	case *arrow.Uint8Type:
		return leaf(pqschema.NewIntLogicalType(8, false), parquet.Types.Int32)
	case *arrow.Int32Type:
		return leaf(none, parquet.Types.Int32)
	case *arrow.Int64Type:
		return leaf(none, parquet.Types.Int64)
	case *arrow.Float64Type:
		return leaf(none, parquet.Types.Double)
	case *arrow.Date32Type:
		return leaf(pqschema.DateLogicalType{}, parquet.Types.Int32)
	case *arrow.TimestampType:
		return leaf(pqschema.NewTimestampLogicalType(t.TimeZone != "", pqschema.TimeUnitMicros), parquet.Types.Int64)
	case *arrow.StringType:
		return leaf(pqschema.StringLogicalType{}, parquet.Types.ByteArray)
	case *arrow.BinaryType:
		return leaf(none, parquet.Types.ByteArray)
	case *arrow.Decimal128Type:
		l := pqschema.NewDecimalLogicalType(t.Precision, t.Scale)
		if t.Precision <= 9 {
			return leaf(l, parquet.Types.Int32)
		}
		if t.Precision <= 18 {
			return leaf(l, parquet.Types.Int64)
		}
		return pqschema.MustPrimitive(pqschema.NewPrimitiveNodeLogical(f.Name, rep, l, parquet.Types.FixedLenByteArray, 9, -1))
	case *arrow.ListType:
		return pqschema.MustGroup(pqschema.ListOf(pqschema.NewInt32Node(f.Name, parquet.Repetitions.Optional, -1), rep, -1))
	}
	panic(f.Type)
}

func writeColumn(t testing.TB, cw file.ColumnChunkWriter, a arrow.Array, nullable bool) {
	t.Helper()
	var def, rep []int16
	if nullable {
		for i := range a.Len() {
			d := int16(0)
			if a.IsValid(i) {
				d = 1
			}
			def = append(def, d)
		}
	}
	var err error
	switch a := a.(type) {
	case *array.Boolean:
		err = batch(cw, a, def, a.Value)
	case *array.Uint8:
		err = batch(cw, a, def, func(i int) int32 { return int32(a.Value(i)) })
	case *array.Int32:
		err = batch(cw, a, def, a.Value)
	case *array.Int64:
		err = batch(cw, a, def, a.Value)
	case *array.Float64:
		err = batch(cw, a, def, a.Value)
	case *array.Date32:
		err = batch(cw, a, def, func(i int) int32 { return int32(a.Value(i)) })
	case *array.Timestamp:
		err = batch(cw, a, def, func(i int) int64 { return int64(a.Value(i)) })
	case *array.String:
		err = batch(cw, a, def, func(i int) parquet.ByteArray { return parquet.ByteArray(a.Value(i)) })
	case *array.Binary:
		err = batch(cw, a, def, func(i int) parquet.ByteArray { return parquet.ByteArray(a.Value(i)) })
	case *array.Decimal128:
		if cw.Type() == parquet.Types.Int32 {
			err = batch(cw, a, def, func(i int) int32 { return int32(a.Value(i).LowBits()) })
			break
		}
		if cw.Type() == parquet.Types.Int64 {
			err = batch(cw, a, def, func(i int) int64 { return int64(a.Value(i).LowBits()) })
			break
		}
		err = batch(cw, a, def, func(i int) parquet.FixedLenByteArray {
			v, out := a.Value(i), make([]byte, 9)
			for at := 8; at > 0; at-- {
				out[at] = byte(v.LowBits() >> (8 * (8 - at)))
			}
			out[0] = byte(v.HighBits())
			return out
		})
	case *array.List:
		var vals []int32
		def, rep, vals = levels(a)
		_, err = cw.(*file.Int32ColumnChunkWriter).WriteBatch(vals, def, rep)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func batch[T any](cw file.ColumnChunkWriter, a arrow.Array, def []int16, value func(int) T) error {
	var vals []T
	for i := range a.Len() {
		if a.IsValid(i) {
			vals = append(vals, value(i))
		}
	}
	_, err := cw.(interface {
		WriteBatch([]T, []int16, []int16) (int64, error)
	}).WriteBatch(vals, def, nil)
	return err
}

// levels are those of lists of numbers: null 0, empty 1, number 3.
func levels(a *array.List) (def, rep []int16, vals []int32) {
	in := a.ListValues().(*array.Int32)
	for i := range a.Len() {
		from, to := a.ValueOffsets(i)
		switch {
		case a.IsNull(i):
			def, rep = append(def, 0), append(rep, 0)
		case from == to:
			def, rep = append(def, 1), append(rep, 0)
		}
		for k := from; a.IsValid(i) && k < to; k++ {
			def, rep, vals = append(def, 3), append(rep, int16(min(k-from, 1))), append(vals, in.Value(int(k)))
		}
	}
	return def, rep, vals
}
