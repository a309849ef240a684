package cast_test

import (
	"slices"
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// The copy has one zone: it is asked for once, with the columns that it is for and
// with what all of them take.
func TestZoneIsAskedForOnce(t *testing.T) {
	m, err := cast.Match(
		[]schema.TargetColumn{col(t, "Created", scaled("datetime2", 0, 7)), col(t, "Off", scaled("datetimeoffset", 0, 7))},
		[]schema.FileClass{class("c1", named(stampCol("MICROS", true), "Created"), named(stampCol("MICROS", false), "Off"))}, cast.Answers{})
	if err != nil {
		t.Fatal(err)
	}
	e := verdict.As(m.RefusalWith(cast.Report{Columns: map[string]cast.ColumnReport{
		"Note": {Values: 9, Refused: 1, Effects: map[cast.Effect]int64{cast.ZoneUnknown: 1}, Choices: []cast.Answer{cast.Stop}},
	}}))
	if got := strings.Join(e.Hint, "\n"); strings.Count(got, "--copy-time-zone") != 1 || !strings.HasPrefix(got, "--copy-time-zone UTC|ZONE, for Created, Off") {
		t.Errorf("hints %q", e.Hint)
	}
	if !slices.ContainsFunc(e.Facts, func(f verdict.Fact) bool {
		return f.Name == "Off" && strings.Contains(f.Value, "wall-clock names none")
	}) {
		t.Errorf("facts %v", e.Facts)
	}
	if !strings.HasSuffix(e.What, "Created, Off; and as things stand, values of Note cannot be written") {
		t.Error(e.What)
	}
}

// A count says of how many values it is, and a hint that two columns share stands once.
func TestValuesRefusedTellHowManyWereLookedAt(t *testing.T) {
	c := cast.ColumnReport{Values: 182_768, Refused: 1, Effects: map[cast.Effect]int64{cast.ZoneUnknown: 1}}
	e := verdict.As(cast.Report{Columns: map[string]cast.ColumnReport{"A": c, "B": c}}.Err())
	if e.What != `column "A" has values that cannot be written: 1 of 182,768 looked at` || len(e.Hint) != 2 {
		t.Errorf("%s %q", e.What, e.Hint)
	}
}
