package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine"
	"cdcseed/engine/parquetfile"
	"cdcseed/fakeserver"
)

// world is a server on UTC with one captured table, dbo.orders (id int, name
// nvarchar(20), amount decimal(10,2)), commits every minute from 12:00 on
// 2026-10-24, and a clock that stands at 13:00.
const world = `{
  "format": 1,
  "server": {"product_version": "16.0.4125.3", "time_zone": "UTC", "now": "2026-10-24T13:00:00Z"},
  "logins": [{"name": "reader", "password": "s3cret", "users": [{"database": "Sales", "select": [{"on": "dbo"}]}]}],
  "databases": [{
    "name": "Sales", "cdc": true, "cleanup": {"retention_minutes": 4320},
    "tables": [{"name": "orders", "primary_key": ["id"],
      "columns": [{"name": "id", "type": "int"}, {"name": "name", "type": "nvarchar(20)", "nullable": true}, {"name": "amount", "type": "decimal(10,2)", "nullable": true}],
      "rows": [[1, "one", "1.00"], [2, "two", "2.00"], [3, "three", "3.00"]]}],
    "capture_instances": [{"name": "dbo_orders", "table": "dbo.orders", "start_lsn": "0x10", "created": "2026-10-24T11:00:00"}],
    "lsn_time_mapping": [{"lsn": "0x10", "local_time": "2026-10-24T12:00:00", "idle": true, "repeat": {"count": 60, "every_seconds": 60, "lsn_step": 16}}]
  }]
}`

// lsnAt is the world's position at a minute after 12:00.
func lsnAt(minute int) string { return fmt.Sprintf("0x%020X", 16*(minute+1)) }

// kit is a source, a copy and places for a target and a facts table.
type kit struct {
	t       *testing.T
	server  *fakeserver.Server
	dir     string
	request engine.Request
	now     func() time.Time
}

func newKit(t *testing.T) *kit { return kitOf(t, world) }

func kitOf(t *testing.T, text string) *kit {
	t.Helper()
	w, err := fakeserver.ReadWorld(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := fakeserver.Start(w, fakeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	k := &kit{t: t, server: s, dir: t.TempDir()}
	k.now = func() time.Time { return time.Date(2026, 10, 24, 13, 0, 0, 0, time.UTC) }
	k.request = engine.Request{
		Server: s.URL(), Table: "dbo.orders", Copy: k.path("copy"), Target: k.path("bronze"), AsOf: "2026-10-24T12:30:30Z",
	}
	return k
}

func (k *kit) path(parts ...string) string {
	return filepath.Join(append([]string{k.dir}, parts...)...)
}

func (k *kit) withFacts() *kit {
	k.request.Facts, k.request.AppID, k.request.TargetName = k.path("facts"), "orders-v1", "bronze.orders"
	return k
}

// order is a row of the copy.
type order struct {
	id     int32
	name   string
	amount int64 // cents
}

func orders(n int) []order {
	out := make([]order, n)
	for i := range out {
		out[i] = order{int32(i + 1), fmt.Sprintf("order %d", i+1), int64(i) * 25}
	}
	return out
}

// writeCopy writes one Parquet file of the copy, dated in the world's time.
func (k *kit) writeCopy(name string, rows []order) {
	k.t.Helper()
	sc := arrow.NewSchema([]arrow.Field{
		{Name: "ID", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "amount", Type: &arrow.Decimal128Type{Precision: 10, Scale: 2}, Nullable: true},
		{Name: "etl", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, sc)
	defer b.Release()
	for _, r := range rows {
		b.Field(0).(*array.Int32Builder).Append(r.id)
		b.Field(1).(*array.StringBuilder).Append(r.name)
		b.Field(2).(*array.Decimal128Builder).Append(decimal128.FromI64(r.amount))
		b.Field(3).AppendNull()
	}
	rec := b.NewRecord()
	defer rec.Release()
	k.writeFile(name, rec)
}

// writeFile writes a record as one Parquet file of the copy.
func (k *kit) writeFile(name string, recs ...arrow.Record) {
	k.t.Helper()
	path := k.path("copy", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		k.t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		k.t.Fatal(err)
	}
	w, err := parquetfile.NewWriter(f, recs[0].Schema(), parquetfile.WriterOptions{})
	if err != nil {
		k.t.Fatal(err)
	}
	for _, rec := range recs {
		if err := w.Write(rec); err != nil {
			k.t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		k.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		k.t.Fatal(err)
	}
	k.date(path)
}

// date gives a file the time at which the copy was written in the world: 12:31.
func (k *kit) date(path string) {
	k.t.Helper()
	at := time.Date(2026, 10, 24, 12, 31, 0, 0, time.UTC)
	if err := os.Chtimes(path, at, at); err != nil {
		k.t.Fatal(err)
	}
}

func (k *kit) open() (*engine.Session, engine.Stores) {
	k.t.Helper()
	stores, err := engine.OpenStores(k.request)
	if err != nil {
		k.t.Fatal(err)
	}
	session, err := engine.Open(context.Background(), k.request, "", k.now, nil)
	if err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(session.Close)
	return session, stores
}

func (k *kit) build() (engine.Plan, error) {
	k.t.Helper()
	stores, err := engine.OpenStores(k.request)
	if err != nil {
		return engine.Plan{}, err
	}
	session, err := engine.Open(context.Background(), k.request, "", k.now, nil)
	if err != nil {
		return engine.Plan{}, err
	}
	defer session.Close()
	return engine.Build(context.Background(), session, stores.Readers(), k.request, engine.BuildOptions{Tool: "cdcseed/test"})
}

// seed plans and executes as the command line does.
func (k *kit) seed() (engine.Result, error) {
	k.t.Helper()
	p, err := k.build()
	if err != nil {
		return engine.Result{}, err
	}
	return k.execute(p)
}

func (k *kit) execute(p engine.Plan) (engine.Result, error) {
	k.t.Helper()
	if err := p.Refusal(); err != nil {
		return engine.Result{}, err
	}
	session, stores := k.open()
	return engine.Execute(context.Background(), p, session, stores, nil)
}

// tree is everything below a folder: paths with their bytes.
func (k *kit) tree(parts ...string) map[string]string {
	k.t.Helper()
	out := map[string]string{}
	root := k.path(parts...)
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return out
}
