package cast_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// rule is one line of a table: values of a copy's column, what the target's
// column makes of them, and what is counted.
type rule struct {
	from    schema.CopyColumn
	to      schema.SQLType
	answer  cast.Answer
	zone    string
	in      []any
	want    string // space between values, _ inside one
	refused int64
	effects string // "rounded:1 out_of_range:2", in the list's order
}

func (r rule) check(t *testing.T) {
	t.Helper()
	a := cast.Answers{Zone: r.zone}
	if r.answer != "" {
		a.Cast = map[string]cast.Answer{"c": r.answer}
	}
	r.checkWith(t, target(t, r.to), schema.FileClass{}, a)
}

func (r rule) checkWith(t *testing.T, to schema.TargetColumn, class schema.FileClass, a cast.Answers) {
	t.Helper()
	got, report := castColumn(t, r.from, to, class, a, r.in)
	name := fmt.Sprintf("%s to %s, answer %q, zone %q, %v", r.from, r.to, r.answer, r.zone, r.in)
	if s := strings.Join(got, " "); s != r.want {
		t.Errorf("%s:\ngot  %s\nwant %s", name, s, r.want)
	}
	if report.Refused != r.refused {
		t.Errorf("%s: %d refused, want %d", name, report.Refused, r.refused)
	}
	if e := effectsText(report); e != r.effects {
		t.Errorf("%s: effects %q, want %q", name, e, r.effects)
	}
}

func effectsText(r cast.ColumnReport) string {
	var parts []string
	for _, e := range []cast.Effect{
		cast.Rounded, cast.CutOff, cast.SubMicro, cast.Normalised, cast.Padded, cast.Rebased, cast.ZoneDropped, cast.Shortened,
		cast.OldTime, cast.AfterGap, cast.InGap, cast.Ambiguous, cast.LeftShort, cast.OutOfRange, cast.Inexact, cast.Unparseable, cast.NotUTF8, cast.TooLong,
		cast.WrongLength, cast.NotFinite, cast.NotATick, cast.ZoneUnknown, cast.DatesDiffer, cast.BeyondScale, cast.ForbidsNull,
	} {
		if n := r.Of(e); n > 0 {
			parts = append(parts, fmt.Sprintf("%s:%d", e, n))
		}
	}
	return strings.Join(parts, " ")
}

