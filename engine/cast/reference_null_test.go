package cast_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// FuzzNulls holds the casts that make NULL of whatever the copy has against
// what they count: one reason for all rows, or none.
func FuzzNulls(f *testing.F) {
	for code := range withoutValue() {
		for flags := range byte(4) {
			f.Add(byte(code), flags, byte(0))
			f.Add(byte(code), flags, byte(9))
		}
	}
	f.Fuzz(func(t *testing.T, code, flags, rows byte) {
		codes := withoutValue()
		to := target(t, sqlType("int"))
		to.Nullable, to.Computed = flags&1 == 0, codes[int(code)%len(codes)] == cast.ComputedNull
		r := cast.Rule{Class: "c1", Code: codes[int(code)%len(codes)]}
		if flags&2 != 0 {
			r.Answer = cast.Null
		}
		checkNulls(t, r, to, int(rows))
	})
}

func checkNulls(t *testing.T, r cast.Rule, to schema.TargetColumn, rows int) {
	t.Helper()
	var fields []arrow.Field
	var cols []arrow.Array
	switch r.Code {
	case cast.EmptyNull:
		r.Source = &schema.CopyColumn{Name: "C", Physical: "INT32", Logical: "NULL"}
		fields, cols = []arrow.Field{{Name: "C", Type: arrow.Null, Nullable: true}}, []arrow.Array{array.NewNull(rows)}
	case cast.ComputedNull:
		r.Source = &schema.CopyColumn{Name: "C", Physical: "INT32"}
		vals := make([]any, rows)
		for i := range vals {
			vals[i] = i
		}
		fields, cols = []arrow.Field{{Name: "C", Type: arrow.PrimitiveTypes.Int32}}, []arrow.Array{build(memory.DefaultAllocator, arrow.PrimitiveTypes.Int32, vals)}
	}
	m := &cast.Mapping{Columns: []cast.ColumnPlan{{Target: to, Rules: []cast.Rule{r}}}}
	k, err := m.Preview("c1", locate)
	if err != nil {
		t.Fatal(err)
	}
	out, err := k.Cast(array.NewRecord(arrow.NewSchema(fields, nil), cols, int64(rows)), cast.Place{File: "f", FirstRow: 1})
	if err != nil {
		t.Fatal(err)
	}
	if out[0].Len() != rows || out[0].NullN() != rows || !arrow.TypeEqual(out[0].DataType(), cast.ArrowType(to.Type)) {
		t.Errorf("%s made %d of %s with %d NULLs, want %d NULLs", r.Code, out[0].Len(), out[0].DataType(), out[0].NullN(), rows)
	}
	var reason cast.Effect
	switch {
	case r.Code == cast.MissingNull:
		reason = cast.Missing
	case !to.Nullable && r.Code != cast.ComputedNull:
		reason = cast.ForbidsNull
	}
	got := k.Report().Columns["c"]
	maps.DeleteFunc(got.Effects, func(_ cast.Effect, n int64) bool { return n == 0 })
	effects, refused, toNull := map[cast.Effect]int64{}, 0, 0
	if reason != "" && rows > 0 {
		effects[reason] = int64(rows)
		refused = rows
		if r.Answer == cast.Null {
			refused, toNull = 0, rows
		}
	}
	g, w := fmt.Sprint(got.Values, got.Changed, got.Refused, got.ToNull, got.Effects), fmt.Sprint(rows, 0, refused, toNull, effects)
	if g != w {
		t.Errorf("%s, nullable %v, answer %q: counted %s, want %s (values, changed, refused, to null, effects)", r.Code, to.Nullable, r.Answer, g, w)
	}
	if sum := got.Unchanged + got.Changed + got.Nulls + got.ToNull + got.Refused; sum != got.Values || got.Unchanged != 0 {
		t.Errorf("%s: %d unchanged of %+v", r.Code, got.Unchanged, got)
	}
}
