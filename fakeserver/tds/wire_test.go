package tds

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"reflect"
	"testing"
	"time"
)

// trip is a value that a client may send as a parameter.
type trip struct {
	typ  Type
	sent any
}

func trips() []trip {
	day := time.Date(2026, 11, 1, 1, 30, 15, 123_456_700, time.UTC)
	return []trip{
		{TinyInt, int64(255)},
		{SmallInt, int64(-32768)},
		{Int, int64(math.MinInt32)},
		{BigInt, int64(math.MaxInt64)},
		{Type{ID: Int1Type, Size: 1}, int64(200)},
		{Type{ID: Int2Type, Size: 2}, int64(-1)},
		{Type{ID: Int4Type, Size: 4}, int64(-2)},
		{Type{ID: Int8Type, Size: 8}, int64(-3)},
		{Bit, true},
		{Bit, false},
		{Type{ID: BitType, Size: 1}, true},
		{Real, 1.5},
		{Float, -math.MaxFloat64},
		{Type{ID: Flt4Type, Size: 4}, 0.25},
		{Type{ID: Flt8Type, Size: 8}, 0.1},
		{SmallMoney, MoneyVal(-5)},
		{Money, MoneyVal(math.MinInt64)},
		{Type{ID: MoneyType, Size: 8}, MoneyVal(1 << 40)},
		{Type{ID: Money4Type, Size: 4}, MoneyVal(-1)},
		{Decimal(9, 2), big.NewInt(-999_999_999)},
		{Decimal(38, 38), new(big.Int).Exp(big.NewInt(10), big.NewInt(37), nil)},
		{UniqueID, GUID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
		{SmallDateTime, day.Truncate(time.Minute)},
		{DateTime, FromTicks(-53_690, ticksPerDay-1)},
		{Type{ID: DateTimeType, Size: 8}, FromTicks(46_000, 1)},
		{Type{ID: DateTim4Type, Size: 4}, day.Truncate(time.Minute)},
		{Date, day.Truncate(24 * time.Hour)},
		{TimeN(7), FromTicks(0, 0).Add(123_456_700)},
		{TimeN(0), FromTicks(0, 300)},
		{DateTime2(7), day},
		{DateTime2(3), day.Truncate(time.Millisecond)},
		{DateTimeOffset(7), day.In(time.FixedZone("", -9*3600-30*60))},
		{VarChar(20), "é€ž"},
		{Char(3), "abc"},
		{VarChar(-1), "long"},
		{NVarChar(20), "日😀"},
		{NChar(2), "ab"},
		{NVarChar(-1), ""},
		{VarBinary(4), []byte{1}},
		{VarBinary(-1), []byte{}},
		{Binary(2), []byte{1, 2}},
		{XML, "<a/>"},
		{SQLVariant, Variant{Type{ID: Int4Type, Size: 4}, int64(-1)}},
		{SQLVariant, Variant{Decimal(10, 3), big.NewInt(-12345)}},
		{SQLVariant, Variant{NVarChar(40), "日本"}},
		{SQLVariant, Variant{VarChar(40), "é"}},
		{SQLVariant, Variant{DateTime2(3), day.Truncate(time.Millisecond)}},
		{SQLVariant, Variant{UniqueID, GUID{15: 1}}},
		{SQLVariant, Variant{Date, day.Truncate(24 * time.Hour)}},
		{SQLVariant, Variant{VarBinary(9), []byte{1, 2, 3}}},
		{SQLVariant, Variant{Type{ID: BitType, Size: 1}, true}},
	}
}

// TestParameterRoundTrip: a type and a value as a column carries them are read
// back as a parameter. The old large types differ in the two directions.
func TestParameterRoundTrip(t *testing.T) {
	for _, c := range trips() {
		for _, v := range []any{c.sent, nil} {
			b, err := appendValue(typeInfo(nil, c.typ), c.typ, v)
			if v == nil && c.typ.framing() == noLength {
				if err == nil {
					t.Errorf("type 0x%02x: NULL was written", byte(c.typ.ID))
				}
				continue
			}
			if err != nil {
				t.Errorf("type 0x%02x: %v", byte(c.typ.ID), err)
				continue
			}
			r := &reader{b: b}
			typ, err := readType(r)
			if err != nil || typ.Type != c.typ {
				t.Errorf("type %+v came back as %+v: %v", c.typ, typ.Type, err)
				continue
			}
			got, err := readValue(r, typ)
			if err != nil || len(r.b) != 0 || !alike(got, v) {
				t.Errorf("%+v: %v came back as %v, %d bytes left: %v", c.typ, v, got, len(r.b), err)
			}
		}
	}
}

func alike(a, b any) bool {
	if x, ok := a.(Variant); ok {
		y, ok := b.(Variant)
		return ok && x.Type == y.Type && alike(x.Value, y.Value)
	}
	if x, ok := a.(time.Time); ok {
		y, ok := b.(time.Time)
		return ok && x.Format(time.RFC3339Nano) == y.Format(time.RFC3339Nano)
	}
	return reflect.DeepEqual(a, b)
}

// TestOldLargeParameters: text, ntext and image, which come without a pointer.
func TestOldLargeParameters(t *testing.T) {
	for _, c := range []struct {
		typ   Type
		bytes []byte
		want  any
	}{
		{Text, []byte{0xe9, 0x80}, "é€"}, {NText, ucs2("日"), "日"}, {Image, []byte{1, 2}, []byte{1, 2}},
	} {
		r := &reader{b: append(u32(typeInfo(nil, c.typ), uint32(len(c.bytes))), c.bytes...)}
		typ, _ := readType(r)
		if got, err := readValue(r, typ); err != nil || !alike(got, c.want) {
			t.Errorf("0x%02x: %v, %v", byte(c.typ.ID), got, err)
		}
		r = &reader{b: u32(typeInfo(nil, c.typ), math.MaxUint32)}
		typ, _ = readType(r)
		if got, err := readValue(r, typ); err != nil || got != nil {
			t.Errorf("0x%02x: NULL came as %v, %v", byte(c.typ.ID), got, err)
		}
	}
}

// TestUTF8Parameter: a collation may say that varchar is UTF-8.
func TestUTF8Parameter(t *testing.T) {
	b := []byte{byte(BigVarCharType), 20, 0, 9, 4, 0xd0, collationUTF8, 0, 6, 0}
	r := &reader{b: append(b, "日本"...)}
	typ, _ := readType(r)
	if got, err := readValue(r, typ); err != nil || got != "日本" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestUnfit: values that a column cannot hold are errors, never other values.
func TestUnfit(t *testing.T) {
	late := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	early := time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC)
	for _, c := range []trip{
		{TinyInt, int64(-1)},
		{TinyInt, int64(256)},
		{SmallInt, int64(32768)},
		{Int, int64(math.MaxInt32 + 1)},
		{Int, 5},
		{Int, "5"},
		{Bit, int64(1)},
		{Real, 1e39},
		{Float, math.NaN()},
		{Float, math.Inf(1)},
		{Float, int64(1)},
		{SmallMoney, MoneyVal(math.MaxInt32 + 1)},
		{Money, int64(1)},
		{Decimal(4, 2), big.NewInt(10_000)},
		{Decimal(4, 2), int64(1)},
		{UniqueID, "x"},
		{SmallDateTime, time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)},
		{SmallDateTime, time.Date(2079, 6, 6, 23, 59, 30, 0, time.UTC)},
		{DateTime, time.Date(1752, 12, 31, 0, 0, 0, 0, time.UTC)},
		{DateTime, late},
		{Date, late},
		{Date, early},
		{DateTime2(7), late},
		{DateTimeOffset(0), late},
		{DateTimeOffset(0), late.AddDate(-1, 0, 0).In(time.FixedZone("", 15*3600))},
		{Date, "2026-01-01"},
		{VarChar(2), "abc"},
		{NVarChar(2), "abc"},
		{NChar(1), "😀"},
		{Binary(1), []byte{1, 2}},
		{VarBinary(4), "text"},
		{Image, "text"},
		{SQLVariant, Variant{Type: Int}},
		{SQLVariant, big.NewInt(1)},
		{SQLVariant, Variant{XML, "<a/>"}},
		{SQLVariant, Variant{NVarChar(-1), "x"}},
		{SQLVariant, struct{}{}},
		{Type{ID: TVPType}, "x"},
	} {
		before := []byte("kept")
		if b, err := appendValue(before, c.typ, c.sent); err == nil {
			t.Errorf("%v as %+v was written: % x", c.sent, c.typ, b)
		}
	}
}