func TestIntegers(t *testing.T) {
	for _, r := range []rule{
		{from: int32Col, to: sqlType("int"), in: []any{math.MinInt32, nil, math.MaxInt32}, want: "-2147483648 NULL 2147483647"},
		{from: int32Col, to: sqlType("bigint"), in: []any{math.MinInt32, 7, nil}, want: "-2147483648 7 NULL"},
		{from: int64Col, to: sqlType("bigint"), in: []any{math.MinInt64, math.MaxInt64, nil}, want: "-9223372036854775808 9223372036854775807 NULL"},
		// case 15: an int column and 3000000000
		{from: int64Col, to: sqlType("int"), in: []any{3000000000, 1}, want: "NULL 1", refused: 1, effects: "out_of_range:1"},
		{from: int64Col, to: sqlType("int"), answer: cast.Null, in: []any{3000000000, 1}, want: "NULL 1", effects: "out_of_range:1"},
		{from: int64Col, to: sqlType("int"), in: []any{-2147483649, 2147483648, -2147483648, 2147483647}, want: "NULL NULL -2147483648 2147483647", refused: 2, effects: "out_of_range:2"},
		{from: int32Col, to: sqlType("smallint"), in: []any{-32768, 32767, 32768, -32769}, want: "-32768 32767 NULL NULL", refused: 2, effects: "out_of_range:2"},
		{from: int16Col, to: sqlType("smallint"), in: []any{-32768, nil}, want: "-32768 NULL"},
		// case 11: tinyint
		{from: int8Col, to: sqlType("tinyint"), in: []any{0, 127, -1, -56}, want: "0 127 NULL NULL", refused: 2, effects: "out_of_range:2"},
		{from: int32Col, to: sqlType("tinyint"), in: []any{255, 256}, want: "255 NULL", refused: 1, effects: "out_of_range:1"},
		{from: uint8Col, to: sqlType("tinyint"), in: []any{200, 255, 0}, want: "200 255 0"},
		{from: int16Col, to: sqlType("tinyint"), in: []any{200, -1}, want: "200 NULL", refused: 1, effects: "out_of_range:1"},
		{from: uint64Col, to: sqlType("bigint"), in: []any{uint64(math.MaxInt64), uint64(math.MaxInt64) + 1}, want: "9223372036854775807 NULL", refused: 1, effects: "out_of_range:1"},
		{from: uint64Col, to: sqlType("int"), in: []any{5, uint64(math.MaxUint64)}, want: "5 NULL", refused: 1, effects: "out_of_range:1"},
		{from: partCol, to: sqlType("smallint"), in: []any{"00", "7", nil}, want: "0 7 NULL"}, // case 18
		{from: textCol, to: sqlType("int"), in: []any{" 12 ", "+5", "-3.0", "1e3", "", "x", "2147483648"}, want: "12 5 -3 1000 NULL NULL NULL", refused: 3, effects: "out_of_range:1 unparseable:2"},
		{from: textCol, to: sqlType("int"), in: []any{"1.5", "-1.5"}, want: "NULL NULL", refused: 2, effects: "inexact:2"},
		{from: textCol, to: sqlType("int"), answer: cast.Round, in: []any{"1.5", "-1.5", "1.4"}, want: "2 -2 1", effects: "rounded:3"},
		{from: textCol, to: sqlType("tinyint"), in: []any{"255", "256", "-1"}, want: "255 NULL NULL", refused: 2, effects: "out_of_range:2"},
		{from: decimalCol(20, 0), to: sqlType("bigint"), in: []any{"9223372036854775807", "9223372036854775808", "-9223372036854775808"}, want: "9223372036854775807 NULL -9223372036854775808", refused: 1, effects: "out_of_range:1"},
		{from: decimalCol(10, 2), to: sqlType("int"), answer: cast.Stop, in: []any{"7.00", "7.50"}, want: "7 NULL", refused: 1, effects: "inexact:1"},
		{from: decimalCol(10, 2), to: sqlType("int"), answer: cast.Cut, in: []any{"7.99", "-7.99"}, want: "7 -7", effects: "cut:2"},
		{from: doubleCol, to: sqlType("int"), answer: cast.Stop, in: []any{7.0, 7.5, math.NaN(), math.Inf(1), 2147483648.0}, want: "7 NULL NULL NULL NULL", refused: 4, effects: "out_of_range:1 inexact:1 not_finite:2"},
		{from: doubleCol, to: sqlType("bigint"), answer: cast.Round, in: []any{2.5, -2.5, 9223372036854775807.0, -9223372036854775808.0}, want: "3 -3 NULL -9223372036854775808", refused: 1, effects: "rounded:2 out_of_range:1"},
	} {
		r.check(t)
	}
}

func TestBits(t *testing.T) {
	for _, r := range []rule{ // case 23
		{from: boolCol, to: sqlType("bit"), in: []any{true, false, nil}, want: "true false NULL"},
		{from: int32Col, to: sqlType("bit"), in: []any{0, 1, nil}, want: "false true NULL"},
		{from: int32Col, to: sqlType("bit"), in: []any{2, -1}, want: "NULL NULL", refused: 2, effects: "out_of_range:2"},
		{from: textCol, to: sqlType("bit"), in: []any{"0", "1", "True", "FALSE", "", nil}, want: "false true true false NULL NULL", refused: 1, effects: "unparseable:1"},
		{from: textCol, to: sqlType("bit"), in: []any{"\x00", "\x01", "yes"}, want: "false true NULL", refused: 1, effects: "unparseable:1"},
		{from: bytesCol, to: sqlType("bit"), in: []any{"\x00", "\x01", "\x02", ""}, want: "false true NULL NULL", refused: 2, effects: "out_of_range:1 wrong_length:1"},
	} {
		r.check(t)
	}
}

