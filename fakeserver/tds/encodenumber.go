package tds

import (
	"fmt"
	"math"
	"math/big"
)

// MoneyVal is a money value in ten-thousandths.
type MoneyVal int64

// GUID is a uniqueidentifier, its bytes in the order of the text form.
type GUID [16]byte

// String is the text form, in upper case as SQL Server writes it.
func (g GUID) String() string {
	return fmt.Sprintf("%X-%X-%X-%X-%X", g[0:4], g[4:6], g[6:8], g[8:10], g[10:16])
}

// wire swaps between text order and the order on the wire, where the first
// three groups are little-endian.
func (g GUID) wire() GUID {
	return GUID{
		g[3], g[2], g[1], g[0], g[5], g[4], g[7], g[6],
		g[8], g[9], g[10], g[11], g[12], g[13], g[14], g[15],
	}
}

// width is the number of bytes that a number of type t has.
func (t Type) width() int {
	switch t.ID {
	case Int1Type, BitType:
		return 1
	case Int2Type:
		return 2
	case Int4Type, Flt4Type, Money4Type, DateTim4Type:
		return 4
	case Int8Type, Flt8Type, MoneyType, DateTimeType:
		return 8
	}
	return t.Size
}

func appendInt(b []byte, t Type, v any) ([]byte, error) {
	n, ok := v.(int64)
	if !ok {
		return nil, mismatch(t, v)
	}
	size := t.width()
	lo, hi := int64(math.MinInt64)>>(64-8*size), int64(math.MaxInt64)>>(64-8*size)
	if size == 1 { // tinyint has no sign
		lo, hi = 0, math.MaxUint8
	}
	if n < lo || n > hi {
		return nil, rangeError(n, t)
	}
	return uintN(b, uint64(n), size), nil
}

func appendBit(b []byte, t Type, v any) ([]byte, error) {
	on, ok := v.(bool)
	switch {
	case !ok:
		return nil, mismatch(t, v)
	case on:
		return append(b, 1), nil
	}
	return append(b, 0), nil
}

func appendFloat(b []byte, t Type, v any) ([]byte, error) {
	f, ok := v.(float64)
	switch {
	case !ok:
		return nil, mismatch(t, v)
	case math.IsNaN(f) || math.IsInf(f, 0): // SQL Server has neither
		return nil, rangeError(f, t)
	case t.width() == 8:
		return u64(b, math.Float64bits(f)), nil
	case math.IsInf(float64(float32(f)), 0):
		return nil, rangeError(f, t)
	}
	return u32(b, math.Float32bits(float32(f))), nil
}

// appendMoney writes eight bytes with the high half first.
func appendMoney(b []byte, t Type, v any) ([]byte, error) {
	m, ok := v.(MoneyVal)
	switch {
	case !ok:
		return nil, mismatch(t, v)
	case t.width() == 8:
		return u32(u32(b, uint32(m>>32)), uint32(m)), nil
	case m != MoneyVal(int32(m)):
		return nil, rangeError(int64(m), t)
	}
	return u32(b, uint32(m)), nil
}

// appendDecimal writes a sign, 1 for plus, and the digits little-endian.
func appendDecimal(b []byte, t Type, v any) ([]byte, error) {
	d, ok := v.(*big.Int)
	if !ok || d == nil {
		return nil, mismatch(t, v)
	}
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Prec)), nil)
	if d.CmpAbs(limit) >= 0 {
		return nil, fmt.Errorf("tds: %s does not fit decimal(%d,%d)", d, t.Prec, t.Scale)
	}
	sign := byte(1)
	if d.Sign() < 0 {
		sign = 0
	}
	digits := make([]byte, decSize(t.Prec)-1)
	new(big.Int).Abs(d).FillBytes(digits)
	b = append(b, sign)
	for i := len(digits) - 1; i >= 0; i-- {
		b = append(b, digits[i])
	}
	return b, nil
}

func appendGUID(b []byte, t Type, v any) ([]byte, error) {
	g, ok := v.(GUID)
	if !ok {
		return nil, mismatch(t, v)
	}
	w := g.wire()
	return append(b, w[:]...), nil
}
