package splice_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"

	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/store"
)

var (
	benchRows   = flag.Int("splice.rows", 1_000_000, "rows that BenchmarkSplice copies, in files of two row groups; 20000000 is the shape of the measurements")
	benchDir    = flag.String("splice.dir", "", "folder that BenchmarkFiles leaves the files in")
	benchRounds = flag.Int("splice.rounds", 5, "rounds of BenchmarkSplice, each of all cases in another order")
)

// benchGroup is how many rows a row group has, at most.
const benchGroup = 250_000

// BenchmarkSplice copies a table beside cp, in the same sitting, with as many
// workers as there are cores and every file synced on both sides. Only the ratios
// of the medians say something.
func BenchmarkSplice(b *testing.B) {
	dir := b.TempDir()
	files := benchFiles(b, dir, *benchRows)
	cases := []benchCase{
		{"cp", nil},
		{"splice", benchTable(b, nil)},
		{"cast1", benchTable(b, map[string]schema.SQLType{"qty": {Name: "bigint"}})},
		{"cast2", benchTable(b, map[string]schema.SQLType{"qty": {Name: "bigint"}, "changed": {Name: "datetime2", Scale: 7}})},
		{"rewrite", benchTable(b, nil)},
	}
	taken := map[string][]time.Duration{}
	rnd := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		for range *benchRounds {
			rnd.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
			for _, c := range cases {
				taken[c.name] = append(taken[c.name], c.run(b, dir, files))
			}
		}
	}
	median := func(name string) float64 {
		d := slices.Sorted(slices.Values(taken[name]))
		b.Logf("%-8s median %v, from %v to %v", name, d[len(d)/2], d[0], d[len(d)-1])
		return d[len(d)/2].Seconds()
	}
	cp, spliced := median("cp"), median("splice")
	b.ReportMetric(spliced/cp, "x-cp")
	b.ReportMetric(median("cast1")/cp, "x-cp-1-cast")
	b.ReportMetric(median("cast2")/cp, "x-cp-2-casts")
	b.ReportMetric(median("rewrite")/spliced, "rewrite/splice")
}

// BenchmarkFiles leaves the files of BenchmarkSplice in a folder, for other programs
// to copy. What stands there already stays.
func BenchmarkFiles(b *testing.B) {
	if *benchDir == "" {
		b.Skip("-splice.dir names no folder")
	}
	for b.Loop() {
		benchFiles(b, *benchDir, *benchRows)
	}
}

type benchCase struct {
	name  string
	table []schema.TargetColumn
}

// run copies all files once, and answers how long it took.
func (c benchCase) run(b *testing.B, dir string, files []string) time.Duration {
	b.Helper()
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(out, 0o777); err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := os.RemoveAll(out); err != nil {
			b.Fatal(err)
		}
	}()
	do := map[string]func(string, string) error{"cp": benchCp, "rewrite": c.rewrite(b, out)}[c.name]
	if do == nil {
		do = c.splice(b, out)
	}
	runtime.GC()
	start := time.Now()
	next, errs := make(chan string), make(chan error, len(files))
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for f := range next {
				errs <- do(filepath.Join(dir, f), filepath.Join(out, f))
			}
		})
	}
	for _, f := range files {
		next <- f
	}
	close(next)
	wg.Wait()
	taken := time.Since(start)
	close(errs)
	for err := range errs {
		if err != nil {
			b.Fatal(err)
		}
	}
	return taken
}