func TestDecimals(t *testing.T) {
	nines := strings.Repeat("9", 38)
	for _, r := range []rule{ // case 7
		{from: decimalCol(38, 2), to: scaled("decimal", 10, 2), in: []any{"12345678.90", "123456789.01", nil}, want: "12345678.90 NULL NULL", refused: 1, effects: "out_of_range:1"},
		{from: decimalCol(18, 4), to: scaled("decimal", 10, 2), answer: cast.Stop, in: []any{"1.2300", "1.2345"}, want: "1.23 NULL", refused: 1, effects: "inexact:1"},
		{from: decimalCol(18, 4), to: scaled("decimal", 10, 2), answer: cast.Round, in: []any{"1.2345", "1.2350", "-1.2350", "1.2300"}, want: "1.23 1.24 -1.24 1.23", effects: "rounded:3"},
		{from: decimalCol(18, 4), to: scaled("decimal", 10, 2), answer: cast.Cut, in: []any{"1.2399", "-1.2399"}, want: "1.23 -1.23", effects: "cut:2"},
		{from: decimalCol(18, 4), to: scaled("decimal", 10, 2), answer: cast.Null, in: []any{"1.2399", "1.2300"}, want: "NULL 1.23", effects: "inexact:1"},
		{from: textCol, to: scaled("decimal", 10, 2), in: []any{"0E-18", "1e3", " 7.50 "}, want: "0.00 1000.00 7.50"},
		{from: textCol, to: scaled("decimal", 10, 2), in: []any{"n/a", "", "1,5", "1.2.3", ".", "e5", "1e", "99999999.99", "100000000"}, want: "NULL NULL NULL NULL NULL NULL NULL 99999999.99 NULL", refused: 8, effects: "out_of_range:1 unparseable:7"},
		{from: textCol, to: scaled("decimal", 10, 2), answer: cast.Round, in: []any{"99999999.995", "0.005", "-0.005", "0.0049999"}, want: "NULL 0.01 -0.01 0.00", refused: 1, effects: "rounded:3 out_of_range:1"},
		{from: decimalCol(10, 2), to: scaled("decimal", 38, 10), in: []any{"12345678.90"}, want: "12345678.9000000000"},
		{from: decimalCol(38, 0), to: scaled("decimal", 38, 10), in: []any{nines, "1"}, want: "NULL 1.0000000000", refused: 1, effects: "out_of_range:1"},
		{from: decimalCol(38, 0), to: scaled("numeric", 38, 0), in: []any{nines, "-" + nines}, want: nines + " -" + nines},
		{from: decimalCol(60, 30), to: scaled("decimal", 38, 2), answer: cast.Round, in: []any{"123456789012345678901234567890.125", "-0.000000000000000000000000000001"}, want: "123456789012345678901234567890.13 0.00", effects: "rounded:2"},
		{from: decimalCol(60, 0), to: scaled("decimal", 38, 0), in: []any{strings.Repeat("1", 39), nines}, want: "NULL " + nines, refused: 1, effects: "out_of_range:1"},
		{from: int64Col, to: scaled("decimal", 10, 2), in: []any{99999999, 100000000, -99999999}, want: "99999999.00 NULL -99999999.00", refused: 1, effects: "out_of_range:1"},
		{from: int64Col, to: scaled("decimal", 38, 0), in: []any{math.MinInt64, math.MaxInt64}, want: "-9223372036854775808 9223372036854775807"},
		{from: uint64Col, to: scaled("decimal", 20, 0), in: []any{uint64(math.MaxUint64)}, want: "18446744073709551615"},
		{from: decimalCol(10, 4), to: sqlType("smallmoney"), in: []any{"214748.3647", "214748.3648", "-214748.3648", "-214748.3649"}, want: "214748.3647 NULL -214748.3648 NULL", refused: 2, effects: "out_of_range:2"},
		{from: decimalCol(38, 4), to: sqlType("money"), in: []any{"922337203685477.5807", "922337203685477.5808", "-922337203685477.5808"}, want: "922337203685477.5807 NULL -922337203685477.5808", refused: 1, effects: "out_of_range:1"},
		{from: doubleCol, to: scaled("decimal", 18, 2), answer: cast.Stop, in: []any{19.99, 1203.1, 7.128, math.NaN(), math.Inf(-1), 1e17}, want: "19.99 1203.10 NULL NULL NULL NULL", refused: 4, effects: "out_of_range:1 inexact:1 not_finite:2"},
		{from: doubleCol, to: scaled("decimal", 18, 2), answer: cast.Round, in: []any{7.128, 1.005, 2.675, -0.005, 1e-300}, want: "7.13 1.01 2.68 -0.01 0.00", effects: "rounded:5"},
		{from: floatCol, to: scaled("decimal", 18, 2), answer: cast.Stop, in: []any{19.5, 0.1}, want: "19.50 NULL", refused: 1, effects: "inexact:1"}, // 0.1 of four bytes is the double 0.10000000149011612
		{from: floatCol, to: scaled("decimal", 18, 10), answer: cast.Round, in: []any{19.5, 0.1, 2147483648.0}, want: "19.5000000000 0.1000000015 NULL", refused: 1, effects: "rounded:1 out_of_range:1"},
	} {
		r.check(t)
	}
}

