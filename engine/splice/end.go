package splice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
	"cdcseed/engine/store"
)

// end writes what stands behind the row groups.
func (s *stage) end(ctx context.Context) error {
	for i := range s.columns {
		if err := s.describe(&s.columns[i]); err != nil {
			return err
		}
	}
	if err := s.blooms(ctx); err != nil {
		return err
	}
	if err := s.indexes(ctx); err != nil {
		return err
	}
	s.stats = s.statistics()
	var err error
	if s.record, err = s.counted().Record(s.src.Rows()); err != nil {
		return err
	}
	made, err := s.footer()
	if err != nil {
		return err
	}
	if s.made, err = made.AppendEnd(nil); err != nil {
		return err
	}
	if err := checkNew(s.made, s.out.at+int64(len(s.made)), s.src.Rows()); err != nil {
		return err
	}
	s.out.counts.Made += int64(len(s.made))
	if _, err := s.out.put(ctx, s.made); err != nil {
		return err
	}
	return nil
}

// describe completes what the new footer and the table's log say of a column.
func (s *stage) describe(c *column) (err error) {
	switch c.way {
	case Copied, Annotated:
		c.element = c.node.CloneElements()[0]
		c.element.SetName(c.Name)
		c.element.SetFieldID(c.FieldID)
		c.stats = s.src.foot.Column(c.node.Leaf, c.Name, c.Type)
		return c.element.Annotate(annotation(c.Name, c.Type))
	case Dictionary:
		if c.node.Repetition() == footer.Required { // its pages have no levels
			c.element.Struct().Set(elementRepetition, thrift.Int32(int32(footer.Required)))
		}
		c.stats = s.dictionaries(c).bounds()
		return nil
	case Recoded:
		c.element, c.chunks, c.stats, err = c.recoder.close(c.placed)
		return err
	}
	return nil
}

// annotation is how the target's files annotate a type.
func annotation(name string, t schema.Type) schema.CopyColumn {
	c := schema.CopyColumn{Name: name}
	switch t.Kind {
	case schema.Short:
		c.Logical, c.Bits = "INT", 16
	case schema.Decimal:
		c.Logical, c.Precision, c.Scale = "DECIMAL", t.Precision, t.Scale
	case schema.Date:
		c.Logical = "DATE"
	case schema.Timestamp, schema.TimestampNTZ:
		c.Logical, c.Unit, c.UTC = "TIMESTAMP", "MICROS", t.Kind == schema.Timestamp
	case schema.String:
		c.Logical = "STRING"
	}
	return c
}

func (s *stage) footer() (*footer.Footer, error) {
	parts := footer.Parts{Schema: []footer.Element{s.src.foot.NewRoot(len(s.order))}, KeyValues: s.keyValues()}
	for _, i := range s.order {
		c := &s.columns[i]
		parts.Schema = append(parts.Schema, c.element)
		order := -1
		if c.way.Copies() {
			order = c.node.Leaf
		}
		parts.Orders = append(parts.Orders, order)
	}
	for g, old := range s.groups {
		var chunks []footer.Chunk
		for _, i := range s.order {
			chunks = append(chunks, s.columns[i].chunks[g])
		}
		group, err := footer.NewGroup(g, old.Rows(), chunks)
		if err != nil {
			return nil, err
		}
		parts.Groups = append(parts.Groups, group)
	}
	return s.src.foot.With(parts)
}

const sparkVersion = "org.apache.spark.version"

// StatsKey is the entry of a spliced file's footer that holds its statistics as
// the table's log has them, for a run that takes the file over.
const StatsKey = "cdcseed.stats"

