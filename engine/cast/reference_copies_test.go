package cast_test

import (
	"math"
	"math/big"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/schema"
)

// only is one column type for all picks.
func only(c ...schema.CopyColumn) func(a, b byte) schema.CopyColumn {
	return func(a, _ byte) schema.CopyColumn { return c[int(a)%len(c)] }
}

func picks(n int) [][2]byte {
	out := make([][2]byte, n)
	for i := range out {
		out[i][0] = byte(i)
	}
	return out
}

func oneArray(c schema.CopyColumn) []arrow.DataType { return []arrow.DataType{arrowOf(c)} }

func intCol(bits int, unsigned bool) schema.CopyColumn {
	physical := "INT32"
	if bits == 64 {
		physical = "INT64"
	}
	return schema.CopyColumn{Physical: physical, Logical: "INT", Bits: bits, Unsigned: unsigned}
}

// bitsOf is the width of a whole-number column.
func bitsOf(c schema.CopyColumn) uint {
	switch {
	case c.Bits > 0:
		return uint(c.Bits)
	case c.Physical == "INT64":
		return 64
	}
	return 32
}

func integers() copyKind {
	cols := []schema.CopyColumn{intCol(8, false), intCol(16, false), intCol(32, false), intCol(64, false), intCol(8, true), intCol(16, true), intCol(32, true), intCol(64, true), int32Col, int64Col}
	return copyKind{
		column: only(cols...), picks: picks(len(cols)), arrays: oneArray,
		edges: remembered(func(c schema.CopyColumn) []any {
			var out []any
			for _, v := range wholeEdges() {
				if w := wrap(v, bitsOf(c), c.Unsigned); w.Cmp(v) == 0 {
					out = append(out, w)
				}
			}
			return out
		}),
		raw: func(c schema.CopyColumn, t *tape) any { return wrap(big.NewInt(t.int64()), bitsOf(c), c.Unsigned) },
		near: func(c schema.CopyColumn, v any, by int64) any {
			return wrap(new(big.Int).Add(v.(*big.Int), big.NewInt(by)), bitsOf(c), c.Unsigned)
		},
	}
}

// wholeEdges are the ends of every whole type and their neighbours, and where
// floating-point numbers stop being exact.
func wholeEdges() []*big.Int {
	var out []*big.Int
	for _, bits := range []uint{0, 7, 8, 15, 16, 24, 25, 31, 32, 53, 54, 62, 63, 64} {
		top := new(big.Int).Lsh(big.NewInt(1), bits)
		for by := int64(-2); by <= 2; by++ {
			v := new(big.Int).Add(top, big.NewInt(by))
			out = append(out, v, new(big.Int).Neg(v))
		}
	}
	for k := int64(1); k < 20; k++ {
		p := bigPow(10, k)
		out = append(out, p, new(big.Int).Sub(p, big.NewInt(1)), new(big.Int).Neg(p))
	}
	return out
}

func decimals() copyKind {
	return copyKind{
		column: func(a, b byte) schema.CopyColumn {
			p := 1 + int(a)%76
			return decimalCol(p, int(b)%(p+1))
		},
		picks:  [][2]byte{{9, 2}, {8, 0}, {17, 4}, {17, 18}, {18, 0}, {37, 0}, {37, 2}, {37, 10}, {37, 38}, {39, 2}, {75, 0}, {75, 38}, {75, 76}, {0, 1}},
		arrays: oneArray,
		edges:  remembered(decimalEdges),
		raw: func(c schema.CopyColumn, t *tape) any {
			v := big.NewInt(t.int64())
			for range t.pick(4) {
				v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(t.bits()))
			}
			return clampDecimal(c, v)
		},
		near: func(c schema.CopyColumn, v any, by int64) any {
			return clampDecimal(c, new(big.Int).Add(v.(*big.Int), big.NewInt(by)))
		},
	}
}

// clampDecimal keeps the digits that the column's precision has room for.
func clampDecimal(c schema.CopyColumn, v *big.Int) *big.Int {
	return new(big.Int).Rem(v, bigPow(10, int64(c.Precision)))
}

