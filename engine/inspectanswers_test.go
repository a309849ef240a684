package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// A question may be answered otherwise, also where the answer refuses.
func TestAnswersThatDoNotSettle(t *testing.T) {
	k := columnsKit(t)
	k.request.Cast = map[string]string{"AMOUNT": "stop", "token": "text-order", "small": "null"}
	k.request.Missing = map[string]string{"channel": "stop"}
	k.request.CopyTimeZone, k.request.ExcludeDeleted, k.request.IgnoreMark = "America/Sao_Paulo", true, []string{"_OPERATION"}
	v := k.columns(true)
	for name, want := range map[string]string{
		"channel":           "  | channel SMALLINT | ! becomes NULL | --missing channel=stop open: stop null",
		"placed":            "placed timestamp UTC, us | placed TIMESTAMP_NTZ | ~ zone named | --copy-time-zone =America/Sao_Paulo: UTC W. Europe Standard Time wall-clock America/Sao_Paulo",
		"amount":            "amount double | amount DECIMAL(10,2) | ~ stops if unfit | --cast amount=stop: stop round cut null", // 7.128 is in a row that is left out
		"_operation":        "_operation int32 |   | x left out | --ignore-mark _operation=_operation: _operation",
		"_fivetran_deleted": "_fivetran_deleted boolean |   | x left out | --exclude-deleted =exclude-deleted: exclude-deleted keep-deleted",
	} {
		if got := summary(lineOf(t, v, name)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if v.Stop == nil || v.Stop.Code != verdict.ColumnMissing || v.Open != 1 || v.Rows != 2 {
		t.Errorf("%+v, %d open of %d rows", v.Stop, v.Open, v.Rows)
	}
	k.agrees()
}

// Answers of columns that are gone are dropped, and the others stay.
func TestStaleAnswersAreDropped(t *testing.T) {
	k := columnsKit(t)
	r := k.request
	r.Cast = map[string]string{"amount": "round", "gone": "null", "small": "cut"}
	r.Missing = map[string]string{"channel": "null", "amount": "null"}
	r.ExcludeDeleted, r.IgnoreMark, r.CopyTimeZone = true, []string{"_operation", "__op"}, "UTC"
	session, _ := k.open()
	c, err := engine.InspectCopy(t.Context(), session, r, nil)
	k.must(err)
	if _, err := engine.InspectColumns(t.Context(), session, r, c, engine.TargetView{}, false, nil); !isCode(err, verdict.AnswerUnknown) {
		t.Error(err)
	}
	given := r.Args()
	got, gone := engine.DropStale(r, c, engine.TargetView{})
	if diff := cmp.Diff([]string{"--cast gone=null", "--cast small=cut", "--missing amount=null", "--ignore-mark __op"}, gone); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(given, r.Args()); diff != "" {
		t.Errorf("the request itself was changed:\n%s", diff)
	}
	if v, err := engine.InspectColumns(t.Context(), session, got, c, engine.TargetView{}, false, nil); err != nil || got.Cast["amount"] != "round" || !got.ExcludeDeleted || got.CopyTimeZone != "UTC" {
		t.Error(v.Stop, err, got.Args())
	}
	k.writeCopy("b.parquet", nil)
	k.dropCopy()
	k.writeCopy("a.parquet", orders(3))
	if c, err = engine.InspectCopy(t.Context(), session, r, nil); err != nil {
		t.Fatal(err)
	}
	got, _ = engine.DropStale(got, c, engine.TargetView{})
	if got.ExcludeDeleted || got.IgnoreMark != nil || len(got.Cast) != 0 {
		t.Errorf("%q", got.Args())
	}
}

func isCode(err error, code verdict.Code) bool { return err != nil && verdict.As(err).Code == code }

// Two columns that flag deleted rows: one of them must be named as none.
func TestTwoColumnsFlagDeletedRows(t *testing.T) {
	k := kitIn(t, scene{})
	k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", cents), field("__deleted", texts), field("_fivetran_deleted", arrow.FixedWidthTypes.Boolean)},
		`[{"id": 1, "__deleted": "false"}]`)
	k.request.ExcludeDeleted = true
	v := k.columns(false)
	second := lineOf(t, v, "_fivetran_deleted")
	if v.Open != 1 || len(second.Asks) != 2 || !second.Asks[1].Open || second.Asks[1].Flag != "--ignore-mark" || v.Stop == nil || v.Stop.Code != verdict.CopyMarks {
		t.Fatalf("%d open, %+v, %+v", v.Open, second.Asks, v.Stop)
	}
	second.Asks[1].Answer(&k.request, second.Asks[1].Choices[0].Value)
	if v = k.columns(false); v.Open != 0 || v.Stop != nil {
		t.Errorf("%d open, %+v", v.Open, v.Stop)
	}
	k.agrees()
}

// Text with a zone asks for one only where a value shows it.
func TestTextAsksForAZoneOnceAValueHasOne(t *testing.T) {
	k := kitIn(t, scene{columns: `{"name": "id", "type": "int"}, {"name": "placed", "type": "datetime2(3)", "nullable": true}`})
	k.newCopy([]arrow.Field{field("id", int32s), field("placed", texts)}, `[{"id": 1, "placed": "2026-07-01 00:40:12Z"}]`)
	if v := k.columns(false); v.Open != 0 || v.Stop != nil {
		t.Errorf("%d open, %+v", v.Open, v.Stop)
	}
	v := k.columns(true)
	l := lineOf(t, v, "placed")
	if v.Open != 1 || len(l.Asks) != 1 || !l.Asks[0].Zone || !l.Asks[0].Open || v.Stop == nil || v.Stop.Code != verdict.ValueRefused {
		t.Fatalf("%d open, %s, %+v", v.Open, summary(l), v.Stop)
	}
	l.Asks[0].Answer(&k.request, "UTC")
	if v = k.columns(true); v.Open != 0 || v.Stop != nil || lineOf(t, v, "placed").Asks[0].Given != "UTC" {
		t.Errorf("%d open, %+v, %s", v.Open, v.Stop, summaries(v))
	}
	k.agrees()
}

// A key that is missing can be answered by nothing.
func TestMissingKeyTakesNoAnswer(t *testing.T) {
	k := kitIn(t, scene{})
	k.newCopy([]arrow.Field{field("name", texts), field("amount", cents)}, `[{"name": "x"}]`)
	v := k.columns(true)
	if got := summary(lineOf(t, v, "id")); got != "  | id INT | ! missing key | --missing id= open: stop" || v.Stop == nil || v.Stop.Code != verdict.ColumnMissing {
		t.Errorf("%s, %+v", got, v.Stop)
	}
}

// Without a look, columns are told without the server, while a person types.
func TestColumnsAskTheServerNothing(t *testing.T) {
	var sql []string
	fields := []arrow.Field{field("id", int32s)}
	for i := range 500 {
		sql = append(sql, fmt.Sprintf(`{"name": "column_number_%d", "type": "decimal(10,2)", "nullable": true}`, i))
		if name := fmt.Sprintf("column_number_%d", i); i%25 == 0 {
			fields = append(fields, field(name, doubles)) // asks
		} else {
			fields = append(fields, field(name, cents))
		}
	}
	k := kitIn(t, scene{columns: `{"name": "id", "type": "int"}, ` + strings.Join(sql, ", ")})
	k.newCopy(fields, `[{"id": 1}]`)
	session, _ := k.open()
	c, err := engine.InspectCopy(t.Context(), session, k.request, nil)
	k.must(err)
	k.must(k.server.Close()) // it must ask the server nothing
	started := time.Now()
	v, err := engine.InspectColumns(t.Context(), session, k.request, c, engine.TargetView{}, false, nil)
	k.must(err)
	t.Logf("500 columns in %v", time.Since(started))
	if len(v.Lines) != 501 || v.Open != 20 {
		t.Error(len(v.Lines), v.Open)
	}
}
