package lakecopy

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Scanner reads one file of a copy in records of bounded size. It is used by
// one goroutine.
type Scanner struct {
	ctx     context.Context //nolint:containedctx // of the whole scan: Next cannot take one and stay a loop condition
	c       *Copy
	file    File
	columns []string
	batch   int
	flag    *flag
	deleted *delta.Vector // nil where no row is

	begun    bool
	closed   bool
	from     opened
	in       *parquetfile.Scanner
	place    []int   // of each column in the file's records; -1 where it is none of them
	twice    []twice // partition columns that the file has too
	rec      arrow.Record
	read     int64
	excluded int64
	part     *[2]int // row groups from and before which it reads; nil for all
	kept     []span  // of the rows of the file's record, those in rec
	ends     []int64 // rows of the record up to the end of each of them
	base     int64   // rows of the file before them
	err      error
}

// Read scans one of the copy's files: the columns in the order given, nil for
// all of the file's class. A column that the class lacks gives arrays of Arrow's
// null type, a partition column gives strings. Rows that a deletion vector hides
// are left out.
func (c *Copy) Read(ctx context.Context, f File, columns []string, batchRows int) *Scanner {
	return &Scanner{ctx: ctx, c: c, file: f, columns: columns, batch: batchRows}
}

// ExcludeFlagged leaves out, and counts, the rows that a soft-delete mark flags.
// It is called before the first Next.
func (s *Scanner) ExcludeFlagged(m Mark) *Scanner {
	s.flag = &flag{mark: m}
	return s
}

// Next reads the next record that has rows.
func (s *Scanner) Next() bool {
	s.release()
	for s.err == nil && s.rec == nil && !s.closed {
		if !s.begun {
			s.begun = true
			s.err = s.begin()
			continue
		}
		if !s.in.Next() {
			s.err = s.end()
			break
		}
		s.err = s.take(s.in.Record())
	}
	return s.err == nil && s.rec != nil
}

// begin opens the file and finds each column's source.
func (s *Scanner) begin() error {
	from, err := open(s.ctx, s.c.reader, s.file)
	if err != nil {
		return err
	}
	s.from = from
	if from.Rows() != s.file.Rows+s.file.Deleted {
		return changed(s.c.URL, s.file, "rows", s.file.Rows+s.file.Deleted, from.Rows())
	}
	if s.deleted, err = deletedRows(s.ctx, s.c.reader, s.file, from.Rows()); err != nil {
		return err
	}
	at, ok := s.c.layouts[s.file.Class]
	if !ok {
		return fmt.Errorf("file %q has class %q, which the copy has not", s.file.Key, s.file.Class)
	}
	if s.columns == nil {
		s.columns = s.c.classColumns(s.file.Class)
	}
	wanted := s.columns
	if s.flag != nil {
		// Another class may spell the flag otherwise; missing it would bring deleted rows back.
		s.flag.column = at.spelling(s.flag.mark.Column)
		wanted = append(slices.Clip(wanted), s.flag.column)
	}
	physical := []string{}
	placeOf := func(p string) int {
		if i := slices.Index(physical, p); i >= 0 {
			return i
		}
		physical = append(physical, p)
		return len(physical) - 1
	}
	for _, name := range wanted {
		place := -1
		if p, inFile := at.physical[name]; inFile {
			place = placeOf(p)
		}
		s.place = append(s.place, place)
		for _, p := range at.twice[name] {
			s.twice = append(s.twice, twice{name, placeOf(p)})
		}
	}
	s.in = from.Read(s.ctx, physical, s.batch)
	s.beginPart()
	return nil
}

// spelling is a column's name as the class has it, or the name itself where it has none.
func (l layout) spelling(name string) string {
	for _, names := range []iter.Seq[string]{maps.Keys(l.physical), maps.Keys(l.partition)} {
		for n := range names {
			if schema.SameName(n, name) {
				return n
			}
		}
	}
	return name
}