// TestBadParameters: bytes that no client with sense sends.
func TestBadParameters(t *testing.T) {
	day := func(n uint64) []byte { return uintN(nil, n, 3) }
	for _, b := range [][]byte{
		{byte(IntNType), 3, 3, 1, 2, 3},
		{byte(IntNType), 4, 3, 1, 2, 3},
		{byte(BitNType), 2, 1, 1},
		{byte(GUIDType), 16, 15, 1},
		{byte(NumericNType), 5, 39, 0, 5, 1, 0, 0, 0, 0},
		{byte(NumericNType), 5, 4, 5, 5, 1, 0, 0, 0, 0},
		{byte(NumericNType), 5, 4, 2, 1, 1},
		{byte(TimeNType), 8, 5, 0, 0, 0, 0, 0},
		{byte(TimeNType), 0, 3, 0xff, 0xff, 0xff},
		{byte(TimeNType), 7, 4, 0, 0, 0, 0},
		append([]byte{byte(DateNType), 3}, day(maxDay0001+1)...),
		append([]byte{byte(DateTime2NType), 0, 6, 0, 0, 0}, day(1<<24-1)...),
		append(append([]byte{byte(DateTimeOffType), 0, 8, 0, 0, 0}, day(0)...), 0x49, 0x03),
		u32(u32([]byte{byte(DateTimNType), 8, 8}, 0), ticksPerDay), u32(u32([]byte{byte(DateTimNType), 8, 8}, 1<<31-1), 0),
		{byte(DateTimNType), 4, 4, 0, 0, 0xff, 0xff},
		{byte(BigVarBinType), 4, 0, 5, 0, 1},
		{byte(BigVarCharType), 4, 0},
		u64([]byte{byte(BigVarBinType), 0xff, 0xff}, 10),
		append(u64([]byte{byte(BigVarBinType), 0xff, 0xff}, 10), 1, 0, 0, 0, 9, 0, 0, 0, 0),
		append(u64([]byte{byte(BigVarBinType), 0xff, 0xff}, plpUnknown), 0xff, 0xff, 0xff, 0xff, 9),
		{byte(XMLType), 1},
		{byte(UDTType), 0, 0},
		{byte(VariantType), 0, 0, 0, 0, 1, 0, 0, 0, 0x38},
		{byte(VariantType), 0, 0, 0, 0, 5, 0, 0, 0, byte(Int4Type), 0, 1, 2, 3},
		{byte(VariantType), 0, 0, 0, 0, 3, 0, 0, 0, byte(XMLType), 0, 1},
		{0},
	} {
		r := &reader{b: b}
		typ, err := readType(r)
		if err != nil {
			continue
		}
		if v, err := readValue(r, typ); err == nil {
			t.Errorf("% x was read as %v", b, v)
		}
	}
}

