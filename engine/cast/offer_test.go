package cast_test

import (
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// What is shown of a refused value is what each answer would write, never a
// NULL that nobody chose.
func TestSamplesShowWhatEachAnswerWrites(t *testing.T) {
	key := target(t, sqlType("int"))
	key.Key = true
	for _, c := range []struct {
		from schema.CopyColumn
		to   schema.TargetColumn
		in   any
		want string
	}{
		{decimalCol(18, 4), target(t, scaled("decimal", 10, 2)), "1.2550", "1.2550 -> 1.26 (round), 1.25 (cut), NULL (null)"},
		{doubleCol, target(t, sqlType("int")), -2.5, "-2.5 -> -3 (round), -2 (cut), NULL (null)"},
		{doubleCol, target(t, sqlType("int")), 1e12, "1e+12 -> NULL (null)"},
		{doubleCol, target(t, sqlType("real")), 0.1, "0.1 -> 0.1 (round), NULL (null)"},
		{stampCol("MICROS", false), target(t, sqlType("date")), us("2026-07-01T13:00:00"), "2026-07-01T13:00:00 -> 2026-07-01 (cut), NULL (null)"},
		{doubleCol, key, 2.5, "2.5 -> 3 (round), 2 (cut)"},
	} {
		from := named(c.from, "c")
		m, err := cast.Match([]schema.TargetColumn{c.to}, []schema.FileClass{class("c1", from)}, cast.Answers{})
		if err != nil {
			t.Fatal(err)
		}
		for _, margin := range []int{0, 9} {
			_, report := runCast(t, m, arrowOf(from), []any{nil, c.in}, margin)
			qs := m.OpenWith(cast.Report{Columns: map[string]cast.ColumnReport{"c": report}})
			if len(qs) != 1 || len(qs[0].Samples) != 1 || qs[0].Samples[0].Before+" -> "+qs[0].Samples[0].After != c.want || qs[0].Samples[0].Row != 2 {
				t.Errorf("%s to %s: %+v, want %s", c.from, c.to.SQL, qs, c.want)
			}
		}
	}
	_, r := castColumn(t, int64Col, key, schema.FileClass{}, cast.Answers{}, []any{3000000000})
	if s := r.Samples[cast.OutOfRange]; len(s) != 1 || s[0].After != "refused" {
		t.Errorf("a key out of range: %+v", s)
	}
	_, r = castColumn(t, textCol, target(t, scaled("decimal", 5, 2)), schema.FileClass{}, cast.Answers{}, []any{"1.005", "999.995"})
	var got []string
	for _, s := range r.Samples[cast.Inexact] {
		got = append(got, s.After)
	}
	if s := strings.Join(got, "; "); s != "1.01 (round), 1.00 (cut), NULL (null); 999.99 (cut), NULL (null)" && s != "999.99 (cut), NULL (null); 1.01 (round), 1.00 (cut), NULL (null)" {
		t.Error(s)
	}
}

// While the zone is open, nothing can be shown as what would be written.
func TestNoSamplesWhileTheZoneIsOpen(t *testing.T) {
	from := named(stampCol("MICROS", true), "c")
	m, err := cast.Match([]schema.TargetColumn{target(t, sqlType("date"))}, []schema.FileClass{class("c1", from)}, cast.Answers{})
	if err != nil {
		t.Fatal(err)
	}
	_, report := runCast(t, m, arrowOf(from), []any{us("2026-07-01T23:00:00")}, 0)
	if report.Of(cast.Inexact) != 1 {
		t.Errorf("%+v", report)
	}
	for _, q := range m.OpenWith(cast.Report{Columns: map[string]cast.ColumnReport{"c": report}}) {
		if len(q.Samples) != 0 {
			t.Errorf("%+v", q)
		}
	}
}

// Rounding is no answer for a type whose last digit the stream cuts: it would
// look obeyed, or write what the stream never writes.
func TestRoundIsNoAnswerWhereTheStreamCuts(t *testing.T) {
	for _, from := range []schema.CopyColumn{textCol, stampCol("NANOS", false), stampCol("MICROS", false), dateCol} {
		for scale, want := range map[int]string{7: "stop cut null", 6: "stop round cut null"} {
			to := target(t, scaled("datetime2", 0, scale))
			m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{class("c1", named(from, "c"))}, cast.Answers{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range m.Columns[0].Choices() {
				got = append(got, string(a))
			}
			if from == dateCol {
				want = "stop null"
			}
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%s to %s takes %q, want %q", from, to.SQL, s, want)
			}
		}
	}
}
