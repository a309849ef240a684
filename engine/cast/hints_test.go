package cast_test

import (
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// What a refusal says to type next writes the values that it names: an answer that
// would only refuse them again is none.
func TestHintsNameAnswersThatHelp(t *testing.T) {
	scaled := sqlType("datetime2")
	scaled.Scale = 3
	for _, c := range []struct {
		name string
		from schema.CopyColumn
		sql  schema.SQLType
		vals []any
		want string // the answers offered, empty for none
	}{
		{"no time at all", textCol, scaled, []any{"31/12/2020"}, "null"},
		{"too fine", textCol, scaled, []any{"2020-12-31 00:00:00.1234"}, "round|cut|null"},
		{"one of each", textCol, scaled, []any{"31/12/2020", "2020-12-31 00:00:00.1234"}, "null"},
		{"not UTF-8", textCol, sized("varchar", 10), []any{"caf\xe9"}, "null"},
		{"too long", textCol, sized("varchar", 3), []any{"abcd"}, "cut|null"},
		{"too long and not UTF-8", textCol, sized("varchar", 3), []any{"abcd", "caf\xe9"}, "null"},
	} {
		t.Run(c.name, func(t *testing.T) {
			to := target(t, c.sql)
			m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{class("c1", named(c.from, "c"))}, cast.Answers{})
			if err != nil {
				t.Fatal(err)
			}
			_, r := runCast(t, m, arrowOf(c.from), c.vals, 0)
			e := verdict.As(cast.Report{Columns: map[string]cast.ColumnReport{"c": r}}.Err())
			if e == nil {
				t.Fatal("nothing is refused")
			}
			offered := ""
			for _, h := range e.Hint {
				if answers, ok := strings.CutPrefix(h, "--cast c="); ok {
					offered = answers
				}
			}
			if offered != c.want {
				t.Errorf("%q, want %q", e.Hint, c.want)
			}
		})
	}
}

// What is to be typed is typed into a shell: a name with a blank is one word.
func TestHintsAreQuotedForAShell(t *testing.T) {
	to := target(t, sized("varchar", 3))
	to.Name = "Customer Name"
	report := cast.Report{Columns: map[string]cast.ColumnReport{to.Name: {
		Values: 1, Refused: 1, Choices: []cast.Answer{cast.Stop, cast.Null}, Effects: map[cast.Effect]int64{cast.NotUTF8: 1},
		Samples: map[cast.Effect][]cast.Sample{cast.NotUTF8: {{Helps: []cast.Answer{cast.Null}}}},
	}}}
	hints := strings.Join(verdict.As(report.Err()).Hint, "\n")
	for _, want := range []string{"--cast 'Customer Name'=null", "--encoding 'Customer Name'=ENCODING"} {
		if !strings.Contains(hints, want) {
			t.Errorf("%q lacks %s", hints, want)
		}
	}
	m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{class("c1", named(textCol, "customer nam"))}, cast.Answers{})
	if err != nil {
		t.Fatal(err)
	}
	hints = strings.Join(verdict.As(m.Refusal()).Hint, "\n")
	for _, want := range []string{"--map 'customer nam'='Customer Name'", "--missing 'Customer Name'=stop|null"} {
		if !strings.Contains(hints, want) {
			t.Errorf("%q lacks %s", hints, want)
		}
	}
}
