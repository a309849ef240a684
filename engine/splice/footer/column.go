package footer

import (
	"math/big"
	"strconv"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
)

// Column is the entry of a leaf in the statistics of a Delta table, for a
// column of type t that holds the leaf's bytes as they are. What the footer does
// not tell for sure is left out: a missing entry is always right, a wrong one loses rows.
func (f *Footer) Column(leaf int, name string, t schema.Type) parquetfile.ColumnBounds {
	out := parquetfile.ColumnBounds{Name: name, Nulls: -1}
	if n, known := f.NullCount(leaf); known {
		out.Nulls = n
	}
	b, ok := f.Bounds(leaf)
	if !ok {
		return out
	}
	out.Low, out.High = b.texts(f.leaves[leaf].Describe(), t)
	if t.Kind == schema.String {
		return out
	}
	// Engines answer for the least and greatest value from these bounds, where
	// they are numbers or days: one that is no value of the column would be wrong.
	if !b.MinExact {
		out.Low = ""
	}
	if !b.MaxExact {
		out.High = ""
	}
	return out
}

// texts are the bounds as a column of type t shows the bytes of c, each empty
// where it has none.
func (b Bounds) texts(c schema.CopyColumn, t schema.Type) (low, high string) {
	switch {
	case t.Kind == schema.String && b.order == byBytes:
		return parquetfile.LowText(string(b.Min)), parquetfile.HighText(string(b.Max))
	case t.Kind == schema.Decimal && c.Logical == "DECIMAL" && c.Scale == t.Scale:
		return b.decimals(t)
	}
	lo, hi, ok := b.Int64s()
	switch {
	case t.Kind == schema.Boolean && c.Physical == "BOOLEAN":
		return strconv.FormatBool(b.Min[0] != 0), strconv.FormatBool(b.Max[0] != 0)
	case !ok:
		return "", ""
	case whole[t.Kind] > 0 && (c.Logical == "" || c.Logical == "INT"):
		return integer(lo, whole[t.Kind]), integer(hi, whole[t.Kind])
	case t.Kind == schema.Date && c.Physical == "INT32" && (c.Logical == "" || c.Logical == "DATE"):
		return parquetfile.DateBound(lo), parquetfile.DateBound(hi)
	case (t.Kind == schema.Timestamp || t.Kind == schema.TimestampNTZ) && c.Physical == "INT64" &&
		(c.Logical == "" || c.Logical == "TIMESTAMP" && c.Unit == "MICROS"):
		utc := t.Kind == schema.Timestamp
		return parquetfile.TimestampBound(lo, false, utc), parquetfile.TimestampBound(hi, true, utc)
	}
	return "", ""
}

// whole is the bits of the whole numbers.
var whole = map[schema.Kind]int{schema.Short: 16, schema.Integer: 32, schema.Long: 64}

// integer is a bound of so many bits, or nothing where it has more: the file
// then is not what its schema says.
func integer(v int64, bits int) string {
	if spare := 64 - bits; v<<spare>>spare != v {
		return ""
	}
	return strconv.FormatInt(v, 10)
}

// decimals are the bounds of a decimal, or nothing where one has more digits
// than the type.
func (b Bounds) decimals(t schema.Type) (low, high string) {
	lo, hi, ok := b.Unscaled()
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Precision)), nil)
	if !ok || lo.CmpAbs(limit) >= 0 || hi.CmpAbs(limit) >= 0 {
		return "", ""
	}
	return parquetfile.DecimalBound(lo, t.Scale), parquetfile.DecimalBound(hi, t.Scale)
}
