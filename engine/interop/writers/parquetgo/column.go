package main

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

// column is one column as it is given.
type column struct {
	Name      string    `json:"name"`
	Type      string    `json:"type"`      // as Arrow calls it
	Precision int       `json:"precision"` // of a decimal
	Scale     int       `json:"scale"`
	Values    []*string `json:"values"` // nil is NULL; decimals without their point, bytes as hex
}

// whole reports whether no value is NULL.
func (c column) whole() bool {
	for _, v := range c.Values {
		if v == nil {
			return false
		}
	}
	return true
}

// spelling is how a file stores what Parquet lets a writer choose.
type spelling struct {
	int96        bool // timestamps, whose annotation is left out
	decimalBytes bool // decimals as variable bytes
}

// fixed holds the types that need nothing but their name.
var fixed = map[string]func() parquet.Node{
	"bool":                  func() parquet.Node { return parquet.Leaf(parquet.BooleanType) },
	"int8":                  func() parquet.Node { return parquet.Int(8) },
	"int16":                 func() parquet.Node { return parquet.Int(16) },
	"int32":                 func() parquet.Node { return parquet.Int(32) },
	"int64":                 func() parquet.Node { return parquet.Int(64) },
	"uint8":                 func() parquet.Node { return parquet.Uint(8) },
	"uint16":                func() parquet.Node { return parquet.Uint(16) },
	"uint32":                func() parquet.Node { return parquet.Uint(32) },
	"uint64":                func() parquet.Node { return parquet.Uint(64) },
	"float":                 func() parquet.Node { return parquet.Leaf(parquet.FloatType) },
	"double":                func() parquet.Node { return parquet.Leaf(parquet.DoubleType) },
	"date32[day]":           parquet.Date,
	"time32[ms]":            func() parquet.Node { return parquet.TimeAdjusted(parquet.Millisecond, true) },
	"time64[us]":            func() parquet.Node { return parquet.TimeAdjusted(parquet.Microsecond, false) },
	"time64[ns]":            func() parquet.Node { return parquet.TimeAdjusted(parquet.Nanosecond, true) },
	"timestamp[ms]":         func() parquet.Node { return parquet.TimestampAdjusted(parquet.Millisecond, false) },
	"timestamp[us]":         func() parquet.Node { return parquet.TimestampAdjusted(parquet.Microsecond, false) },
	"timestamp[ns]":         func() parquet.Node { return parquet.TimestampAdjusted(parquet.Nanosecond, false) },
	"timestamp[ms, tz=UTC]": func() parquet.Node { return parquet.Timestamp(parquet.Millisecond) },
	"timestamp[us, tz=UTC]": func() parquet.Node { return parquet.Timestamp(parquet.Microsecond) },
	"timestamp[ns, tz=UTC]": func() parquet.Node { return parquet.Timestamp(parquet.Nanosecond) },
	"binary":                func() parquet.Node { return parquet.Leaf(parquet.ByteArrayType) },
	"fixed_size_binary[1]":  func() parquet.Node { return parquet.Leaf(parquet.FixedLenByteArrayType(1)) },
	"fixed_size_binary[4]":  func() parquet.Node { return parquet.Leaf(parquet.FixedLenByteArrayType(4)) },
	"fixed_size_binary[8]":  func() parquet.Node { return parquet.Leaf(parquet.FixedLenByteArrayType(8)) },
	"fixed_size_binary[16]": func() parquet.Node { return parquet.Leaf(parquet.FixedLenByteArrayType(16)) },
	"extension<arrow.uuid>": parquet.UUID,
	"string":                parquet.String,
}

func (s spelling) node(c column) (parquet.Node, error) {
	kind, _, _ := strings.Cut(c.Name, "__")
	switch {
	case strings.HasPrefix(c.Type, "decimal"):
		return s.decimal(c), nil
	case s.int96 && strings.HasPrefix(c.Type, "timestamp"):
		return parquet.Leaf(parquet.Int96Type), nil
	case kind == "text_json":
		return parquet.JSON(), nil
	case kind == "text_enum":
		return parquet.Enum(), nil
	}
	build, ok := fixed[c.Type]
	if !ok {
		return nil, fmt.Errorf("column %s: no node for %s", c.Name, c.Type)
	}
	return build(), nil
}

