package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/store"
)

// standing is what readers of a bronze table see, by the files themselves, and
// what lies beside the table.
type standing struct {
	version int64             // -1: there is no table
	seed    map[string]int    // rows of operation 0 as text, and how often each stands there
	stream  map[string]int    // rows of other operations
	commits int               // log versions that brought rows of operation 0
	beside  []store.Object    // files that no log version names
	stats   map[string]string // of the files that hold the seed
}

// standsIn reads a whole table back: the log, every file it names, every row.
func standsIn(t *testing.T, r store.Reader) standing {
	t.Helper()
	ctx := t.Context()
	s := standing{version: -1, seed: map[string]int{}, stream: map[string]int{}, stats: map[string]string{}}
	snap, err := delta.Open(ctx, r)
	if err != nil && !errors.Is(err, delta.ErrNoTable) {
		t.Fatalf("the table is not readable: %v", err)
	}
	named := map[string]bool{}
	if err == nil {
		s.version = snap.Version
		for _, add := range snap.Files {
			key, err := add.Key()
			if err != nil {
				t.Fatal(err)
			}
			if s.take(t, r, key, add) {
				s.stats[key] = add.Stats
			}
		}
		for c, err := range delta.Commits(ctx, r) {
			if err != nil {
				t.Fatal(err)
			}
			seeds := false
			for _, add := range c.Adds {
				key, _ := add.Key()
				named[key] = true
				seeds = seeds || s.stats[key] != ""
			}
			if seeds {
				s.commits++
			}
		}
	}
	for o, err := range r.List(ctx, "", "") {
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(o.Key, "_delta_log/") && !named[o.Key] {
			s.beside = append(s.beside, o)
		}
	}
	return s
}

// take reads one file's rows; it reports whether they are a seed's.
func (s *standing) take(t *testing.T, r store.Reader, key string, add delta.Add) (seed bool) {
	t.Helper()
	stats, err := add.ParseStats()
	if err != nil {
		t.Fatal(err)
	}
	var rows int64
	size := eachRow(t, r, key, func(rec arrow.Record, i int) {
		rows++
		text := rowText(rec, i)
		if at := rec.Schema().FieldIndices(bronze.Operation); rec.Column(at[0]).ValueStr(i) == fmt.Sprint(bronze.OperationSnapshot) {
			s.seed[text]++
			seed = true
			return
		}
		s.stream[text]++
	})
	if size != add.Size || stats.NumRecords == nil || *stats.NumRecords != rows {
		t.Errorf("%s: the log says %d bytes and %v rows, the file has %d and %d", key, add.Size, stats.NumRecords, size, rows)
	}
	return seed
}

// eachRow reads a Parquet file of a store and answers its size.
func eachRow(t *testing.T, r store.Reader, key string, do func(rec arrow.Record, i int)) int64 {
	t.Helper()
	f, err := r.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	p, err := parquetfile.Open(f)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	scan := p.Read(t.Context(), nil, 4096)
	defer scan.Close()
	for scan.Next() {
		for i := range int(scan.Record().NumRows()) {
			do(scan.Record(), i)
		}
	}
	if err := scan.Err(); err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return f.Size()
}

// rowText is what a row of a bronze table of orders says.
func rowText(rec arrow.Record, i int) string {
	var parts []string
	for _, name := range []string{"id", "name", "amount", bronze.CaptureInstance, bronze.StartLSN, bronze.SnapshotLSN} {
		at := rec.Schema().FieldIndices(name)
		col := rec.Column(at[0])
		if d, ok := col.(*array.Decimal128); ok && d.IsValid(i) {
			parts = append(parts, d.Value(i).ToString(2))
			continue
		}
		parts = append(parts, col.ValueStr(i))
	}
	return strings.Join(parts, "|")
}

// seeded are the rows that a seed of the given orders stands as.
func seeded(l string, files ...[]order) map[string]int {
	out := map[string]int{}
	for _, rows := range files {
		for _, o := range rows {
			out[fmt.Sprintf("%d|%s|%d.%02d|dbo_orders|%s|%s", o.id, o.name, o.amount/100, o.amount%100, l, l)]++
		}
	}
	return out
}

// staged are the files beside the table that have a staged file's name.
func (s standing) staged() (names []string, bytes int64) {
	for _, o := range s.beside {
		if _, ok := rewrite.ParseStageName(o.Key); ok {
			names = append(names, o.Key)
			bytes += o.Size
		}
	}
	return names, bytes
}

// filesOf is everything in a store: keys with their bytes.
func filesOf(t *testing.T, r store.Reader) map[string]string {
	t.Helper()
	out := map[string]string{}
	for o, err := range r.List(context.Background(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		data, err := store.ReadAll(context.Background(), r, o.Key)
		if err != nil {
			t.Fatal(err)
		}
		out[o.Key] = string(data)
	}
	return out
}

// kept fails where a file that was there is gone or holds other bytes.
func kept(t *testing.T, what string, before, after map[string]string) {
	t.Helper()
	for key, b := range before {
		if a, ok := after[key]; !ok || a != b {
			t.Errorf("%s: %s is gone or changed", what, key)
		}
	}
}

// bootstraps counts the facts table's rows that record a seed, and its rows in all.
func bootstraps(t *testing.T, r store.Reader) (recorded, all int) {
	t.Helper()
	snap, err := delta.Open(t.Context(), r)
	if errors.Is(err, delta.ErrNoTable) {
		return 0, 0
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, add := range snap.Files {
		key, err := add.Key()
		if err != nil {
			t.Fatal(err)
		}
		eachRow(t, r, key, func(rec arrow.Record, i int) {
			all++
			if at := rec.Schema().FieldIndices("event"); rec.Column(at[0]).ValueStr(i) == bronze.EventBootstrap {
				recorded++
			}
		})
	}
	return recorded, all
}
