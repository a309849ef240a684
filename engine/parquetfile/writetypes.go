package parquetfile

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// fileSchema is the Parquet schema for a table's flat columns.
func fileSchema(sc *arrow.Schema) (*pqschema.GroupNode, error) {
	var nodes pqschema.FieldList
	for _, f := range sc.Fields() {
		typ, logical, length, err := parquetType(f.Type)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", f.Name, err)
		}
		n, err := pqschema.NewPrimitiveNodeLogical(f.Name, parquet.Repetitions.Optional, logical, typ, length, fieldID(f.Metadata))
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", f.Name, err)
		}
		nodes = append(nodes, n)
	}
	return pqschema.NewGroupNode("spark_schema", parquet.Repetitions.Required, nodes, -1)
}

// fieldIDKey is the field metadata under which Arrow libraries keep Parquet field ids.
const fieldIDKey = "PARQUET:field_id"

func fieldID(m arrow.Metadata) int32 {
	if i := m.FindKey(fieldIDKey); i >= 0 {
		if id, err := strconv.ParseInt(m.Values()[i], 10, 32); err == nil {
			return int32(id)
		}
	}
	return -1
}

func parquetType(t arrow.DataType) (parquet.Type, pqschema.LogicalType, int, error) {
	none := pqschema.LogicalType(pqschema.NoLogicalType{})
	switch t := t.(type) {
	case *arrow.BooleanType:
		return parquet.Types.Boolean, none, -1, nil
	case *arrow.Int8Type:
		return parquet.Types.Int32, pqschema.NewIntLogicalType(8, true), -1, nil
	case *arrow.Int16Type:
		return parquet.Types.Int32, pqschema.NewIntLogicalType(16, true), -1, nil
	case *arrow.Int32Type:
		return parquet.Types.Int32, none, -1, nil
	case *arrow.Int64Type:
		return parquet.Types.Int64, none, -1, nil
	case *arrow.Float32Type:
		return parquet.Types.Float, none, -1, nil
	case *arrow.Float64Type:
		return parquet.Types.Double, none, -1, nil
	case *arrow.Date32Type:
		return parquet.Types.Int32, pqschema.DateLogicalType{}, -1, nil
	case *arrow.StringType:
		return parquet.Types.ByteArray, pqschema.StringLogicalType{}, -1, nil
	case *arrow.BinaryType:
		return parquet.Types.ByteArray, none, -1, nil
	case *arrow.TimestampType:
		if t.Unit == arrow.Microsecond {
			return parquet.Types.Int64, pqschema.NewTimestampLogicalType(t.TimeZone != "", pqschema.TimeUnitMicros), -1, nil
		}
	case *arrow.Decimal128Type:
		return decimalType(t)
	}
	return 0, nil, 0, fmt.Errorf("a Delta table has no column of type %s", t)
}

func decimalType(t *arrow.Decimal128Type) (parquet.Type, pqschema.LogicalType, int, error) {
	if t.Precision < 1 || t.Precision > 38 || t.Scale < 0 || t.Scale > t.Precision {
		return 0, nil, 0, fmt.Errorf("decimal(%d,%d) is no type", t.Precision, t.Scale)
	}
	logical := pqschema.NewDecimalLogicalType(t.Precision, t.Scale)
	switch {
	case t.Precision <= 9:
		return parquet.Types.Int32, logical, -1, nil
	case t.Precision <= 18:
		return parquet.Types.Int64, logical, -1, nil
	}
	return parquet.Types.FixedLenByteArray, logical, decimalBytes(t.Precision), nil
}

// decimalBytes is the least number of bytes that hold every decimal of a
// precision from 19 to 38: two to the power 8n-1 above ten to the power p.
func decimalBytes(p int32) int { return int((float64(p)*3.321928094887362 + 1 + 7.999999) / 8) }
