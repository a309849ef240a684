package fakeserver

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"cdcseed/fakeserver/tds"
)

// cell reads one JSON value as a value of c's type, in the form that tds
// sends. A value that SQL Server would change on the way in is refused,
// except that datetime is rounded to its ticks and fixed lengths are padded.
func (c *column) cell(raw json.RawMessage) (any, error) {
	raw = bytes.TrimSpace(raw)
	if string(raw) == "null" {
		if !c.nullable {
			return nil, fmt.Errorf("column %s is not nullable", c.name)
		}
		return nil, nil
	}
	v, err := c.typ.read(raw)
	if err != nil {
		return nil, err
	}
	return c.pad(v), nil
}

// pad fills up a fixed length value as SQL Server stores it.
func (c *column) pad(v any) any {
	if !c.padded {
		return v
	}
	switch x := v.(type) {
	case string:
		if n := c.typ.length - textLength(c.typ, x); n > 0 && (c.typ.name == "char" || c.typ.name == "nchar") {
			return x + strings.Repeat(" ", n)
		}
	case []byte:
		if n := c.typ.length - len(x); n > 0 && c.typ.name == "binary" {
			return append(x, make([]byte, n)...)
		}
	}
	return v
}

// read is the value of a JSON literal that is not null.
func (t dataType) read(raw json.RawMessage) (any, error) {
	var s string
	isString := json.Unmarshal(raw, &s) == nil
	text := string(raw)
	bad := fmt.Errorf("%s is not a value of type %s", short(raw), t)
	if isString {
		text = s
	}
	switch t.name {
	case "bit":
		return readBit(string(raw), bad)
	case "tinyint", "smallint", "int", "bigint":
		return readInt(t, text, bad)
	case "decimal", "numeric":
		return readDecimal(text, t.precision, t.scale, bad)
	case "money", "smallmoney":
		return readMoney(t, text, bad)
	case "real", "float":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || t.name == "real" && math.Abs(f) > math.MaxFloat32 {
			return nil, bad
		}
		if t.name == "real" {
			f = float64(float32(f))
		}
		return f, nil
	case "sql_variant":
		return readVariant(raw, bad)
	}
	if !isString {
		return nil, bad
	}
	switch t.name {
	case "date", "time", "smalldatetime", "datetime", "datetime2", "datetimeoffset":
		return t.readTime(s)
	case "uniqueidentifier":
		return readGUID(s, bad)
	case "binary", "varbinary", "image", "timestamp", "hierarchyid", "geometry", "geography":
		return t.readBytes(s, bad)
	}
	if n := textLength(t, s); t.length > 0 && n > t.length {
		return nil, fmt.Errorf("%s is longer than %s", short(raw), t)
	}
	return s, nil
}

// textLength is the length that counts for t's limit: bytes of a code page
// for char and varchar, UTF-16 units for the n-types.
func textLength(t dataType, s string) int {
	if t.name == "nchar" || t.name == "nvarchar" || t.name == "sysname" {
		return len(utf16.Encode([]rune(s)))
	}
	return len([]rune(s)) // one byte each in the code page
}

func readBit(text string, bad error) (any, error) {
	switch text {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return nil, bad
}

func readInt(t dataType, text string, bad error) (any, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, bad
	}
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	switch t.name {
	case "tinyint":
		lo, hi = 0, 255
	case "smallint":
		lo, hi = math.MinInt16, math.MaxInt16
	case "int":
		lo, hi = math.MinInt32, math.MaxInt32
	}
	if n < lo || n > hi {
		return nil, bad
	}
	return n, nil
}

// readDecimal reads plain digits and answers the unscaled integer.
func readDecimal(text string, precision, scale int, bad error) (any, error) {
	whole, frac, _ := strings.Cut(text, ".")
	digits := strings.TrimPrefix(whole, "-") + frac
	if digits == "" || strings.Trim(digits, "0123456789") != "" || len(frac) > scale {
		return nil, bad
	}
	n, ok := new(big.Int).SetString(digits+strings.Repeat("0", scale-len(frac)), 10)
	if !ok || len(n.String()) > precision {
		return nil, bad
	}
	if strings.HasPrefix(whole, "-") {
		n.Neg(n)
	}
	return n, nil
}

func readMoney(t dataType, text string, bad error) (any, error) {
	v, err := readDecimal(text, 19, 4, bad)
	if err != nil {
		return nil, err
	}
	n, _ := v.(*big.Int)
	if !n.IsInt64() || t.name == "smallmoney" && n.Int64() != int64(int32(n.Int64())) {
		return nil, bad
	}
	return tds.MoneyVal(n.Int64()), nil
}

func readVariant(raw json.RawMessage, bad error) (any, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, bad
	}
	switch x := v.(type) {
	case string, bool:
		return x, nil
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n, nil
		}
		if f, err := x.Float64(); err == nil {
			return f, nil
		}
	}
	return nil, bad
}

func readGUID(s string, bad error) (any, error) {
	var g tds.GUID
	b, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	if err != nil || len(b) != 16 || len(s) != 36 {
		return nil, bad
	}
	copy(g[:], b)
	return g, nil
}

func (t dataType) readBytes(s string, bad error) (any, error) {
	h, ok := strings.CutPrefix(s, "0x")
	b, err := hex.DecodeString(h)
	if !ok || err != nil || t.length > 0 && len(b) > t.length || t.isRowVersion() && len(b) != 8 {
		return nil, bad
	}
	return b, nil
}

// readTime reads ISO text. datetime takes at most three digits of fraction,
// as SQL Server does, and is rounded to a tick.
func (t dataType) readTime(s string) (any, error) {
	layout, digits := "2006-01-02T15:04:05", t.scale
	switch t.name {
	case "date":
		layout, digits = "2006-01-02", 0
	case "time":
		layout = "15:04:05"
	case "smalldatetime":
		digits = 0
	case "datetime":
		digits = 3
	case "datetimeoffset":
		layout += "Z07:00"
	}
	v, err := time.Parse(layout, s)
	if err != nil || fractionDigits(s) > digits {
		return nil, fmt.Errorf("%q is not a %s written as %s with at most %d digits of fraction", s, t, layout, digits)
	}
	switch t.name {
	case "time":
		v = v.AddDate(1900, 0, 0)
	case "smalldatetime":
		if v.Second() != 0 {
			return nil, fmt.Errorf("%q has seconds, smalldatetime does not", s)
		}
	case "datetime":
		v = toDateTime(v)
	}
	return v, nil
}

// toDateTime is what a datetime column holds of t: the nearest 1/300 s.
func toDateTime(t time.Time) time.Time { return tds.FromTicks(tds.Ticks(wallClock(t))) }

func fractionDigits(s string) int {
	_, frac, ok := strings.Cut(s, ".")
	if !ok {
		return 0
	}
	return len(frac) - len(strings.TrimLeft(frac, "0123456789"))
}

// String is the type as a person writes it.
func (t dataType) String() string {
	size := strconv.Itoa(t.length)
	if t.length < 0 {
		size = "max"
	}
	switch t.name {
	case "decimal", "numeric":
		return fmt.Sprintf("%s(%d,%d)", t.name, t.precision, t.scale)
	case "time", "datetime2", "datetimeoffset":
		return fmt.Sprintf("%s(%d)", t.name, t.scale)
	case "char", "varchar", "nchar", "nvarchar", "binary", "varbinary":
		return t.name + "(" + size + ")"
	}
	return t.name
}
