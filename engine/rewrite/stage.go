package rewrite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store"
)

// Staged is a file that stands finished in the store, and what a commit says of it.
type Staged struct {
	Key      string        `json:"key"`
	Size     int64         `json:"size"` // bytes
	Rows     int64         `json:"rows"` // 0: the source had none and nothing was staged
	Modified clock.Instant `json:"modified"`
	Stats    string        `json:"stats"` // of the Delta add action
}

// abortWait bounds the clean-up after a failure or a stop.
const abortWait = 30 * time.Second

// Stage writes the job's file. The report tells what happened to the values,
// also when an error is returned. The first batch with a refused value stops it
// with the report's refusal. After any error, cancelling included, nothing is
// visible under the key; a source without rows stages nothing and is no error.
// progress, which may be nil, is called after each batch with rows and bytes so far.
func Stage(ctx context.Context, w store.Writer, job Job, progress func(rows, bytes int64)) (Staged, cast.Report, error) {
	s := &stage{w: w, job: job, mem: memory.DefaultAllocator}
	defer s.release()
	err := s.run(ctx, progress)
	report := job.Caster.Report()
	if err == nil && s.up != nil {
		err = s.finish(ctx)
	}
	if err != nil {
		return Staged{}, report, errors.Join(err, s.abort(ctx))
	}
	s.out.Key = job.Key
	return s.out, report, nil
}

// stage is one file being written.
type stage struct {
	w      store.Writer
	job    Job
	mem    memory.Allocator
	schema *arrow.Schema
	fixed  []*constant // beside the columns; nil for a cast one
	up     store.Upload
	pw     *parquetfile.Writer
	bytes  int64
	rows   int64
	asked  bool // Finish was asked for: the file may stand although its answer was an error
	out    Staged
}

// Write counts the bytes on their way to the upload.
func (s *stage) Write(p []byte) (int, error) {
	n, err := s.up.Write(p)
	s.bytes += int64(n)
	return n, err
}

func (s *stage) run(ctx context.Context, progress func(rows, bytes int64)) (err error) {
	if s.schema, err = s.job.layout(); err != nil {
		return err
	}
	s.fixed = make([]*constant, len(s.job.Columns))
	for i, c := range s.job.Columns {
		if c.cast < 0 {
			s.fixed[i] = &constant{name: c.Name, typ: s.schema.Field(i).Type, value: c.value}
		}
	}
	for s.job.Source.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.batch(ctx, s.job.Source.Record()); err != nil {
			return fmt.Errorf("rewrite %q: %w", s.job.File, err)
		}
		if progress != nil {
			progress(s.rows, s.bytes)
		}
	}
	if err := s.job.Source.Err(); err != nil {
		return fmt.Errorf("rewrite %q: %w", s.job.File, err)
	}
	return ctx.Err()
}

// batch casts and writes one record. The upload starts with the first row, so
// that an empty file leaves no trace.
func (s *stage) batch(ctx context.Context, rec arrow.Record) error {
	if rec.NumRows() == 0 {
		return nil
	}
	at := cast.Place{File: s.job.File, FirstRow: s.rows + 1}
	if f, ok := s.job.Source.(numbered); ok {
		at.Row = f.RowOf
	}
	made, err := s.job.Caster.Cast(rec, at)
	if err != nil {
		return err
	}
	defer releaseAll(made)
	if err := s.job.Caster.Err(); err != nil {
		return err
	}
	cols, err := s.columns(made, int(rec.NumRows()))
	defer releaseAll(cols)
	if err != nil {
		return err
	}
	if s.up == nil {
		if err := s.begin(ctx); err != nil {
			return err
		}
	}
	out := array.NewRecord(s.schema, cols, rec.NumRows())
	defer out.Release()
	if err := s.pw.Write(out); err != nil {
		return err
	}
	s.rows += rec.NumRows()
	return nil
}

func (s *stage) begin(ctx context.Context) (err error) {
	if s.up, err = s.w.Create(ctx, s.job.Key); err != nil {
		s.up = nil
		return err
	}
	s.pw, err = parquetfile.NewWriter(s, s.schema, parquetfile.WriterOptions{
		Codec: s.job.Codec, RowGroupBytes: s.job.RowGroupBytes, StatsColumns: s.job.StatsColumns,
	})
	return err
}

// columns puts the file's columns together; the caller releases them.
func (s *stage) columns(made []arrow.Array, n int) ([]arrow.Array, error) {
	out := make([]arrow.Array, 0, len(s.job.Columns))
	for i, c := range s.job.Columns {
		if s.fixed[i] != nil {
			arr, err := s.fixed[i].rows(s.mem, n)
			if err != nil {
				return out, err
			}
			out = append(out, arr)
			continue
		}
		if c.cast >= len(made) {
			return out, fmt.Errorf("column %q is cast %d of %d", c.Name, c.cast, len(made))
		}
		arr := made[c.cast]
		if want := s.schema.Field(i).Type; !arrow.TypeEqual(arr.DataType(), want) {
			return out, fmt.Errorf("column %q is %s, its cast makes %s", c.Name, want, arr.DataType())
		}
		arr.Retain()
		out = append(out, arr)
	}
	return out, nil
}

func (s *stage) finish(ctx context.Context) error {
	// What a run that takes the file over tells of its casts.
	counts, err := s.job.Caster.Report().Record(s.rows)
	if err == nil {
		err = s.pw.SetKeyValue(cast.RecordKey, counts)
	}
	if err != nil {
		return fmt.Errorf("rewrite %q: %w", s.job.File, err)
	}
	sum, err := s.pw.Close()
	if err != nil {
		return fmt.Errorf("rewrite %q: %w", s.job.File, err)
	}
	if sum.Rows != s.rows {
		return fmt.Errorf("rewrite %q: %d rows were read, %d written", s.job.File, s.rows, sum.Rows)
	}
	s.asked = true
	obj, err := s.up.Finish(ctx)
	if err != nil {
		s.asked = !errors.Is(err, store.ErrExist) // another's file is not ours to remove
		return err
	}
	s.out = Staged{Size: obj.Size, Rows: sum.Rows, Modified: obj.Modified, Stats: sum.Stats}
	return nil
}

// abort removes what was uploaded. The stop that led here must not stop the
// clean-up, so it has its own time.
func (s *stage) abort(ctx context.Context) error {
	if s.up == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortWait)
	defer cancel()
	err := s.up.Abort(ctx)
	if s.asked {
		err = errors.Join(err, s.w.Remove(ctx, s.job.Key))
	}
	if err != nil {
		return fmt.Errorf("remove unfinished %q: %w", s.job.Key, err)
	}
	return nil
}

func (s *stage) release() {
	for _, c := range s.fixed {
		if c != nil {
			c.release()
		}
	}
}

func releaseAll(arrs []arrow.Array) {
	for _, a := range arrs {
		a.Release()
	}
}
