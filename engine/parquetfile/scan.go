package parquetfile

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// batchBytes is about what one batch may take: large values make smaller batches.
// How large rows are is guessed from the row group's uncompressed size and from the
// batch before: a dictionary makes them look smaller than they are, so batches begin
// small and double, and one whose values turn out larger than that is cut short.
const (
	batchBytes = 16 << 20
	firstBatch = 8
)

// Scanner reads a file as a sequence of records of at most the asked number of
// rows. It is used by one goroutine.
type Scanner struct {
	ctx     context.Context //nolint:containedctx // of the whole scan: Next cannot take one and stay a loop condition
	f       *File
	batch   int
	columns []*column
	schema  *arrow.Schema

	group   int   // the next row group to open
	until   int   // the row group before which the scan ends
	left    int64 // rows left in the open one
	average int64 // bytes that a row takes in it, as its footer says
	perRow  int64 // bytes that a row took in the last batch, no less than the average
	size    int64 // rows that the next batch may have at most
	rec     arrow.Record
	err     error
}

// column is one top-level column being read.
type column struct {
	name    string
	leaf0   int           // its first leaf column
	flat    flat          // set for a primitive column
	nested  *node         // set for any other
	builder array.Builder // of a nested one
	leaves  []chunkReader
	streams []*stream
	ahead   arrow.Array // rows that were read and are in no record yet
}

func (c *column) fault(err error) error { return fmt.Errorf("column %q: %w", c.name, err) }

// Read scans the named top-level columns in the order given, nil for all in
// the file's order, in records of at most batchRows rows. A name that the file
// lacks or has twice shows as the scanner's error.
func (f *File) Read(ctx context.Context, columns []string, batchRows int) *Scanner {
	s := &Scanner{ctx: ctx, f: f, until: f.RowGroups(), batch: max(batchRows, 1), size: firstBatch}
	s.err = guard(func() error { return s.plan(columns) })
	return s
}

func (s *Scanner) plan(names []string) error {
	at := map[string]int{}
	for i, c := range s.f.columns {
		if _, twice := at[c.Name]; twice {
			at[c.Name] = -1
			continue
		}
		at[c.Name] = i
	}
	if names == nil {
		for _, c := range s.f.columns {
			names = append(names, c.Name)
		}
	}
	var fields []arrow.Field
	for _, name := range names {
		i, ok := at[name]
		if !ok {
			return fmt.Errorf("no column %q", name)
		}
		if i < 0 {
			return fmt.Errorf("column %q stands in the file twice", name)
		}
		c, typ, err := s.column(i)
		if err != nil {
			return fmt.Errorf("column %q: %w", name, err)
		}
		s.columns = append(s.columns, c)
		fields = append(fields, arrow.Field{Name: name, Type: typ, Nullable: true})
	}
	s.schema = arrow.NewSchema(fields, nil)
	return nil
}

func (s *Scanner) column(i int) (*column, arrow.DataType, error) {
	sc := s.f.rdr.MetaData().Schema
	c := &column{name: s.f.columns[i].Name, leaf0: s.f.first[i]}
	if p, ok := s.f.root.Field(i).(*pqschema.PrimitiveNode); ok && s.f.columns[i].Physical != "GROUP" {
		typ, err := leafType(p)
		if err != nil {
			return nil, nil, err
		}
		if c.flat = newFlat(sc.Column(c.leaf0), typ); c.flat == nil {
			return nil, nil, fmt.Errorf("%s does not fill %s", p.PhysicalType(), typ)
		}
		c.leaves = []chunkReader{c.flat}
		return c, typ, nil
	}
	var err error
	p := planner{sc: sc, leaf: c.leaf0}
	if c.nested, err = p.field(s.f.root.Field(i), 0, 0); err != nil {
		return nil, nil, err
	}
	c.builder = array.NewBuilder(memory.DefaultAllocator, c.nested.typ)
	err = c.nested.bind(c.builder, sc)
	for _, l := range c.nested.allLeaves(nil) {
		c.leaves = append(c.leaves, l)
	}
	return c, c.nested.typ, err
}

// Next reads the next record. It is false at the end and after an error.
func (s *Scanner) Next() bool {
	s.release()
	if s.err != nil {
		return false
	}
	s.err = guard(s.next)
	if failed := s.f.src.failure(); failed != nil && (s.err != nil || s.rec != nil) {
		s.err = errors.Join(failed, s.err)
	}
	if s.err != nil {
		s.release()
	}
	return s.rec != nil
}

func (s *Scanner) next() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	for s.left == 0 {
		if s.group >= s.until {
			return nil
		}
		if err := s.openGroup(); err != nil {
			return fmt.Errorf("row group %d: %w", s.group-1, err)
		}
	}
	n := min(s.size, s.left, int64(s.batch), max(batchBytes/s.perRow, 1))
	made, err := s.fill(int(n))
	if err != nil {
		return fmt.Errorf("row group %d: %w", s.group-1, err)
	}
	s.left -= made
	s.size = 2 * made
	s.perRow = max(s.average, recordBytes(s.rec)/made)
	return nil
}

func (s *Scanner) openGroup() error {
	g := s.group
	s.group++
	md := s.f.rdr.RowGroup(g).MetaData()
	s.left = md.NumRows()
	if s.left == 0 {
		return nil
	}
	var bytes int64
	for _, c := range s.columns {
		c.streams = c.streams[:0]
		for i, l := range c.leaves {
			r, st, err := s.f.chunk(g, c.leaf0+i)
			if err == nil {
				err = l.open(r)
			}
			if err != nil {
				return c.fault(err)
			}
			c.streams = append(c.streams, st)
			if chunk, err := md.ColumnChunk(c.leaf0 + i); err == nil {
				bytes += max(chunk.TotalUncompressedSize(), 0)
			}
		}
	}
	s.average = max(bytes/s.left, 1)
	s.perRow = s.average
	return nil
}

// Schema is the records' schema; nil where the scan could not start.
func (s *Scanner) Schema() *arrow.Schema { return s.schema }

// Record is the record that Next read. It is valid until the next call of Next or Close.
func (s *Scanner) Record() arrow.Record { return s.rec }

// Err is why Next was false, nil at the end of the file.
func (s *Scanner) Err() error { return s.err }

// Close releases the record and the readers.
func (s *Scanner) Close() {
	s.release()
	for _, c := range s.columns {
		if c.ahead != nil {
			c.ahead.Release()
			c.ahead = nil
		}
	}
	s.columns, s.left, s.group = nil, 0, s.until
}

func (s *Scanner) release() {
	if s.rec != nil {
		s.rec.Release()
		s.rec = nil
	}
}
