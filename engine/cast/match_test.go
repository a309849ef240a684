package cast_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

func named(c schema.CopyColumn, name string) schema.CopyColumn {
	c.Name = name
	return c
}

func class(id string, cols ...schema.CopyColumn) schema.FileClass {
	return schema.FileClass{ID: id, Columns: cols}
}

func col(t *testing.T, name string, sql schema.SQLType) schema.TargetColumn {
	c := target(t, sql)
	c.Name = name
	return c
}

// orders is a captured table and a copy of two file classes that asks everything.
func orders(t *testing.T) ([]schema.TargetColumn, []schema.FileClass) {
	id := col(t, "order_id", sqlType("uniqueidentifier"))
	id.Key = true
	total := col(t, "total", scaled("decimal", 18, 2))
	total.Computed = true
	return []schema.TargetColumn{id, col(t, "Name", sized("nvarchar", 100)), col(t, "amount", scaled("decimal", 10, 2)), col(t, "placed_at", sqlType("datetime")), col(t, "born", sqlType("date")), total},
		[]schema.FileClass{
			class("c1", named(fixed16Col, "ORDER_ID"), named(textCol, "customer_name"), named(decimalCol(18, 4), "amount"), named(stampCol("MICROS", true), "placed_at"), named(dateCol, "born"), named(doubleCol, "total")),
			{ID: "c2", Legacy: true, Columns: []schema.CopyColumn{named(textCol, "order_id"), named(textCol, "customer_name"), named(decimalCol(38, 2), "amount"), named(int96Col, "placed_at"), named(dateCol, "born"), named(textCol, "_fivetran_synced")}},
		}
}

func TestMappingIsWhatThePlanHolds(t *testing.T) {
	cols, classes := orders(t)
	m, err := cast.Match(cols, classes, cast.Answers{
		Cast:    map[string]cast.Answer{"ORDER_ID": cast.SQLOrder, "amount": cast.Round},
		Missing: map[string]cast.Answer{"name": cast.Null}, Zone: "America/Sao_Paulo", Location: locate,
	})
	if err != nil || m.Refusal() != nil {
		t.Fatal(err, m.Refusal())
	}
	got, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile("testdata/mapping.json", got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/mapping.json")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("the mapping's JSON changed (-want +got):\n%s", d)
	}
	var back cast.Mapping
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(*m, back, cmpopts.IgnoreFields(cast.Mapping{}, "Classes")); d != "" {
		t.Errorf("the mapping does not read back:\n%s", d)
	}
	for _, c := range []string{"c1", "c2"} {
		if k, err := back.Caster(c, locate); err != nil || len(k.Columns()) != 4 {
			t.Errorf("class %s: %v", c, err)
		}
	}
	if _, err := back.Caster("c3", locate); err == nil {
		t.Error("a caster of a class that is none")
	}
}

