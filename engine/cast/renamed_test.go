package cast_test

import (
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// sources is where each column comes from, a class after the other.
func sources(m *cast.Mapping) string {
	var out []string
	for _, c := range m.Columns {
		var from []string
		for _, r := range c.Rules {
			from = append(from, fmt.Sprintf("%s(%s)", r.From, r.Code))
		}
		out = append(out, c.Target.Name+" = "+strings.Join(from, " "))
	}
	return strings.Join(append(out, fmt.Sprintf("left out %q", m.LeftOut)), "; ")
}

func TestMapTakesAColumnOfAnotherName(t *testing.T) {
	cols := []schema.TargetColumn{col(t, "a", sqlType("int")), col(t, "b", sqlType("int"))}
	one := []schema.FileClass{class("c1", named(int32Col, "A"), named(int32Col, "x"))}
	for _, c := range []struct {
		name    string
		given   []string
		classes []schema.FileClass
		want    string
	}{
		{"nothing", nil, one, `a = A(same); b = (missing_null); left out ["x"]`},
		{"a renamed one", []string{"X=B"}, one, `a = A(same); b = x(same); left out []`},
		{"one that is used elsewhere", []string{"a=b"}, one, `a = (missing_null); b = A(same); left out ["x"]`},
		{
			"two that were swapped",
			[]string{"a=b", "b=a"},
			[]schema.FileClass{class("c1", named(int32Col, "a"), named(int32Col, "b"))},
			`a = b(same); b = a(same); left out []`,
		},
		{"one left out", []string{"a=", "x=a"}, one, `a = x(same); b = (missing_null); left out ["A"]`},
		{"its own name", []string{"a=A"}, one, `a = A(same); b = (missing_null); left out ["x"]`},
		{
			"files of two kinds",
			[]string{"x=b"},
			[]schema.FileClass{one[0], class("c2", named(int32Col, "a"), named(int32Col, "b"))},
			`a = A(same) a(same); b = x(same) b(same); left out []`,
		},
		{
			"names with an equals sign",
			[]string{"x=y=b"},
			[]schema.FileClass{class("c1", named(int32Col, "a"), named(int32Col, "x=y"))},
			`a = a(same); b = x=y(same); left out []`,
		},
	} {
		m, err := cast.Match(cols, c.classes, cast.Answers{Map: c.given})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := sources(m); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestMapRefusals(t *testing.T) {
	total := col(t, "total", sqlType("int"))
	total.Computed = true
	cols := []schema.TargetColumn{col(t, "a", sqlType("int")), col(t, "b", sqlType("int")), col(t, "x=b", sqlType("int")), total}
	classes := []schema.FileClass{class("c1", named(int32Col, "a"), named(int32Col, "x"), named(int32Col, "y"), named(int32Col, "y=x"), named(int32Col, "_batch_id"))}
	for _, c := range []struct {
		given []string
		code  verdict.Code
		says  string
	}{
		{[]string{"z=b"}, verdict.AnswerUnknown, `names "z", which is no column of the copy`},
		{[]string{"x=z"}, verdict.AnswerUnknown, `names "z", which is no captured column`},
		{[]string{"z="}, verdict.AnswerUnknown, `names "z", which is no column of the copy`},
		{[]string{"x=b", "y=B"}, verdict.AnswerUnknown, `captured column "b" twice`},
		{[]string{"x=b", "X="}, verdict.AnswerUnknown, `the copy's column "x" twice`},
		{[]string{"x=total"}, verdict.AnswerUnknown, `"total", which is a computed column`},
		{[]string{"_batch_id=b"}, verdict.AnswerUnknown, `"_batch_id", which is a metadata column`},
		{[]string{"x=a"}, verdict.ColumnAmbiguous, `takes "a" from "x", and the copy has a column "a" too`},
		{[]string{"y=x=b"}, verdict.ColumnAmbiguous, "can be read in two ways"},
	} {
		_, err := cast.Match(cols, classes, cast.Answers{Map: c.given})
		e := verdict.As(err)
		if e == nil || e.Code != c.code || !strings.Contains(e.What, c.says) || len(e.Hint) == 0 {
			t.Errorf("%q: %v, want %s %q", c.given, err, c.code, c.says)
		}
	}
	// An answer about what is missing no more is told.
	_, err := cast.Match(cols[:2], classes, cast.Answers{Map: []string{"x=b"}, Missing: map[string]cast.Answer{"b": cast.Null}})
	if e := verdict.As(err); e == nil || e.Code != verdict.AnswerUnknown {
		t.Errorf("%v", err)
	}
	if err := cast.CheckMap([]string{"x=b"}, cols, classes); err != nil {
		t.Error(err)
	}
}
