package parquetfile

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// leafType is the Arrow type in which a primitive column is read: the
// library's own choice, but INT96 gives microseconds, because nanoseconds in 64
// bits end in the year 2262.
func leafType(p *pqschema.PrimitiveNode) (arrow.DataType, error) {
	l := p.LogicalType()
	if d, ok := l.(*pqschema.DecimalLogicalType); ok {
		switch {
		case d.Precision() < 1 || d.Precision() > 76 || d.Scale() < 0 || d.Scale() > d.Precision():
			return nil, fmt.Errorf("column %q: decimal(%d,%d) is no type", p.Name(), d.Precision(), d.Scale())
		case d.Precision() <= 38:
			return &arrow.Decimal128Type{Precision: d.Precision(), Scale: d.Scale()}, nil
		}
		return &arrow.Decimal256Type{Precision: d.Precision(), Scale: d.Scale()}, nil
	}
	switch p.PhysicalType() {
	case parquet.Types.Boolean:
		return arrow.FixedWidthTypes.Boolean, nil
	case parquet.Types.Float:
		return arrow.PrimitiveTypes.Float32, nil
	case parquet.Types.Double:
		return arrow.PrimitiveTypes.Float64, nil
	case parquet.Types.Int96:
		return &arrow.TimestampType{Unit: arrow.Microsecond}, nil
	case parquet.Types.ByteArray:
		if _, text := l.(pqschema.StringLogicalType); text {
			return arrow.BinaryTypes.String, nil
		}
		return arrow.BinaryTypes.Binary, nil
	case parquet.Types.FixedLenByteArray:
		if _, half := l.(pqschema.Float16LogicalType); half && p.TypeLength() == 2 {
			return arrow.FixedWidthTypes.Float16, nil
		}
		return &arrow.FixedSizeBinaryType{ByteWidth: p.TypeLength()}, nil
	case parquet.Types.Int32, parquet.Types.Int64:
		return integerType(p)
	default:
		return nil, fmt.Errorf("column %q: physical type %s is not known", p.Name(), p.PhysicalType())
	}
}

func integerType(p *pqschema.PrimitiveNode) (arrow.DataType, error) {
	wide := p.PhysicalType() == parquet.Types.Int64
	switch l := p.LogicalType().(type) {
	case *pqschema.IntLogicalType:
		if t := intType(int(l.BitWidth()), l.IsSigned()); t != nil && (l.BitWidth() == 64) == wide {
			return t, nil
		}
	case pqschema.DateLogicalType:
		if !wide {
			return arrow.FixedWidthTypes.Date32, nil
		}
	case *pqschema.TimestampLogicalType:
		if wide {
			return timestampType(l), nil
		}
	case *pqschema.TimeLogicalType:
		switch {
		case !wide && l.TimeUnit() == pqschema.TimeUnitMillis:
			return arrow.FixedWidthTypes.Time32ms, nil
		case wide && l.TimeUnit() == pqschema.TimeUnitMicros:
			return arrow.FixedWidthTypes.Time64us, nil
		case wide && l.TimeUnit() == pqschema.TimeUnitNanos:
			return arrow.FixedWidthTypes.Time64ns, nil
		}
	case pqschema.NoLogicalType, pqschema.UnknownLogicalType, pqschema.NullLogicalType:
		if wide {
			return arrow.PrimitiveTypes.Int64, nil
		}
		return arrow.PrimitiveTypes.Int32, nil
	}
	return nil, fmt.Errorf("column %q: %s cannot be stored as %s", p.Name(), p.LogicalType(), p.PhysicalType())
}

func intType(bits int, signed bool) arrow.DataType {
	types := map[int][2]arrow.DataType{
		8:  {arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Int8},
		16: {arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Int16},
		32: {arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Int32},
		64: {arrow.PrimitiveTypes.Uint64, arrow.PrimitiveTypes.Int64},
	}
	if signed {
		return types[bits][1]
	}
	return types[bits][0]
}

func timestampType(l *pqschema.TimestampLogicalType) arrow.DataType {
	t := &arrow.TimestampType{Unit: arrow.Microsecond}
	switch l.TimeUnit() {
	case pqschema.TimeUnitMillis:
		t.Unit = arrow.Millisecond
	case pqschema.TimeUnitNanos:
		t.Unit = arrow.Nanosecond
	}
	if l.IsAdjustedToUTC() || l.IsFromConvertedType() {
		t.TimeZone = "UTC"
	}
	return t
}
