package cast_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// castPart casts one file of a table with a two-column key and three columns of
// which each meets effects of its own.
func castPart(t *testing.T, file string, firstRow int64, ids, amounts, days, notes []any) cast.Report {
	t.Helper()
	key := func(name string, sql schema.SQLType) schema.TargetColumn {
		c := col(t, name, sql)
		c.Key, c.Nullable = true, false
		return c
	}
	cols := []schema.TargetColumn{
		key("id", sqlType("int")), key("region", sized("nvarchar", 4000)), col(t, "amount", scaled("decimal", 10, 2)),
		col(t, "at", scaled("time", 0, 3)), col(t, "note", sized("nvarchar", -1)),
	}
	from := []schema.CopyColumn{named(int32Col, "ID"), named(textCol, "region"), named(decimalCol(18, 4), "amount"), named(stampCol("MICROS", false), "at"), named(textCol, "note")}
	m, err := cast.Match(cols, []schema.FileClass{class("c1", from...)}, cast.Answers{Cast: map[string]cast.Answer{"amount": cast.Round, "at": cast.Cut}})
	if err != nil {
		t.Fatal(err)
	}
	regions := make([]any, len(ids))
	for i := range regions {
		regions[i] = fmt.Sprintf("r%d\t", i)
	}
	if len(regions) > 1 {
		regions[1] = strings.Repeat("long ", 50)
	}
	var fields []arrow.Field
	var arrays []arrow.Array
	for i, vals := range [][]any{ids, regions, amounts, days, notes} {
		typ := arrowOf(from[i])
		fields, arrays = append(fields, arrow.Field{Name: from[i].Name, Type: typ, Nullable: true}), append(arrays, build(memory.DefaultAllocator, typ, vals))
	}
	k, err := m.Caster("c1", locate)
	if err != nil {
		t.Fatal(err)
	}
	rec := array.NewRecord(arrow.NewSchema(fields, nil), arrays, int64(len(ids)))
	out, err := k.Cast(rec, cast.Place{File: file, FirstRow: firstRow})
	if err != nil {
		t.Fatal(err)
	}
	r := k.Report()
	for i, c := range m.Columns {
		checkSum(t, r.Columns[c.Target.Name], out[i])
	}
	return r
}

// Each worst sample has its row's key as the copy has it, whole; text for people
// cuts it.
func TestSamplesCarryTheKeyOfTheirRow(t *testing.T) {
	r := castPart(t, "f.parquet", 7, []any{1, 2, nil}, []any{"1.2300", "1.2345", "9.9999"}, []any{0, 0, 0}, []any{"a", "b", "c"})
	long := strings.Repeat("long ", 50)
	want := []cast.Sample{
		{Spot: cast.Spot{File: "f.parquet", Row: 9, Key: []cast.KeyValue{{Column: "id", Value: "NULL"}, {Column: "region", Value: `"r2\t"`}}}, Before: "9.9999", After: "10.00", Loss: 0.0099},
		{Spot: cast.Spot{File: "f.parquet", Row: 8, Key: []cast.KeyValue{{Column: "id", Value: "2"}, {Column: "region", Value: `"` + long + `"`}}}, Before: "1.2345", After: "1.23", Loss: 0.0045000000000000005},
	}
	if d := cmp.Diff(want, r.Columns["amount"].Samples[cast.Rounded]); d != "" {
		t.Error(d)
	}
	if got := cast.KeyText(want[1].Key); got != `id 2, region "long long long long long long long long…` {
		t.Errorf("told as %s", got)
	}
	if s := r.Columns["id"].Samples[cast.ForbidsNull]; len(s) != 1 || cast.KeyText(s[0].Key) != `id NULL, region "r2\t"` {
		t.Errorf("a NULL in the key: %+v", s)
	}
}

// Rows that were left out before the cast do not shift the numbers of the others.
func TestSamplesHaveTheNumbersOfTheirRowsInTheFile(t *testing.T) {
	m, err := cast.Match([]schema.TargetColumn{target(t, sqlType("tinyint"))}, []schema.FileClass{class("c1", named(int32Col, "c"))}, cast.Answers{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Caster("c1", nil)
	if err != nil {
		t.Fatal(err)
	}
	rec := array.NewRecord(arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.PrimitiveTypes.Int32}}, nil),
		[]arrow.Array{build(memory.DefaultAllocator, arrow.PrimitiveTypes.Int32, []any{1, 300, 400})}, 3)
	if _, err := k.Cast(rec, cast.Place{File: "f", Row: func(i int) int64 { return []int64{2, 70, 90}[i] }}); err != nil {
		t.Fatal(err)
	}
	s := k.Report().Columns["c"].Samples[cast.OutOfRange]
	if len(s) != 2 || s[0].Row != 90 || s[1].Row != 70 || s[0].Key != nil {
		t.Errorf("%+v", s)
	}
}

// The longest values of a column without declared length are found again: the
// first of them, with their keys, whatever was longest before.
func TestTheLongestValuesAreFound(t *testing.T) {
	word := func(n int) any { return strings.Repeat("x", n) }
	r := castPart(t, "f.parquet", 1, []any{1, 2, 3, 4}, []any{"1", "1", "1", "1"}, []any{0, 0, 0, 0}, []any{word(300), word(512), word(7), word(512)})
	other := castPart(t, "e.parquet", 1, []any{9}, []any{"1"}, []any{0}, []any{word(512)})
	short := castPart(t, "a.parquet", 1, []any{9}, []any{"1"}, []any{0}, []any{word(511)})
	c := cast.Merge(r, short, other).Columns["note"]
	var at []string
	for _, s := range c.LongestAt {
		at = append(at, fmt.Sprintf("%s %d %s", s.File, s.Row, s.Key[0].Value))
	}
	if want := []string{"e.parquet 1 9", "f.parquet 2 2", "f.parquet 4 4"}; c.Longest != (cast.Longest{Length: 512, Count: 3}) || !cmp.Equal(want, at) {
		t.Errorf("%+v at %q, want %q", c.Longest, at, want)
	}
}