func decimalEdges(c schema.CopyColumn) []any {
	var out []any
	add := func(v *big.Int) {
		if v.CmpAbs(bigPow(10, int64(c.Precision))) < 0 {
			out = append(out, v, new(big.Int).Neg(v))
		}
	}
	for k := int64(0); k <= int64(c.Precision); k++ {
		p := bigPow(10, k)
		for _, times := range []int64{1, 5, 9} {
			m := new(big.Int).Mul(p, big.NewInt(times))
			add(m)
			add(new(big.Int).Sub(m, big.NewInt(1)))
			add(new(big.Int).Add(m, big.NewInt(1)))
		}
	}
	unit := bigPow(10, int64(c.Scale))
	for _, v := range wholeEdges() { // at the point, and a half and a digit beside it
		if v.Sign() <= 0 {
			continue
		}
		m := new(big.Int).Mul(v, unit)
		add(m)
		add(new(big.Int).Add(m, new(big.Int).Rsh(unit, 1)))
		add(new(big.Int).Add(m, big.NewInt(1)))
	}
	for _, s := range []string{"9223372036854775807", "9223372036854775808", "2147483647", "2147483648", "170141183460469231731687303715884105727", "170141183460469231731687303715884105728", "1701411834604692317316873037158841057285"} {
		v, _ := new(big.Int).SetString(s, 10)
		add(v)
		add(new(big.Int).Mul(v, big.NewInt(100)))
	}
	add(big.NewInt(0))
	return spread(out)
}

// spread thins edges out to what one batch holds.
func spread(in []any) []any {
	for len(in) > mostValues {
		var out []any
		for i, v := range in {
			if i%3 != 2 {
				out = append(out, v)
			}
		}
		in = out
	}
	return in
}

func floats() copyKind {
	return copyKind{
		column: only(halfCol, floatCol, doubleCol), picks: picks(3), arrays: oneArray,
		edges: remembered(func(c schema.CopyColumn) []any {
			var out []any
			for _, v := range floatEdges() {
				out = append(out, narrowTo(c, v))
			}
			return spread(out)
		}),
		raw: func(c schema.CopyColumn, t *tape) any {
			if t.pick(2) == 0 {
				return narrowTo(c, math.Float64frombits(t.bits()|uint64(t.byte())<<56))
			}
			return narrowTo(c, float64(t.int64())/math.Pow10(t.pick(12)))
		},
		near: func(c schema.CopyColumn, v any, by int64) any {
			return narrowTo(c, math.Float64frombits(math.Float64bits(v.(float64))+uint64(by)))
		},
	}
}

// narrowTo is the number of the column's width that is nearest to v.
func narrowTo(c schema.CopyColumn, v float64) float64 {
	switch {
	case c.Physical == "FLOAT":
		return float64(float32(v))
	case c.Logical == "FLOAT16":
		return halfNear(v)
	}
	return v
}

// halfNear keeps eleven significant bits by cutting, which is enough to make
// values of half precision.
func halfNear(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) || v == 0 {
		return v
	}
	frac, exp := math.Frexp(v)
	if exp > 16 {
		return math.Copysign(65504, v)
	}
	keep := 11
	if exp < -13 {
		keep = 11 + exp + 13
	}
	if keep <= 0 {
		return math.Copysign(0, v)
	}
	return math.Ldexp(math.Trunc(math.Ldexp(frac, keep)), exp-keep)
}

// halfBits are the bits of a number of half precision: a sign, five bits of
// exponent, ten of fraction.
func halfBits(v float64) uint16 {
	bits := uint16(math.Float64bits(v) >> 48 & 0x8000)
	switch v = math.Abs(v); {
	case math.IsNaN(v):
		return bits | 0x7e00
	case math.IsInf(v, 0):
		return bits | 0x7c00
	case v < 0x1p-14:
		return bits | uint16(v*0x1p24)
	}
	frac, exp := math.Frexp(v)
	return bits | uint16(exp+14)<<10 | uint16((frac*2-1)*0x1p10)
}

