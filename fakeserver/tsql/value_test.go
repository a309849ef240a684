package tsql

import (
	"fmt"
	"math/big"
	"math/rand"
	"testing"
	"testing/quick"
	"time"

	"cdcseed/fakeserver/tds"
)

// TestDateTimeRounding is the table of the datetime page: user-specified
// fractions and what the system stores.
func TestDateTimeRounding(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"1998-01-01 23:59:59.999", "1998-01-02 00:00:00.000"},
		{"1998-01-01 23:59:59.995", "1998-01-01 23:59:59.997"},
		{"1998-01-01 23:59:59.996", "1998-01-01 23:59:59.997"},
		{"1998-01-01 23:59:59.997", "1998-01-01 23:59:59.997"},
		{"1998-01-01 23:59:59.998", "1998-01-01 23:59:59.997"},
		{"1998-01-01 23:59:59.992", "1998-01-01 23:59:59.993"},
		{"1998-01-01 23:59:59.993", "1998-01-01 23:59:59.993"},
		{"1998-01-01 23:59:59.994", "1998-01-01 23:59:59.993"},
		{"1998-01-01 23:59:59.990", "1998-01-01 23:59:59.990"},
		{"1998-01-01 23:59:59.991", "1998-01-01 23:59:59.990"},
	} {
		expectRows(t, "SELECT CAST('"+c.in+"' AS datetime)", c.want)
	}
}

// TestAtTimeZone has the examples of the AT TIME ZONE page, and the half-hour
// change of Lord Howe Island.
func TestAtTimeZone(t *testing.T) {
	for _, c := range []struct{ in, zone, want string }{
		// The gap of spring: a skipped time is moved ahead by the offset after it.
		{"2015-03-29T01:59:59", "Central European Standard Time", "2015-03-29 01:59:59 +01:00"},
		{"2015-03-29T02:00:00", "Central European Standard Time", "2015-03-29 03:00:00 +02:00"},
		{"2015-03-29T02:01:00", "Central European Standard Time", "2015-03-29 03:01:00 +02:00"},
		{"2015-03-29T03:00:00", "Central European Standard Time", "2015-03-29 03:00:00 +02:00"},
		// The overlap of autumn: the offset before the change.
		{"2015-10-25T01:59:00", "Central European Standard Time", "2015-10-25 01:59:00 +02:00"},
		{"2015-10-25T02:00:00", "Central European Standard Time", "2015-10-25 02:00:00 +02:00"},
		{"2015-10-25T02:59:59", "Central European Standard Time", "2015-10-25 02:59:59 +02:00"},
		{"2015-10-25T03:00:00", "Central European Standard Time", "2015-10-25 03:00:00 +01:00"},
		// The same two changes in the newer edition of the page.
		{"2022-03-27T01:01:00", "Central European Standard Time", "2022-03-27 01:01:00 +01:00"},
		{"2022-03-27T02:01:00", "Central European Standard Time", "2022-03-27 03:01:00 +02:00"},
		{"2022-03-27T03:01:00", "Central European Standard Time", "2022-03-27 03:01:00 +02:00"},
		{"2022-10-30T01:01:00", "Central European Standard Time", "2022-10-30 01:01:00 +02:00"},
		{"2022-10-30T02:01:00", "Central European Standard Time", "2022-10-30 02:01:00 +02:00"},
		{"2022-10-30T03:01:00", "Central European Standard Time", "2022-10-30 03:01:00 +01:00"},
		// Half an hour is skipped, and shown twice.
		{"2026-10-04T02:15:00", "Lord Howe Standard Time", "2026-10-04 02:45:00 +11:00"},
		{"2026-10-04T01:59:00", "Lord Howe Standard Time", "2026-10-04 01:59:00 +10:30"},
		{"2026-04-05T01:45:00", "Lord Howe Standard Time", "2026-04-05 01:45:00 +11:00"},
		{"2026-04-05T02:00:00", "Lord Howe Standard Time", "2026-04-05 02:00:00 +10:30"},
	} {
		expectRows(t, fmt.Sprintf("SELECT CAST('%s' AS datetime2(0)) AT TIME ZONE '%s'", c.in, c.zone), c.want)
	}
	expectRows(t, "SELECT CAST('2016-05-01T09:00:00+00:00' AS datetimeoffset(0)) AT TIME ZONE 'Pacific Standard Time'", "2016-05-01 02:00:00 -07:00")
	expectRows(t, "SELECT CAST('2016-05-01T09:00:00' AS datetime2(0)) AT TIME ZONE 'UTC' AT TIME ZONE N'eastern standard time'", "2016-05-01 05:00:00 -04:00")
	expectRows(t, "SELECT CAST(CAST('2026-11-01T06:30:00' AS datetime) AT TIME ZONE 'UTC' AT TIME ZONE 'Eastern Standard Time' AS datetime)", "2026-11-01 01:30:00.000")
}

