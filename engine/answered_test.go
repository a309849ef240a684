package engine_test

import (
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/verdict"
)

// An encoding that no value of the copy needs makes other letters of good text: it
// has to be accepted. One value that needs it shows that it was meant.
func TestEncodingThatNoValueNeedsIsAsked(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		asked bool
	}{
		"UTF-8 all":       {[]string{"café", "plain", "näme"}, true},
		"one needs it":    {[]string{"café", "caf\xe9"}, false},
		"nothing to read": {[]string{"plain"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := kitIn(t, scene{})
			k.dropCopy()
			ids := make([]int32, len(c.texts))
			for i := range ids {
				ids[i] = int32(i + 1)
			}
			k.rawFile("a.parquet", nil, ints("id", ids...), textColumn("name", c.texts...))
			k.request.Missing = map[string]string{"amount": "null"}
			k.request.Encoding = map[string]string{"name": "windows-1252"}
			p, err := k.build()
			k.must(err)
			var found *verdict.Check
			for _, w := range p.Unaccepted() {
				if w.Code == verdict.EncodingDoubtful {
					found = &w
				}
			}
			if (found != nil) != c.asked || len(p.Stops) > 0 {
				t.Fatalf("%+v, stops %v", found, p.Stops)
			}
			if c.asked {
				if len(found.Facts) != 2 || found.Facts[0].Value != "café -> cafÃ© (a.parquet row 1, id 1)" {
					t.Errorf("%+v", found.Facts)
				}
				k.request.Accept = []string{"encoding_doubtful"}
			}
			k.seeded(int64(len(c.texts)))
		})
	}
}

// A column of which an answer leaves nothing is noted, one that keeps a value is not.
func TestColumnOfWhichNothingIsLeftIsNoted(t *testing.T) {
	for rows, want := range map[string]bool{
		`[{"id": 1, "amount": "Y"}, {"id": 2}, {"id": 3, "amount": "N"}]`: true,
		`[{"id": 1, "amount": "Y"}, {"id": 2, "amount": "1.00"}]`:         false,
		`[{"id": 1}, {"id": 2}]`: false,
	} {
		k := kitIn(t, scene{})
		k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", texts)}, rows)
		k.request.Cast = map[string]string{"amount": "null"}
		p, err := k.build()
		k.must(err)
		var found []verdict.Check
		for _, c := range p.Checks {
			if strings.HasPrefix(c.Text, `no value of "amount" is left`) {
				found = append(found, c)
			}
		}
		if (len(found) == 1) != want || want && (found[0].Level != verdict.Note || !strings.Contains(found[0].Text, "each of the 2 values looked at")) {
			t.Errorf("%s: %+v", rows, found)
		}
	}
}

// How many rows are left out is in the plan where every row was looked at.
func TestPlanTellsRowsLeftOut(t *testing.T) {
	k := kitIn(t, scene{})
	k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", cents), field("_fivetran_deleted", arrow.FixedWidthTypes.Boolean)},
		`[{"id": 1}, {"id": 2, "_fivetran_deleted": true}, {"id": 3}]`)
	k.request.ExcludeDeleted = true
	p, err := k.build()
	k.must(err)
	if n, known := p.LeftOut(); n != 1 || !known {
		t.Errorf("%d rows are left out, known: %v", n, known)
	}
	p.Preview.Depth = "sample"
	if _, known := p.LeftOut(); known {
		t.Error("a sample knows how many rows are left out")
	}
	p.Preview.Depth, p.Copy.Filter = engine.CheckAll, nil
	if _, known := p.LeftOut(); known {
		t.Error("rows are left out without a filter")
	}
}

// Classes that are made otherwise are told in one order, types as casts.
func TestHowMadePairsTypesWithCasts(t *testing.T) {
	c := cast.ColumnPlan{Rules: []cast.Rule{
		{From: "c", FromType: "string", Code: cast.TextToInt},
		{From: "c", FromType: "int32", Code: cast.Same},
		{From: "c", FromType: "int32", Code: cast.Same},
		{From: "c", FromType: "int16", Code: cast.Widen},
	}}
	c.Target.Name = "c"
	words := func(codes ...cast.Code) string {
		var out []string
		for _, x := range codes {
			about, _ := cast.Describe(x)
			out = append(out, about.Text)
		}
		return strings.Join(out, "; ")
	}
	from, how, plain := engine.HowMade(c)
	if from != "int16; int32; string" || how != words(cast.Widen, cast.Same, cast.TextToInt) || plain {
		t.Errorf("%q, %q, %v", from, how, plain)
	}
	c.Rules = c.Rules[1:3]
	if from, how, plain = engine.HowMade(c); from != "int32" || how != words(cast.Same) || !plain {
		t.Errorf("%q, %q, %v", from, how, plain)
	}
}

// What answers would make of a refused value is told as that, not as what happens.
func TestRefusedSampleTellsWhatAnswersWouldMake(t *testing.T) {
	r := cast.ColumnReport{
		Effects: map[cast.Effect]int64{cast.Inexact: 1, cast.TooLong: 1, cast.Rounded: 1},
		Samples: map[cast.Effect][]cast.Sample{
			cast.Inexact: {{Before: "3.5", After: "4 (round), 3 (cut), NULL (null)"}}, cast.TooLong: {{Before: "x", After: "refused"}}, cast.Rounded: {{Before: "1.5", After: "2"}},
		},
	}
	got := strings.Join(engine.EffectLines(r), "\n")
	for _, want := range []string{"such as 3.5, which would be 4 (round), 3 (cut), NULL (null)", "such as x -> refused", "such as 1.5 -> 2"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
}
