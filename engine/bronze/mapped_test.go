package bronze_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

var odd = captured("Order Date:string", "a,b:string", "order_id:integer", "status:string")

// Spark 4.2 with Delta 4.4 makes this of the package's own CREATE.
func TestNewTableWithNamesThatNeedMapping(t *testing.T) {
	w, snap := newTable(t, odd)
	if got, want := fmt.Sprint(snap.Protocol.ReaderFeatures, snap.Protocol.WriterFeatures), "[timestampNtz columnMapping] [timestampNtz columnMapping invariants appendOnly]"; got != want {
		t.Error(got)
	}
	same(t, "properties", snap.Metadata.Configuration, map[string]string{
		"mssql_cdc.schema_version": "2", "delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": "13",
	})
	for i, f := range snap.Schema.Fields {
		id, ok := f.ID()
		if !ok || int(id) != i+1 || !strings.HasPrefix(snap.Physical(f.Name), "col-") {
			t.Errorf("%s has id %d and physical name %q", f.Name, id, snap.Physical(f.Name))
		}
	}
	info := one(t, normal(t, logFile(t, w, 0)), "commitInfo")
	got := info["operationParameters"].(map[string]any)["properties"]
	if want := `{"mssql_cdc.schema_version":"2","delta.columnMapping.mode":"name","delta.columnMapping.maxColumnId":"13"}`; got != want {
		t.Error(got)
	}
	again, err := bronze.NewTable(odd, true, "", bronze.Commit{})
	if err != nil || again.Metadata.SchemaString != snap.Metadata.SchemaString {
		t.Errorf("a plan makes another table than its execution: %v", err)
	}
	if _, plain := newTable(t, orders); plain.Metadata.Mapping().On() {
		t.Error("a table is mapped that need not be")
	}
}

// inFiles is a mapped table's schema and rows as its files have them.
func inFiles(snap *delta.Snapshot, rows ...row) (delta.Schema, []row) {
	var s delta.Schema
	for _, f := range snap.Schema.Fields {
		f.Name = snap.Physical(f.Name)
		s.Fields = append(s.Fields, f)
	}
	out := make([]row, len(rows))
	for i, r := range rows {
		out[i] = row{}
		for name, v := range r {
			out[i][snap.Physical(name)] = v
		}
	}
	return s, out
}

func (w *table) mapped(t *testing.T, snap *delta.Snapshot, rows ...row) delta.Add {
	t.Helper()
	s, rows := inFiles(snap, rows...)
	return w.file(t, s, rows...)
}

func TestLookupInAMappedTable(t *testing.T) {
	w, snap := newTable(t, odd)
	snap = w.commit(t, w.mapped(t, snap, rowsOf(stamp(t, "dbo_orders", "10", 1), 3)...))
	snap = w.commit(t, w.mapped(t, snap, change("11"), change("12")))
	s := look(t, w, snap)
	if want := `dbo_orders 10 3 rows "2026-09-21T14:13:20.001" chunked false`; told(s.Newest()) != want || s.Read != 0 {
		t.Errorf("%s, %d files read", told(s.Newest()), s.Read)
	}
	if l, ok := bronze.Reached(snap); !ok || l != position(t, lsnText("12")) {
		t.Errorf("the stream has come to %s, %v", l, ok)
	}
	// Statistics that do not tell: the file is read by its physical names.
	mixed := w.mapped(t, snap, append(rowsOf(stamp(t, "dbo_orders", "20", 2), 2), change("21"))...)
	snap = w.commit(t, mixed)
	if s = look(t, w, snap); told(s.Newest()) != `dbo_orders 20 2 rows "2026-09-21T14:13:20.002" chunked false` || s.Read != 1 {
		t.Errorf("%s, %d files read", told(s.Newest()), s.Read)
	}
}

