package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/bronze"
	"cdcseed/engine/cast"
	"cdcseed/engine/delta"
	"cdcseed/engine/delta/deltatest"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// oddColumns are those of case 32, beside the kit's.
const oddColumns = `{"name": "id", "type": "int"}, {"name": "Order Date", "type": "date", "nullable": true}, ` +
	`{"name": "a,b", "type": "nvarchar(20)", "nullable": true}, {"name": "x=y", "type": "int", "nullable": true}`

// oddKit is a table whose names need column mapping, with a copy of two rows.
func oddKit(t *testing.T) *kit {
	t.Helper()
	k := kitIn(t, scene{columns: oddColumns})
	k.oddCopy()
	return k
}

func (k *kit) oddCopy() {
	k.t.Helper()
	k.dropCopy()
	fields := []arrow.Field{
		field("id", arrow.PrimitiveTypes.Int32), field("Order Date", arrow.FixedWidthTypes.Date32), field("a,b", texts), field("x=y", arrow.PrimitiveTypes.Int32),
	}
	rec := recordOf(k.t, fields, `[{"id": 1, "Order Date": "2026-10-01", "a,b": "one", "x=y": 10}, {"id": 2, "Order Date": null, "a,b": "two", "x=y": 20}]`)
	defer rec.Release()
	k.writeFile("a.parquet", rec)
}

func oddCaptured() []schema.TargetColumn {
	return []schema.TargetColumn{
		{Name: "id", Type: schema.Type{Kind: schema.Integer}},
		{Name: "Order Date", Type: schema.Type{Kind: schema.Date}},
		{Name: "a,b", Type: schema.Type{Kind: schema.String}},
		{Name: "x=y", Type: schema.Type{Kind: schema.Integer}},
	}
}

// tableRows are a table's rows by its own names, whatever its files call them.
func (k *kit) tableRows(name string, columns ...string) []string {
	k.t.Helper()
	var out []string
	for _, row := range k.tableCells(name, columns...) {
		out = append(out, strings.Join(row, " "))
	}
	slices.Sort(out)
	return out
}

// tableCells are the values of a table's rows, in the order of its files.
func (k *kit) tableCells(name string, columns ...string) [][]string {
	k.t.Helper()
	w, err := store.OpenLocal(k.path(name))
	k.must(err)
	c, err := lakecopy.Open(k.t.Context(), w, lakecopy.Options{})
	k.must(err)
	var out [][]string
	for _, f := range c.Files {
		s := c.Read(k.t.Context(), f, columns, 100)
		for s.Next() {
			for i := range int(s.Record().NumRows()) {
				row := make([]string, len(columns))
				for j := range columns {
					row[j] = "NULL" // of a column that the file lacks
					if c := s.Record().Column(j); c.DataType().ID() != arrow.NULL {
						row[j] = cast.ValueText(c, i)
					}
				}
				out = append(out, row)
			}
		}
		k.must(errors.Join(s.Err(), s.Close()))
	}
	return out
}

var oddRows = []string{`0 1 2026-10-01 one 10`, `0 2 NULL two 20`}

func (k *kit) hasOddRows() {
	k.t.Helper()
	if got := k.tableRows("bronze", "_operation", "id", "Order Date", "a,b", "x=y"); !slices.Equal(got, oddRows) {
		k.t.Errorf("rows %q, want %q", got, oddRows)
	}
}

// physicalFiles checks that every data file of the target has physical names and
// field ids, and statistics by those names.
func (k *kit) physicalFiles() {
	k.t.Helper()
	w, snap := k.snapshot("bronze")
	for _, a := range snap.Files {
		key, err := a.Key()
		k.must(err)
		f, err := w.Open(k.t.Context(), key)
		k.must(err)
		p, err := parquetfile.Open(f)
		k.must(err)
		want := map[string]int32{}
		for _, col := range snap.Schema.Fields {
			want[snap.Physical(col.Name)], _ = col.ID()
		}
		for i, c := range p.Columns() {
			if id, known := want[c.Name]; !known || id != p.FieldIDs()[i] {
				k.t.Errorf("%s: column %q has field id %d, the table says %d", key, c.Name, p.FieldIDs()[i], id)
			}
		}
		st, err := a.ParseStats()
		k.must(err)
		if n, told := st.Nulls(snap.Physical("Order Date")); !told || n != 1 {
			k.t.Errorf("%s: NULLs of Order Date: %d, %v", key, n, told)
		}
		k.must(errors.Join(p.Close(), f.Close()))
	}
}