func floatEdges() []float64 {
	out := []float64{
		0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat32,
		math.MaxFloat64, math.MaxFloat32, 0x1p-1022, 0x1p-126, 0x1p-14, 0x1p-15, 0x1.8p-24, 0x1p-24, 0x1.ff8p-15, 65504, 65520, 3.4028235677973366e38, 3.4028235677973362e38,
		0.1, 0.2, 0.3, 0.5, 1.005, 1.015, 2.675, 0.005, 0.015, 0.00005, 1e-7, 1e-38, 1e38, 9.999999999999999e37, 1e39, 1.7014118346046923e38,
		123456789.125, 12345678.905, 99999.99499999999, 99999.995, 99999999.995, 922337203685477.5, 922337203685477.6, 214748.3647, 214748.3648, 1e22, 1e23,
		5.684341886080801e-14, 5.684341886080802e-14, 9007199254740993, 4503599627370496.5, 0.49999999999999994, 32767.5, 40000.5, 255.5, -0.5, -0.4,
		float64(float32(0.1)), float64(float32(16777217)), 16777217, 16777219, 1 + 0x1p-24, 1 + 0x1p-24 + 0x1p-52, 1 + 0x3p-24,
	}
	for _, v := range wholeEdges() {
		f, _ := new(big.Float).SetInt(v).Float64()
		out = append(out, f, f+0.5, f-0.5)
	}
	var all []float64
	for _, v := range out {
		all = append(all, v, -v)
	}
	return all
}

func booleans() copyKind {
	return copyKind{
		column: only(boolCol), picks: picks(1), arrays: oneArray,
		edges: func(schema.CopyColumn) []any { return []any{true, false, false, true, true, true, false, true, false} },
		raw:   func(_ schema.CopyColumn, t *tape) any { return t.byte()&1 == 1 },
	}
}

// textArrays are the ways in which Arrow holds text.
func textArrays(schema.CopyColumn) []arrow.DataType {
	return []arrow.DataType{arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}}
}

// texts is text with edge values of one sort; make forms one from bytes.
func texts(edges []string, make func(t *tape) string) copyKind {
	return copyKind{
		column: only(textCol, partCol), picks: picks(2), arrays: textArrays,
		edges: func(schema.CopyColumn) []any { return anyOf(edges) },
		raw: func(_ schema.CopyColumn, t *tape) any {
			if t.pick(2) == 0 {
				return t.text(40)
			}
			return make(t)
		},
	}
}

// byteTexts is the same without an annotation that says it is text.
func byteTexts(edges []string) copyKind {
	return copyKind{
		column: only(bytesCol), picks: picks(1),
		arrays: func(schema.CopyColumn) []arrow.DataType {
			return []arrow.DataType{arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary}
		},
		edges: func(schema.CopyColumn) []any { return anyOf(edges) },
		raw:   func(_ schema.CopyColumn, t *tape) any { return t.text(60) },
	}
}

// fixedBytes are bytes of one length a column; cols are its types.
func fixedBytes(cols ...schema.CopyColumn) copyKind {
	return copyKind{
		column: only(cols...), picks: picks(len(cols)),
		arrays: func(c schema.CopyColumn) []arrow.DataType {
			return []arrow.DataType{&arrow.FixedSizeBinaryType{ByteWidth: c.Length}}
		},
		edges: remembered(func(c schema.CopyColumn) []any {
			var out []any
			for _, s := range []string{"\x00", "\x01", "\x02", "\xff", "abcdefghijklmnopqrst", "\xff\x19\x96\x6f\x86\x8b\x11\xd0\xb4\x2d\x00\xc0\x4f\xc9\x64\xff", "\x00\x00\x00\x00\x00\x00\x07\xd1"} {
				out = append(out, (s + strings.Repeat("\x00", c.Length))[:c.Length], (strings.Repeat(s, c.Length))[:c.Length])
			}
			return out
		}),
		raw: func(c schema.CopyColumn, t *tape) any {
			b := make([]byte, c.Length)
			for i := range b {
				b[i] = t.byte()
			}
			return string(b)
		},
	}
}

func anyOf[T any](in []T) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = v
	}
	return out
}
