package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/fakeserver"
)

// counting is a store that counts what is read of it, and shows each opening and
// each read before it happens.
type counting struct {
	store.Writer
	before func(op, key string) // or nil; of Open and ReadAt; called by many at a time

	mu     sync.Mutex
	opened int              // files that were opened so far
	open   int              // and are not closed yet
	most   int              // that were open at a time
	read   map[string]int64 // bytes that were asked for, by key
}

func countReads(w store.Writer) *counting { return &counting{Writer: w, read: map[string]int64{}} }

func (c *counting) shows(op, key string) {
	if c.before != nil {
		c.before(op, key)
	}
}

// Open counts the file as open until it is closed.
func (c *counting) Open(ctx context.Context, key string) (store.File, error) {
	c.shows("Open", key)
	f, err := c.Writer.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened++
	c.open++
	c.most = max(c.most, c.open)
	return &countedFile{File: f, c: c, key: key}, nil
}

// Link is the store's own, without which files are copied.
func (c *counting) Link(ctx context.Context, from, to string) (store.Object, error) {
	l, ok := c.Writer.(interface {
		Link(ctx context.Context, from, to string) (store.Object, error)
	})
	if !ok {
		return store.Object{}, fmt.Errorf("%T has no links", c.Writer)
	}
	return l.Link(ctx, from, to)
}

// now is how many files are open.
func (c *counting) now() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}

// bytes is how many bytes were asked for so far, of all files.
func (c *counting) bytes() (sum int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.read {
		sum += n
	}
	return sum
}

type countedFile struct {
	store.File
	c   *counting
	key string
}

func (f *countedFile) ReadAt(p []byte, off int64) (int, error) {
	f.c.shows("ReadAt", f.key)
	f.c.mu.Lock()
	f.c.read[f.key] += int64(len(p))
	f.c.mu.Unlock()
	return f.File.ReadAt(p, off)
}

func (f *countedFile) Close() error {
	f.c.mu.Lock()
	f.c.open--
	f.c.mu.Unlock()
	return f.File.Close()
}

// wideColumns is how many columns the wide table has.
const wideColumns = 100

// wideTypes are the types of its columns, in turns: the server's, and the copy's.
// Those of the last two differ.
var wideTypes = []struct {
	sql  string
	typ  arrow.DataType
	from func(b array.Builder, i int)
}{
	{"int", arrow.PrimitiveTypes.Int32, func(b array.Builder, i int) { b.(*array.Int32Builder).Append(int32(i)) }},
	{"nvarchar(40)", arrow.BinaryTypes.String, func(b array.Builder, i int) { b.(*array.StringBuilder).Append(fmt.Sprintf("text %d", i%7)) }},
	{"decimal(10,2)", &arrow.Decimal128Type{Precision: 10, Scale: 2}, func(b array.Builder, i int) {
		b.(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i) * 25))
	}},
	{"date", arrow.FixedWidthTypes.Date32, func(b array.Builder, i int) { b.(*array.Date32Builder).Append(arrow.Date32(i % 20_000)) }},
	{"bigint", arrow.PrimitiveTypes.Int32, func(b array.Builder, i int) { b.(*array.Int32Builder).Append(int32(i % 11)) }},
	{"smallint", arrow.PrimitiveTypes.Int32, func(b array.Builder, i int) { b.(*array.Int32Builder).Append(int32(i % 13)) }},
}