func TestCase32NamesThatNeedMapping(t *testing.T) {
	t.Parallel()
	k := oddKit(t).withFacts()
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	if p.Target.Mapping != "name" || !slices.ContainsFunc(p.Checks, func(c verdict.Check) bool { return strings.Contains(c.Text, "column mapping") }) {
		t.Errorf("the plan does not tell of column mapping: %+v, %+v", p.Target, p.Checks)
	}
	got, err := k.execute(p)
	if err != nil || got.Rows != 2 || !got.Created {
		t.Fatalf("%+v, %v", got, err)
	}
	k.hasOddRows()
	k.physicalFiles()
	// The rows are found again by statistics under physical names.
	again, err := k.seed()
	if err != nil || again.State != engine.AlreadySeeded || again.Version != got.Version {
		t.Errorf("%+v, %v", again, err)
	}
}

// A try that ends right before its commit leaves an empty mapped table and staged
// files; the rerun goes on from both.
func TestAMappedTableIsCompletedByARerun(t *testing.T) {
	t.Parallel()
	k := oddKit(t)
	k.request.OnStop = "keep"
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	session, stores := k.open()
	ctx, stop := context.WithCancel(t.Context())
	_, err = engine.Execute(ctx, p, session, stores, func(e engine.Event) {
		if e, ok := e.(engine.PhaseDone); ok && e.Phase == engine.Stage {
			stop()
		}
	})
	if !errors.Is(err, verdict.Stopped) {
		t.Fatal(err)
	}
	made, err := bronze.NewTable(oddCaptured(), true, "6f2b7d6e-0000-4000-8000-000000000001", bronze.Commit{Engine: "cdcseed/test", TxnID: "t0", At: someTime})
	k.create("bronze", made, err, nil)
	k.dateStaged("bronze")
	got, err := k.seed()
	if err != nil || got.Rows != 2 || got.Adopted != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	k.hasOddRows()
	k.physicalFiles()
}

func (k *kit) dateStaged(name string) {
	k.t.Helper()
	for key := range k.tree(name) {
		if strings.HasPrefix(key, "part-") {
			k.date(k.path(name, key))
		}
	}
}

// Another program that makes the same table gives its columns other physical
// names: files staged for the planned ones must never be committed there.
func TestAnotherMappedTableIsMadeMeanwhile(t *testing.T) {
	t.Parallel()
	k := oddKit(t)
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	made, err := bronze.NewTable(oddCaptured(), true, "6f2b7d6e-0000-4000-8000-000000000001", bronze.Commit{Engine: "other", TxnID: "t0", At: someTime})
	k.create("bronze", made, err, func(c *delta.Create) {
		c.Metadata.SchemaString = strings.ReplaceAll(c.Metadata.SchemaString, `"col-`, `"col-0`)
	})
	before := k.tree("bronze")
	if _, err := k.execute(p); !errors.Is(err, verdict.TargetChanged) {
		t.Fatal(err)
	}
	if after := k.tree("bronze"); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("something was written")
	}
	if got, err := k.seed(); err != nil || got.Rows != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	k.hasOddRows()
	k.physicalFiles()
}

// Mapped tables that exist take new columns, odd ones too, in both modes.
func TestSeedsIntoMappedTables(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"name", "id"} {
		t.Run(mode, func(t *testing.T) {
			k := oddKit(t)
			made, err := bronze.NewTable(oddCaptured()[:3], true, "6f2b7d6e-0000-4000-8000-000000000001", bronze.Commit{Engine: "other", TxnID: "t0", At: someTime})
			k.create("bronze", made, err, func(c *delta.Create) { c.Metadata.Configuration[delta.MappingMode] = mode })
			_, before := k.snapshot("bronze")
			p, err := k.build()
			if err != nil {
				t.Fatal(err)
			}
			if p.Target.Mapping != mode || !slices.Equal(p.Target.AddColumns, []string{"x=y"}) {
				t.Errorf("%+v", p.Target)
			}
			if got, err := k.execute(p); err != nil || got.Rows != 2 {
				t.Fatalf("%+v, %v", got, err)
			}
			k.hasOddRows()
			k.physicalFiles()
			_, after := k.snapshot("bronze")
			if after.Physical("a,b") != before.Physical("a,b") || after.Metadata.Configuration[delta.MaxColumnID] != "13" {
				t.Errorf("%+v", after.Metadata)
			}
		})
	}
}

