package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// columnsScene has a column of each kind of question.
var columnsScene = scene{
	server: serverOf("W. Europe Standard Time", "2026-10-24T13:00:00Z"),
	columns: `{"name": "id", "type": "int"}, {"name": "name", "type": "nvarchar(20)", "nullable": true}, {"name": "amount", "type": "decimal(10,2)", "nullable": true},
		{"name": "placed", "type": "datetime2(3)", "nullable": true}, {"name": "channel", "type": "smallint", "nullable": true},
		{"name": "token", "type": "uniqueidentifier", "nullable": true}, {"name": "small", "type": "smallint", "nullable": true}`,
	mapping: `{"lsn": "0x10", "local_time": "2026-10-24T14:00:00", "idle": true, "repeat": {"count": 60, "every_seconds": 60, "lsn_step": 16}}`,
}

// columnsKit has a copy in which each column is cast in a way of its own.
func columnsKit(t *testing.T) *kit {
	t.Helper()
	k := kitIn(t, columnsScene)
	k.newCopy([]arrow.Field{
		field("id", int64s), field("NAME", texts), field("amount", doubles), field("placed", moments),
		field("token", arrow.BinaryTypes.Binary), field("small", int64s),
		field("_fivetran_deleted", arrow.FixedWidthTypes.Boolean), field("_operation", int32s), field("etl", texts),
	}, `[
		{"id": 1, "NAME": "one", "amount": 19.99, "placed": "2026-07-01 00:40:12", "token": "AAECAwQFBgcICQoLDA0ODw==", "small": 7, "_fivetran_deleted": false, "_operation": 0, "etl": "x"},
		{"id": 2, "NAME": "two", "amount": 7.128, "placed": null, "small": 8, "_fivetran_deleted": true},
		{"id": 3, "NAME": null, "amount": 1203.1, "placed": "2026-12-01 00:40:12", "small": 40000}]`)
	return k
}

// columns inspects the copy and its columns.
func (k *kit) columns(look bool) engine.ColumnsView {
	k.t.Helper()
	session, _ := k.open()
	c, err := engine.InspectCopy(k.t.Context(), session, k.request, nil)
	k.must(err)
	v, err := engine.InspectColumns(k.t.Context(), session, k.request, c, engine.TargetView{}, look, nil)
	k.must(err)
	return v
}

// summary is a line as the screen's table has it, with its asks.
func summary(l engine.ColumnLine) string {
	out := fmt.Sprintf("%s %s | %s %s | %s %s", l.Copy, l.CopyType, l.Target, l.TargetType, l.Mark, l.Cast)
	for _, a := range l.Asks {
		open := ""
		if a.Open {
			open = " open"
		}
		out += fmt.Sprintf(" | %s %s=%s%s:", a.Flag, a.Column, a.Given, open)
		for _, c := range a.Choices {
			out += " " + c.Value
		}
	}
	return out
}

func summaries(v engine.ColumnsView) string {
	var out []string
	for _, l := range v.Lines {
		out = append(out, summary(l))
	}
	return strings.Join(out, "\n")
}

func TestColumnsAreToldWithWhatTheyAsk(t *testing.T) {
	v := columnsKit(t).columns(false)
	want := `id int64 | id INT | ~ checked
NAME string | name STRING | = case differs
amount double | amount DECIMAL(10,2) | ! must round | --cast amount= open: stop round cut null
placed timestamp UTC, us | placed TIMESTAMP_NTZ | ! which zone? | --copy-time-zone = open: UTC W. Europe Standard Time wall-clock
  | channel SMALLINT | ! becomes NULL | --missing channel= open: stop null
token binary | token STRING | ! which order? | --cast token= open: text-order sql-order
small int64 | small SMALLINT | ~ checked
_fivetran_deleted boolean |   | x left out | --exclude-deleted = open: exclude-deleted keep-deleted
_operation int32 |   | x left out | --ignore-mark _operation= open: _operation
etl string |   | x left out`
	if diff := cmp.Diff(want, summaries(v)); diff != "" {
		t.Error(diff)
	}
	if v.Open != 6 || v.Depth != "footers" || v.Rows != 0 {
		t.Errorf("%d open, looked at %d rows, %s", v.Open, v.Rows, v.Depth)
	}
	if v.Stop == nil || v.Stop.Code != verdict.CopyMarks || !strings.Contains(strings.Join(v.Stop.Hint, "\n"), "--missing channel=stop|null") {
		t.Errorf("%+v", v.Stop)
	}
	for _, l := range v.Lines {
		if len([]rune(l.Cast)) > 16 || l.Cast == "" || l.Why == "" || l.Key != (l.Target == "id") {
			t.Errorf("%q: %q, key %v", l.Target, l.Why, l.Key)
		}
	}
}