func benchCp(from, to string) error {
	if out, err := exec.Command("cp", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	f, err := os.OpenFile(to, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func (c benchCase) open(b *testing.B, path string) (store.File, []rewrite.Column, *cast.Mapping) {
	r, err := store.OpenLocal(filepath.Dir(path))
	if err != nil {
		b.Fatal(err)
	}
	f, err := r.Open(context.Background(), filepath.Base(path))
	if err != nil {
		b.Fatal(err)
	}
	p, err := parquetfile.Open(f)
	if err != nil {
		b.Fatal(err)
	}
	m, err := cast.Match(c.table, []schema.FileClass{{ID: "c1", Columns: p.Columns()}}, cast.Answers{Zone: "UTC"})
	if err != nil {
		b.Fatal(err)
	}
	columns := []rewrite.Column{
		rewrite.Constant("_start_lsn", schema.Type{Kind: schema.Binary}, make([]byte, 10)),
		rewrite.Constant("_seqval", schema.Type{Kind: schema.Binary}, nil),
		rewrite.Constant("_operation", schema.Type{Kind: schema.Integer}, 0),
		rewrite.Constant("_update_mask", schema.Type{Kind: schema.Binary}, nil),
		rewrite.Constant("_commit_ts", schema.Type{Kind: schema.TimestampNTZ}, clock.Local(1_769_000_000_123_456)),
		rewrite.Constant("_ingested_at", schema.Type{Kind: schema.Timestamp}, clock.Instant(1_769_000_000_123_456)),
		rewrite.Constant("_app", schema.Type{Kind: schema.String}, "orders"),
		rewrite.Constant("_batch", schema.Type{Kind: schema.Integer}, nil),
		rewrite.Constant("_is_snapshot", schema.Type{Kind: schema.Boolean}, true),
	}
	for i, t := range c.table {
		columns = append(columns, rewrite.FromCast(t.Name, t.Type, i))
	}
	return f, columns, m
}

func (c benchCase) splice(b *testing.B, out string) func(from, to string) error {
	w, err := store.OpenLocal(out)
	if err != nil {
		b.Fatal(err)
	}
	return func(from, to string) error {
		f, columns, m := c.open(b, from)
		defer f.Close()
		src, err := splice.Look(f, f.Size())
		if err != nil {
			return err
		}
		d, err := splice.Decide(src, columns, m, "c1", nil, "")
		if err != nil || d.Rewrite != "" {
			return fmt.Errorf("%w: %s", err, d.Rewrite)
		}
		r, err := splice.Stage(context.Background(), w, splice.Job{
			Key: filepath.Base(to), File: from, From: f, Columns: columns, Mapping: m, Class: "c1", Ways: d.Columns,
		}, nil)
		if err == nil && r.Counts.Seen > 0 && runtime.GOOS == "linux" {
			err = fmt.Errorf("%d bytes went through the program", r.Counts.Seen)
		}
		return err
	}
}

func (c benchCase) rewrite(b *testing.B, out string) func(from, to string) error {
	w, err := store.OpenLocal(out)
	if err != nil {
		b.Fatal(err)
	}
	return func(from, to string) error {
		f, columns, m := c.open(b, from)
		defer f.Close()
		p, err := parquetfile.Open(f)
		if err != nil {
			return err
		}
		k, err := m.Caster("c1", nil)
		if err != nil {
			return err
		}
		scan := p.Read(context.Background(), k.Columns(), 64<<10)
		defer scan.Close()
		_, _, err = rewrite.Stage(context.Background(), w, rewrite.Job{Key: filepath.Base(to), File: from, Columns: columns, Source: scan, Caster: k}, nil)
		return err
	}
}

// benchTable is the table that the files are a copy of, with some columns typed
// otherwise than in the files.
func benchTable(b *testing.B, other map[string]schema.SQLType) []schema.TargetColumn {
	b.Helper()
	var out []schema.TargetColumn
	for _, c := range []struct {
		name string
		sql  schema.SQLType
	}{
		{"id", schema.SQLType{Name: "bigint"}},
		{"qty", schema.SQLType{Name: "int"}},
		{"kind", schema.SQLType{Name: "smallint"}},
		{"amount", schema.SQLType{Name: "decimal", Precision: 18, Scale: 2}},
		{"price", schema.SQLType{Name: "decimal", Precision: 9, Scale: 2}},
		{"made", schema.SQLType{Name: "datetime2", Scale: 7}},
		{"sent", schema.SQLType{Name: "datetime2", Scale: 7}},
		{"due", schema.SQLType{Name: "date"}},
		{"name", schema.SQLType{Name: "nvarchar", Length: 200}},
		{"note", schema.SQLType{Name: "nvarchar", Length: 400}},
		{"city", schema.SQLType{Name: "nvarchar", Length: 100}},
		{"state", schema.SQLType{Name: "nvarchar", Length: 40}},
		{"open", schema.SQLType{Name: "bit"}},
		{"ref", schema.SQLType{Name: "nvarchar", Length: 80}},
		{"changed", schema.SQLType{Name: "nvarchar", Length: 60}},
	} {
		if sql, ok := other[c.name]; ok {
			c.sql = sql
		}
		out = append(out, target(b, c.name, c.sql))
	}
	return out
}

func benchFiles(b *testing.B, dir string, rows int) (out []string) {
	b.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		b.Fatal(err)
	}
	for first := 0; first < rows; first += 2 * benchGroup {
		name := fmt.Sprintf("part-%05d.parquet", len(out))
		out = append(out, name)
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			continue
		}
		var groups []arrow.Record
		for g := first; g < min(rows, first+2*benchGroup); g += benchGroup {
			groups = append(groups, benchRecord(g, min(rows-g, benchGroup)))
		}
		data := parquetOf(b, groups, parquet.WithCompression(compress.Codecs.Snappy), parquet.WithDataPageSize(1<<20), parquet.WithDictionaryPageSizeLimit(1<<18))
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			b.Fatal(err)
		}
	}
	return out
}