// keyValues is what the new footer keeps of the copy's: the version of a Spark
// that wrote in the calendar of today. Everything else told of the file that was.
// Behind it stands what a run that takes the file over wants to know.
func (s *stage) keyValues() []footer.KeyValue {
	var out []footer.KeyValue
	for _, kv := range s.src.foot.KeyValues() {
		if kv.Key == sparkVersion && kv.Value != nil && proleptic(*kv.Value) && len(out) == 0 {
			out = append(out, kv)
		}
	}
	return append(out, footer.KeyValue{Key: StatsKey, Value: &s.stats}, footer.KeyValue{Key: cast.RecordKey, Value: &s.record})
}

// proleptic reports whether a version of Spark is 3.1 or later.
func proleptic(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return err == nil && err2 == nil && (major > 3 || major == 3 && minor >= 1)
}

// statistics are those of the table's log, in the table's order of columns.
func (s *stage) statistics() string {
	const first = 32 // Delta's own default
	wanted := map[string]bool{}
	for _, name := range s.job.StatsColumns {
		wanted[name] = true
	}
	var out []parquetfile.ColumnBounds
	for i, c := range s.columns {
		if s.job.StatsColumns == nil && i < first || wanted[c.Name] {
			out = append(out, c.stats)
		}
	}
	return parquetfile.Document(s.src.Rows(), out)
}

// checkNew reads a footer that was just made, as any reader will, against the size
// of the whole file. Its errors are of the new file, and hold no problem of the copy's.
func checkNew(end []byte, size, rows int64) error {
	f, err := footer.Read(tailOf{bytes.NewReader(end), size - int64(len(end))}, size)
	if err != nil {
		return fmt.Errorf("the new footer cannot be read: %s", err.Error())
	}
	for _, p := range f.Check(size) {
		if p.Kind.Remedy() > footer.Keep {
			return fmt.Errorf("the new footer is wrong: %s", p.Error())
		}
	}
	if f.Rows() != rows || f.SaidRows() != rows {
		return fmt.Errorf("the new footer says %d rows, %d were written", f.SaidRows(), rows)
	}
	return midpoints(f)
}

// tailOf reads the end of a file of which only that is at hand.
type tailOf struct {
	end  *bytes.Reader
	from int64
}

// ReadAt reads at a place in the whole file; what stands before the end is zeros.
func (t tailOf) ReadAt(p []byte, off int64) (int, error) {
	before := min(max(t.from-off, 0), int64(len(p)))
	clear(p[:before])
	if before == int64(len(p)) {
		return len(p), nil
	}
	n, err := t.end.ReadAt(p[before:], off+before-t.from)
	return int(before) + n, err
}

// midpoints proves that every reader finds every row group: readers that split a
// file give a group to the split in which the middle of its bytes lies, counted
// from the first column's first page by the sum of its chunks' sizes. One outside
// its group would be read twice or never.
func midpoints(f *footer.Footer) error {
	for i, g := range f.Groups() {
		if g.Len() == 0 {
			return errors.New("a row group has no column")
		}
		var size, end int64
		low := g.Chunk(0).Start()
		for _, c := range g.Chunks() {
			size += c.Size()
			low, end = min(low, c.Start()), max(end, c.Start()+c.Size())
		}
		first := g.Chunk(0).Start()
		if middle := first + size/2; first != low || middle < low || middle >= end {
			return fmt.Errorf("row group %d lies at %d to %d, its middle is taken for %d", i, low, end, middle)
		}
	}
	return nil
}

// reopen proves that the store holds the file that was written.
func (s *stage) reopen(ctx context.Context, obj store.Object) (err error) {
	if obj.Size != s.out.at {
		return fmt.Errorf("%d bytes were written, %d are there", s.out.at, obj.Size)
	}
	f, err := s.w.Open(ctx, s.job.Key)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	end := make([]byte, len(s.made))
	if n, err := f.ReadAt(end, obj.Size-int64(len(end))); n < len(end) {
		return errors.Join(errors.New("its end cannot be read"), err)
	}
	if !bytes.Equal(end, s.made) {
		return errors.New("its end is not what was written")
	}
	return nil
}