// With values looked at, each choice shows what it makes of one of them.
func TestChoicesShowWhatTheyMake(t *testing.T) {
	v := columnsKit(t).columns(true)
	got := map[string]string{}
	for _, l := range v.Lines {
		for _, a := range l.Asks {
			for _, c := range a.Choices {
				if c.Text == "" {
					t.Errorf("%s %s says nothing", a.Flag, c.Value)
				}
				if c.Sample != "" {
					got[l.Target+" "+c.Value] = c.Sample
				}
			}
		}
	}
	want := map[string]string{
		"amount stop": "7.128 -> refused", "amount round": "7.128 -> 7.13", "amount cut": "7.128 -> 7.12", "amount null": "7.128 -> NULL",
		"placed UTC":                     "2026-07-01T00:40:12Z -> 2026-07-01T00:40:12",
		"placed W. Europe Standard Time": "2026-07-01T00:40:12Z -> 2026-07-01T02:40:12",
		"placed wall-clock":              "2026-07-01T00:40:12Z -> 2026-07-01T00:40:12",
		"token text-order":               "0x000102030405060708090A0B0C0D0E0F -> 00010203-0405-0607-0809-0A0B0C0D0E0F",
		"token sql-order":                "0x000102030405060708090A0B0C0D0E0F -> 03020100-0504-0706-0809-0A0B0C0D0E0F",
		"small stop":                     "40000 -> refused", "small null": "40000 -> NULL",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if v.Rows != 3 || v.Depth != "all" || v.Open != 7 {
		t.Errorf("%d rows, %s, %d open", v.Rows, v.Depth, v.Open)
	}
	amount, small := lineOf(t, v, "amount"), lineOf(t, v, "small")
	if small.Cast != "values refused" || small.Refused != 1 || small.Values != 3 {
		t.Errorf("%+v", small)
	}
	if !slices.ContainsFunc(amount.Samples, func(s engine.SampleView) bool {
		return s.Before == "7.128" && s.Effect != "" && s.File == "a.parquet" && s.Row == 2
	}) || !slices.ContainsFunc(amount.Samples, func(s engine.SampleView) bool { return s.Before == "19.99" && s.After == "19.99" && s.Effect == "" }) {
		t.Errorf("%+v", amount.Samples)
	}
}

func lineOf(t *testing.T, v engine.ColumnsView, name string) engine.ColumnLine {
	t.Helper()
	i := slices.IndexFunc(v.Lines, func(l engine.ColumnLine) bool { return l.Target == name || l.Target == "" && l.Copy == name })
	if i < 0 {
		t.Fatalf("no line %q", name)
	}
	return v.Lines[i]
}

// Answering every ask with its last choice leaves a plan that can be executed,
// each answer does exactly what its flag does, and taking all back leaves nothing.
func TestAsksAreAnsweredAsTheFlagsDo(t *testing.T) {
	k := columnsKit(t)
	none := k.request
	k.answerEach()
	v := k.columns(true)
	if v.Open != 0 || v.Stop != nil {
		t.Fatalf("%d open, %+v\n%s", v.Open, v.Stop, summaries(v))
	}
	want := `id int64 | id INT | ~ checked, fits
NAME string | name STRING | = case differs
amount double | amount DECIMAL(10,2) | ! NULL if unfit | --cast amount=null: stop round cut null
placed timestamp UTC, us | placed TIMESTAMP_NTZ | ~ digits kept | --copy-time-zone =wall-clock: UTC W. Europe Standard Time wall-clock
  | channel SMALLINT | ! becomes NULL | --missing channel=null: stop null
token binary | token STRING | ~ sql-order | --cast token=sql-order: text-order sql-order
small int64 | small SMALLINT | ! NULL if unfit | --cast small=null: stop null
_fivetran_deleted boolean |   | x left out | --exclude-deleted =keep-deleted: exclude-deleted keep-deleted
_operation int32 |   | x left out | --ignore-mark _operation=_operation: _operation
etl string |   | x left out`
	if diff := cmp.Diff(want, summaries(v)); diff != "" {
		t.Error(diff)
	}
	if got := told(v.Checks, verdict.Warn); len(got) != 1 || !strings.HasPrefix(got[0], string(verdict.FlaggedKept)) {
		t.Errorf("%q", got)
	}
	k.agrees()
	p, err := k.build()
	if err != nil || p.State != engine.Ready {
		t.Error(p.State, err)
	}
	r := k.request
	for _, l := range v.Lines {
		for _, a := range l.Asks {
			a.Answer(&r, "")
		}
	}
	if diff := cmp.Diff(none.Args(), r.Args()); diff != "" {
		t.Errorf("taken back:\n%s", diff)
	}
}

// answerEach answers every open ask with its last choice and checks that its
// flag does the same.
func (k *kit) answerEach() {
	k.t.Helper()
	for range 8 { // an answer may raise another question
		for _, l := range k.columns(true).Lines {
			for _, a := range l.Asks {
				if !a.Open {
					continue
				}
				value := a.Choices[len(a.Choices)-1].Value
				byFlag, before, r := byFlag(k.t, k.request, a, value), k.request.Args(), k.request
				a.Answer(&r, value)
				if diff := cmp.Diff(byFlag.Args(), r.Args()); diff != "" {
					k.t.Fatalf("%s %s:\n%s", a.Flag, value, diff)
				}
				if diff := cmp.Diff(before, k.request.Args()); diff != "" {
					k.t.Fatalf("answering a copy changed the request:\n%s", diff)
				}
				k.request = r
			}
		}
	}
}

// byFlag is r with the answer given as on the command line.
func byFlag(t *testing.T, r engine.Request, a engine.Ask, value string) engine.Request {
	t.Helper()
	name, text := strings.TrimPrefix(a.Flag, "--"), value
	switch {
	case name == "exclude-deleted":
		name, text = value, "true"
	case a.Column != "" && name != "ignore-mark":
		text = a.Column + "=" + value
	}
	out := engine.Request{}
	if err := out.SetArgs(r.Args()); err != nil {
		t.Fatal(err)
	}
	for _, f := range engine.SeedFlags() {
		if f.Name == name {
			if err := f.Set(&out, text); err != nil {
				t.Fatal(err)
			}
			return out
		}
	}
	t.Fatalf("no flag %q", a.Flag)
	return out
}