func TestNewColumnsThatNeedMapping(t *testing.T) {
	// A table without mapping: all names at once, with what turns it on.
	_, snap := newTable(t, captured("order_id:integer"))
	_, err := bronze.FitTable(snap, odd, bronze.FitOptions{})
	if !errors.Is(err, verdict.ColumnName) || !strings.Contains(err.Error(), `"Order Date", "a,b"`) {
		t.Fatal(err)
	}
	if hint := verdict.As(err).Hint[0]; hint != "ALTER TABLE ... SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')" {
		t.Error(hint)
	}
	legacy := *snap
	legacy.Protocol = delta.Protocol{MinReaderVersion: 1, MinWriterVersion: 2}
	if _, err := bronze.FitTable(&legacy, odd, bronze.FitOptions{}); err == nil || !strings.Contains(verdict.As(err).Hint[0], "'delta.minWriterVersion' = '5'") {
		t.Error(err)
	}
	// Names that need none are added as ever.
	fit, err := bronze.FitTable(snap, captured("order_id:integer", "status:string"), bronze.FitOptions{})
	if err != nil || len(fit.Added) != 1 || fit.Table.Mapping().On() {
		t.Errorf("%+v, %v", fit, err)
	}

	// A mapped table: the new ones get the next ids.
	w, mapped := newTable(t, odd)
	fit, err = bronze.FitTable(mapped, captured("Order Date:string", "a,b:string", "order_id:integer", "status:string", "x=y:string", "z:string"), bronze.FitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "highest id", fit.Metadata.Configuration[delta.MaxColumnID], "15")
	after := *mapped
	after.Metadata = *fit.Metadata
	if after.Schema, err = delta.ParseSchema(fit.Metadata.SchemaString); err != nil {
		t.Fatal(err)
	}
	add := w.mapped(t, &after, rowsOf(stamp(t, "dbo_orders", "10", 1), 1)...)
	_, data, err := mapped.Lines(bronze.SeedCommit(fit, stamp(t, "dbo_orders", "10", 1), []delta.Add{add}, 1, 1, nil, commit), commit.At)
	if err != nil {
		t.Fatal(err)
	}
	if err := delta.Put(t.Context(), w, 1, data); err != nil {
		t.Fatal(err)
	}
	if now := w.open(t); now.Physical("x=y") != after.Physical("x=y") || now.Physical("Order Date") != mapped.Physical("Order Date") {
		t.Error("physical names are not those that were planned")
	}
}

// An older mapped table is migrated first; what the seed adds comes after it, and
// both have the ids that the plan gave them.
func TestMigratingAMappedTable(t *testing.T) {
	create, err := bronze.NewTable(odd, true, "table", commit)
	if err != nil {
		t.Fatal(err)
	}
	full, err := delta.ParseSchema(create.Metadata.SchemaString)
	if err != nil {
		t.Fatal(err)
	}
	var old delta.Schema
	for _, f := range full.Fields {
		if f.Name != bronze.SnapshotLSN && f.Name != bronze.Chunk {
			old.Fields = append(old.Fields, f)
		}
	}
	create.Metadata = create.Metadata.WithSchema(old).WithProperty(bronze.VersionProperty, "1")
	_, snap := tableFrom(t, create)
	wanted := captured("Order Date:string", "a,b:string", "order_id:integer", "status:string", "x=y:string")
	fit, err := bronze.FitTable(snap, wanted, bronze.FitOptions{})
	if err != nil || fit.Migration == nil {
		t.Fatal(fit, err)
	}
	between := *snap
	between.Metadata = fit.Migration.Metadata
	if between.Schema, err = delta.ParseSchema(between.Metadata.SchemaString); err != nil {
		t.Fatal(err)
	}
	later, err := bronze.FitTable(&between, wanted, bronze.FitOptions{})
	if err != nil || later.Migration != nil {
		t.Fatal(later, err)
	}
	if d := cmp.Diff(fit.Table.SchemaString, later.Table.SchemaString); d != "" {
		t.Error("after the migration the seed adds other columns than planned:", d)
	}
	same(t, "highest id", later.Table.Configuration[delta.MaxColumnID], "16")
	if _, _, err := between.Lines(delta.Append{Operation: "WRITE", TxnID: "t", Metadata: later.Metadata}, commit.At); err != nil {
		t.Error(err)
	}
}

func TestFactsInAMappedTable(t *testing.T) {
	m := storetest.NewMem()
	create, err := bronze.NewFacts("facts", commit)
	if err != nil {
		t.Fatal(err)
	}
	create.Protocol = delta.MappedProtocol()
	sc, err := delta.ParseSchema(create.Metadata.SchemaString)
	if err != nil {
		t.Fatal(err)
	}
	create.Metadata = create.Metadata.WithProperty(delta.MappingMode, "id").WithSchema(sc)
	data, err := create.Lines(commit.At)
	if err != nil {
		t.Fatal(err)
	}
	if err := delta.Put(t.Context(), m, 0, data); err != nil {
		t.Fatal(err)
	}
	if written, err := bronze.WriteFact(t.Context(), m, fact(t, "orders"), testPen()); err != nil || !written {
		t.Fatal(written, err)
	}
	snap := openAt(t, m)
	key, err := snap.Files[0].Key()
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	p, err := parquetfile.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range p.Columns() {
		if !strings.HasPrefix(c.Name, "col-") || p.FieldIDs()[i] < 1 {
			t.Errorf("column %q has field id %d", c.Name, p.FieldIDs()[i])
		}
	}
	if err := errors.Join(p.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	events, err := bronze.Events(t.Context(), m, snap, "lake.orders")
	if err != nil || len(events) != 1 || events[0].AppID != "orders" {
		t.Error(events, err)
	}
}