func TestOpenQuestions(t *testing.T) {
	cols, classes := orders(t)
	m, err := cast.Match(cols, classes, cast.Answers{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range m.Open() {
		got = append(got, q.Option()+" "+strings.Join(q.Classes, ","))
	}
	want := []string{
		"--cast order_id=text-order|sql-order c1",
		"--missing Name=stop|null c1,c2",
		"--cast amount=stop|round|cut|null c1",
		"--copy-time-zone UTC|ZONE|wall-clock c1",
		"--copy-time-zone UTC|ZONE|wall-clock c2",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !strings.Contains(m.Open()[1].Text, `"customer_name"`) { // case 13 (c)
		t.Errorf("no suggestion: %s", m.Open()[1].Text)
	}
	if d := cmp.Diff([]string{"customer_name", "_fivetran_synced"}, m.LeftOut); d != "" {
		t.Error(d)
	}
	if err := m.Refusal(); !errors.Is(err, verdict.ColumnMissing) || !strings.Contains(strings.Join(verdict.As(err).Hint, "\n"), "--cast amount=stop|round|cut|null") {
		t.Errorf("got %v, hints %q", err, verdict.As(err).Hint)
	}
	for code, a := range map[verdict.Code]cast.Answers{
		verdict.CastNeedsZone:   {Missing: map[string]cast.Answer{"Name": cast.Null}},
		verdict.CastNeedsAnswer: {Missing: map[string]cast.Answer{"Name": cast.Null}, Zone: "UTC"},
		verdict.ColumnMissing:   {Missing: map[string]cast.Answer{"Name": cast.Stop}, Zone: "UTC", Cast: map[string]cast.Answer{"amount": cast.Stop, "order_id": cast.SQLOrder}},
	} {
		m, err := cast.Match(cols, classes, a)
		if err != nil || !errors.Is(m.Refusal(), code) {
			t.Errorf("%+v: %v, %v, want %s", a, err, m.Refusal(), code)
		}
	}
}

func TestMatchRefusals(t *testing.T) {
	id, amount := col(t, "id", sqlType("int")), col(t, "amount", scaled("decimal", 10, 2))
	key := col(t, "id", sqlType("bigint"))
	key.Key = true
	good := class("c1", named(int32Col, "ID"), named(decimalCol(10, 2), "amount"))
	answer := func(c, a string) cast.Answers {
		return cast.Answers{Cast: map[string]cast.Answer{c: cast.Answer(a)}}
	}
	for _, c := range []struct {
		name string
		code verdict.Code
		cols []schema.TargetColumn
		of   schema.FileClass
		a    cast.Answers
	}{
		{"case 13 (d)", verdict.ColumnAmbiguous, []schema.TargetColumn{id, amount}, class("c1", named(int32Col, "id"), named(decimalCol(10, 2), "Amount"), named(decimalCol(10, 2), "AMOUNT")), cast.Answers{}},
		{"case 39", verdict.CastImpossible, []schema.TargetColumn{col(t, "rv", sqlType("timestamp"))}, class("c1", named(stampCol("MICROS", true), "rv")), cast.Answers{}},
		{"nested", verdict.CastImpossible, []schema.TargetColumn{col(t, "x", sized("nvarchar", -1))}, class("c1", named(groupCol, "x")), cast.Answers{}},
		{"an int's text", verdict.CastImpossible, []schema.TargetColumn{col(t, "x", sized("varchar", 10))}, class("c1", named(int32Col, "x")), cast.Answers{}},
		{"an epoch", verdict.CastImpossible, []schema.TargetColumn{col(t, "x", scaled("datetime2", 0, 7))}, class("c1", named(int64Col, "x")), cast.Answers{}},
		{"days", verdict.CastImpossible, []schema.TargetColumn{col(t, "x", sqlType("date"))}, class("c1", named(int32Col, "x")), cast.Answers{}},
		{"a uuid's bytes for a rowversion", verdict.CastImpossible, []schema.TargetColumn{col(t, "x", sqlType("timestamp"))}, class("c1", named(uuidCol, "x")), cast.Answers{}},
		{"no such column", verdict.AnswerUnknown, []schema.TargetColumn{id, amount}, good, answer("amuont", "round")},
		{"no answer needed", verdict.AnswerUnknown, []schema.TargetColumn{id, amount}, good, answer("id", "null")},
		{"no such answer", verdict.AnswerUnknown, []schema.TargetColumn{id, amount}, good, answer("amount", "round")},
		{"not missing", verdict.AnswerUnknown, []schema.TargetColumn{id, amount}, good, cast.Answers{Missing: map[string]cast.Answer{"amount": cast.Null}}},
		{"no NULL in a key", verdict.AnswerUnknown, []schema.TargetColumn{key}, class("c1", named(textCol, "id")), answer("id", "null")},
		{"no such zone", verdict.ZoneUnknown, []schema.TargetColumn{id, amount}, good, cast.Answers{Zone: "Mars/Olympus", Location: locate}},
		{"nobody to find the zone", verdict.ZoneUnknown, []schema.TargetColumn{id, amount}, good, cast.Answers{Zone: "Asia/Tokyo"}},
	} {
		m, err := cast.Match(c.cols, []schema.FileClass{c.of}, c.a)
		if !errors.Is(err, c.code) {
			t.Errorf("%s: got %v, %v, want %s", c.name, m, err, c.code)
		}
		if err != nil && len(verdict.As(err).Hint) == 0 {
			t.Errorf("%s: no hint", c.name)
		}
	}
}

// case 33: dotless ı is another letter; case 7: a narrower decimal of the same scale asks nothing
func TestMatchAsksOnlyWhatMayBeLost(t *testing.T) {
	m, err := cast.Match([]schema.TargetColumn{col(t, "ID", sqlType("int"))}, []schema.FileClass{class("c1", named(int32Col, "ıd"))}, cast.Answers{})
	if err != nil || len(m.Open()) != 1 || m.Open()[0].Code != cast.MissingNull {
		t.Errorf("ıd: %+v, %v", m.Open(), err)
	}
	for _, c := range []struct {
		from schema.CopyColumn
		to   schema.SQLType
		code cast.Code
		asks int
	}{
		{decimalCol(18, 4), scaled("decimal", 10, 2), cast.DecimalRound, 1},
		{decimalCol(38, 2), scaled("decimal", 10, 2), cast.NarrowChecked, 0},
		{decimalCol(10, 2), scaled("decimal", 10, 2), cast.Same, 0},
		{decimalCol(10, 2), scaled("decimal", 12, 4), cast.DecimalRescale, 0},
		{doubleCol, scaled("decimal", 10, 2), cast.DoubleToDec, 1},
		{doubleCol, sqlType("real"), cast.DoubleToFloat, 1},
		{floatCol, sqlType("float"), cast.Widen, 0},
		{int64Col, sqlType("int"), cast.NarrowChecked, 0},
		{int32Col, sqlType("bigint"), cast.Widen, 0},
		{uint8Col, sqlType("tinyint"), cast.Widen, 0},
		{int16Col, sqlType("tinyint"), cast.NarrowChecked, 0},
		{stampCol("MICROS", true), sqlType("datetime"), cast.InstantToWall, 1},
		{stampCol("MICROS", false), scaled("datetimeoffset", 0, 7), cast.WallToInstant, 1},
		{stampCol("NANOS", false), scaled("datetime2", 0, 7), cast.NanosToMicros, 0},
		{stampCol("MICROS", false), sqlType("datetime"), cast.DatetimeTick, 0},
		{stampCol("MICROS", true), sqlType("date"), cast.StampToDate, 2},
		{fixed16Col, sqlType("uniqueidentifier"), cast.GUIDOrder, 1},
		{uuidCol, sqlType("uniqueidentifier"), cast.GUIDBytes, 0},
		{textCol, schema.SQLType{Name: "char", Length: 4}, cast.AnsiChar, 1},
		{textCol, schema.SQLType{Name: "nchar", Length: 8}, cast.PadChar, 0},
		{int96Col, scaled("time", 0, 7), cast.StampToTime, 1},
		{stampCol("MICROS", false), scaled("time", 0, 7), cast.StampToTime, 0},
	} {
		m, err := cast.Match([]schema.TargetColumn{target(t, c.to)}, []schema.FileClass{class("c1", named(c.from, "c"))}, cast.Answers{})
		if err != nil {
			t.Error(c.from, c.to, err)
			continue
		}
		if got := m.Columns[0].Rules[0].Code; got != c.code || len(m.Open()) != c.asks {
			t.Errorf("%s to %s: %s and %d questions, want %s and %d", c.from, c.to, got, len(m.Open()), c.code, c.asks)
		}
	}
}

// Every pair of the matrix has a code of the closed list and a kernel.
func TestEveryPairHasACast(t *testing.T) {
	sources := []schema.CopyColumn{
		int8Col, int16Col, int32Col, int64Col, uint8Col, uint64Col, boolCol, floatCol, doubleCol, halfCol, textCol, bytesCol, uuidCol, fixed16Col, dateCol, int96Col, partCol,
		decimalCol(5, 2), decimalCol(18, 4), decimalCol(60, 0), stampCol("MILLIS", false), stampCol("MICROS", true), stampCol("NANOS", false), timeCol("MILLIS"), timeCol("NANOS"),
		{Physical: "INT32", Logical: "NULL"},
	}
	seen := map[cast.Code]bool{cast.MissingNull: true, cast.ComputedNull: true, cast.AbsentNull: true}
	for _, name := range []string{
		"bit", "tinyint", "smallint", "int", "bigint", "real", "float", "decimal", "money", "smallmoney", "date", "datetime", "datetime2", "smalldatetime", "datetimeoffset", "time",
		"char", "varchar", "nchar", "nvarchar", "text", "ntext", "xml", "uniqueidentifier", "binary", "varbinary", "image", "timestamp",
	} {
		for _, pad := range []bool{true, false} {
			to := target(t, schema.SQLType{Name: name, Precision: 10, Scale: 2, Length: 8, AnsiPad: pad})
			for _, from := range append(sources, schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 8}) {
				m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{class("c1", named(from, "c"))}, cast.Answers{})
				if errors.Is(err, verdict.CastImpossible) {
					continue
				}
				code := m.Columns[0].Rules[0].Code
				seen[code] = true
				if _, ok := cast.Describe(code); !ok {
					t.Errorf("%s to %s: %q is not in the list", from, name, code)
				}
				if _, err := m.Caster("c1", nil); (err == nil) != (len(m.Open()) == 0) {
					t.Errorf("%s to %s: with %d open questions the caster is %v", from, name, len(m.Open()), err)
				}
				_, report := runCast(t, m, arrowOf(from), []any{nil, nil}, 3)
				if report.Nulls != 2 || report.Refused != 0 || len(report.Effects) != 0 {
					t.Errorf("%s to %s: two NULLs count as %+v", from, name, report)
				}
			}
		}
	}
	for _, a := range cast.Codes() {
		if !seen[a.Code] {
			t.Errorf("no pair leads to %s", a.Code)
		}
	}
}

// A Delta table's own NULLs for files older than a column ask nothing, unlike a
// column that the copy lacks.
func TestAColumnAddedToTheCopyIsNullInOlderFiles(t *testing.T) {
	older := class("c1", schema.CopyColumn{Name: "c", Physical: schema.Absent})
	newer := class("c2", named(int32Col, "c"))
	m, err := cast.Match([]schema.TargetColumn{target(t, schema.SQLType{Name: "int"})}, []schema.FileClass{older, newer}, cast.Answers{})
	if err != nil {
		t.Fatal(err)
	}
	if rules := m.Columns[0].Rules; rules[0].Code != cast.AbsentNull || rules[1].Code != cast.Same || len(m.Open()) != 0 || len(m.LeftOut) != 0 {
		t.Errorf("%+v, open %v, left out %v", rules, m.Open(), m.LeftOut)
	}
	caster, err := m.Caster("c1", nil)
	if err != nil || len(caster.Columns()) != 0 {
		t.Errorf("%v, wants %v", err, caster.Columns())
	}
}
