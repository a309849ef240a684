package parquetfile

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
)

// Codec is how pages are compressed.
type Codec string

// The codecs that every reader of Delta tables knows.
const (
	Snappy       Codec = "snappy"
	Zstd         Codec = "zstd"
	Gzip         Codec = "gzip"
	Uncompressed Codec = "uncompressed"
)

func (c Codec) library() (compress.Compression, error) {
	switch c {
	case "", Snappy:
		return compress.Codecs.Snappy, nil
	case Zstd:
		return compress.Codecs.Zstd, nil
	case Gzip:
		return compress.Codecs.Gzip, nil
	case Uncompressed:
		return compress.Codecs.Uncompressed, nil
	}
	return 0, fmt.Errorf("no codec is called %q", string(c))
}

// Bounds of a row group.
const (
	DefaultRowGroupBytes = 64 << 20
	MaxRowGroupBytes     = 128 << 20
	maxRowGroupRows      = 4 << 20 // where values compress to nearly nothing
	statsColumns         = 32      // Delta's own default

	// A dictionary's hash table is an order of magnitude larger than its values.
	dictionaryBytes = 256 << 10
)

// WriterOptions say how a file is written. The zero value is right for a new table.
type WriterOptions struct {
	Codec         Codec    // empty is Snappy
	RowGroupBytes int64    // estimated bytes after which a row group ends; 0 is DefaultRowGroupBytes, never above MaxRowGroupBytes
	StatsColumns  []string // columns with statistics; nil is the first 32, empty is none
	CreatedBy     string   // the writer's name in the footer; empty is the library's
	ByHand        bool     // a row group ends where EndRowGroup says, and nowhere else
	NoDictionary  bool     // values are written as they are; for columns of which most values differ
}

// Summary is what was written.
type Summary struct {
	Rows      int64
	Bytes     int64          // of the file
	RowGroups int            //
	Stats     string         // the document that belongs into a Delta add action's stats
	Columns   []ColumnBounds // what the document says, column by column
}

// Writer writes records to one file, holding one row group's compressed pages
// in memory; those of a single column by hand it writes out. It does not close the sink.
type Writer struct {
	sink    *sink
	pw      *file.Writer
	schema  *arrow.Schema
	columns []columnWriter
	group   rowGroup
	alone   bool // one column by hand, whose pages need not wait for another's
	inGroup int64
	limit   int64 // of a row group's bytes; 0 is none
	sum     Summary
	stats   *stats
	err     error
}

// rowGroup is a row group being written, in the library's manner for it.
type rowGroup interface {
	Column(i int) (file.ColumnChunkWriter, error)
	TotalCompressedBytes() int64
	Close() error
}

// oneColumn is a row group of one column, whose pages are written out as they are
// made; behind a dictionary they wait for its end.
type oneColumn struct {
	file.SerialRowGroupWriter

	column file.ColumnChunkWriter
}

func (g oneColumn) Column(int) (file.ColumnChunkWriter, error) { return g.column, nil }

// begin starts a row group.
func (w *Writer) begin() (rowGroup, error) {
	w.sum.RowGroups++
	if !w.alone {
		return w.pw.AppendBufferedRowGroup(), nil
	}
	g := w.pw.AppendRowGroup()
	column, err := g.NextColumn()
	return oneColumn{g, column}, err
}

// sink counts bytes and remembers the first failed write: the library drops some.
type sink struct {
	w   io.Writer
	n   int64
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.n += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	s.err = err
	return n, err
}

// cause is the sink's own error, where it has one, for what the library made of it.
func (s *sink) cause(err error) error {
	if s.err != nil {
		return s.err
	}
	return err
}

// NewWriter starts a file of flat columns, all optional, in the Parquet types
// that Delta asks for. A field's metadata PARQUET:field_id becomes its field
// id. Types: bool, int8 to int64, float32, float64, decimal128, date32,
// timestamp in microseconds (with any zone: an instant; without: wall clock), string, binary.
func NewWriter(w io.Writer, sc *arrow.Schema, o WriterOptions) (*Writer, error) {
	codec, err := o.Codec.library()
	if err != nil {
		return nil, err
	}
	out := &Writer{sink: &sink{w: w}, schema: sc, limit: DefaultRowGroupBytes}
	if o.RowGroupBytes > 0 {
		out.limit = min(o.RowGroupBytes, MaxRowGroupBytes)
	}
	if o.ByHand {
		out.limit, out.alone = 0, sc.NumFields() == 1
	}
	root, err := fileSchema(sc)
	if err != nil {
		return nil, err
	}
	for _, f := range sc.Fields() {
		out.columns = append(out.columns, columnWriterFor(f.Type))
	}
	// Each column holds a page that grows; many columns share one budget.
	page := min(1<<20, max(16<<10, (16<<20)/int64(max(sc.NumFields(), 1))))
	props := []parquet.WriterProperty{
		parquet.WithCompression(codec), parquet.WithDataPageSize(page), parquet.WithDictionaryPageSizeLimit(min(page, dictionaryBytes)),
		parquet.WithVersion(parquet.V2_6), parquet.WithStoreDecimalAsInteger(true), parquet.WithDictionaryDefault(!o.NoDictionary),
	}
	if o.CreatedBy != "" {
		props = append(props, parquet.WithCreatedBy(o.CreatedBy))
	}
	if out.stats, err = newStats(sc, o.StatsColumns); err != nil {
		return nil, err
	}
	err = guard(func() error {
		out.pw = file.NewParquetWriter(out.sink, root, file.WithWriterProps(parquet.NewWriterProperties(props...)))
		return nil
	})
	if err = out.sink.cause(err); err != nil {
		return nil, err
	}
	return out, nil
}

