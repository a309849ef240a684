package parquetfile

import (
	"fmt"

	"cdcseed/engine/schema"

	"github.com/apache/arrow/go/v17/parquet"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// leaves counts the primitive columns at or below n.
func leaves(n pqschema.Node) int {
	g, ok := n.(*pqschema.GroupNode)
	if !ok {
		return 1
	}
	sum := 0
	for i := range g.NumFields() {
		sum += leaves(g.Field(i))
	}
	return sum
}

// describe tells a top-level column as schema values. A repeated primitive
// without annotation is a list, so it is nested.
func describe(n pqschema.Node) (schema.CopyColumn, error) {
	p, ok := n.(*pqschema.PrimitiveNode)
	if !ok || n.RepetitionType() == parquet.Repetitions.Repeated {
		return schema.CopyColumn{Name: n.Name(), Physical: "GROUP"}, nil
	}
	c := schema.CopyColumn{Name: n.Name(), Physical: p.PhysicalType().String()}
	if p.PhysicalType() == parquet.Types.FixedLenByteArray {
		if p.TypeLength() < 1 {
			return c, fmt.Errorf("column %q: fixed length of %d bytes", c.Name, p.TypeLength())
		}
		c.Length = p.TypeLength()
	}
	switch l := p.LogicalType().(type) {
	case *pqschema.DecimalLogicalType:
		c.Logical, c.Precision, c.Scale = "DECIMAL", int(l.Precision()), int(l.Scale())
	case *pqschema.IntLogicalType:
		c.Logical, c.Bits, c.Unsigned = "INT", int(l.BitWidth()), !l.IsSigned()
	case *pqschema.TimestampLogicalType:
		// A file of before logical types says with its converted type that values are instants.
		c.Logical, c.Unit, c.UTC = "TIMESTAMP", unit(l.TimeUnit()), l.IsAdjustedToUTC() || l.IsFromConvertedType()
	case *pqschema.TimeLogicalType:
		c.Logical, c.Unit, c.UTC = "TIME", unit(l.TimeUnit()), l.IsAdjustedToUTC()
	case pqschema.StringLogicalType:
		c.Logical = "STRING"
	case pqschema.EnumLogicalType:
		c.Logical = "ENUM"
	case pqschema.JSONLogicalType:
		c.Logical = "JSON"
	case pqschema.BSONLogicalType:
		c.Logical = "BSON"
	case pqschema.UUIDLogicalType:
		c.Logical = "UUID"
	case pqschema.DateLogicalType:
		c.Logical = "DATE"
	case pqschema.Float16LogicalType:
		c.Logical = "FLOAT16"
	case pqschema.IntervalLogicalType:
		c.Logical = "INTERVAL"
	case pqschema.NullLogicalType:
		c.Logical = "NULL"
	}
	return c, nil
}

func unit(u pqschema.TimeUnitType) string {
	switch u {
	case pqschema.TimeUnitMillis:
		return "MILLIS"
	case pqschema.TimeUnitMicros:
		return "MICROS"
	case pqschema.TimeUnitNanos:
		return "NANOS"
	default:
		return ""
	}
}
