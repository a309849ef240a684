package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"

	"cdcseed/engine"
	"cdcseed/fakeserver"
)

// BenchmarkCheckAll looks at every value of a copy, as --check all does, and in
// turns reads the same columns of the same files with the Arrow library's own
// readers, on as many cores: x-read is the median of how many times as long it
// takes. Long texts are read far faster than they are split into values, so the
// copy is measured without its notes too.
func BenchmarkCheckAll(b *testing.B) {
	w, err := fakeserver.ReadWorld(strings.NewReader(largeWorld))
	if err != nil {
		b.Fatal(err)
	}
	server, err := fakeserver.Start(w, fakeserver.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	for _, without := range []string{"", "note"} {
		b.Run("without="+without, func(b *testing.B) {
			r := engine.Request{
				Server: server.URL(), Table: "dbo.orders", Copy: b.TempDir(), Target: "bench.orders", AsOf: "2026-10-24T12:30:30Z", CopyTimeZone: "UTC",
				Check: engine.CheckAll,
			}
			if without != "" {
				r.Missing = map[string]string{without: "null"}
			}
			checkAndRead(b, r, without)
		})
	}
}

func checkAndRead(b *testing.B, r engine.Request, without string) {
	const (
		files, rows = 4, 50_000
		rounds      = 5
	)
	var paths []string
	for i := range files {
		paths = append(paths, filepath.Join(r.Copy, fmt.Sprintf("%d.parquet", i)))
		benchFile(b, paths[i], i*rows, (i+1)*rows, without)
	}
	session, err := engine.Open(context.Background(), r, "", worldNow.Time, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	c, err := engine.InspectCopy(context.Background(), session, r, nil)
	if err != nil {
		b.Fatal(err)
	}
	var times, checking, reading []float64
	for b.Loop() {
		for range rounds {
			start := time.Now()
			v, err := engine.InspectColumns(context.Background(), session, r, c, engine.TargetView{}, true, nil)
			if err != nil || v.Rows != files*rows {
				b.Fatal(v.Rows, err)
			}
			middle := time.Now()
			bareRead(b, paths, files*rows)
			check, read := middle.Sub(start).Seconds(), time.Since(middle).Seconds()
			checking, reading, times = append(checking, check), append(reading, read), append(times, check/read)
		}
	}
	b.ReportMetric(median(times), "x-read")
	b.ReportMetric(files*rows/median(checking), "checked-rows/s")
	b.ReportMetric(files*rows/median(reading), "read-rows/s")
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// bareRead reads all columns of the files into Arrow's buffers, a file on each core.
func bareRead(b *testing.B, paths []string, want int64) {
	next := make(chan string)
	var wg sync.WaitGroup
	errs, rows := make([]error, runtime.GOMAXPROCS(0)), make([]int64, runtime.GOMAXPROCS(0))
	for i := range errs {
		wg.Go(func() {
			for path := range next {
				n, err := bareReadFile(path)
				rows[i] += n
				if err != nil {
					errs[i] = err
				}
			}
		})
	}
	for _, path := range paths {
		next <- path
	}
	close(next)
	wg.Wait()
	var all int64
	for i := range errs {
		if errs[i] != nil {
			b.Fatal(errs[i])
		}
		all += rows[i]
	}
	if all != want {
		b.Fatalf("%d rows were read, want %d", all, want)
	}
}

func bareReadFile(path string) (rows int64, err error) {
	r, err := file.OpenParquetFile(path, false)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for g := range r.NumRowGroups() {
		for c := range r.MetaData().Schema.NumColumns() {
			n, err := bareReadChunk(r, g, c)
			if err != nil {
				return rows, err
			}
			if c == 0 {
				rows += n
			}
		}
	}
	return rows, nil
}

func bareReadChunk(r *file.Reader, g, c int) (rows int64, err error) {
	const batch = 8192
	d := r.MetaData().Schema.Column(c)
	rr := file.NewRecordReader(d, file.LevelInfo{NullSlotUsage: 1, DefLevel: d.MaxDefinitionLevel()}, arrow.BinaryTypes.Binary, memory.DefaultAllocator, r.BufferPool())
	defer rr.Release()
	pages, err := r.RowGroup(g).GetColumnPageReader(c)
	if err != nil {
		return 0, err
	}
	rr.SetPageReader(pages)
	for n := int64(1); n > 0; rows += n {
		rr.Reset()
		if err := rr.Reserve(batch); err != nil {
			return rows, err
		}
		if n, err = rr.ReadRecords(batch); err != nil {
			return rows, err
		}
		if t, ok := rr.(file.BinaryRecordReader); ok {
			for _, chunk := range t.GetBuilderChunks() {
				chunk.Release()
			}
			continue
		}
		for _, buffer := range []*memory.Buffer{rr.ReleaseValues(), rr.ReleaseValidBits()} {
			if buffer != nil {
				buffer.Release()
			}
		}
	}
	return rows, nil
}
