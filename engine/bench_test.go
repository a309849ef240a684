package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/fakeserver"
)

// BenchmarkStaging casts and stages a copy, and reads the same copy to its end
// without doing anything with it, in turns: stage/read is what casting, encoding
// and writing cost, whatever the machine.
func BenchmarkStaging(b *testing.B) {
	const files, rows = 4, 50_000
	w, err := fakeserver.ReadWorld(strings.NewReader(largeWorld))
	if err != nil {
		b.Fatal(err)
	}
	server, err := fakeserver.Start(w, fakeserver.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	r := engine.Request{
		Server: server.URL(), Table: "dbo.orders", Copy: b.TempDir(), Target: "bench.orders", AsOf: "2026-10-24T12:30:30Z", CopyTimeZone: "UTC",
	}
	for i := range files {
		benchFile(b, filepath.Join(r.Copy, fmt.Sprintf("%d.parquet", i)), i*rows, (i+1)*rows, "")
	}
	session, err := engine.Open(context.Background(), r, "", worldNow.Time, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	var staging, reading time.Duration
	n := 0
	for b.Loop() {
		staging += stageOnce(b, r, session)
		reading += readOnce(b, r.Copy, files*rows)
		n += files * rows
	}
	b.ReportMetric(staging.Seconds()/reading.Seconds(), "stage/read")
	b.ReportMetric(float64(n)/staging.Seconds(), "staged-rows/s")
	b.ReportMetric(float64(n)/reading.Seconds(), "read-rows/s")
}

// benchFile writes rows of the large copy as one file, dated in the world's time,
// and leaves a column out where one is named.
func benchFile(b *testing.B, path string, from, to int, without string) {
	b.Helper()
	whole := largeRecord(from, to)
	defer whole.Release()
	var fields []arrow.Field
	var columns []arrow.Array
	for i, f := range whole.Schema().Fields() {
		if f.Name != without {
			fields, columns = append(fields, f), append(columns, whole.Column(i))
		}
	}
	rec := array.NewRecord(arrow.NewSchema(fields, nil), columns, whole.NumRows())
	defer rec.Release()
	var out bytes.Buffer
	w, err := parquetfile.NewWriter(&out, rec.Schema(), parquetfile.WriterOptions{})
	if err == nil {
		err = w.Write(rec)
	}
	if err == nil {
		_, err = w.Close()
	}
	if err == nil {
		err = os.WriteFile(path, out.Bytes(), 0o600)
	}
	if err == nil {
		at := worldNow.Add(-29 * time.Minute).Time()
		err = os.Chtimes(path, at, at)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// stageOnce is how long a seed takes to stage its files, in memory.
func stageOnce(b *testing.B, r engine.Request, session *engine.Session) (took time.Duration) {
	b.Helper()
	s, err := engine.OpenStores(r)
	if err != nil {
		b.Fatal(err)
	}
	s.Target = storetest.NewMem()
	p, err := engine.Build(context.Background(), session, s.Readers(), r, engine.BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	var from time.Time
	if _, err := engine.Execute(context.Background(), p, session, s, func(e engine.Event) {
		switch {
		case begins(engine.Stage)(e):
			from = time.Now()
		case ends(engine.Stage)(e):
			took = time.Since(from)
		}
	}); err != nil {
		b.Fatal(err)
	}
	return took
}

// readOnce is how long reading the copy takes, one file after the other.
func readOnce(b *testing.B, path string, want int64) time.Duration {
	b.Helper()
	from := time.Now()
	s, err := store.OpenLocal(path)
	if err != nil {
		b.Fatal(err)
	}
	c, err := lakecopy.Open(context.Background(), s, lakecopy.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var rows int64
	for _, f := range c.Files {
		scan := c.Read(context.Background(), f, nil, 8192)
		for scan.Next() {
			rows += scan.Record().NumRows()
		}
		if err := scan.Err(); err != nil {
			b.Fatal(err)
		}
		if err := scan.Close(); err != nil {
			b.Fatal(err)
		}
	}
	if rows != want {
		b.Fatalf("%d rows read, want %d", rows, want)
	}
	return time.Since(from)
}