func TestConversions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// datetimeoffset to a type without offset: copied, the offset dropped.
		{"SELECT CAST(CAST('2026-03-08 12:10:25.999 +01:00' AS datetimeoffset(3)) AS datetime)", "2026-03-08 12:10:26.000"},
		{"SELECT CAST('2007-05-08 12:35:29.1234567 +12:15' AS datetime2(7))", "2007-05-08 12:35:29.1234567"},
		{"SELECT CAST('2007-05-08 12:35:29.1234567 +12:15' AS date), CAST('2007-05-08 12:35:29.1234567 +12:15' AS time(7))", "2007-05-08 12:35:29.1234567"},
		{"SELECT CAST('2007-05-08 12:35:29.123' AS smalldatetime)", "2007-05-08 12:35:00.000"},
		{"SELECT CAST('2026-01-01 00:00:29.998' AS smalldatetime), CAST('2026-01-01 00:00:29.999' AS smalldatetime)", "2026-01-01 00:00:00.000 2026-01-01 00:01:00.000"},
		// A datetime is thirds of a millisecond; datetime2 shows them.
		{"SELECT CAST(CAST('2026-01-01 00:00:00.003' AS datetime) AS datetime2(7))", "2026-01-01 00:00:00.0033333"},
		{"SELECT IIF(CAST('2026-01-01 00:00:00.003' AS datetime) = CAST('2026-01-01 00:00:00.003' AS datetime2), 1, 0)", "0"},
		{"SELECT IIF(CAST('2026-01-01 00:00:00.003' AS datetime) = '2026-01-01 00:00:00.003', 1, 0)", "1"},
		{"SELECT CONVERT(varchar(30), CAST('2026-01-02 15:04:05.007' AS datetime), 126), CONVERT(varchar(30), CAST('2026-01-02 15:04:05' AS datetime), 126)", "2026-01-02T15:04:05.007 2026-01-02T15:04:05"},
		{"SELECT CONVERT(varchar(30), CAST('2026-01-02 15:04:05.007' AS datetime), 121), CONVERT(varchar(8), CAST('2026-01-02' AS date), 112)", "2026-01-02 15:04:05.007 20260102"},
		{"SELECT CONVERT(varchar(30), CAST('2026-01-02 15:04:05' AS datetime)), CONVERT(varchar(30), CAST('2026-11-12 00:04:05' AS datetime), 100)", "Jan  2 2026  3:04PM Nov 12 2026 12:04AM"},
		{"SELECT CONVERT(varchar(40), CAST('2026-01-02 15:04:05.5 +02:00' AS datetimeoffset(1)), 127), CONVERT(varchar(40), CAST('2026-01-02 15:04:05.5 +02:00' AS datetimeoffset(1)), 126)", "2026-01-02T13:04:05.5Z 2026-01-02T15:04:05.5+02:00"},
		{"SELECT CONVERT(varchar(20), CAST('2026-01-02' AS date), 101), CONVERT(varchar(20), CAST('2026-01-02' AS date), 104), CONVERT(varchar(20), CAST('2026-01-02' AS date), 3)", "01/02/2026 02.01.2026 02/01/26"},
		// binary
		{"SELECT CONVERT(binary(10), '0x00000027000001D80003', 1), CONVERT(varchar(42), 0x00AB, 1), CONVERT(varchar(42), 0x00AB, 2)", "0x00000027000001D80003 0x00AB 00AB"},
		{"SELECT CAST(258 AS binary(4)), CAST(258 AS varbinary(1)), CAST('ab' AS binary(4)), CAST(N'a' AS varbinary(4))", "0x00000102 0x02 0x61620000 0x6100"},
		{"SELECT CAST(0xFFFFFFFF AS int), CAST(0x0102 AS smallint), CAST(0xFF AS tinyint)", "-1 258 255"},
		{"SELECT CAST(0x78797A AS varchar(2)), CAST(CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier) AS binary(16))", "xy 0xFF19966F868B11D0B42D00C04FC964FF"},
		{"SELECT CAST(CAST(1.5 AS decimal(5,2)) AS varbinary(20))", "0x0502000196000000"},
		// numbers
		{"SELECT CAST(2.7 AS int), CAST(-2.7 AS int), CAST($2.5 AS int), CAST(1.005 AS decimal(5,2)), CAST('' AS int)", "2 -2 3 1.01 0"},
		{"SELECT CAST(1e0/3 AS varchar(20)), CAST($1234.567 AS varchar(20)), CONVERT(varchar(20), $1234.567, 1), CONVERT(varchar(20), $1234.567, 2)", "0.333333 1234.57 1,234.57 1234.5670"},
		{"SELECT CAST(123456789 AS varchar(3)), CAST('true' AS bit), CAST(2 AS bit)", "* 1 1"},
		{"SELECT TRY_CAST('x' AS int), TRY_CONVERT(datetime, 'x'), TRY_CAST('7' AS int)", "NULL NULL 7"},
		{"SELECT CAST(CAST(1 AS sql_variant) AS int), CAST(N'a' AS sql_variant)", "1 a"},
		{"SELECT CAST(N'€Ж' AS varchar(5)), CAST('abc' AS char(5)) + '|'", "€? abc  |"},
		// arithmetic
		{"SELECT 7 / 2, 7 % 3, -7 / 2, 7 / 2.0, 2.0 / 3, 1.10 * 1.1", "3 1 -3 3.500000 0.666666 1.210"},
		{"SELECT 1 + 2 * 3 - 4, (1 + 2) * 3, 6 & 3, 6 | 3, 6 ^ 3, ~5, -(-3)", "3 9 2 7 5 -6 3"},
		{"SELECT 'a' + N'b' + NULL, N'a' + 'b', 0x01 + 0x02", "NULL ab 0x0102"},
		{"SELECT 1.5 + 1, 10.0 - 0.25, $1.50 * 2, 1e3 + 1", "2.5 9.75 3.00 1001"},
		{"SELECT IIF('a ' = 'A', 1, 0), IIF(0x0100 = 0x01, 1, 0), IIF(NULL = NULL, 1, 0)", "1 1 0"},
	} {
		expectRows(t, c.text, c.want)
	}
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT LEN('ab  '), LEN(N'é€'), DATALENGTH(N'ab '), DATALENGTH('ab '), DATALENGTH(0x0102), DATALENGTH(1)", "2 2 6 3 2 4"},
		{"SELECT UPPER('aé'), LOWER('AB'), LTRIM('  a ') + '|', RTRIM(' a  ') + '|', LEFT('abc', 2), RIGHT('abc', 2), LEFT('a', 9)", "AÉ ab a |  a| ab bc a"},
		{"SELECT SUBSTRING('abcdef', 2, 3), SUBSTRING('abc', 0, 2), SUBSTRING('abc', -1, 9), SUBSTRING(0x010203, 2, 1), SUBSTRING('abc', 9, 1) + '|'", "bcd a abc 0x02 |"},
		{"SELECT CHARINDEX('B', 'abcb'), CHARINDEX('b', 'abcb', 3), CHARINDEX('x', 'abc'), REPLACE('aXbx', 'x', '-')", "2 4 0 a-b-"},
		{"SELECT CONCAT('a', NULL, 1, N'b'), QUOTENAME('a]b'), QUOTENAME('a''b', ''''), PARSENAME('[a b].c', 2), PARSENAME('c', 2)", "a1b [a]]b] 'a''b' a b NULL"},
		{"SELECT DATEADD(month, 1, '2026-01-31'), DATEADD(day, -1, CAST('2026-03-01' AS date)), DATEADD(ms, 3, CAST('2026-01-01' AS datetime))", "2026-02-28 00:00:00.000 2026-02-28 2026-01-01 00:00:00.003"},
		{"SELECT DATEADD(ns, 150, CAST('2026-01-01' AS datetime2(7))), DATEADD(hour, 1, CAST('2026-01-01 00:00 +01:00' AS datetimeoffset(0)))", "2026-01-01 00:00:00.0000002 2026-01-01 01:00:00 +01:00"},
		{"SELECT DATEDIFF(year, '2025-12-31', '2026-01-01'), DATEDIFF(minute, '00:00:59', '00:01:00'), DATEDIFF(day, '2026-01-02', '2026-01-01'), DATEDIFF(week, '2026-11-28', '2026-11-29')", "1 1 -1 1"},
		{"SELECT DATEDIFF(hour, CAST('2026-01-01 00:00 +01:00' AS datetimeoffset), CAST('2026-01-01 00:00 +00:00' AS datetimeoffset)), DATEDIFF_BIG(ns, CAST('2026-01-01' AS datetime2), CAST('2026-01-02' AS datetime2))", "1 86400000000000"},
		{"SELECT DATEPART(tz, CAST('2026-01-01 00:00 -05:30' AS datetimeoffset)), DATENAME(TZOFFSET, CAST('2026-01-01 00:00 -05:30' AS datetimeoffset)), DATEPART(iso_week, '2026-01-01'), DATENAME(weekday, '2026-11-29'), DATEPART(dw, '2026-11-29')", "-330 -05:30 1 Sunday 1"},
		{"SELECT YEAR('2026-11-29'), MONTH('2026-11-29'), DAY('2026-11-29'), DATEPART(ms, CAST('2026-01-01 00:00:00.007' AS datetime)), DATEPART(quarter, '2026-11-29')", "2026 11 29 7 4"},
		{"SELECT SWITCHOFFSET(CAST('2026-01-01 12:00 +02:00' AS datetimeoffset(0)), '-05:00'), TODATETIMEOFFSET(CAST('2026-01-01 12:00' AS datetime2(0)), '-05:00'), SWITCHOFFSET(CAST('2026-01-01 12:00 +02:00' AS datetimeoffset(0)), 60)", "2026-01-01 05:00:00 -05:00 2026-01-01 12:00:00 -05:00 2026-01-01 11:00:00 +01:00"},
		// The digests of NIST's example "abc" and of its UTF-16LE bytes.
		{"SELECT HASHBYTES('SHA2_256', 'abc')", "0xBA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"},
		{"SELECT HASHBYTES('SHA2_256', N'abc')", "0x13E228567E8249FCE53337F25D7970DE3BD68AB2653424C7B8F9FD05E33CAEDF"},
	} {
		expectRows(t, c.text, c.want)
	}
}