func TestFloats(t *testing.T) {
	for _, r := range []rule{
		{from: doubleCol, to: sqlType("float"), in: []any{0.1, math.MaxFloat64, nil}, want: "0.1 1.7976931348623157e+308 NULL"},
		{from: doubleCol, to: sqlType("float"), in: []any{math.NaN(), math.Inf(1), math.Inf(-1)}, want: "NULL NULL NULL", refused: 3, effects: "not_finite:3"},
		{from: floatCol, to: sqlType("real"), in: []any{0.5, math.NaN()}, want: "0.5 NULL", refused: 1, effects: "not_finite:1"},
		{from: floatCol, to: sqlType("float"), in: []any{0.1}, want: "0.10000000149011612"},
		{from: halfCol, to: sqlType("real"), in: []any{0.5, 65504.0}, want: "0.5 65504"},
		{from: doubleCol, to: sqlType("real"), answer: cast.Stop, in: []any{0.5, 0.1, 1e300}, want: "0.5 NULL NULL", refused: 2, effects: "out_of_range:1 inexact:1"},
		{from: doubleCol, to: sqlType("real"), answer: cast.Round, in: []any{0.1}, want: "0.1", effects: "rounded:1"},
		{from: int16Col, to: sqlType("real"), in: []any{-32768, 32767}, want: "-32768 32767"},
		{from: int32Col, to: sqlType("float"), in: []any{math.MaxInt32}, want: "2.147483647e+09"},
		{from: int64Col, to: sqlType("float"), answer: cast.Stop, in: []any{1 << 53, 1<<53 + 1, math.MaxInt64, math.MinInt64}, want: "9.007199254740992e+15 NULL NULL -9.223372036854775808e+18", refused: 2, effects: "inexact:2"},
		{from: decimalCol(18, 4), to: sqlType("float"), answer: cast.Stop, in: []any{"0.1000", "12345678901234.5678"}, want: "0.1 NULL", refused: 1, effects: "inexact:1"},
		// numbers that decimals of many digits stand for, and that they are merely near to
		{from: decimalCol(38, 0), to: sqlType("float"), answer: cast.Stop, in: []any{"36893488147419103232", "36893488147419103233", "9007199254740993", "9007199254740992"}, want: "3.6893488147419103e+19 NULL NULL 9.007199254740992e+15", refused: 2, effects: "inexact:2"},
		{from: textCol, to: sqlType("real"), in: []any{"0.12345679", "0.123456791", "0.12345679104328156", "0.10000000149011612", "-0.1", "16777216", "0", "-0.000", "1.17549435e-38", "1e-45", "3.4028235e38"}, want: "0.12345679 0.12345679 0.12345679 0.1 -0.1 1.6777216e+07 0 -0 1.1754944e-38 1e-45 3.4028235e+38"},
		{from: textCol, to: sqlType("real"), in: []any{"0.123456789", "16777217", "1e-60", "2e-45", "1e39", "0.1000000016", "8589973000"}, want: "NULL NULL NULL NULL NULL NULL NULL", refused: 7, effects: "out_of_range:1 inexact:6"},
		{from: textCol, to: sqlType("real"), answer: cast.Round, in: []any{"0.123456789", "16777217", "-1e-60", "1e39"}, want: "0.12345679 1.6777216e+07 -0 NULL", refused: 1, effects: "rounded:3 out_of_range:1"},
		{from: textCol, to: sqlType("real"), answer: cast.Null, in: []any{"16777217", "1.5"}, want: "NULL 1.5", effects: "inexact:1"},
		{from: textCol, to: sqlType("float"), in: []any{"0.1", "0.30000000000000004", "0.10000000000000001", "0.1000000000000000055511151231257827021181583404541015625", "1" + strings.Repeat("0", 22), "18446744073709551616", "5.684341886080802e-14", "5.6843418860808015e-14", "5e-324", "4.9e-324", "00.1e1", "1" + strings.Repeat("0", 1500) + "e-1500", "0." + strings.Repeat("0", 1500) + "1e1501"}, want: "0.1 0.30000000000000004 0.1 0.1 1e+22 1.8446744073709552e+19 5.684341886080802e-14 5.684341886080802e-14 5e-324 5e-324 1 1 1"},
		{from: textCol, to: sqlType("float"), in: []any{"9007199254740993", "1e-400", "3e-324", "0.1000000000000000055511151231257827021181583404541015626", "0.30000000000000001", "123456789012345678", "0." + strings.Repeat("1", 900)}, want: "NULL NULL NULL NULL NULL NULL NULL", refused: 7, effects: "inexact:7"},
		{from: textCol, to: sqlType("float"), answer: cast.Round, in: []any{"9007199254740993", "-1e-400"}, want: "9.007199254740992e+15 -0", effects: "rounded:2"},
		{from: textCol, to: sqlType("float"), in: []any{"1e-3", " 0.1 ", "NaN", "inf", "0x1p4", "1_0", "1e400"}, want: "0.001 0.1 NULL NULL NULL NULL NULL", refused: 5, effects: "out_of_range:1 unparseable:4"},
	} {
		r.want = strings.ReplaceAll(r.want, "-9.223372036854775808e+18", "-9.223372036854776e+18")
		r.check(t)
	}
}
