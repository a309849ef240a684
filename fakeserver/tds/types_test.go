package tds_test

import (
	"bytes"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver/tds"
)

// typeCase is a value of a column and what the driver makes of it.
type typeCase struct {
	typ  tds.Type
	sent any
	want any // nil stands for the value sent
}

func at(year int, month time.Month, day, hour, minute, second, nano int) time.Time {
	return time.Date(year, month, day, hour, minute, second, nano, time.UTC)
}

func digits(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		panic(s)
	}
	return n
}

var nines = strings.Repeat("9", 38)

var guid = tds.GUID{0x01, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

// guidWire is guid as the driver hands it out.
var guidWire = []byte{4, 3, 2, 1, 6, 5, 8, 7, 9, 10, 11, 12, 13, 14, 15, 16}

func numberCases() []typeCase {
	return []typeCase{
		{tds.TinyInt, int64(0), nil},
		{tds.TinyInt, int64(255), nil},
		{tds.SmallInt, int64(-32768), nil},
		{tds.SmallInt, int64(32767), nil},
		{tds.Int, int64(math.MinInt32), nil},
		{tds.Int, int64(math.MaxInt32), nil},
		{tds.BigInt, int64(math.MinInt64), nil},
		{tds.BigInt, int64(math.MaxInt64), nil},
		{tds.Bit, true, nil},
		{tds.Bit, false, nil},
		{tds.Real, float64(float32(3.4e38)), nil},
		{tds.Real, -0.5, nil},
		{tds.Float, math.MaxFloat64, nil},
		{tds.Float, math.SmallestNonzeroFloat64, nil},
		{tds.SmallMoney, tds.MoneyVal(math.MinInt32), []byte("-214748.3648")},
		{tds.Money, tds.MoneyVal(math.MaxInt64), []byte("922337203685477.5807")},
		{tds.Money, tds.MoneyVal(math.MinInt64), []byte("-922337203685477.5808")},
		{tds.Money, tds.MoneyVal(-1), []byte("-0.0001")},
		{tds.Decimal(9, 0), digits("-999999999"), []byte("-999999999")},
		{tds.Decimal(18, 4), digits("10001"), []byte("1.0001")},
		{tds.Decimal(28, 28), digits("1"), []byte("0." + strings.Repeat("0", 27) + "1")},
		{tds.Decimal(38, 0), digits(nines), []byte(nines)},
		{tds.Decimal(38, 38), digits("-" + nines), []byte("-0." + nines)},
		{tds.Decimal(38, 10), digits("0"), []byte("0.0000000000")},
		{tds.UniqueID, guid, guidWire},
	}
}

func timeCases() []typeCase {
	last := at(9999, 12, 31, 23, 59, 59, 999_999_900)
	west := time.FixedZone("", -14*3600)
	return []typeCase{
		{tds.SmallDateTime, at(1900, 1, 1, 0, 0, 0, 0), nil},
		{tds.SmallDateTime, at(2079, 6, 6, 23, 59, 0, 0), nil},
		{tds.SmallDateTime, at(2026, 11, 1, 23, 59, 30, 0), at(2026, 11, 2, 0, 0, 0, 0)},
		{tds.DateTime, at(1753, 1, 1, 0, 0, 0, 0), nil},
		{tds.DateTime, at(9999, 12, 31, 23, 59, 59, 997_000_000), nil},
		{tds.DateTime, at(2026, 11, 1, 1, 2, 3, 994_000_000), at(2026, 11, 1, 1, 2, 3, 993_000_000)},
		{tds.DateTime, at(2026, 12, 31, 23, 59, 59, 999_000_000), at(2027, 1, 1, 0, 0, 0, 0)},
		{tds.Date, at(1, 1, 1, 0, 0, 0, 0), nil},
		{tds.Date, at(9999, 12, 31, 0, 0, 0, 0), nil},
		{tds.TimeN(0), at(1, 1, 1, 23, 59, 59, 0), nil},
		{tds.TimeN(3), at(1, 1, 1, 0, 0, 0, 1_000_000), nil},
		{tds.TimeN(7), at(1, 1, 1, 23, 59, 59, 999_999_900), nil},
		{tds.DateTime2(0), at(1, 1, 1, 0, 0, 0, 0), nil},
		{tds.DateTime2(3), at(2026, 11, 1, 1, 30, 0, 123_000_000), nil},
		{tds.DateTime2(7), last, nil},
		{tds.DateTimeOffset(0), at(2026, 11, 1, 1, 30, 0, 0).In(time.FixedZone("", 14*3600)), nil},
		{tds.DateTimeOffset(4), at(2026, 11, 1, 1, 30, 0, 100_000).In(time.FixedZone("", 5*3600+45*60)), nil},
		{tds.DateTimeOffset(7), last.In(west), nil},
	}
}

func textCases() []typeCase {
	long := strings.Repeat("日本語😀", 5000)
	blob := bytes.Repeat([]byte{0, 1, 254, 255}, 10_000)
	return []typeCase{
		{tds.Char(4), "ab", "ab  "},
		{tds.VarChar(10), "", nil},
		{tds.VarChar(10), "€uro™ žŸé", nil},
		{tds.VarChar(10), "日本", "??"},
		{tds.VarChar(8000), strings.Repeat("x", 8000), nil},
		{tds.VarChar(-1), strings.Repeat("y", 20_000), nil},
		{tds.VarChar(-1), "", nil},
		{tds.NChar(4), "日😀", "日😀 "},
		{tds.NVarChar(10), "", nil},
		{tds.NVarChar(4000), strings.Repeat("語", 4000), nil},
		{tds.NVarChar(-1), long, nil},
		{tds.XML, "<root a=\"é\"/>", nil},
		{tds.Text, "old é", nil},
		{tds.Text, "", nil},
		{tds.NText, long, nil},
		{tds.Binary(4), []byte{1, 2}, []byte{1, 2, 0, 0}},
		{tds.VarBinary(10), []byte{}, nil},
		{tds.VarBinary(8000), bytes.Repeat([]byte{7}, 8000), nil},
		{tds.VarBinary(-1), blob, nil},
		{tds.VarBinary(-1), []byte{}, nil},
		{tds.Image, blob, nil},
		{tds.HierarchyID, []byte{0x58}, nil},
		{tds.Geography, blob, nil},
	}
}

func variantCases() []typeCase {
	v := func(t tds.Type, x any) tds.Variant { return tds.Variant{Type: t, Value: x} }
	day := at(2026, 11, 1, 0, 0, 0, 0)
	return []typeCase{
		{tds.SQLVariant, int64(-5), nil},
		{tds.SQLVariant, int64(math.MaxInt64), nil},
		{tds.SQLVariant, true, nil},
		{tds.SQLVariant, 2.5, nil},
		{tds.SQLVariant, "日本", nil},
		{tds.SQLVariant, []byte{1, 2}, nil},
		{tds.SQLVariant, day, nil},
		{tds.SQLVariant, tds.MoneyVal(12345), []byte("1.2345")},
		{tds.SQLVariant, guid, guidWire},
		{tds.SQLVariant, v(tds.TinyInt, int64(255)), int64(255)},
		{tds.SQLVariant, v(tds.SmallInt, int64(-2)), int64(-2)},
		{tds.SQLVariant, v(tds.Real, 0.5), 0.5},
		{tds.SQLVariant, v(tds.SmallMoney, tds.MoneyVal(-1)), []byte("-0.0001")},
		{tds.SQLVariant, v(tds.Decimal(10, 2), digits("-12345")), []byte("-123.45")},
		{tds.SQLVariant, v(tds.Date, day), day},
		{tds.SQLVariant, v(tds.DateTime2(7), day.Add(100)), day.Add(100)},
		{tds.SQLVariant, v(tds.SmallDateTime, day), day},
		{tds.SQLVariant, v(tds.VarChar(20), "é€"), "é€"},
		{tds.SQLVariant, v(tds.Binary(2), []byte{9, 9}), []byte{9, 9}},
	}
}

func fixedCases() []typeCase {
	fixed := func(id tds.TypeID) tds.Type { return tds.Type{ID: id} }
	return []typeCase{
		{fixed(tds.Int1Type), int64(255), nil},
		{fixed(tds.Int2Type), int64(-2), nil},
		{fixed(tds.Int4Type), int64(-3), nil},
		{fixed(tds.Int8Type), int64(math.MinInt64), nil},
		{fixed(tds.BitType), true, nil},
		{fixed(tds.Flt4Type), 1.5, nil},
		{fixed(tds.Flt8Type), math.Pi, nil},
		{fixed(tds.MoneyType), tds.MoneyVal(-10_000), []byte("-1.0000")},
		{fixed(tds.Money4Type), tds.MoneyVal(5), []byte("0.0005")},
		{fixed(tds.DateTimeType), at(2026, 11, 1, 1, 2, 3, 7_000_000), nil},
		{fixed(tds.DateTim4Type), at(2026, 11, 1, 1, 2, 0, 0), nil},
	}
}

func allCases() []typeCase {
	var all []typeCase
	for _, c := range [][]typeCase{numberCases(), timeCases(), textCases(), variantCases(), fixedCases()} {
		all = append(all, c...)
	}
	return all
}

// nullable reports whether a type can carry NULL.
func (c typeCase) nullable() bool { return c.typ.Size != 0 }

// everyType sends one row of all values, a row with every second one NULL and
// a row of NULLs, so that both ROW and NBCROW are written. Types that cannot
// be NULL keep their value.
func everyType(w *tds.Reply) error {
	cases := allCases()
	cols := make([]tds.Column, len(cases))
	for i, c := range cases {
		cols[i] = tds.Column{Name: "c", Type: c.typ, Nullable: c.nullable()}
	}
	w.Columns(cols)
	for round := range 3 {
		vals := make([]any, len(cases))
		for i, c := range cases {
			if !nulled(c, i, round) {
				vals[i] = c.sent
			}
		}
		if err := w.Row(vals...); err != nil {
			return err
		}
	}
	return nil
}

func nulled(c typeCase, i, round int) bool {
	return c.nullable() && (round == 1 && i%2 == 0 || round == 2)
}

func TestEveryColumnType(t *testing.T) {
	r := start(t, tds.Config{})
	cases := allCases()
	rows, err := r.open(t, plain).QueryContext(within(t), "types now")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	round := 0
	for ; rows.Next(); round++ {
		got, ptr := make([]any, len(cases)), make([]any, len(cases))
		for i := range got {
			ptr[i] = &got[i]
		}
		if err := rows.Scan(ptr...); err != nil {
			t.Fatal(err)
		}
		for i, c := range cases {
			want := c.want
			if want == nil {
				want = c.sent
			}
			if nulled(c, i, round) {
				want = nil
			}
			if !same(got[i], want) {
				t.Errorf("row %d, column %d, type 0x%02x of %d: got %.80v, want %.80v", round, i, byte(c.typ.ID), c.typ.Size, got[i], want)
			}
		}
	}
	if err := rows.Err(); err != nil || round != 3 {
		t.Fatalf("%d rows, %v", round, err)
	}
}

// TestSingleNull sends rows with one NULL, which travel as ROW and not NBCROW.
func TestSingleNull(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(t, plain)
	for _, typ := range []any{nil, (*int64)(nil), []byte(nil)} {
		var got any
		if err := db.QueryRowContext(within(t), "echo @p1", typ).Scan(&got); err != nil || got != nil {
			t.Errorf("%T: %v, %v", typ, got, err)
		}
	}
}

// same compares what the driver gave with what was wanted, offsets included.
func same(got, want any) bool {
	switch w := want.(type) {
	case []byte:
		g, ok := got.([]byte)
		return ok && bytes.Equal(g, w)
	case time.Time:
		g, ok := got.(time.Time)
		if !ok || !g.Equal(w) {
			return false
		}
		_, a := g.Zone()
		_, b := w.Zone()
		return a == b
	}
	return got == want
}