func (s spelling) decimal(c column) parquet.Node {
	switch {
	case s.decimalBytes:
		return parquet.Decimal(c.Scale, c.Precision, parquet.ByteArrayType)
	case c.Precision <= 9:
		return parquet.Decimal(c.Scale, c.Precision, parquet.Int32Type)
	case c.Precision <= 18:
		return parquet.Decimal(c.Scale, c.Precision, parquet.Int64Type)
	}
	return parquet.Decimal(c.Scale, c.Precision, parquet.FixedLenByteArrayType(16))
}

// value is a column's value of one row, as the node of its type stores it.
func (s spelling) value(c column, row int) (parquet.Value, error) {
	given := c.Values[row]
	if given == nil {
		return parquet.NullValue(), nil
	}
	node, err := s.node(c)
	if err != nil {
		return parquet.Value{}, err
	}
	v, err := stored(node.Type().Kind(), node.Type().Length(), c, *given)
	if err != nil {
		return v, fmt.Errorf("column %s: %q: %w", c.Name, *given, err)
	}
	return v, nil
}

func stored(kind parquet.Kind, length int, c column, given string) (parquet.Value, error) {
	switch kind {
	case parquet.Boolean:
		return parquet.BooleanValue(given == "True"), nil
	case parquet.Int32:
		v, err := strconv.ParseInt(given, 10, 64) // of uint32, the bits count
		return parquet.Int32Value(int32(v)), err
	case parquet.Int64:
		if c.Type == "uint64" {
			v, err := strconv.ParseUint(given, 10, 64)
			return parquet.Int64Value(int64(v)), err
		}
		v, err := strconv.ParseInt(given, 10, 64)
		return parquet.Int64Value(v), err
	case parquet.Int96:
		v, err := strconv.ParseInt(given, 10, 64)
		return parquet.Int96Value(int96(v, c.Type)), err
	case parquet.Float:
		v, err := strconv.ParseFloat(given, 32)
		return parquet.FloatValue(float32(v)), err
	case parquet.Double:
		v, err := strconv.ParseFloat(given, 64)
		return parquet.DoubleValue(v), err
	}
	raw := []byte(given)
	switch {
	case c.Precision > 0:
		raw = twosComplement(given, length)
	case c.Type != "string":
		var err error
		if raw, err = hex.DecodeString(given); err != nil {
			return parquet.Value{}, err
		}
	}
	if kind == parquet.FixedLenByteArray {
		return parquet.FixedLenByteArrayValue(raw), nil
	}
	return parquet.ByteArrayValue(raw), nil
}

// int96 is a timestamp as nanoseconds of a day and the day's Julian number.
func int96(count int64, unit string) deprecated.Int96 {
	perDay := int64(86_400_000_000_000)
	for name, nanos := range map[string]int64{"[ms": 1_000_000, "[us": 1_000} {
		if strings.Contains(unit, name) {
			perDay /= nanos
		}
	}
	day := count / perDay
	rest := count % perDay
	if rest < 0 {
		day, rest = day-1, rest+perDay
	}
	nanos := rest * (86_400_000_000_000 / perDay)
	return deprecated.Int96{uint32(nanos), uint32(nanos >> 32), uint32(day + 2_440_588)}
}

// twosComplement is a whole number, highest byte first: in so many bytes, or in as few as hold it where length is 0.
func twosComplement(digits string, length int) []byte {
	n, _ := new(big.Int).SetString(digits, 10)
	if length <= 0 {
		length = n.BitLen()/8 + 1
	}
	if n.Sign() < 0 {
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*length)))
	}
	return n.FillBytes(make([]byte, length))
}
