package rewrite_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// batches is a source of int64 columns, one slice a batch. broken ends it with an error.
type batches struct {
	values [][]int64
	next   int
	rec    arrow.Record
	broken error
	before func(batch int)
}

func (b *batches) Next() bool {
	if b.next >= len(b.values) {
		return false
	}
	if b.before != nil {
		b.before(b.next)
	}
	ib := array.NewInt64Builder(memory.DefaultAllocator)
	defer ib.Release()
	ib.AppendValues(b.values[b.next], nil)
	arr := ib.NewArray()
	defer arr.Release()
	b.rec = array.NewRecord(arrow.NewSchema([]arrow.Field{{Name: "ID", Type: arrow.PrimitiveTypes.Int64}}, nil), []arrow.Array{arr}, int64(arr.Len()))
	b.next++
	return true
}

func (b *batches) Record() arrow.Record { return b.rec }
func (b *batches) Err() error           { return b.broken }

// job seeds an int column id from a bigint copy, with bronze-like constants.
func job(t *testing.T, src rewrite.Source) rewrite.Job {
	t.Helper()
	id := schema.TargetColumn{Name: "id", Type: schema.Type{Kind: schema.Integer}, SQL: schema.SQLType{Name: "int"}}
	class := schema.FileClass{ID: "c1", Columns: []schema.CopyColumn{{Name: "ID", Physical: "INT64"}}}
	m, err := cast.Match([]schema.TargetColumn{id}, []schema.FileClass{class}, cast.Answers{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Caster("c1", nil)
	if err != nil {
		t.Fatal(err)
	}
	fieldID := int32(7)
	last := rewrite.FromCast("id", id.Type, 0)
	last.FieldID = &fieldID
	return rewrite.Job{
		Key: "new.parquet", File: "old.parquet", Source: src, Caster: k,
		Columns: []rewrite.Column{
			rewrite.Constant("_start_lsn", schema.Type{Kind: schema.String}, "0x0000002A000001000041"),
			rewrite.Constant("_operation", schema.Type{Kind: schema.Integer}, 0),
			rewrite.Constant("_commit_ts", schema.Type{Kind: schema.TimestampNTZ}, clock.Local(1_000_000)),
			rewrite.Constant("_chunk", schema.Type{Kind: schema.Integer}, nil),
			last,
		},
	}
}

func keys(t *testing.T, w store.Reader) []string {
	t.Helper()
	var out []string
	for o, err := range w.List(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, o.Key)
	}
	return out
}

func rowsOf(t *testing.T, w store.Reader, key string) []string {
	t.Helper()
	f, err := w.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := parquetfile.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	s := p.Read(t.Context(), nil, 100)
	defer s.Close()
	var out []string
	for s.Next() {
		rec := s.Record()
		for i := range int(rec.NumRows()) {
			var row []string
			for _, c := range rec.Columns() {
				row = append(row, cast.ValueText(c, i))
			}
			out = append(out, strings.Join(row, " "))
		}
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return out
}

func TestStageWritesRowsConstantsAndStatistics(t *testing.T) {
	w := storetest.NewMem()
	var calls []string
	got, report, err := rewrite.Stage(t.Context(), w, job(t, &batches{values: [][]int64{{3, 1}, {}, {2, 5, 4}}}), func(rows, _ int64) {
		calls = append(calls, fmt.Sprint(rows))
	})
	if err != nil {
		t.Fatal(err)
	}
	obj, err := w.Stat(t.Context(), "new.parquet")
	if err != nil || obj.Size != got.Size || obj.Modified != got.Modified || got.Rows != 5 || got.Key != "new.parquet" {
		t.Errorf("staged %+v, stands %+v, %v", got, obj, err)
	}
	const constants = "0x0000002A000001000041 0 1970-01-01T00:00:01 NULL "
	if rows := rowsOf(t, w, got.Key); strings.Join(rows, "|") != constants+"3|"+constants+"1|"+constants+"2|"+constants+"5|"+constants+"4" {
		t.Errorf("rows %q", rows)
	}
	for _, part := range []string{`"numRecords":5`, `"id":1`, `"id":5`, `"_chunk":5`, `"_start_lsn":"0x0000002A000001000041"`} {
		if !strings.Contains(got.Stats, part) {
			t.Errorf("statistics %s lack %s", got.Stats, part)
		}
	}
	if strings.Join(calls, " ") != "2 2 5" || report.Columns["id"].Values != 5 {
		t.Errorf("progress %v, report %+v", calls, report.Columns["id"])
	}
}

func TestStageEndsRowGroupsWhereTheJobSays(t *testing.T) {
	many := make([][]int64, 8)
	for i := range many {
		many[i] = make([]int64, 1000)
		for k := range many[i] {
			many[i][k] = int64(i*1000+k) * 7919 // nothing that a dictionary would shorten
		}
	}
	groups := func(limit int64) int {
		w := storetest.NewMem()
		j := job(t, &batches{values: many})
		j.RowGroupBytes = limit
		if _, _, err := rewrite.Stage(t.Context(), w, j, nil); err != nil {
			t.Fatal(err)
		}
		f, err := w.Open(t.Context(), j.Key)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		p, err := parquetfile.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		return p.RowGroups()
	}
	if n := groups(0); n != 1 {
		t.Errorf("%d row groups by default, want 1", n)
	}
	if n := groups(8_000); n < 3 {
		t.Errorf("%d row groups of 8 kB, want several", n)
	}
}

func TestStageOfNoRowsStagesNothing(t *testing.T) {
	w := storetest.NewMem()
	got, _, err := rewrite.Stage(t.Context(), w, job(t, &batches{values: [][]int64{{}}}), nil)
	if err != nil || got.Rows != 0 || len(keys(t, w)) != 0 {
		t.Errorf("got %+v, %v, files %v", got, err, keys(t, w))
	}
}

func TestStageStopsAtTheFirstBatchWithARefusedValue(t *testing.T) {
	w := storetest.NewMem()
	src := &batches{values: [][]int64{{1, 2}, {3, 3_000_000_000}, {4}}}
	_, report, err := rewrite.Stage(t.Context(), w, job(t, src), nil)
	if !errors.Is(err, verdict.ValueRefused) || report.Columns["id"].Refused != 1 {
		t.Fatalf("got %v, report %+v", err, report)
	}
	if msg := verdict.As(err).Error(); !strings.Contains(msg, "3000000000 (old.parquet row 4)") {
		t.Errorf("the refusal does not name the value's place: %s", msg)
	}
	if src.next != 2 || len(keys(t, w)) != 0 {
		t.Errorf("read %d batches, files %v", src.next, keys(t, w))
	}
}

// numberedBatches left every second row of the file out.
type numberedBatches struct{ batches }

func (f *numberedBatches) RowOf(i int) int64 { return int64(100*f.next + 2*i) }

func TestStageTellsRowsByTheirNumbersInTheFile(t *testing.T) {
	src := &numberedBatches{batches{values: [][]int64{{1}, {2, 3_000_000_000}}}}
	_, _, err := rewrite.Stage(t.Context(), storetest.NewMem(), job(t, src), nil)
	if !errors.Is(err, verdict.ValueRefused) || !strings.Contains(verdict.As(err).Error(), "3000000000 (old.parquet row 202)") {
		t.Errorf("got %v", err)
	}
}

// Whatever store operation fails, and whether it was done or not, no file
// stays behind unless removing it was what failed.
func TestStageLeavesNothingWhereAnyOperationFails(t *testing.T) {
	bad := errors.New("the disk said no")
	for _, lose := range []bool{false, true} {
		for n := 1; ; n++ {
			mem := storetest.NewMem()
			w := storetest.FailNth(mem, n, bad)
			if lose {
				w = storetest.LoseNth(mem, n, bad)
			}
			_, _, err := rewrite.Stage(t.Context(), w, job(t, &batches{values: [][]int64{{1}, {2}}}), nil)
			if err == nil {
				if n < 4 {
					t.Errorf("only %d operations could fail", n)
				}
				break
			}
			if !errors.Is(err, bad) || len(keys(t, mem)) != 0 {
				t.Errorf("operation %d, lost answer %v: %v, files %v", n, lose, err, keys(t, mem))
			}
		}
	}
}

func TestStageStopsWithItsContextAndStillCleansUp(t *testing.T) {
	w := storetest.NewMem()
	ctx, cancel := context.WithCancel(t.Context())
	src := &batches{values: [][]int64{{1}, {2}, {3}}, before: func(batch int) {
		if batch == 1 {
			cancel()
		}
	}}
	_, _, err := rewrite.Stage(ctx, w, job(t, src), nil)
	if !errors.Is(err, context.Canceled) || len(keys(t, w)) != 0 {
		t.Errorf("got %v, files %v", err, keys(t, w))
	}
	broken := errors.New("cut-off page")
	_, _, err = rewrite.Stage(t.Context(), w, job(t, &batches{values: [][]int64{{1}}, broken: broken}), nil)
	if !errors.Is(err, broken) || len(keys(t, w)) != 0 {
		t.Errorf("a source that breaks: %v, files %v", err, keys(t, w))
	}
}

func TestStageKeepsAnotherFileOfTheSameName(t *testing.T) {
	w := storetest.NewMem()
	if err := w.CreateOnce(t.Context(), "new.parquet", []byte("another's")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := rewrite.Stage(t.Context(), w, job(t, &batches{values: [][]int64{{1}}}), nil); !errors.Is(err, store.ErrExist) {
		t.Error(err)
	}
	if data, err := store.ReadAll(t.Context(), w, "new.parquet"); err != nil || string(data) != "another's" {
		t.Errorf("the other file is now %q, %v", data, err)
	}
}

func TestStageRefusesColumnsThatDoNotFit(t *testing.T) {
	for _, c := range []rewrite.Column{
		rewrite.Constant("x", schema.Type{Kind: schema.Integer}, "text"),
		rewrite.Constant("x", schema.Type{Kind: schema.Integer}, int64(1)<<40),
		rewrite.Constant("x", schema.Type{Kind: schema.Timestamp}, clock.Local(0)),
		rewrite.Constant("x", schema.Type{Kind: schema.TimestampNTZ}, clock.Instant(0)),
		rewrite.Constant("x", schema.Type{}, nil),
		rewrite.FromCast("id", schema.Type{Kind: schema.Long}, 0),
		rewrite.FromCast("id", schema.Type{Kind: schema.Integer}, 1),
	} {
		w := storetest.NewMem()
		j := job(t, &batches{values: [][]int64{{1}}})
		j.Columns = []rewrite.Column{c}
		if _, _, err := rewrite.Stage(t.Context(), w, j, nil); err == nil || len(keys(t, w)) != 0 {
			t.Errorf("%+v was written", c)
		}
	}
}