// A copy whose deletion vector hides row 2 of 3 (case 5a), mapped (case 5b).
func TestCase5DeletedRowsAndMappedNames(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	physical := strings.NewReplacer(`"id"`, `"col-5f2c"`, `"name"`, `"col-5f2d"`, `"amount"`, `"col-5f2e"`)
	k.deltaCopy(func(c *delta.Create) {
		c.Protocol = delta.Protocol{
			MinReaderVersion: 3, MinWriterVersion: 7,
			ReaderFeatures: []string{"columnMapping", "deletionVectors"}, WriterFeatures: []string{"columnMapping", "deletionVectors"},
		}
		c.Metadata.Configuration = map[string]string{delta.MappingMode: "name", delta.MaxColumnID: "3"}
		for i, name := range []string{"id", "name", "amount"} {
			of := fmt.Sprintf(`"metadata":{"delta.columnMapping.id":%d,"delta.columnMapping.physicalName":"col-5f2%c"}}`, i+1, "cde"[i])
			from, to, _ := strings.Cut(c.Metadata.SchemaString, `"name":"`+name+`"`)
			c.Metadata.SchemaString = from + `"name":"` + name + `"` + strings.Replace(to, `"metadata":{}}`, of, 1)
		}
	})
	_, snap := k.snapshot("copy")
	fields := arrowFields(t, snap.Schema)
	for i := range fields {
		fields[i].Name = snap.Physical(fields[i].Name)
	}
	rec := recordOf(t, fields, physical.Replace(`[{"id": 1, "name": "one", "amount": "1.00"}, {"id": 2, "name": "gone", "amount": "2.00"}, {"id": 3, "name": "three", "amount": "3.00"}]`))
	defer rec.Release()
	k.writeFile("part-0.parquet", rec)
	add := fmt.Sprintf(`{"add":{"path":"part-0.parquet","partitionValues":{},"size":%d,"modificationTime":%d,"dataChange":true,"stats":"{\"numRecords\":3}","deletionVector":%s}}`+"\n",
		len(k.tree("copy")["part-0.parquet"]), someTime.Time().UnixMilli(), jsonOf(t, deltatest.Inline(1)))
	add = fmt.Sprintf(`{"commitInfo":{"timestamp":%d,"operation":"WRITE"}}`+"\n", someTime.Time().UnixMilli()) + add
	k.place(add, "copy", "_delta_log", "00000000000000000001.json")
	k.request.AllowAsOfAfterCopy = true
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	if p.Copy.Rows != 2 || p.Copy.Deleted != 1 || p.Preview.Rows != 2 || p.Files[0].Rows != 2 ||
		!slices.ContainsFunc(p.Checks, func(c verdict.Check) bool { return strings.Contains(c.Text, "1 row of the copy's files") }) {
		t.Errorf("%+v %+v %+v", p.Copy, p.Preview, p.Checks)
	}
	k.request.Accept = unaccepted(p)
	k.vectorChanges(add)
	got, err := k.seed()
	if err != nil || got.Rows != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if rows := k.tableRows("bronze", "id", "name"); !slices.Equal(rows, []string{`1 one`, `3 three`}) {
		t.Errorf("%q", rows)
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func unaccepted(p engine.Plan) []string {
	var out []string
	for _, c := range p.Unaccepted() {
		out = append(out, string(c.Code))
	}
	return out
}

// vectorChanges executes the plan of a copy in whose place another one was put
// since, which differs in its deletion vector alone: the refusal names it.
func (k *kit) vectorChanges(commit string) {
	k.t.Helper()
	log := []string{"copy", "_delta_log", "00000000000000000001.json"}
	p, err := k.build()
	k.must(err)
	k.place(strings.Replace(commit, jsonOf(k.t, deltatest.Inline(1)), jsonOf(k.t, deltatest.Inline(0, 2)), 1), log...)
	_, err = k.execute(p)
	said := fmt.Sprint(err, verdict.As(err).Facts)
	if e := verdict.As(err); e.Code != verdict.CopyChanged || !strings.Contains(said, "rows deleted now") || !strings.Contains(said, "deletion vector") ||
		!strings.Contains(said, deltatest.Inline(0, 2).ID()) {
		k.t.Errorf("%s", said)
	}
	k.place(commit, log...)
}

// A target that keeps deletion vectors takes a seed as any other, and snapshot
// rows that one of them hides are no snapshot any more.
func TestSeedIntoATableWithDeletionVectors(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	k.bronzeTable(func(c *delta.Create) {
		c.Metadata.Configuration["delta.enableDeletionVectors"] = "true"
		c.Protocol.ReaderFeatures = append(c.Protocol.ReaderFeatures, "deletionVectors")
		c.Protocol.WriterFeatures = append(c.Protocol.WriterFeatures, "deletionVectors")
	})
	k.appendRows("bronze", snapshotRow(lsnAt(5), "null"))
	_, snap := k.snapshot("bronze")
	hidden := snap.Files[0]
	hidden.DeletionVector = deltatest.Inline(0)
	k.place(fmt.Sprintf(`{"remove":{"path":%q,"dataChange":true,"deletionTimestamp":1}}`+"\n"+`{"add":%s}`+"\n", hidden.Path, jsonOf(t, hidden)),
		"bronze", "_delta_log", fmt.Sprintf("%020d.json", snap.Version+1))
	k.request.Accept = []string{"stream_must_be_stopped"}
	got, err := k.seed()
	if err != nil || got.Rows != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	if rows := k.tableRows("bronze", "_operation", "id"); !slices.Equal(rows, []string{"0 1", "0 2", "0 3"}) {
		t.Errorf("%q", rows)
	}
}