// wideWorld is the kit's world with a table of many columns in it.
func wideWorld(tb testing.TB) string {
	tb.Helper()
	var w map[string]any
	if err := json.Unmarshal([]byte(world), &w); err != nil {
		tb.Fatal(err)
	}
	columns := make([]any, wideColumns)
	for i := range columns {
		columns[i] = map[string]any{"name": wideName(i), "type": wideTypes[i%len(wideTypes)].sql, "nullable": i > 0}
	}
	table := w["databases"].([]any)[0].(map[string]any)["tables"].([]any)[0].(map[string]any)
	table["columns"], table["primary_key"], table["rows"] = columns, []string{wideName(0)}, []any{}
	text, err := json.Marshal(w)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func wideName(i int) string { return fmt.Sprintf("column_%02d", i) }

// wideFile is a Parquet file of the wide table with rows from first on.
func wideFile(tb testing.TB, first, rows int, o parquetfile.WriterOptions) []byte {
	tb.Helper()
	fields := make([]arrow.Field, wideColumns)
	for i := range fields {
		fields[i] = arrow.Field{Name: wideName(i), Type: wideTypes[i%len(wideTypes)].typ, Nullable: true}
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for row := range rows {
		for i := range fields {
			wideTypes[i%len(wideTypes)].from(b.Field(i), first+row)
		}
	}
	rec := b.NewRecord()
	defer rec.Release()
	var out bytes.Buffer
	w, err := parquetfile.NewWriter(&out, rec.Schema(), o)
	if err == nil {
		err = w.Write(rec)
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// wideKinds are files of two writers, which makes two classes, each of them with and
// without dictionaries, which makes two manners: without, a cast column's values
// have to be encoded anew.
func wideKinds() []parquetfile.WriterOptions {
	const other = "parquet-mr version 1.13.1 (build x)"
	return []parquetfile.WriterOptions{{}, {NoDictionary: true}, {CreatedBy: other}, {CreatedBy: other, NoDictionary: true}}
}

// wideCopy is a copy of so many files, each kind of file in turns. Of a kind all
// files hold the same bytes, so that a store in memory has room for many.
func wideCopy(tb testing.TB, files, rows int) *storetest.Mem {
	tb.Helper()
	m := storetest.NewMem()
	m.Links = true
	kinds := wideKinds()
	for i := range files {
		key, err := wideKey(i), error(nil)
		if i < len(kinds) {
			err = m.CreateOnce(context.Background(), key, wideFile(tb, i*rows, rows, kinds[i]))
		} else {
			_, err = m.Link(context.Background(), wideKey(i%len(kinds)), key)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	for i := range files {
		if err := m.SetModified(wideKey(i), worldNow.Add(-29*time.Minute)); err != nil {
			tb.Fatal(err)
		}
	}
	return m
}

func wideKey(i int) string { return fmt.Sprintf("part-%06d.parquet", i) }

// widePlanner plans seeds of the wide table.
type widePlanner struct {
	session *engine.Session
	request engine.Request
	stores  engine.Stores
}

func newWidePlanner(tb testing.TB) *widePlanner {
	tb.Helper()
	w, err := fakeserver.ReadWorld(strings.NewReader(wideWorld(tb)))
	if err != nil {
		tb.Fatal(err)
	}
	server, err := fakeserver.Start(w, fakeserver.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = server.Close() })
	p := &widePlanner{request: engine.Request{
		Server: server.URL(), Table: "dbo.orders", Copy: tb.TempDir(), Target: filepath.Join(tb.TempDir(), "bronze"), AsOf: "2026-10-24T12:30:30Z",
	}}
	if p.stores, err = engine.OpenStores(p.request); err != nil {
		tb.Fatal(err)
	}
	if p.session, err = engine.Open(context.Background(), p.request, "", worldNow.Time, nil); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(p.session.Close)
	return p
}

// plan plans a seed of a copy in a store.
func (p *widePlanner) plan(ctx context.Context, from store.Reader, told func(engine.Event)) (engine.Plan, error) {
	s := p.stores
	s.Copy = from
	return engine.Build(ctx, p.session, s.Readers(), p.request, engine.BuildOptions{Tool: "cdcseed/test", Notify: told})
}

// acceptAll accepts the warnings that a plan of the bench has, which are of sizes
// and of what a sample does not see: the tests of many files are about neither.
func (b *faultBench) acceptAll(t *testing.T) {
	t.Helper()
	s, _, _ := b.places(t)
	p, err := engine.Build(t.Context(), b.session, s.Readers(), b.request, engine.BuildOptions{Tool: "cdcseed/test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Unaccepted() {
		b.request.Accept = append(b.request.Accept, string(c.Code))
	}
}
