package footer

import (
	"fmt"

	"cdcseed/engine/schema"
	"cdcseed/engine/splice/footer/thrift"
)

// The members of the union LogicalType.
const (
	logicalString    = 1
	logicalMap       = 2
	logicalList      = 3
	logicalEnum      = 4
	logicalDecimal   = 5
	logicalDate      = 6
	logicalTime      = 7
	logicalTimestamp = 8
	logicalInteger   = 10
	logicalJSON      = 12
	logicalBSON      = 13
	logicalUUID      = 14
	logicalFloat16   = 15
)

// plainLogical are the annotations without parameters.
var plainLogical = map[int16]string{
	logicalString: "STRING", logicalEnum: "ENUM", logicalDate: "DATE", logicalJSON: "JSON",
	logicalBSON: "BSON", logicalUUID: "UUID", logicalFloat16: "FLOAT16",
}

// units are the members of the union TimeUnit, from 1.
var units = []string{"MILLIS", "MICROS", "NANOS"}

// The ConvertedType numbers, the annotations of before logical types.
var converted = map[int64]schema.CopyColumn{
	0: {Logical: "STRING"}, 4: {Logical: "ENUM"}, 5: {Logical: "DECIMAL"}, 6: {Logical: "DATE"},
	7: {Logical: "TIME", Unit: "MILLIS", UTC: true}, 8: {Logical: "TIME", Unit: "MICROS", UTC: true},
	9: {Logical: "TIMESTAMP", Unit: "MILLIS", UTC: true}, 10: {Logical: "TIMESTAMP", Unit: "MICROS", UTC: true},
	11: {Logical: "INT", Bits: 8, Unsigned: true}, 12: {Logical: "INT", Bits: 16, Unsigned: true},
	13: {Logical: "INT", Bits: 32, Unsigned: true}, 14: {Logical: "INT", Bits: 64, Unsigned: true},
	15: {Logical: "INT", Bits: 8}, 16: {Logical: "INT", Bits: 16}, 17: {Logical: "INT", Bits: 32}, 18: {Logical: "INT", Bits: 64},
	19: {Logical: "JSON"}, 20: {Logical: "BSON"},
}

// Describe tells the field as the casts know columns. Groups, and fields that
// repeat, are nested. A logical type wins over a converted type beside it.
func (n *Node) Describe() schema.CopyColumn {
	if !n.IsLeaf() || n.Repetition() == Repeated {
		return schema.CopyColumn{Name: n.Name(), Physical: NoType.String()}
	}
	c, ok := n.logical()
	if v := n.s.Get(elementConverted); !ok && v.Kind() != thrift.Stop {
		c = converted[v.Int()]
		if c.Logical == "DECIMAL" {
			c.Precision, c.Scale = int(n.s.Int(elementPrecision, 0)), int(n.s.Int(elementScale, 0))
		}
	}
	c.Name, c.Physical = n.Name(), n.Physical().String()
	if n.Physical() == FixedBytes {
		c.Length = n.Length()
	}
	return c
}

// logical is what the field's logical type says; ok is false where it has none.
func (e Element) logical() (c schema.CopyColumn, ok bool) {
	l := e.s.Struct(elementLogical)
	if l == nil {
		return c, false
	}
	for id, v := range l.All() {
		in := v.Struct()
		switch id {
		case logicalDecimal:
			c = schema.CopyColumn{Logical: "DECIMAL", Scale: int(in.Int(1, 0)), Precision: int(in.Int(2, 0))}
		case logicalInteger:
			c = schema.CopyColumn{Logical: "INT", Bits: int(in.Int(1, 0)), Unsigned: !in.Get(2).Truth()}
		case logicalTime, logicalTimestamp:
			c = schema.CopyColumn{Logical: "TIME", UTC: in.Get(1).Truth()}
			if id == logicalTimestamp {
				c.Logical = "TIMESTAMP"
			}
			for i, u := range units {
				if in.Struct(2).Has(int16(i + 1)) {
					c.Unit = u
				}
			}
		default:
			c = schema.CopyColumn{Logical: plainLogical[id]}
		}
		return c, true
	}
	return c, true
}

// Annotate gives the leaf the logical type that c describes, and the converted
// type that older readers know it by, where there is one. Physical type,
// repetition and name stay.
func (e Element) Annotate(c schema.CopyColumn) error {
	e.s.Delete(elementConverted, elementScale, elementPrecision, elementLogical)
	if c.Logical == "" {
		return nil
	}
	id, in, err := annotation(c)
	if err != nil {
		return fmt.Errorf("column %q: %w", e.Name(), err)
	}
	union := &thrift.Struct{}
	union.Set(id, thrift.Of(in))
	e.s.Set(elementLogical, thrift.Of(union))
	if c.Logical == "DECIMAL" {
		e.s.Set(elementScale, thrift.Int32(int32(c.Scale)))
		e.s.Set(elementPrecision, thrift.Int32(int32(c.Precision)))
	}
	for n, old := range converted {
		if old.Logical == c.Logical && old.Unit == c.Unit && old.UTC == c.UTC && old.Bits == c.Bits && old.Unsigned == c.Unsigned {
			e.s.Set(elementConverted, thrift.Int32(int32(n)))
		}
	}
	return nil
}

func annotation(c schema.CopyColumn) (id int16, in *thrift.Struct, err error) {
	in = &thrift.Struct{}
	switch c.Logical {
	case "DECIMAL":
		in.Set(1, thrift.Int32(int32(c.Scale)))
		in.Set(2, thrift.Int32(int32(c.Precision)))
		return logicalDecimal, in, nil
	case "INT":
		in.Set(1, thrift.Int8(int8(c.Bits)))
		in.Set(2, thrift.Bool(!c.Unsigned))
		return logicalInteger, in, nil
	case "TIME", "TIMESTAMP":
		unit := &thrift.Struct{}
		for i, u := range units {
			if u == c.Unit {
				unit.Set(int16(i+1), thrift.Of(&thrift.Struct{}))
			}
		}
		in.Set(1, thrift.Bool(c.UTC))
		in.Set(2, thrift.Of(unit))
		if c.Logical == "TIME" {
			return logicalTime, in, nil
		}
		return logicalTimestamp, in, nil
	}
	for id, name := range plainLogical {
		if name == c.Logical {
			return id, in, nil
		}
	}
	return 0, nil, fmt.Errorf("no annotation is called %q", c.Logical)
}
