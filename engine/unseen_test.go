package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/splice"
	"cdcseed/engine/verdict"
)

// unseenCopy is a copy of more rows than a sample takes. spoil changes one that
// the sample passes over.
func (k *kit) unseenCopy(spoil func(*order)) {
	rows := orders(120_000)
	spoil(&rows[31_000])
	k.writeCopy("a.parquet", rows)
}

// wayOfName is how the column "name" of the copy's only kind of file is made.
func wayOfName(t *testing.T, p engine.Plan) engine.ColumnWay {
	t.Helper()
	if len(p.Stage.Ways) == 1 {
		for _, c := range p.Stage.Ways[0].Columns {
			if c.Name == "name" {
				return c
			}
		}
	}
	t.Fatalf("%+v", p.Stage.Ways)
	return engine.ColumnWay{}
}

// Text that is copied as bytes and was not looked at is a warning. It goes where
// all of it was looked at, or is looked at while it is written: then what does not
// fit is refused, as anywhere.
func TestTextThatNobodyLookedAt(t *testing.T) {
	long := func(o *order) { o.name = strings.Repeat("x", 41) }
	for _, c := range []struct {
		name  string
		ask   func(*kit)
		way   splice.Way
		warns bool
		code  verdict.Code // of the refusal, of the plan or of its execution; empty where it is seeded
	}{
		{"a sample", func(*kit) {}, splice.Copied, true, verdict.WarningUnaccepted},
		{"accepted", func(k *kit) { k.request.Accept = append(k.request.Accept, "values_unseen") }, splice.Copied, true, ""},
		{"every value", func(k *kit) { k.request.Check = engine.CheckAll }, splice.Copied, false, verdict.ValueRefused},
		{"stop is asked for", func(k *kit) { k.request.Cast = map[string]string{"name": "stop"} }, splice.Recoded, false, verdict.ValueRefused},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kitIn(t, scene{})
			k.unseenCopy(long)
			c.ask(k)
			before := k.tree()
			p, err := k.build()
			k.must(err)
			if got := wayOfName(t, p); got.Way != c.way || got.Unseen != c.warns {
				t.Errorf("%+v", got)
			}
			if got := slices.Contains(warnings(p), verdict.ValuesUnseen); got != c.warns {
				t.Errorf("warned %v: %v", got, p.Checks)
			}
			got, err := k.seed()
			if c.code == "" {
				if err != nil || got.Rows != 120_000 {
					t.Error(got, err)
				}
				return
			}
			if !errors.Is(err, c.code) {
				t.Errorf("want %s, got %v", c.code, err)
			}
			same(t, "refused", before, k.tree())
		})
	}
}
