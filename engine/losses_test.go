package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// What a plan's casts lose is told apart from what they only spell otherwise.
func TestLosses(t *testing.T) {
	column := func(name string, rules ...cast.Rule) cast.ColumnPlan {
		return cast.ColumnPlan{Target: schema.TargetColumn{Name: name}, Rules: rules}
	}
	var p engine.Plan
	p.Columns.Columns = []cast.ColumnPlan{
		column("amount", cast.Rule{Answer: cast.Round}),
		column("note", cast.Rule{Code: cast.MissingNull, Answer: cast.Null}),
		column("at", cast.Rule{Zone: "wall-clock"}),
		column("unseen", cast.Rule{Zone: "wall-clock"}),
		column("code"),
	}
	p.Preview.Report.Columns = map[string]cast.ColumnReport{
		"amount": {ToNull: 3, Effects: map[cast.Effect]int64{cast.Rounded: 2, cast.OutOfRange: 3, cast.Padded: 9}},
		"at":     {Effects: map[cast.Effect]int64{cast.ZoneDropped: 4}},
		"code":   {Effects: map[cast.Effect]int64{cast.Normalised: 5}},
	}
	if diff := cmp.Diff([]engine.Loss{
		{Column: "amount", Answer: "round", Values: 5}, {Column: "note", Answer: "null", Every: true}, {Column: "at", Answer: "wall-clock", Values: 4},
	}, p.Losses()); diff != "" {
		t.Error(diff)
	}
	lost, others := p.Effects(nil)
	if diff := cmp.Diff([]string{
		"amount: 2 rounded", "amount: to NULL, 3 out of range", "note: NULL in every row, as the copy has no such column", "at: 4 the zone in the text was ignored",
	}, lost); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"amount: 9 padded to the declared length", "code: 5 spelled as the stream spells it"}, others); diff != "" {
		t.Error(diff)
	}
}