// writeRows is how many rows go to a column at once.
const writeRows = 8192

// Write appends a record. Its columns must have the writer's types in the
// writer's order; a column of Arrow's null type stands for nulls of any type.
// After an error the file is worthless.
func (w *Writer) Write(rec arrow.Record) error {
	if w.err != nil {
		return w.err
	}
	w.err = w.sink.cause(guard(func() error { return w.write(rec) }))
	return w.err
}

func (w *Writer) write(rec arrow.Record) error {
	if int(rec.NumCols()) != w.schema.NumFields() {
		return fmt.Errorf("a record of %d columns for a file of %d", rec.NumCols(), w.schema.NumFields())
	}
	cols := make([]arrow.Array, rec.NumCols())
	for i, f := range w.schema.Fields() {
		cols[i] = rec.Column(i)
		switch {
		case cols[i].DataType().ID() == arrow.NULL:
			cols[i] = array.MakeArrayOfNull(memory.DefaultAllocator, f.Type, int(rec.NumRows()))
			defer cols[i].Release()
		case !arrow.TypeEqual(cols[i].DataType(), f.Type):
			return fmt.Errorf("column %q: %s where the file has %s", f.Name, cols[i].DataType(), f.Type)
		}
	}
	for from := int64(0); from < rec.NumRows(); {
		n := min(rec.NumRows()-from, writeRows)
		if err := w.rows(cols, from, from+n); err != nil {
			return err
		}
		from += n
	}
	w.stats.add(cols)
	return nil
}

func (w *Writer) rows(cols []arrow.Array, from, to int64) error {
	if w.group == nil {
		var err error
		if w.group, err = w.begin(); err != nil {
			return err
		}
	}
	pending := int64(0) // uncompressed, in pages that still grow
	for i, c := range cols {
		part := array.NewSlice(c, from, to)
		cw, err := w.group.Column(i)
		if err == nil {
			err = w.columns[i](cw, part)
		}
		part.Release()
		if err != nil {
			return fmt.Errorf("column %q: %w", w.schema.Field(i).Name, err)
		}
		pending += cw.CurrentEncoder().EstimatedDataEncodedSize()
		if d, ok := cw.CurrentEncoder().(interface{ DictEncodedSize() int }); ok {
			pending += int64(d.DictEncodedSize())
		}
	}
	w.sum.Rows += to - from
	w.inGroup += to - from
	if w.limit > 0 && (w.group.TotalCompressedBytes()+pending >= w.limit || w.inGroup >= maxRowGroupRows) {
		return w.endGroup()
	}
	return nil
}

// EndRowGroup writes out the rows so far; the next one begins a row group.
func (w *Writer) EndRowGroup() error {
	if w.err != nil {
		return w.err
	}
	w.err = w.sink.cause(guard(w.endGroup))
	return w.err
}

func (w *Writer) endGroup() error {
	if w.group == nil {
		return nil
	}
	err := w.group.Close()
	w.group, w.inGroup = nil, 0
	return w.sink.cause(err)
}

// Close writes the footer and tells what was written.
func (w *Writer) Close() (Summary, error) {
	if w.err != nil {
		return Summary{}, w.err
	}
	err := guard(func() error { return errors.Join(w.endGroup(), w.pw.Close()) })
	w.err = errors.New("the writer is closed")
	if err = w.sink.cause(err); err != nil {
		return Summary{}, err
	}
	w.sum.Bytes = w.sink.n
	w.sum.Columns = w.stats.entries()
	w.sum.Stats = Document(w.sum.Rows, w.sum.Columns)
	return w.sum, nil
}

func newStats(sc *arrow.Schema, names []string) (*stats, error) {
	s := &stats{columns: make([]*columnStats, sc.NumFields())}
	for _, n := range names {
		if !sc.HasField(n) {
			return nil, fmt.Errorf("statistics for column %q, which the file lacks", n)
		}
	}
	for i, f := range sc.Fields() {
		if names == nil && i < statsColumns || slices.Contains(names, f.Name) {
			s.columns[i] = newColumnStats(f)
		}
	}
	return s, nil
}
