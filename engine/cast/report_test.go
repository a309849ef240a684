package cast_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

func TestReportKeepsTheWorstSamples(t *testing.T) {
	var in []any
	for _, s := range []string{"0.001", "0.004", "0.002", "0.003", "0.001", "0.001", "0.002", "0.004"} {
		in = append(in, s)
	}
	a := cast.Answers{Cast: map[string]cast.Answer{"c": cast.Cut}}
	_, r := castColumn(t, decimalCol(10, 3), target(t, scaled("decimal", 10, 2)), schema.FileClass{}, a, in)
	var got []string
	for _, s := range r.Samples[cast.CutOff] {
		got = append(got, s.Before+">"+s.After)
	}
	if d := cmp.Diff([]string{"0.004>0.00", "0.004>0.00", "0.003>0.00", "0.002>0.00", "0.002>0.00"}, got); d != "" || r.Changed != 8 {
		t.Errorf("changed %d, samples:\n%s", r.Changed, d)
	}
}

func TestReportsMerge(t *testing.T) {
	_, a := castColumn(t, int32Col, target(t, sqlType("tinyint")), schema.FileClass{}, cast.Answers{}, []any{1, nil, -1})
	_, b := castColumn(t, int32Col, target(t, sqlType("tinyint")), schema.FileClass{}, cast.Answers{}, []any{-56, 300})
	one := cast.Report{Columns: map[string]cast.ColumnReport{"c": a}}
	two := cast.Report{Columns: map[string]cast.ColumnReport{"c": b}}
	got := cast.Merge(one, two)
	c := got.Columns["c"]
	if c.Values != 5 || c.Nulls != 1 || c.Refused != 3 || c.Of(cast.OutOfRange) != 3 || len(c.Samples[cast.OutOfRange]) != 3 {
		t.Errorf("merged %+v", c)
	}
	if one.Columns["c"].Refused != 1 || one.Columns["c"].Of(cast.OutOfRange) != 1 {
		t.Error("merging changed its input")
	}
	err := got.Err()
	if !errors.Is(err, verdict.ValueRefused) {
		t.Fatal(err)
	}
	msg, hints := verdict.As(err).Error(), strings.Join(verdict.As(err).Hint, "\n")
	for _, part := range []string{`"c"`, "3 of 5", "3 out of range", "-1 (f.parquet row 3)"} {
		if !strings.Contains(msg, part) {
			t.Errorf("%s lacks %s", msg, part)
		}
	}
	if !strings.Contains(hints, "255 and 200 written as signed bytes") || !strings.Contains(hints, "--cast c=null") {
		t.Errorf("hints %s", hints)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var back cast.Report
	if err := json.Unmarshal(text, &back); err != nil || !cmp.Equal(got, back) {
		t.Errorf("%v: %s", err, text)
	}
}

// case 41: each file has one date, but not the same one
func TestDatesThatDifferBetweenFilesAreRefused(t *testing.T) {
	seven := target(t, scaled("time", 0, 6))
	_, a := castColumn(t, stampCol("MICROS", false), seven, schema.FileClass{}, cast.Answers{}, []any{us("1900-01-01T10:00:00")})
	_, b := castColumn(t, stampCol("MICROS", false), seven, schema.FileClass{}, cast.Answers{}, []any{us("1970-01-01T10:00:00")})
	in := func(c cast.ColumnReport) cast.Report {
		return cast.Report{Columns: map[string]cast.ColumnReport{"c": c}}
	}
	if err := cast.Merge(in(a), in(a)).Err(); err != nil {
		t.Error("one date:", err)
	}
	if err := cast.Merge(in(a), in(b)).Err(); !errors.Is(err, verdict.ValueRefused) {
		t.Error("two dates:", err)
	}
}