// Files may be cast in any order, and reports added up in any groups.
func TestTheOrderOfReportsMakesNoDifference(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 4))
	var reports []cast.Report
	for f := range 9 {
		n := 1 + rnd.IntN(5)
		ids, amounts, days, notes := make([]any, n), make([]any, n), make([]any, n), make([]any, n)
		day := rnd.IntN(3) * 86_400_000_000
		for i := range n {
			ids[i], amounts[i] = i, fmt.Sprintf("%d.%04d", rnd.IntN(20), rnd.IntN(4))
			days[i], notes[i] = day+rnd.IntN(3_000_000), strings.Repeat("n", 510+rnd.IntN(3))
		}
		reports = append(reports, castPart(t, fmt.Sprintf("f%d.parquet", f), 1, ids, amounts, days, notes))
	}
	want := cast.Merge(reports...)
	at := want.Columns["at"]
	if at.Of(cast.DatesDiffer) == 0 || at.Refused != at.Of(cast.DatesDiffer) || at.Unchanged < 0 || at.Changed < 0 {
		t.Fatalf("the dates do not differ as they should: %+v", at)
	}
	var earliest int64
	for day, w := range at.Days {
		if day == *at.Day {
			earliest = w.Unchanged + w.Changed
		}
	}
	if earliest+at.Refused != at.Values || at.Unchanged+at.Changed != earliest {
		t.Errorf("%d of %d values have the earliest date, %d are refused: %+v", earliest, at.Values, at.Refused, at)
	}
	for range 50 {
		rnd.Shuffle(len(reports), func(i, j int) { reports[i], reports[j] = reports[j], reports[i] })
		cut := rnd.IntN(len(reports))
		got := cast.Merge(cast.Merge(reports[cut:]...), cast.Merge(reports[:cut]...))
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	}
}

// What a file's footer holds of its casts gives its counts back, and nothing
// else is taken for them.
func TestCountsTravelInAFooter(t *testing.T) {
	a := castPart(t, "a.parquet", 1, []any{1, 2, 3}, []any{"1.2345", nil, "2.0000"}, []any{1500, 0, 0}, []any{"a", "bb", nil})
	b := castPart(t, "b.parquet", 1, []any{4}, []any{"1.2345"}, []any{86_400_000_000}, []any{"c"})
	read := func(r cast.Report, rows int64) cast.Report {
		text, err := r.Record(rows)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "1.2345") || len(text) > 400 {
			t.Errorf("%d bytes: %s", len(text), text)
		}
		back, err := cast.ReadRecord(text, rows)
		if err != nil {
			t.Fatal(err)
		}
		return back
	}
	want := cast.Merge(a, b)
	got := cast.Merge(read(a, 3), read(b, 1))
	if d := cast.Differences(want, got); d != nil {
		t.Errorf("%+v", d)
	}
	for name, w := range want.Columns {
		g := got.Columns[name]
		if w.Values != g.Values || w.Unchanged != g.Unchanged || w.Longest != g.Longest || !cmp.Equal(w.Effects, g.Effects) || !cmp.Equal(w.Days, g.Days) {
			t.Errorf("%s: %+v, want %+v", name, g, w)
		}
	}
	if _, err := a.Record(4); err == nil {
		t.Error("counts of 3 rows went into a file of 4")
	}
	for _, text := range []string{
		"", "{}", `{"rows":3}`, `{"rows":4,"columns":{}}`, `{"rows":3,"columns":{"amount":{"nulls":2,"changed":2}}}`,
		`{"rows":3,"columns":{"amount":{"nulls":-1}}}`, `{"rows":3,"columns":{"at":{"days":{"1":{},"2":{}}}}}`,
	} {
		if _, err := cast.ReadRecord(text, 3); err == nil {
			t.Errorf("%q was taken for the counts of 3 rows", text)
		}
	}
}

// Counts that differ are named one by one; a column of which a part was copied
// byte for byte is held to what was changed in it.
func TestDifferencesOfReports(t *testing.T) {
	was := castPart(t, "a.parquet", 1, []any{1, 2, 3}, []any{"1.2345", nil, "2.0000"}, []any{0, 0, 0}, []any{"a", "b", "c"})
	now := castPart(t, "a.parquet", 1, []any{1, 2, 3}, []any{"1.2345", "7.8901", "2.0000"}, []any{0, 0, 0}, []any{"a", "b", "c"})
	want := []cast.Difference{
		{Column: "amount", What: "rounded", Was: 1, Is: 2}, {Column: "amount", What: "changed", Was: 1, Is: 2}, {Column: "amount", What: "NULL", Was: 1, Is: 0},
	}
	if d := cmp.Diff(want, cast.Differences(was, now)); d != "" {
		t.Error(d)
	}
	if d := cast.Differences(was, was); d != nil {
		t.Errorf("%+v", d)
	}
	copied := castPart(t, "a.parquet", 1, []any{1}, []any{"1.2345"}, []any{0}, []any{"a"})
	if d := cast.Differences(was, copied); d != nil {
		t.Errorf("two rows copied: %+v", d)
	}
	delete(copied.Columns, "note")
	if d := cast.Differences(was, copied); d != nil {
		t.Errorf("a column copied: %+v", d)
	}
}
