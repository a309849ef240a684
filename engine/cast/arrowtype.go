package cast

import (
	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/schema"
)

// ArrowType is the Arrow type that a caster makes for a target type. A type
// without a kind has none: nil.
func ArrowType(t schema.Type) arrow.DataType {
	switch t.Kind {
	case schema.Boolean:
		return arrow.FixedWidthTypes.Boolean
	case schema.Short:
		return arrow.PrimitiveTypes.Int16
	case schema.Integer:
		return arrow.PrimitiveTypes.Int32
	case schema.Long:
		return arrow.PrimitiveTypes.Int64
	case schema.Float:
		return arrow.PrimitiveTypes.Float32
	case schema.Double:
		return arrow.PrimitiveTypes.Float64
	case schema.Decimal:
		return &arrow.Decimal128Type{Precision: int32(t.Precision), Scale: int32(t.Scale)}
	case schema.Date:
		return arrow.FixedWidthTypes.Date32
	case schema.TimestampNTZ:
		return &arrow.TimestampType{Unit: arrow.Microsecond}
	case schema.Timestamp:
		return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}
	case schema.String:
		return arrow.BinaryTypes.String
	case schema.Binary:
		return arrow.BinaryTypes.Binary
	}
	return nil
}