func (c *Copy) classColumns(id string) []string {
	out := []string{}
	for _, class := range c.Classes {
		if class.ID == id {
			for _, col := range class.Columns {
				out = append(out, col.Name)
			}
		}
	}
	return out
}

// end tells why the file gave no more.
func (s *Scanner) end() error {
	if err := s.in.Err(); err != nil {
		return readError(s.c.reader, s.file.Key, err)
	}
	return nil
}

// take makes a record of the file's record: columns in the order asked, flagged rows gone.
func (s *Scanner) take(in arrow.Record) error {
	n := int(in.NumRows())
	fields, arrays := make([]arrow.Field, len(s.columns)), make([]arrow.Array, len(s.columns))
	defer func() {
		for _, a := range arrays {
			if a != nil {
				a.Release()
			}
		}
	}()
	if err := s.checkTwice(in); err != nil {
		return err
	}
	kept, excluded, err := s.rows(in, n)
	if err != nil {
		return err
	}
	rows := length(kept)
	s.kept, s.ends, s.base = kept, ends(kept), s.read
	s.read += int64(n)
	s.excluded += int64(excluded)
	if rows == 0 {
		return nil
	}
	for i, name := range s.columns {
		whole := s.source(i, name, in, n)
		a, err := pick(whole, kept)
		whole.Release()
		if err != nil {
			return fmt.Errorf("column %q of file %q: %w", name, s.file.Key, err)
		}
		arrays[i], fields[i] = a, arrow.Field{Name: name, Type: a.DataType(), Nullable: true}
	}
	s.rec = array.NewRecord(arrow.NewSchema(fields, nil), arrays, int64(rows))
	return nil
}

// rows are those of the file's record that stay, and how many of those that no
// deletion vector hides are flagged.
func (s *Scanner) rows(in arrow.Record, n int) (kept []span, excluded int, err error) {
	kept = without([]span{{0, int64(n)}}, s.deleted, s.read, int64(n))
	there := length(kept)
	if s.flag == nil || there == 0 {
		return kept, 0, nil
	}
	values := s.source(len(s.columns), s.flag.column, in, n)
	defer values.Release()
	if kept, err = s.flag.among(values, kept); err != nil {
		return nil, 0, s.flagError(err)
	}
	return kept, there - length(kept), nil
}

// source is a column's values for the whole record of the file.
func (s *Scanner) source(i int, name string, in arrow.Record, n int) arrow.Array {
	if p := s.place[i]; p >= 0 {
		a := in.Column(p)
		a.Retain()
		return a
	}
	if s.c.layouts[s.file.Class].partition[name] {
		return repeated(s.file.Partition[name], n)
	}
	return array.NewNull(n)
}

// repeated is a partition value for each of n rows.
func repeated(value *string, n int) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	b.Reserve(n)
	for range n {
		if value == nil {
			b.AppendNull()
		} else {
			b.Append(*value)
		}
	}
	return b.NewArray()
}

// Record is the record that Next read, valid until the next call of Next or Close.
func (s *Scanner) Record() arrow.Record { return s.rec }

// Err is why Next was false, nil at the end of the file. It names the file.
func (s *Scanner) Err() error { return s.err }

// Read is how many rows of the file were read or passed over so far, excluded and deleted ones included.
func (s *Scanner) Read() int64 { return s.read }

// Excluded is how many rows ExcludeFlagged left out so far.
func (s *Scanner) Excluded() int64 { return s.excluded }

// Close releases the record and closes the file.
func (s *Scanner) Close() error {
	s.release()
	s.closed = true
	if s.in != nil {
		s.in.Close()
	}
	if s.from.File == nil {
		return nil
	}
	from := s.from
	s.from = opened{}
	return from.Close()
}

func (s *Scanner) release() {
	if s.rec != nil {
		s.rec.Release()
		s.rec = nil
	}
}
