package cast_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// refused is what an oracle says of a value that must not be written.
const refused = "refused"

// tried is one pair of columns whose answers are tried on random values.
type tried struct {
	from  schema.CopyColumn
	to    schema.SQLType
	value func(r *rand.Rand) any
	// want is the value written under an answer, as text, or refused; told by
	// other arithmetic than the casts have.
	want func(v any, a cast.Answer) string
}

// check casts random values under each answer that the pair takes and compares
// each with the oracle's, NULLs among them, and the counts with the sum.
func (p tried) check(t *testing.T, r *rand.Rand, n int) {
	t.Helper()
	to := target(t, p.to)
	m, err := cast.Match([]schema.TargetColumn{to}, []schema.FileClass{class("c1", named(p.from, "c"))}, cast.Answers{})
	if err != nil {
		t.Fatalf("%s to %s: %v", p.from, p.to, err)
	}
	answers := m.Columns[0].Choices()
	if !slices.Contains(answers, cast.Null) {
		t.Errorf("%s to %s takes %v", p.from, p.to, answers)
	}
	for _, a := range answers {
		in := make([]any, n)
		for i := range in {
			if r.IntN(20) > 0 {
				in[i] = p.value(r)
			}
		}
		got, report := castColumn(t, p.from, to, schema.FileClass{}, cast.Answers{Cast: map[string]cast.Answer{"c": a}}, in)
		var bad int64
		for i, v := range in {
			want := "NULL"
			if v != nil {
				want = p.want(v, a)
			}
			if want == refused {
				want, bad = "NULL", bad+1
			}
			if got[i] != want {
				t.Errorf("%s to %s, answer %s: %v became %s, want %s", p.from, p.to, a, v, got[i], want)
			}
		}
		said := report.Refused
		if a == cast.Null {
			said = report.ToNull
		}
		if said != bad || report.Refused+report.ToNull != bad {
			t.Errorf("%s to %s, answer %s: %d refused and %d to NULL, want %d", p.from, p.to, a, report.Refused, report.ToNull, bad)
		}
	}
}
