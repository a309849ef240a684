package cast_test

import (
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// A zone moves every value alike, so no count tells a wrong one: one value is shown
// before and after, under each answer another.
func TestWhatAZoneDoesIsShown(t *testing.T) {
	for zone, want := range map[string]string{"UTC": "2020-01-01T00:10:00", "Asia/Tokyo": "2020-01-01T09:10:00"} {
		m, err := cast.Match([]schema.TargetColumn{target(t, sqlType("datetime2"))}, []schema.FileClass{class("c1", named(textCol, "c"))}, cast.Answers{Zone: zone, Location: locate})
		if err != nil {
			t.Fatal(err)
		}
		_, r := runCast(t, m, arrowOf(textCol), []any{nil, "2020-01-01 00:10:00Z", "2020-01-01 00:11:00Z"}, 0)
		if r.Shown == nil || r.Shown.Before != "2020-01-01 00:10:00Z" || r.Shown.After != want || r.Shown.Row != 2 {
			t.Errorf("%s: %+v", zone, r.Shown)
		}
		if len(cast.Report{Columns: map[string]cast.ColumnReport{"c": r}}.Unsampled().Columns["c"].Samples) > 0 || r.Changed != 0 {
			t.Errorf("%s: shown values count: %+v", zone, r)
		}
	}
	for answer, want := range map[cast.Answer]string{cast.TextOrder: "00112233-4455-6677-8899-AABBCCDDEEFF", cast.SQLOrder: "33221100-5544-7766-8899-AABBCCDDEEFF"} {
		m, err := cast.Match([]schema.TargetColumn{target(t, sqlType("uniqueidentifier"))}, []schema.FileClass{class("c1", named(bytesCol, "c"))},
			cast.Answers{Cast: map[string]cast.Answer{"c": answer}})
		if err != nil {
			t.Fatal(err)
		}
		_, r := runCast(t, m, arrowOf(bytesCol), []any{"\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"}, 0)
		if r.Shown == nil || r.Shown.After != want {
			t.Errorf("%s: %+v", answer, r.Shown)
		}
	}
}

// Whoever casts first, the value that is shown is the same.
func TestShownValuesMerge(t *testing.T) {
	at := func(row int64, after string) cast.Report {
		return cast.Report{Columns: map[string]cast.ColumnReport{"c": {
			Values: 1, Effects: map[cast.Effect]int64{}, Samples: map[cast.Effect][]cast.Sample{},
			Shown: &cast.Sample{Spot: cast.Spot{File: "f", Row: row}, Before: "a", After: after},
		}}}
	}
	none := cast.Report{Columns: map[string]cast.ColumnReport{"c": {Values: 1, Effects: map[cast.Effect]int64{}, Samples: map[cast.Effect][]cast.Sample{}}}}
	parts := []cast.Report{at(7, "b"), none, at(2, "a"), at(5, "b")}
	for range 4 {
		parts = append(parts[1:], parts[0])
		if s := cast.Merge(parts...).Columns["c"].Shown; s == nil || s.Row != 2 {
			t.Errorf("%+v", s)
		}
	}
}
