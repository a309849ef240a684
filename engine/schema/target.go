package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is a primitive type of a Delta table.
type Kind string

// The kinds that a bronze or facts table holds, by Delta's names.
const (
	Boolean      Kind = "boolean"
	Short        Kind = "short"
	Integer      Kind = "integer"
	Long         Kind = "long"
	Float        Kind = "float"
	Double       Kind = "double"
	Decimal      Kind = "decimal"
	Date         Kind = "date"
	TimestampNTZ Kind = "timestamp_ntz"
	Timestamp    Kind = "timestamp"
	String       Kind = "string"
	Binary       Kind = "binary"
)

// Type is a column's type in the target. Precision and Scale belong to Decimal alone.
type Type struct {
	Kind      Kind
	Precision int
	Scale     int
}

// DecimalOf is decimal(p,s).
func DecimalOf(p, s int) Type { return Type{Kind: Decimal, Precision: p, Scale: s} }

// Delta is the type's name in a Delta schema: "long", "decimal(10,2)".
func (t Type) Delta() string {
	if t.Kind == Decimal {
		return fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)
	}
	return string(t.Kind)
}

// String is the type as Spark's DDL writes it: BIGINT, DECIMAL(10,2), TIMESTAMP_NTZ.
func (t Type) String() string {
	switch t.Kind {
	case Short:
		return "SMALLINT"
	case Integer:
		return "INT"
	case Long:
		return "BIGINT"
	default:
		return strings.ToUpper(t.Delta())
	}
}

// ParseDelta reads a primitive type's name in a Delta schema. A name that no
// bronze table uses (byte, void, variant, a nested type) is an error.
func ParseDelta(s string) (Type, error) {
	if inner, ok := strings.CutPrefix(s, "decimal("); ok {
		inner, ok = strings.CutSuffix(inner, ")")
		ps, ss, comma := strings.Cut(inner, ",")
		p, errP := strconv.Atoi(strings.TrimSpace(ps))
		sc, errS := strconv.Atoi(strings.TrimSpace(ss))
		if !ok || !comma || errP != nil || errS != nil || p < 1 || p > 38 || sc < 0 || sc > p {
			return Type{}, fmt.Errorf("%q is not a decimal type", s)
		}
		return DecimalOf(p, sc), nil
	}
	switch k := Kind(s); k {
	case Boolean, Short, Integer, Long, Float, Double, Date, TimestampNTZ, Timestamp, String, Binary:
		return Type{Kind: k}, nil
	case Decimal:
		return DecimalOf(10, 0), nil
	}
	return Type{}, fmt.Errorf("type %q is none that a bronze table has", s)
}

// MarshalText writes the Delta name.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.Delta()), nil }

// UnmarshalText reads the Delta name.
func (t *Type) UnmarshalText(b []byte) (err error) {
	*t, err = ParseDelta(string(b))
	return err
}

// Holds reports whether every value of old is a value of t, by the stream's
// rule for a column that two capture instances type differently (contract 3).
func (t Type) Holds(old Type) bool {
	if t == old {
		return true
	}
	rank := map[Kind]int{Short: 1, Integer: 2, Long: 3}
	digits := map[Kind]int{Short: 5, Integer: 10, Long: 20}
	switch t.Kind {
	case Integer, Long:
		return rank[old.Kind] > 0 && rank[old.Kind] < rank[t.Kind]
	case Double:
		return old.Kind == Float || old.Kind == Short || old.Kind == Integer
	case TimestampNTZ:
		return old.Kind == Date
	case Decimal:
		if old.Kind == Decimal {
			return t.Scale >= old.Scale && t.Precision-t.Scale >= old.Precision-old.Scale
		}
		return rank[old.Kind] > 0 && t.Precision-t.Scale >= digits[old.Kind]
	default:
		return false
	}
}
