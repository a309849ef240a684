package bronze

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
)

const scanRows = 64 * 1024 // a batch

// columnSet is a batch of a file's rows, with the columns that were asked for in
// their order; one that the file lacks is nil and reads as NULL. It and its texts
// are valid only while the batch is.
type columnSet struct {
	rows    int
	columns []arrow.Array
	names   []string
	err     error // the first column of a type that it cannot have
}

// scan reads columns of a data file, batch by batch. Rows that a deletion vector
// hides are read too.
func scan(ctx context.Context, r store.Reader, file delta.Add, names []string, each func(columnSet) error) (err error) {
	where, err := file.Key()
	if err != nil {
		return err
	}
	f, err := r.Open(ctx, where)
	if err != nil {
		return fmt.Errorf("data file %q: %w", file.Path, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	p, err := parquetfile.Open(f)
	if err != nil {
		return fmt.Errorf("data file %q: %w", file.Path, err)
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	found, at := present(p, names)
	if len(found) == 0 {
		return each(columnSet{rows: int(p.Rows()), columns: make([]arrow.Array, len(names)), names: names})
	}
	s := p.Read(ctx, found, scanRows)
	defer s.Close()
	for s.Next() {
		rec := s.Record()
		batch := columnSet{rows: int(rec.NumRows()), columns: make([]arrow.Array, len(names)), names: names}
		for i, n := range at {
			if n >= 0 {
				batch.columns[i] = rec.Column(n)
			}
		}
		if err := each(batch); err != nil {
			return fmt.Errorf("data file %q: %w", file.Path, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("data file %q: %w", file.Path, err)
	}
	return nil
}

// present lists, in the file's spelling, the columns that the file has, and for
// each asked name its place in that list, or -1.
func present(p *parquetfile.File, names []string) (found []string, at []int) {
	have := map[string]string{}
	for _, c := range p.Columns() {
		have[schema.Fold(c.Name)] = c.Name
	}
	for _, name := range names {
		spelled, ok := have[schema.Fold(name)]
		if !ok {
			at = append(at, -1)
			continue
		}
		at = append(at, len(found))
		found = append(found, spelled)
	}
	return found, at
}

func (c *columnSet) null(column, i int) bool {
	return c.columns[column] == nil || c.columns[column].IsNull(i)
}

func (c *columnSet) wrong(column int) {
	if c.err == nil {
		c.err = fmt.Errorf("column %q is of type %s", c.names[column], c.columns[column].DataType())
	}
}

// text is a string; false for NULL.
func (c *columnSet) text(column, i int) (string, bool) {
	if c.null(column, i) {
		return "", false
	}
	switch a := c.columns[column].(type) {
	case *array.String:
		return a.Value(i), true
	case *array.Binary:
		return a.ValueString(i), true
	}
	c.wrong(column)
	return "", false
}

// number is an integer; false for NULL.
func (c *columnSet) number(column, i int) (int64, bool) {
	if c.null(column, i) {
		return 0, false
	}
	switch a := c.columns[column].(type) {
	case *array.Int32:
		return int64(a.Value(i)), true
	case *array.Int64:
		return a.Value(i), true
	}
	c.wrong(column)
	return 0, false
}

// instant is a timestamp that stands for UTC; false for NULL.
func (c *columnSet) instant(column, i int) (clock.Instant, bool) {
	if c.null(column, i) {
		return 0, false
	}
	if a, ok := c.columns[column].(*array.Timestamp); ok {
		if t, ok := a.DataType().(*arrow.TimestampType); ok {
			return clock.Of(a.Value(i).ToTime(t.Unit)), true
		}
	}
	c.wrong(column)
	return 0, false
}
