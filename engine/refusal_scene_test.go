package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
)

// scene is a world as JSON in the parts that cases differ by. An empty part is
// the kit's: a server on UTC at 13:00, commits every minute from 12:00 on.
type scene struct {
	server    string // members
	user      string // members beside its database
	database  string // members beside name, tables, instances and mapping
	columns   string // of dbo.orders
	key       string // its primary key's columns, with commas
	rows      string // of dbo.orders: a member of the table
	instances string // of the database
	mapping   string
}

func (s scene) text() string {
	or := func(part *string, kit string) {
		if *part == "" {
			*part = kit
		}
	}
	or(&s.server, serverOf("UTC", "2026-10-24T13:00:00Z"))
	or(&s.user, `"select": [{"on": "dbo"}]`)
	or(&s.database, `"cdc": true, "cleanup": {"retention_minutes": 4320}`)
	or(&s.columns, `{"name": "id", "type": "int"}, {"name": "name", "type": "nvarchar(20)", "nullable": true}, {"name": "amount", "type": "decimal(10,2)", "nullable": true}`)
	or(&s.key, "id")
	or(&s.rows, `"rows": []`)
	or(&s.instances, instance("dbo_orders", "0x10", "2026-10-24T11:00:00"))
	or(&s.mapping, `{"lsn": "0x10", "local_time": "2026-10-24T12:00:00", "idle": true, "repeat": {"count": 60, "every_seconds": 60, "lsn_step": 16}}`)
	return fmt.Sprintf(`{"format": 1, "server": {%s},
 "logins": [{"name": "reader", "password": "s3cret", "users": [{"database": "Sales", %s}]}],
 "databases": [{"name": "Sales", %s, "tables": [{"name": "orders", "primary_key": [%s], "columns": [%s], %s}],
  "capture_instances": [%s], "lsn_time_mapping": [%s]}]}`,
		s.server, s.user, s.database, listed(s.key), s.columns, s.rows, strings.Trim(s.instances, "-"), strings.Trim(s.mapping, "-"))
}

// listed are the names of a list with commas, as JSON has them in brackets.
func listed(names string) string {
	if names == none {
		return ""
	}
	return `"` + strings.ReplaceAll(names, ",", `", "`) + `"`
}

// none stands for a part that is there and empty.
const none = "-"

func serverOf(zone, now string, more ...string) string {
	parts := []string{fmt.Sprintf(`"product_version": "16.0.4125.3", "time_zone": %q, "now": %q`, zone, now)}
	return strings.Join(append(parts, more...), ", ")
}

func instance(name, start, created string, more ...string) string {
	if start != "null" {
		start = strconv.Quote(start)
	}
	parts := []string{fmt.Sprintf(`"name": %q, "table": "dbo.orders", "start_lsn": %s, "created": %q`, name, start, created)}
	return "{" + strings.Join(append(parts, more...), ", ") + "}"
}

// commits are mapping rows: an LSN and the time on the server's clock, by turns.
func commits(pairs ...string) string {
	var rows []string
	for i := 0; i+1 < len(pairs); i += 2 {
		rows = append(rows, fmt.Sprintf(`{"lsn": %q, "local_time": %q}`, pairs[i], pairs[i+1]))
	}
	return strings.Join(rows, ", ")
}

// lsnText is the normal form of a short LSN.
func lsnText(short string) string { return "0x" + strings.Repeat("0", 20-len(short)) + short }

// kitIn is a kit whose clock is the scene's, with a copy of three rows.
func kitIn(t *testing.T, s scene) *kit {
	t.Helper()
	k := kitOf(t, s.text())
	k.now = k.server.Now
	k.writeCopy("a.parquet", orders(3))
	return k
}

// dateCopy dates every file of the copy.
func (k *kit) dateCopy(at string) {
	k.t.Helper()
	when, err := time.Parse(time.RFC3339, at)
	if err != nil {
		k.t.Fatal(err)
	}
	for name := range k.tree("copy") {
		if err := os.Chtimes(k.path("copy", name), when, when); err != nil {
			k.t.Fatal(err)
		}
	}
}

// newCopy puts a file of rows given as JSON in the place of the copy.
func (k *kit) newCopy(fields []arrow.Field, rows string) {
	k.t.Helper()
	k.dropCopy()
	rec := recordOf(k.t, fields, rows)
	defer rec.Release()
	k.writeFile("a.parquet", rec)
}

func (k *kit) dropCopy() {
	k.t.Helper()
	if err := os.RemoveAll(k.path("copy")); err != nil {
		k.t.Fatal(err)
	}
}

// place writes a file as it is.
func (k *kit) place(text string, parts ...string) {
	k.t.Helper()
	if err := os.MkdirAll(k.path(parts[:len(parts)-1]...), 0o755); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(k.path(parts...), []byte(text), 0o644); err != nil {
		k.t.Fatal(err)
	}
}

