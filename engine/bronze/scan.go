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
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

const scanRows = 64 * 1024 // a batch

// columnSet is a batch of a file's rows, with the columns that were asked for in
// their order; one that the file lacks is nil and reads as NULL. It and its texts
// are valid only while the batch is.
type columnSet struct {
	rows    int
	columns []arrow.Array
	names   []string
	place   []int // of each row in the columns; nil where every row has its own
	err     error // the first column of a type that it cannot have
}

// at is the place of row i in the columns.
func (c *columnSet) at(i int) int {
	if c.place != nil {
		return c.place[i]
	}
	return i
}

// scan reads columns of a data file, batch by batch, by the table's names. Rows
// that a deletion vector hides are left out.
func scan(ctx context.Context, r store.Reader, snap *delta.Snapshot, file delta.Add, names []string, each func(columnSet) error) (err error) {
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
	deleted, err := vector(ctx, r, snap, file, p.Rows())
	if err != nil {
		return err
	}
	found, at := present(p, snap, names)
	if len(found) == 0 {
		rows := p.Rows()
		if deleted != nil {
			rows -= deleted.Count()
		}
		return each(columnSet{rows: int(rows), columns: make([]arrow.Array, len(names)), names: names})
	}
	s := p.Read(ctx, found, scanRows)
	defer s.Close()
	first := int64(0)
	for s.Next() {
		rec := s.Record()
		batch := columnSet{rows: int(rec.NumRows()), columns: make([]arrow.Array, len(names)), names: names, place: hidden(deleted, first, rec.NumRows())}
		if batch.place != nil {
			batch.rows = len(batch.place)
		}
		first += rec.NumRows()
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

// vector is the file's deletion vector, nil where it has none.
func vector(ctx context.Context, r store.Reader, snap *delta.Snapshot, file delta.Add, rows int64) (*delta.Vector, error) {
	if file.DeletionVector == nil {
		return nil, nil //nolint:nilnil // no vector is the usual case
	}
	v, err := delta.ReadVector(ctx, r, file, rows)
	if errors.Is(err, delta.ErrVector) {
		return nil, &verdict.Error{
			Code:  verdict.TargetCorrupt,
			What:  fmt.Sprintf("which rows of a data file of the table %q are deleted cannot be read", snap.URL()),
			Facts: verdict.Facts("data file", file.Path, "deleted, as the log says", file.DeletionVector.Cardinality),
			Why:   "Whether rows of snapshots are still in the table cannot be told.",
			Hint:  []string{"Look whether Spark still reads the table. REORG TABLE ... APPLY (PURGE) writes its files without deletion vectors."},
			Err:   err,
		}
	}
	return v, err
}

// hidden gives the places of the rows that stay in a batch of the file that
// begins with row first; nil is all of them.
func hidden(deleted *delta.Vector, first, rows int64) []int {
	if deleted == nil {
		return nil
	}
	stay := make([]int, 0, rows)
	next := first
	for gone := range deleted.Between(first, first+rows) {
		for ; next < gone; next++ {
			stay = append(stay, int(next-first))
		}
		next = gone + 1
	}
	for ; next < first+rows; next++ {
		stay = append(stay, int(next-first))
	}
	return stay
}

// present lists, by the file's names, the columns that the file has, and for
// each asked name its place in that list, or -1.
func present(p *parquetfile.File, snap *delta.Snapshot, names []string) (found []string, at []int) {
	have := make([]string, len(p.Columns()))
	for i, c := range p.Columns() {
		have[i] = c.Name
	}
	mode, ids := snap.Metadata.Mapping(), p.FieldIDs()
	for _, name := range names {
		field, known := snap.Schema.Field(name)
		if !known {
			field.Name = name
		}
		i := mode.ColumnOf(field, have, ids)
		if i < 0 {
			at = append(at, -1)
			continue
		}
		at = append(at, len(found))
		found = append(found, have[i])
	}
	return found, at
}

func (c *columnSet) null(column, i int) bool {
	return c.columns[column] == nil || c.columns[column].IsNull(c.at(i))
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
		return a.Value(c.at(i)), true
	case *array.Binary:
		return a.ValueString(c.at(i)), true
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
		return int64(a.Value(c.at(i))), true
	case *array.Int64:
		return a.Value(c.at(i)), true
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
			return clock.Of(a.Value(c.at(i)).ToTime(t.Unit)), true
		}
	}
	c.wrong(column)
	return 0, false
}