// TestShorterInteger: an integer's own length wins over its type's, as long as
// it is an integer's.
func TestShorterInteger(t *testing.T) {
	r := &reader{b: []byte{byte(IntNType), 8, 2, 0xfe, 0xff}}
	typ, _ := readType(r)
	if v, err := readValue(r, typ); err != nil || v != int64(-2) {
		t.Errorf("%v, %v", v, err)
	}
}

func FuzzMessages(f *testing.F) {
	for _, c := range trips() {
		b, _ := appendValue(typeInfo([]byte{0, 0}, c.typ), c.typ, c.sent)
		head := append(u32(nil, 4), 0xff, 0xff, procExecuteSQL, 0, 0, 0)
		f.Add(byte(pktRPC), append(head, b...))
	}
	f.Add(byte(pktSQLBatch), append(u32(nil, 4), ucs2("SELECT 1")...))
	f.Add(byte(pktTransMgr), append(u32(nil, 4), tmCommit, 0, 0, tmBeginNext, 2, 2, 'a', 0))
	f.Add(byte(pktPrelogin), []byte{0, 0, 6, 0, 6, plEnd, 1, 2, 3, 4, 5, 6})
	f.Add(byte(pktLogin7), bytes.Repeat([]byte{0x94}, 0x94))
	f.Fuzz(func(t *testing.T, typ byte, data []byte) {
		switch typ {
		case pktPrelogin:
			parsePrelogin(data)
		case pktLogin7:
			if len(data) > 8 {
				binary.LittleEndian.PutUint32(data, uint32(len(data)))
				binary.LittleEndian.PutUint32(data[4:], tds74)
			}
			parseLogin7(data)
		default:
			c := &conn{}
			steps, err := c.decode(message{typ: typ, data: data})
			for _, s := range steps {
				if s.req != nil {
					describeRequest(s.req)
				}
			}
			if err == nil && len(steps) == 0 {
				t.Error("neither steps nor an error")
			}
		}
		readMessage(bufio.NewReader(bytes.NewReader(data)), 1000)
	})
}
