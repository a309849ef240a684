package cast_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// notNull is a target whose source is NOT NULL.
func notNull(t *testing.T, sql schema.SQLType) schema.TargetColumn {
	to := target(t, sql)
	to.Nullable = false
	return to
}

// A source's NOT NULL column holds no NULL, so a copy that has one is wrong
// about it: whatever the cast, it is refused unless a person says that NULL is right.
func TestNullOfANotNullColumnIsRefused(t *testing.T) {
	for _, r := range []rule{
		{from: int32Col, to: sqlType("int"), in: []any{1, nil, nil}},
		{from: int32Col, to: sqlType("bigint"), in: []any{1, nil, nil}},
		{from: int64Col, to: sqlType("int"), in: []any{1, nil, nil}},
		{from: boolCol, to: sqlType("bit"), in: []any{true, nil, nil}},
		{from: int8Col, to: sqlType("real"), in: []any{1, nil, nil}},
		{from: textCol, to: sized("nvarchar", 20), in: []any{"1", nil, nil}},
		{from: textCol, to: sized("char", 1), in: []any{"1", nil, nil}},
		{from: textCol, to: sqlType("float"), in: []any{"1", nil, nil}},
		{from: textCol, to: scaled("datetime2", 0, 7), in: []any{"2026-01-01", nil, nil}},
		{from: decimalCol(10, 2), to: scaled("decimal", 10, 2), in: []any{"1.00", nil, nil}},
		{from: stampCol("MICROS", false), to: sqlType("datetime"), in: []any{0, nil, nil}},
		{from: dateCol, to: sqlType("date"), in: []any{1, nil, nil}},
		{from: bytesCol, to: sized("varbinary", 1), in: []any{"1", nil, nil}},
		{from: uuidCol, to: sqlType("uniqueidentifier"), in: []any{strings.Repeat("1", 16), nil, nil}},
		{from: timeCol("NANOS"), to: scaled("time", 0, 7), in: []any{1000, nil, nil}},
	} {
		got, report := castColumn(t, r.from, notNull(t, r.to), schema.FileClass{}, cast.Answers{}, r.in)
		if report.Refused != 2 || report.Nulls != 0 || report.Unchanged != 1 || effectsText(report) != "null_in_not_null:2" || got[0] == "NULL" || got[1] != "NULL" {
			t.Errorf("%s to %s: %v, %+v", r.from, r.to, got, report)
		}
		err := cast.Report{Columns: map[string]cast.ColumnReport{"c": report}}.Err()
		if !errors.Is(err, verdict.ValueRefused) || !strings.Contains(err.Error(), "2 NULL although the source's column is NOT NULL: f.parquet row 2; f.parquet row 3") ||
			!strings.Contains(strings.Join(verdict.As(err).Hint, " "), "--cast c=null ") {
			t.Errorf("%s to %s: %v, hints %q", r.from, r.to, err, verdict.As(err).Hint)
		}
		a := cast.Answers{Cast: map[string]cast.Answer{"c": cast.Null}}
		if _, report = castColumn(t, r.from, notNull(t, r.to), schema.FileClass{}, a, r.in); report.Refused != 0 || report.ToNull != 2 {
			t.Errorf("%s to %s, answered null: %+v", r.from, r.to, report)
		}
	}
}

func TestNullOfAKeyHasNoAnswer(t *testing.T) {
	id := notNull(t, sqlType("int"))
	id.Key = true
	_, report := castColumn(t, int32Col, id, schema.FileClass{}, cast.Answers{}, []any{1, nil})
	err := cast.Report{Columns: map[string]cast.ColumnReport{"c": report}}.Err()
	if !errors.Is(err, verdict.ValueRefused) || strings.Contains(strings.Join(verdict.As(err).Hint, " "), "--cast") ||
		!strings.Contains(strings.Join(verdict.As(err).Hint, " "), `no answer writes these values of "c"`) {
		t.Errorf("%v, hints %q", err, verdict.As(err).Hint)
	}
	if s := report.Samples[cast.ForbidsNull]; len(s) != 1 || s[0].Row != 2 || s[0].Before != "NULL" || s[0].After != "refused" {
		t.Errorf("samples %+v", s)
	}
	for _, from := range []schema.CopyColumn{int32Col, textCol, int64Col} {
		_, err := cast.Match([]schema.TargetColumn{id}, []schema.FileClass{class("c1", named(from, "c"))}, cast.Answers{Cast: map[string]cast.Answer{"c": cast.Null}})
		if !errors.Is(err, verdict.AnswerUnknown) {
			t.Errorf("%s: %v", from, err)
		}
	}
}

