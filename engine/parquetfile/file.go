// Package parquetfile reads and writes Parquet files as Arrow records, on top
// of the Arrow library. It trusts no byte of a file that it reads: whatever the
// library does on broken input comes back as an error, memory stays bounded by
// a page and a batch a column, and a file that holds fewer or more values than
// its footer says is an error, never a shorter answer.
package parquetfile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"cdcseed/engine/schema"
	"cdcseed/engine/store"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// File is an open Parquet file whose footer was read and checked. Scanners of
// one File may run at the same time.
type File struct {
	src     *source
	rdr     *file.Reader
	root    *pqschema.GroupNode
	columns []schema.CopyColumn
	first   []int // index of each top-level column's first leaf; one more at the end
	rows    int64
}

// readBuffer is how many bytes of a column chunk one read fetches.
const readBuffer = 256 << 10

// Open reads the footer of f and checks that everything it points at lies
// inside the file. The caller closes f after the File; an error means that f is
// no Parquet file, not whole, encrypted, or of a kind that the library cannot read.
func Open(f store.File) (*File, error) {
	var out *File
	err := guard(func() error {
		src, err := newSource(f)
		if err != nil {
			return err
		}
		props := parquet.NewReaderProperties(limited{})
		props.BufferedStreamEnabled = true
		props.BufferSize = readBuffer
		rdr, err := file.NewParquetReader(src, file.WithReadProps(props))
		if err != nil {
			return errors.Join(src.failure(), err)
		}
		src.dropTail()
		out = &File{src: src, rdr: rdr, root: rdr.MetaData().Schema.Root()}
		return out.check()
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// check walks the footer once: columns, and every chunk of every row group.
func (f *File) check() error {
	md := f.rdr.MetaData()
	leaf := 0
	for i := range f.root.NumFields() {
		col, err := describe(f.root.Field(i))
		if err != nil {
			return err
		}
		f.columns = append(f.columns, col)
		f.first = append(f.first, leaf)
		leaf += leaves(f.root.Field(i))
	}
	f.first = append(f.first, leaf)
	if leaf != md.Schema.NumColumns() {
		return fmt.Errorf("the schema has %d leaf columns, its tree %d", md.Schema.NumColumns(), leaf)
	}
	for g := range f.rdr.NumRowGroups() {
		if err := f.checkGroup(g); err != nil {
			return fmt.Errorf("row group %d: %w", g, err)
		}
	}
	return nil
}

func (f *File) checkGroup(g int) error {
	rg := f.rdr.RowGroup(g).MetaData()
	if rg.NumRows() < 0 || f.rows+rg.NumRows() < f.rows {
		return fmt.Errorf("impossible count of %d rows", rg.NumRows())
	}
	f.rows += rg.NumRows()
	if rg.NumColumns() != f.rdr.MetaData().Schema.NumColumns() {
		return fmt.Errorf("%d column chunks for %d columns", rg.NumColumns(), f.rdr.MetaData().Schema.NumColumns())
	}
	for c := range rg.NumColumns() {
		chunk, err := rg.ColumnChunk(c)
		if err != nil {
			return fmt.Errorf("column chunk %d: %w", c, err)
		}
		if chunk.CryptoMetadata() != nil {
			return errors.New("the column chunks are encrypted")
		}
		if err := decodable(chunk); err != nil {
			return fmt.Errorf("column %q: %w", chunk.PathInSchema(), err)
		}
		if chunk.FilePath() != "" {
			return fmt.Errorf("column chunk %d lies in another file, %q", c, chunk.FilePath())
		}
		start, size := chunk.DataPageOffset(), chunk.TotalCompressedSize()
		if d := chunk.DictionaryPageOffset(); chunk.HasDictionaryPage() && d > 0 && d < start {
			start = d
		}
		if rg.NumRows() > 0 && (start < 4 || size < 0 || start+size < start || start+size > f.src.size) {
			return fmt.Errorf("column chunk %d, %d bytes at %d, reaches outside the file of %d bytes", c, size, start, f.src.size)
		}
	}
	return nil
}

// decodable refuses early what the library cannot decode, so that nobody finds
// it after an hour of reading other files.
func decodable(chunk *metadata.ColumnChunkMetaData) error {
	if _, err := compress.GetCodec(chunk.Compression()); err != nil {
		return fmt.Errorf("compression %s is not supported", chunk.Compression())
	}
	for _, e := range chunk.Encodings() {
		switch e {
		case parquet.Encodings.Plain, parquet.Encodings.PlainDict, parquet.Encodings.RLE, parquet.Encodings.RLEDict,
			parquet.Encodings.BitPacked, parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaByteArray,
			parquet.Encodings.DeltaLengthByteArray:
		case byteStreamSplit:
			if !splits(chunk.Type()) {
				return fmt.Errorf("encoding %s of %s is not supported", e, chunk.Type())
			}
		default:
			return fmt.Errorf("encoding %s is not supported", e)
		}
	}
	return nil
}

// Columns describes the top-level columns in the file's order. Callers do not change it.
func (f *File) Columns() []schema.CopyColumn { return f.columns }

// FieldIDs are the field ids beside Columns, -1 where the file has none.
func (f *File) FieldIDs() []int32 {
	out := make([]int32, f.root.NumFields())
	for i := range out {
		out[i] = f.root.Field(i).FieldID()
	}
	return out
}

// Rows is the number of rows, summed over the row groups.
func (f *File) Rows() int64 { return f.rows }

// RowGroups is the number of row groups.
func (f *File) RowGroups() int { return f.rdr.NumRowGroups() }

// CreatedBy is what the writing library says of itself; may be empty.
func (f *File) CreatedBy() string { return f.rdr.MetaData().GetCreatedBy() }

// KeyValue is a value of the footer's key-value metadata.
func (f *File) KeyValue(key string) (string, bool) {
	if v := f.rdr.MetaData().KeyValueMetadata().FindValue(key); v != nil {
		return *v, true
	}
	return "", false
}

// EndSum is a SHA-256 over the last 64 KiB of the file, and over its footer where
// that is longer: all of a small file. Files of other rows nearly always differ in
// it, as a footer holds each column's counts, sizes and positions.
func (f *File) EndSum() ([sha256.Size]byte, error) {
	beyond := f.src.footer - min(f.src.size, tailBytes)
	if beyond <= 0 {
		return f.src.end, nil
	}
	h := sha256.New()
	h.Write(f.src.end[:])
	if _, err := io.CopyBuffer(h, io.NewSectionReader(f.src, f.src.size-f.src.footer, beyond), make([]byte, tailBytes)); err != nil {
		return f.src.end, errors.Join(f.src.failure(), err)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// Close lets go of the footer. It does not close the store's file, which its opener closes.
func (f *File) Close() error { return nil }
