package parquetfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// chunk opens the column chunk of row group g under leaf column c.
func (f *File) chunk(g, c int) (file.ColumnChunkReader, *stream, error) {
	md := f.rdr.MetaData()
	col, err := f.rdr.RowGroup(g).MetaData().ColumnChunk(c)
	if err != nil {
		return nil, nil, err
	}
	start, size := col.DataPageOffset(), col.TotalCompressedSize()
	if d := col.DictionaryPageOffset(); col.HasDictionaryPage() && d > 0 && d < start {
		start = d
	}
	if md.WriterVersion().LessThan(metadata.Parquet816FixedVersion) {
		// Those writers left the dictionary page's header out of the chunk's size.
		size += min(100, f.src.size-start-size)
	}
	st := newStream(io.NewSectionReader(f.src, start, size), int(min(size+1, readBuffer)))
	pr, err := file.NewPageReader(st, col.NumValues(), col.Compression(), limited{}, nil)
	if err != nil {
		return nil, nil, err
	}
	descr := md.Schema.Column(c)
	checked := &checkedPages{PageReader: pr, st: st, descr: descr, def: descr.MaxDefinitionLevel(), rep: descr.MaxRepetitionLevel()}
	r := file.NewColumnReader(descr, checked, limited{}, f.rdr.BufferPool())
	if r == nil {
		return nil, nil, fmt.Errorf("physical type %s is not known", descr.PhysicalType())
	}
	return r, st, nil
}

// stream is a column chunk's bytes. It remembers a read past their end: the
// library takes one for zeros. Where a page's header has a checksum, it sums up
// the page's bytes while they are read, as they are stored.
type stream struct {
	*bufio.Reader
	short bool

	summed    bool   // the page has a checksum
	want, sum uint32 // what its header says, and what its bytes give
	err       error  // of reading its header
}

func newStream(r io.Reader, size int) *stream {
	return &stream{Reader: bufio.NewReaderSize(r, size)}
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if errors.Is(err, io.EOF) && n == 0 && len(p) > 0 {
		s.short = true
	}
	if s.summed {
		s.sum = crc32.Update(s.sum, crc32.IEEETable, p[:n])
	}
	return n, err
}

// Discard passes by a page's header, which is all that the library discards:
// what is read next is the page.
func (s *stream) Discard(n int) (int, error) {
	header, err := s.Reader.Peek(n)
	if err == nil {
		s.sum = 0
		s.want, s.summed, s.err = pageSum(header)
	}
	return s.Reader.Discard(n)
}

// intact is an error where the page that was read is not the one that was written.
func (s *stream) intact() error {
	if s.err == nil && s.summed && s.sum != s.want {
		return fmt.Errorf("a page is damaged: its checksum is %08x, its header says %08x", s.sum, s.want)
	}
	return s.err
}

// Peek grows the buffer where a page header is larger than it.
func (s *stream) Peek(n int) ([]byte, error) {
	b, err := s.Reader.Peek(n)
	if errors.Is(err, bufio.ErrBufferFull) {
		s.Reader = bufio.NewReaderSize(s.Reader, n)
		b, err = s.Reader.Peek(n)
	}
	return b, err
}

// checkedPages checks a page's levels before the library decodes them: where
// they end early, its decoder would wait for more for ever. So it would with
// some values. Encodings that the library does not know it gives in another.
type checkedPages struct {
	file.PageReader
	st         *stream
	descr      *pqschema.Column
	page       file.Page // the one that Next found
	def, rep   int16
	dictionary uint64 // values that the chunk's dictionary has at most
	err        error
}

func (c *checkedPages) Next() bool {
	if c.err != nil || !c.PageReader.Next() {
		return false
	}
	switch {
	case c.st.short:
		c.err = errors.New("a page reaches past the end of its column chunk")
	default:
		if c.err = c.st.intact(); c.err == nil {
			c.err = c.check(c.PageReader.Page())
		}
		if c.err == nil {
			c.page, c.err = c.inPlain(c.PageReader.Page())
		}
	}
	return c.err == nil
}

func (c *checkedPages) Page() file.Page { return c.page }

func (c *checkedPages) Err() error {
	if c.err != nil {
		return c.err
	}
	return c.PageReader.Err()
}

func (c *checkedPages) check(p file.Page) error {
	switch p := p.(type) {
	case *file.DictionaryPage: // a value takes a byte at least
		c.dictionary = min(uint64(max(p.NumValues(), 0)), uint64(len(p.Data())))
	case *file.DataPageV1:
		rest, err := levelsV1(p.Data(), p.RepetitionLevelEncoding(), c.rep, p.NumValues())
		if err == nil {
			rest, err = levelsV1(rest, p.DefinitionLevelEncoding(), c.def, p.NumValues())
		}
		if err == nil {
			err = c.values(parquet.Encoding(p.Encoding()), rest, p.NumValues())
		}
		return err
	case *file.DataPageV2:
		data, rep, def := p.Data(), int(p.RepetitionLevelByteLen()), int(p.DefinitionLevelByteLen())
		if rep < 0 || def < 0 || rep+def > len(data) {
			return errors.New("the levels are longer than their page")
		}
		return errors.Join(
			levelRuns(data[:rep], c.rep, p.NumValues()),
			levelRuns(data[rep:rep+def], c.def, p.NumValues()),
			c.values(parquet.Encoding(p.Encoding()), data[rep+def:], p.NumValues()))
	}
	return nil
}

func levelsV1(data []byte, enc parquet.Encoding, highest int16, n int32) ([]byte, error) {
	if highest == 0 {
		return data, nil
	}
	if enc == parquet.Encodings.BitPacked { // the old form, without runs
		size := (uint64(max(n, 0))*uint64(bits.Len16(uint16(highest))) + 7) / 8
		if size > uint64(len(data)) {
			return nil, errors.New("the levels are longer than their page")
		}
		return data[size:], nil
	}
	if len(data) < 4 {
		return nil, errors.New("a page ends before its levels")
	}
	size := binary.LittleEndian.Uint32(data)
	if uint64(size) > uint64(len(data)-4) {
		return nil, errors.New("the levels are longer than their page")
	}
	return data[4+size:], levelRuns(data[4:4+size], highest, n)
}

// levelRuns walks runs of the RLE and bit-packing hybrid until they hold n levels.
func levelRuns(data []byte, highest int16, n int32) error {
	if highest == 0 {
		return nil
	}
	width := bits.Len16(uint16(highest))
	for have := uint64(0); have < uint64(max(n, 0)); {
		head, used := binary.Uvarint(data)
		if used <= 0 {
			return fmt.Errorf("the levels end after %d of %d values", have, n)
		}
		data = data[used:]
		bytes, count := uint64((width+7)/8), head>>1
		if head&1 == 1 {
			if head>>1 > 1<<28 {
				return fmt.Errorf("a run of %d groups of levels", head>>1)
			}
			bytes, count = (head>>1)*uint64(width), (head>>1)*8
			if bytes > uint64(len(data)) { // the last run's padding may be left out
				bytes, count = uint64(len(data)), uint64(len(data))*8/uint64(width)
			}
		}
		if bytes > uint64(len(data)) || count == 0 {
			return fmt.Errorf("the levels end after %d of %d values", have, n)
		}
		data = data[bytes:]
		have += count
	}
	return nil
}