func benchRecord(first, n int) arrow.Record {
	us := &arrow.TimestampType{Unit: arrow.Microsecond}
	text := arrow.BinaryTypes.String
	sc := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "qty", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "kind", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "amount", Type: &arrow.Decimal128Type{Precision: 18, Scale: 2}, Nullable: true},
		{Name: "price", Type: &arrow.Decimal128Type{Precision: 9, Scale: 2}, Nullable: true},
		{Name: "made", Type: us, Nullable: true},
		{Name: "sent", Type: us, Nullable: true},
		{Name: "due", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
		{Name: "name", Type: text, Nullable: true},
		{Name: "note", Type: text, Nullable: true},
		{Name: "city", Type: text, Nullable: true},
		{Name: "state", Type: text, Nullable: true},
		{Name: "open", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "ref", Type: text, Nullable: true},
		{Name: "changed", Type: text, Nullable: true},
		{Name: "batch", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	}, nil)
	rb := array.NewRecordBuilder(memory.DefaultAllocator, sc)
	defer rb.Release()
	rnd := rand.New(rand.NewPCG(uint64(first), 99))
	for i := range n {
		for at, f := range rb.Fields() {
			if at > 0 && at%3 == 0 && rnd.IntN(4) == 0 {
				f.AppendNull()
				continue
			}
			benchValue(f, sc.Field(at).Name, rnd, first+i)
		}
	}
	return rb.NewRecord()
}

func benchValue(f array.Builder, name string, rnd *rand.Rand, i int) {
	switch f := f.(type) {
	case *array.Int64Builder:
		f.Append(int64(i))
	case *array.Int32Builder:
		f.Append(map[string]int32{"qty": rnd.Int32N(1 << 30), "kind": rnd.Int32N(20)}[name])
	case *array.Decimal128Builder:
		f.Append(decimal128.FromI64(rnd.Int64N(900_000_000)))
	case *array.TimestampBuilder:
		f.Append(arrow.Timestamp(1_700_000_000_000_000 + rnd.Int64N(1e13)))
	case *array.Date32Builder:
		f.Append(arrow.Date32(19_000 + rnd.IntN(1000)))
	case *array.BooleanBuilder:
		f.Append(rnd.IntN(2) == 0)
	case *array.StringBuilder:
		f.Append(benchText(name, rnd, i))
	}
}

func benchText(name string, rnd *rand.Rand, i int) string {
	switch name {
	case "city":
		return fmt.Sprintf("city number %d", rnd.IntN(500))
	case "state":
		return []string{"open", "paid", "sent", "lost"}[rnd.IntN(4)]
	case "ref":
		return fmt.Sprintf("%08X-%04X-4000-8000-%012X", rnd.Uint32(), rnd.IntN(1<<16), i)
	case "changed":
		return fmt.Sprintf("2025-%02d-%02d %02d:%02d:%02d.%03d", 1+rnd.IntN(12), 1+rnd.IntN(28), rnd.IntN(24), rnd.IntN(60), rnd.IntN(60), rnd.IntN(1000))
	}
	return fmt.Sprintf("%s of row %d, %x", name, i, rnd.Uint32())
}
