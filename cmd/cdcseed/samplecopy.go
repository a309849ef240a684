package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store"
	"cdcseed/fakeserver"
)

// sampleFiles is how many files the demo's copy has.
const sampleFiles = 3

// sampleCopy is a copy of a table as a tool that knows nothing of CDC left it.
type sampleCopy struct {
	dir     string
	source  []fakeserver.Column
	rows    [][]any   // as fakeserver.Server.Rows gives them
	written time.Time // the first file's time; each later file takes another minute
}

// write makes the files that are not there yet. What they hold does not change
// from run to run, so a folder of an earlier run is the same copy.
func (c sampleCopy) write(ctx context.Context) error {
	if err := c.onlyOurs(); err != nil {
		return err
	}
	w, err := store.OpenLocal(c.dir)
	if err != nil {
		return err
	}
	per := (len(c.rows) + sampleFiles - 1) / sampleFiles
	for i, part := range slices.Collect(slices.Chunk(c.rows, per)) {
		name := sampleName(i)
		if _, err := w.Stat(ctx, name); errors.Is(err, store.ErrNotExist) {
			err = c.file(ctx, w, name, part)
			if err != nil {
				return fmt.Errorf("write the sample copy's %s: %w", name, err)
			}
		} else if err != nil {
			return err
		}
		if err := c.date(name, c.written.Add(time.Duration(i)*time.Minute)); err != nil {
			return err
		}
	}
	return nil
}

func sampleName(i int) string { return fmt.Sprintf("orders-%d.parquet", i+1) }

// onlyOurs refuses a folder that holds anything else: it would be taken for a
// part of the copy.
func (c sampleCopy) onlyOurs() error {
	entries, err := os.ReadDir(c.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		ours := e.Name()[0] == '.'
		for i := range sampleFiles {
			ours = ours || e.Name() == sampleName(i)
		}
		if !ours {
			return usageError(fmt.Sprintf("%q holds %q, which is no part of the demo", c.dir, e.Name()), "Give --dir a new folder.")
		}
	}
	return nil
}

// date gives a file the time at which the world's own clock would have had it
// written: this machine's clock has nothing to do with that world.
func (c sampleCopy) date(name string, at time.Time) error {
	path := filepath.Join(c.dir, name)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.ModTime().Equal(at) {
		return nil // a file that is touched again would count as another one
	}
	return os.Chtimes(path, at, at)
}

func (c sampleCopy) file(ctx context.Context, w store.Writer, name string, rows [][]any) error {
	rec, err := sampleRecord(c.source, rows)
	if err != nil {
		return err
	}
	defer rec.Release()
	return sampleFile(ctx, w, name, rec)
}

// sampleFile writes one file of the copy, whole or not at all.
func sampleFile(ctx context.Context, w store.Writer, name string, rec arrow.Record) (err error) {
	up, err := w.Create(ctx, name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, up.Abort(context.WithoutCancel(ctx)))
		}
	}()
	pw, err := parquetfile.NewWriter(up, rec.Schema(), parquetfile.WriterOptions{CreatedBy: "nightly-loader 1.4"})
	if err != nil {
		return err
	}
	if err := pw.Write(rec); err != nil {
		return err
	}
	if _, err := pw.Close(); err != nil {
		return err
	}
	_, err = up.Finish(ctx)
	return err
}

// sampleRecord turns the source's rows into the copy's.
func sampleRecord(source []fakeserver.Column, rows [][]any) (arrow.Record, error) {
	columns := sampleColumns()
	fields := make([]arrow.Field, len(columns))
	from := make([]int, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c.name, Type: c.typ, Nullable: true}
		from[i] = slices.IndexFunc(source, func(s fakeserver.Column) bool { return s.Name == c.from })
		if from[i] < 0 && c.from != "" {
			return nil, fmt.Errorf("the demo's table has no column %q", c.from)
		}
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for _, row := range rows {
		for i, c := range columns {
			var v any
			if from[i] >= 0 {
				v = row[from[i]]
			}
			if err := c.put(b.Field(i), v); err != nil {
				return nil, fmt.Errorf("column %s: %w", c.name, err)
			}
		}
	}
	return b.NewRecord(), nil
}