// rows casts two rows of a class without the column, or with an Arrow column of type null.
func rows(t *testing.T, to schema.TargetColumn, from schema.CopyColumn, has bool, a cast.Answers) cast.Report {
	t.Helper()
	of := class("c1", named(int32Col, "other"))
	if from.Physical != "" {
		of = class("c1", named(from, "c"))
	}
	m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{of}, a)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Preview("c1", nil)
	if err != nil {
		t.Fatal(err)
	}
	fields, cols := []arrow.Field{}, []arrow.Array{}
	if has {
		fields, cols = append(fields, arrow.Field{Name: "c", Type: arrow.Null}), append(cols, array.MakeArrayOfNull(memory.DefaultAllocator, arrow.Null, 2))
	}
	out, err := k.Cast(array.NewRecord(arrow.NewSchema(fields, nil), cols, 2), cast.Place{File: "f", FirstRow: 5})
	if err != nil || out[0].Len() != 2 || out[0].NullN() != 2 {
		t.Fatal(out, err)
	}
	return k.Report()
}

func TestColumnsThatFilesLackAreNullOnlyWhereTheSourceMayBe(t *testing.T) {
	absent, gone := schema.CopyColumn{Physical: schema.Absent}, schema.CopyColumn{}
	null := cast.Answers{Cast: map[string]cast.Answer{"c": cast.Null}}
	missing := cast.Answers{Missing: map[string]cast.Answer{"c": cast.Null}}
	computed := notNull(t, sqlType("int"))
	computed.Computed = true
	for _, c := range []struct {
		name    string
		to      schema.TargetColumn
		from    schema.CopyColumn
		has     bool
		a       cast.Answers
		refused int64
		toNull  int64
	}{
		{"older than a nullable column", target(t, sqlType("int")), absent, false, cast.Answers{}, 0, 0},
		{"older than a NOT NULL column", notNull(t, sqlType("int")), absent, false, cast.Answers{}, 2, 0},
		{"older than a NOT NULL column, answered", notNull(t, sqlType("int")), absent, false, null, 0, 2},
		{"missing, an open question", notNull(t, sqlType("int")), gone, false, cast.Answers{}, 2, 0},
		{"missing, answered", notNull(t, sqlType("int")), gone, false, missing, 0, 2},
		{"missing and nullable, answered", target(t, sqlType("int")), gone, false, missing, 0, 2},
		{"computed", computed, int32Col, false, cast.Answers{}, 0, 0},
		{"read as nothing but NULL", notNull(t, sqlType("int")), int32Col, true, cast.Answers{}, 2, 0},
		{"read as nothing but NULL, nullable", target(t, sqlType("int")), int32Col, true, cast.Answers{}, 0, 0},
	} {
		r := rows(t, c.to, c.from, c.has, c.a)
		got := r.Columns["c"]
		if got.Values != 2 || got.Refused != c.refused || got.ToNull != c.toNull || got.Of(cast.ForbidsNull)+got.Of(cast.Missing) != c.refused+c.toNull || got.Nulls != 2-c.refused-c.toNull {
			t.Errorf("%s: %+v", c.name, got)
		}
		if s := got.Samples[cast.ForbidsNull]; len(s) > 0 && (s[1].Row != 6 || s[1].Before != "NULL") {
			t.Errorf("%s: samples %+v", c.name, s)
		}
	}
}

// A key that the copy lacks has no answer, and nobody is told to give one.
func TestAMissingKeyIsToldAsWhatItIs(t *testing.T) {
	id := col(t, "order_id", sqlType("int"))
	id.Key, id.Nullable = true, false
	m, err := cast.Match([]schema.TargetColumn{id}, []schema.FileClass{class("c1", named(int32Col, "orderid"))}, cast.Answers{})
	if err != nil {
		t.Fatal(err)
	}
	err = m.Refusal()
	said := strings.Join(append(verdict.As(err).Hint, err.Error(), m.Open()[0].Option()), "\n")
	if !errors.Is(err, verdict.ColumnMissing) || !strings.Contains(said, "a key cannot be NULL") || !strings.Contains(said, "this copy cannot be used") ||
		!strings.Contains(said, `"orderid"`) || strings.Contains(said, "--missing") {
		t.Error(said)
	}
	if _, err := cast.Match([]schema.TargetColumn{id}, []schema.FileClass{class("c1", named(int32Col, "x"))}, cast.Answers{Missing: map[string]cast.Answer{"order_id": cast.Null}}); !errors.Is(err, verdict.AnswerUnknown) {
		t.Error("a key was answered with NULL:", err)
	}
}