func TestTypesOfNoRows(t *testing.T) {
	for _, c := range []struct{ e, want string }{
		{"a", "int"},
		{"a + 1.5", "numeric(12,1)"},
		{"b", "varchar(5)"},
		{"b + N'x'", "nvarchar(6)"},
		{"COUNT_BIG(*)", "bigint"},
		{"SUM(a)", "int"},
		{"SUM(CAST(a AS decimal(10,2)))", "numeric(38,2)"},
		{"NULL", "int"},
		{"CAST('2026-01-01' AS datetime) AT TIME ZONE 'UTC'", "datetimeoffset(3)"},
		{"CONVERT(binary(10), b, 1)", "binary(10)"},
		{"CAST(b AS varchar)", "varchar(30)"},
		{"CASE WHEN a = 1 THEN b ELSE N'abcdefgh' END", "nvarchar(8)"},
		{"COALESCE(a, 1.5)", "numeric(11,1)"},
		{"ISNULL(b, 'abcdefgh')", "varchar(5)"},
		{"1 / 3.0", "numeric(8,6)"},
		{"CAST(1 AS decimal(38,10)) * CAST(1 AS decimal(38,10))", "numeric(38,6)"},
		{"STRING_AGG(b, ',')", "varchar(8000)"},
		{"DATEDIFF(day, '2026-01-01', '2026-01-02')", "int"},
		{"MAX(b)", "varchar(5)"},
		{"0x0102", "varbinary(2)"},
		{"3000000000", "numeric(10,0)"},
		{"SUBSTRING(b, 1, 2)", "varchar(5)"},
	} {
		r, err := ask(t, "SELECT "+c.e+" FROM Empty WHERE 1 = 0")
		if err != nil {
			t.Errorf("%s: %v", c.e, err)
			continue
		}
		if got := fullName(r.sets[0].cols[0].Type); got != c.want {
			t.Errorf("%s is %s, want %s", c.e, got, c.want)
		}
	}
}