func recordOf(t *testing.T, fields []arrow.Field, rows string) arrow.Record {
	t.Helper()
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(fields, nil), strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func field(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

// captured are the columns of the kit's dbo.orders as the stream types them.
func captured() []schema.TargetColumn {
	return []schema.TargetColumn{
		{Name: "id", Type: schema.Type{Kind: schema.Integer}},
		{Name: "name", Type: schema.Type{Kind: schema.String}},
		{Name: "amount", Type: schema.DecimalOf(10, 2)},
	}
}

var someTime = clock.Of(time.Date(2026, 10, 24, 11, 30, 0, 0, time.UTC))

// bronzeTable makes the bronze table that fits dbo.orders, changed by change.
func (k *kit) bronzeTable(change func(*delta.Create)) {
	k.t.Helper()
	c, err := bronze.NewTable(captured(), true, "6f2b7d6e-0000-4000-8000-000000000001", bronze.Commit{Engine: "other", TxnID: "t0", At: someTime})
	k.create("bronze", c, err, change)
}

func (k *kit) factsTable(change func(*delta.Create)) {
	k.t.Helper()
	c, err := bronze.NewFacts("6f2b7d6e-0000-4000-8000-000000000002", bronze.Commit{Engine: "other", TxnID: "t0", At: someTime})
	k.create("facts", c, err, change)
}

// create writes version 0 without the checks that the product makes, so that
// tables that it would never make can be met.
func (k *kit) create(name string, c delta.Create, err error, change func(*delta.Create)) {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
	if change != nil {
		change(&c)
	}
	var b strings.Builder
	for _, line := range []any{
		map[string]any{"commitInfo": map[string]any{"timestamp": int64(someTime) / 1000, "operation": c.Operation}},
		map[string]any{"protocol": c.Protocol},
		map[string]any{"metaData": c.Metadata},
	} {
		text, err := json.Marshal(line)
		if err != nil {
			k.t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	k.place(b.String(), name, "_delta_log", "00000000000000000000.json")
}

func (k *kit) snapshot(name string) (*store.Local, *delta.Snapshot) {
	k.t.Helper()
	w, err := store.OpenLocal(k.path(name))
	if err != nil {
		k.t.Fatal(err)
	}
	snap, err := delta.Open(k.t.Context(), w)
	if err != nil && !errors.Is(err, delta.ErrNoTable) {
		k.t.Fatal(err)
	}
	return w, snap
}

// appendRows commits rows given as JSON to a table, as a stream does.
func (k *kit) appendRows(name, rows string) {
	k.t.Helper()
	w, snap := k.snapshot(name)
	rec := recordOf(k.t, arrowFields(k.t, snap.Schema), rows)
	defer rec.Release()
	up, err := w.Create(k.t.Context(), fmt.Sprintf("part-%05d-%d.parquet", snap.Version, len(snap.Files)))
	if err != nil {
		k.t.Fatal(err)
	}
	pw, err := parquetfile.NewWriter(up, rec.Schema(), parquetfile.WriterOptions{})
	if err != nil {
		k.t.Fatal(err)
	}
	if err := pw.Write(rec); err != nil {
		k.t.Fatal(err)
	}
	sum, err := pw.Close()
	if err != nil {
		k.t.Fatal(err)
	}
	o, err := up.Finish(k.t.Context())
	if err != nil {
		k.t.Fatal(err)
	}
	k.commit(name, delta.Append{Operation: "WRITE", Adds: []delta.Add{delta.NewAdd(o, sum.Stats)}})
}

func (k *kit) commit(name string, a delta.Append) {
	k.t.Helper()
	w, snap := k.snapshot(name)
	a.TxnID = fmt.Sprint("t", snap.Version+1)
	version, lines, err := snap.Lines(a, someTime)
	if err != nil {
		k.t.Fatal(err)
	}
	if err := delta.Put(k.t.Context(), w, version, lines); err != nil {
		k.t.Fatal(err)
	}
}

func arrowFields(t *testing.T, s delta.Schema) []arrow.Field {
	t.Helper()
	types := map[string]arrow.DataType{
		"string": arrow.BinaryTypes.String, "integer": arrow.PrimitiveTypes.Int32, "long": arrow.PrimitiveTypes.Int64,
		"double": arrow.PrimitiveTypes.Float64, "timestamp_ntz": &arrow.TimestampType{Unit: arrow.Microsecond},
		"decimal(10,2)": &arrow.Decimal128Type{Precision: 10, Scale: 2}, "binary": arrow.BinaryTypes.Binary,
	}
	var out []arrow.Field
	for _, f := range s.Fields {
		kind, _ := f.Primitive()
		if types[kind] == nil {
			t.Fatalf("no Arrow type for %s %s", f.Name, kind)
		}
		out = append(out, field(f.Name, types[kind]))
	}
	return out
}

// snapshotRow is a row of a snapshot at l that another run wrote: of a whole
// one, or with a chunk's number, which is "null" for a whole one.
func snapshotRow(l, chunk string) string {
	return fmt.Sprintf(`[{"_capture_instance": "DBO_Orders", "_start_lsn": %q, "_operation": 0, "_commit_ts": "2026-10-24 12:05:00", "id": 1, "_snapshot": %q, "_chunk": %s}]`,
		l, l, chunk)
}

// openRow is a facts row of a snapshot that the stream has begun.
func openRow(l, mode string) string {
	return fmt.Sprintf(`[{"app_id": "orders-v1", "event": "snapshot_open", "target": "bronze.orders", "min_lsn": %q, "max_lsn": %q, "detail": "{\"mode\": \"%s\", \"generation\": 0}"}]`,
		l, l, mode)
}

func (k *kit) must(err error) {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
}
