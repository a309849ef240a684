package engine_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// manyFiles writes a copy of so many files of so many rows each, in several row
// groups, whose names are numbered through the copy. odd names the rows of a file
// whose amounts are rounded.
func manyFiles(k *kit, files, rows int, odd func(file, row int) bool) {
	k.t.Helper()
	k.dropCopy()
	wide := &arrow.Decimal128Type{Precision: 12, Scale: 4}
	sc := arrow.NewSchema([]arrow.Field{field("id", int32s), field("name", texts), field("amount", wide)}, nil)
	for f := range files {
		b := array.NewRecordBuilder(memory.DefaultAllocator, sc)
		for r := range rows {
			b.Field(0).(*array.Int32Builder).Append(int32(f*rows + r))
			b.Field(1).(*array.StringBuilder).Append("n")
			amount := int64(r) * 100
			if odd(f, r) {
				amount++
			}
			b.Field(2).(*array.Decimal128Builder).Append(decimal128.FromI64(amount))
		}
		rec := b.NewRecord()
		k.writeGroups(fmt.Sprintf("f%02d.parquet", f), rec, 5)
		rec.Release()
		b.Release()
	}
	k.request.Cast = map[string]string{"amount": "round"}
}

// writeGroups writes a record as one file of the copy, in so many row groups.
func (k *kit) writeGroups(name string, rec arrow.Record, groups int) {
	k.t.Helper()
	var buf strings.Builder
	w, err := parquetfile.NewWriter(&buf, rec.Schema(), parquetfile.WriterOptions{ByHand: true})
	k.must(err)
	size := (rec.NumRows() + int64(groups) - 1) / int64(groups)
	for at := int64(0); at < rec.NumRows(); at += size {
		part := rec.NewSlice(at, min(at+size, rec.NumRows()))
		k.must(w.Write(part))
		k.must(w.EndRowGroup())
		part.Release()
	}
	_, err = w.Close()
	k.must(err)
	k.putCopy(name, buf.String())
}

// A sample sees the beginning, the middle and the end of files at the beginning,
// in the middle and at the end of the copy; it says how much that was, and is the
// same each time.
func TestASampleIsOfBeginningMiddleAndEnd(t *testing.T) {
	k := newKit(t)
	const files, rows = 10, 20_000
	manyFiles(k, files, rows, func(_, r int) bool { return r == 0 || r == rows/2 || r == rows-1 })
	p, err := k.build()
	k.must(err)
	c := p.Preview.Report.Columns["amount"]
	const looked = 4 * (50_000 / 4 / 3) * 3
	if p.Preview.Depth != "sample" || p.Preview.Rows != looked || p.Preview.Files != 4 || c.Values != looked || c.Of(cast.Rounded) != 4*3 {
		t.Errorf("%s: %d rows of %d files, %+v", p.Preview.Depth, p.Preview.Rows, p.Preview.Files, c)
	}
	var at []string
	for _, s := range c.Samples[cast.Rounded] {
		at = append(at, s.Where())
	}
	want := "f00.parquet row 1, id 0; f00.parquet row 10001, id 10000; f00.parquet row 20000, id 19999; f03.parquet row 1, id 60000; f03.parquet row 10001, id 70000"
	if got := strings.Join(at, "; "); got != want {
		t.Errorf("found at %s, want %s", got, want)
	}
	var text strings.Builder
	report.PlanNotRun(&text, p)
	if said := "looked at 49,992 of 200,000 rows in 4 of 10 files"; !strings.Contains(strings.Join(strings.Fields(text.String()), " "), said) {
		t.Errorf("the plan does not say %q:\n%s", said, &text)
	}
	for range 3 {
		again, err := k.build()
		k.must(err)
		if again.Digest != p.Digest {
			t.Fatal("another look at the same copy makes another plan")
		}
	}
	k.request.Check = engine.CheckAll
	all, err := k.build()
	k.must(err)
	if c := all.Preview.Report.Columns["amount"]; all.Preview.Depth != engine.CheckAll || all.Preview.Files != files || c.Values != files*rows || c.Of(cast.Rounded) != files*3 {
		t.Errorf("all: %s, %+v", all.Preview.Depth, c)
	}
}

// What a small file does not use of the sample goes to the larger ones, and a class
// that the bounds hold is looked at whole.
func TestASampleUsesWhatSmallFilesLeave(t *testing.T) {
	k := newKit(t)
	manyFiles(k, 1, 60_000, func(int, int) bool { return false })
	k.writeCopyOf("g.parquet", 30)
	p, err := k.build()
	k.must(err)
	if p.Preview.Depth != "sample" || p.Preview.Files != 2 || p.Preview.Rows != 30+(50_000-30)/3*3 {
		t.Errorf("%s: %d rows of %d files", p.Preview.Depth, p.Preview.Rows, p.Preview.Files)
	}
	manyFiles(k, 4, 100, func(int, int) bool { return false })
	if p, err = k.build(); err != nil || p.Preview.Depth != engine.CheckAll || p.Preview.Rows != 400 {
		t.Errorf("%v, %s: %d rows", err, p.Preview.Depth, p.Preview.Rows)
	}
}

// writeCopyOf writes one more file like those of manyFiles.
func (k *kit) writeCopyOf(name string, rows int) {
	k.t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{field("id", int32s), field("name", texts), field("amount", &arrow.Decimal128Type{Precision: 12, Scale: 4})}, nil))
	defer b.Release()
	for r := range rows {
		b.Field(0).(*array.Int32Builder).Append(int32(r))
		b.Field(1).(*array.StringBuilder).Append("n")
		b.Field(2).(*array.Decimal128Builder).Append(decimal128.FromI64(100))
	}
	rec := b.NewRecord()
	defer rec.Release()
	k.writeGroups(name, rec, 1)
}

// The first file of the copy that is broken is told, whichever worker finds what
// first; a look that is stopped ends, and says so.
func TestALookEndsWhereItShould(t *testing.T) {
	k := newKit(t)
	manyFiles(k, 12, 5_000, func(int, int) bool { return false })
	k.request.Check = engine.CheckAll
	session, stores := k.open()
	build := func(ctx context.Context, notify func(engine.Event)) error {
		_, err := engine.Build(ctx, session, stores.Readers(), k.request, engine.BuildOptions{Tool: "test", Notify: notify})
		return err
	}
	ctx, stop := context.WithCancel(t.Context())
	var told atomic.Int64
	began := time.Now()
	err := build(ctx, func(e engine.Event) {
		if p, ok := e.(engine.Progress); ok && p.Unit == "rows" && told.Add(1) == 1 {
			stop()
		}
	})
	if !isCode(err, verdict.Stopped) || told.Load() == 0 {
		t.Errorf("stopped after %d tellings: %v", told.Load(), err)
	}
	if took := time.Since(began); took > 30*time.Second { // it bounds a hang, no more
		t.Errorf("stopping took %s", took)
	}
	for _, f := range []string{"f04.parquet", "f07.parquet", "f11.parquet"} {
		spoilPages(k, f)
	}
	for range 5 {
		if err := build(t.Context(), nil); err == nil || !strings.Contains(fmt.Sprint(err, verdict.As(err).Facts), "f04.parquet") {
			t.Fatalf("want the first broken file, got %v", err)
		}
	}
}

// spoilPages breaks the pages of a file of the copy and leaves its footer, its size
// and its time.
func spoilPages(k *kit, name string) {
	k.t.Helper()
	data, err := os.ReadFile(k.path("copy", name))
	k.must(err)
	clear(data[4:400])
	k.putCopy(name, string(data))
}