func fullName(t tds.Type) string {
	switch {
	case isString(t) || isBinary(t):
		return fmt.Sprintf("%s(%d)", TypeName(t), length(t))
	case isDecimal(t):
		return fmt.Sprintf("%s(%d,%d)", TypeName(t), t.Prec, t.Scale)
	case t.ID == tds.DateTimeOffType || t.ID == tds.DateTime2NType:
		return fmt.Sprintf("%s(%d)", TypeName(t), t.Scale)
	}
	return TypeName(t)
}

func TestParseType(t *testing.T) {
	for text, want := range map[string]tds.Type{
		"decimal(10,2)": tds.Decimal(10, 2), "NUMERIC": tds.Decimal(18, 0), "nvarchar(max)": tds.NVarChar(-1), "varchar": tds.VarChar(1), "rowversion": tds.Binary(8),
		"uniqueidentifier": tds.UniqueID, "datetime2(3)": tds.DateTime2(3), "datetimeoffset": tds.DateTimeOffset(7), "[sys].[sysname]": tds.NVarChar(128), "float(24)": tds.Real, "char varying(5)": tds.VarChar(5), "xml": tds.XML, "time(0)": tds.TimeN(0),
	} {
		if got, err := ParseType(text); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "nope", "int(4)", "decimal(40)", "varchar(0)", "nchar(max)", "int int", "decimal(5,2,1)"} {
		if got, err := ParseType(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

// TestTextRoundTrips: a value written as text and read again is the same.
func TestTextRoundTrips(t *testing.T) {
	through := func(v Value, style int) bool {
		s, err := Convert(v, tds.NVarChar(maxLength), style)
		if err != nil {
			t.Log(err)
			return false
		}
		back, err := Convert(s, v.T, style)
		if err != nil {
			t.Log(s.V, err)
			return false
		}
		k, err := Compare(v, back)
		return err == nil && k == 0
	}
	check := func(name string, f any) {
		if err := quick.Check(f, &quick.Config{MaxCount: 1000, Rand: rand.New(rand.NewSource(1))}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	day := func(n int64) time.Time {
		return time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(uint16(n)))
	}
	check("bigint", func(n int64) bool { return through(Value{tds.BigInt, n}, 0) })
	check("decimal", func(n int64) bool { return through(Value{tds.Decimal(38, 7), big.NewInt(n)}, 0) })
	check("money", func(n int64) bool { return through(Value{tds.Money, tds.MoneyVal(n)}, 2) })
	check("float", func(f float64) bool { return through(Value{tds.Float, f}, 3) })
	check("binary", func(b []byte) bool { return through(Value{tds.VarBinary(-1), b}, 1) })
	check("guid", func(g [16]byte) bool { return through(Value{tds.UniqueID, tds.GUID(g)}, 0) })
	check("date", func(n int64) bool { return through(Value{tds.Date, day(n)}, 23) })
	check("datetime", func(n int64, tick uint32) bool {
		return through(Value{tds.DateTime, tds.FromTicks(int32(uint16(n)), tick%ticksADay)}, 121)
	})
	check("datetime2", func(n int64, ns uint32) bool {
		return through(Value{tds.DateTime2(7), day(n).Add(time.Duration(ns) * 100)}, 126)
	})
	check("datetimeoffset", func(n int64, ns uint32, min int8) bool {
		at := day(n).Add(time.Duration(ns) * 100).In(time.FixedZone("", int(min)*60))
		return through(Value{tds.DateTimeOffset(7), at}, 0)
	})
}

// TestBytesRoundTrips: numbers survive a stay in binary.
func TestBytesRoundTrips(t *testing.T) {
	for _, v := range []Value{
		{tds.Int, int64(-5)},
		{tds.BigInt, int64(1) << 60},
		{tds.SmallInt, int64(-2)},
		{tds.TinyInt, int64(200)},
		{tds.Money, tds.MoneyVal(-12345)},
		{tds.UniqueID, tds.GUID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
		{tds.DateTime, tds.FromTicks(46000, 12345)},
	} {
		b, err := Convert(v, tds.VarBinary(16), 0)
		if err != nil {
			t.Errorf("%v: %v", v, err)
			continue
		}
		back, err := Convert(b, v.T, 0)
		if k, cerr := Compare(v, back); err != nil || cerr != nil || k != 0 {
			t.Errorf("%v came back as %v (%v, %v)", v, back, err, cerr)
		}
	}
}

func TestGUIDOrder(t *testing.T) {
	guid := func(s string) Value {
		v, err := Convert(Value{tds.VarChar(36), s}, tds.UniqueID, 0)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	// SQL Server looks at the last group first and at the first one last.
	a, b := guid("FFFFFFFF-0000-0000-0000-000000000001"), guid("00000000-0000-0000-0000-000000000002")
	if k, err := Compare(a, b); err != nil || k != -1 {
		t.Errorf("got %d, %v", k, err)
	}
}
