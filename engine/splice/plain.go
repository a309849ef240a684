package splice

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
	"cdcseed/engine/store"
)

// heldFile is a file of a few bytes that was made here.
type heldFile struct{ *bytes.Reader }

var _ store.File = heldFile{}

func inMemory(b []byte) heldFile { return heldFile{bytes.NewReader(b)} }

// Size is the number of bytes.
func (f heldFile) Size() int64 { return f.Reader.Size() }

// Close has nothing to let go of.
func (f heldFile) Close() error { return nil }

// encoded is an array as parquetfile writes it: the plain values one after the
// other, the column's element in the schema, and its statistics.
type encoded struct {
	plain   []byte
	element footer.Element
	stats   parquetfile.ColumnBounds
}

// encode writes an array without NULLs to a file in memory and takes the values
// out of its pages, so that there is one way only in which values are stored.
func encode(name string, fieldID *int32, values arrow.Array) (out encoded, err error) {
	var b bytes.Buffer
	field := arrowField(name, fieldID, values.DataType())
	pw, err := parquetfile.NewWriter(&b, arrow.NewSchema([]arrow.Field{field}, nil), parquetfile.WriterOptions{
		Codec: parquetfile.Uncompressed, ByHand: true, NoDictionary: true,
	})
	if err != nil {
		return out, err
	}
	rec := array.NewRecord(arrow.NewSchema([]arrow.Field{field}, nil), []arrow.Array{values}, int64(values.Len()))
	defer rec.Release()
	if err := pw.Write(rec); err != nil {
		return out, err
	}
	sum, err := pw.Close()
	if err != nil {
		return out, err
	}
	f, err := footer.Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		return out, err
	}
	out.element = f.Root().Children[0].Elements()[0]
	out.element.SetFieldID(fieldID)
	out.stats = sum.Columns[0]
	for _, g := range f.Groups() {
		c := g.Chunk(0)
		if out.plain, err = values1(out.plain, b.Bytes()[c.Start():], c.Values()); err != nil {
			return out, err
		}
	}
	return out, nil
}

func arrowField(name string, fieldID *int32, t arrow.DataType) arrow.Field {
	f := arrow.Field{Name: name, Type: t, Nullable: true}
	if fieldID != nil {
		f.Metadata = arrow.MetadataFrom(map[string]string{"PARQUET:field_id": strconv.Itoa(int(*fieldID))})
	}
	return f
}

// values1 appends the n values of uncompressed data pages of version 1 without NULLs.
func values1(dst, pages []byte, n int64) ([]byte, error) {
	for n > 0 {
		h, used, err := thrift.Parse(pages, pageLimits)
		if err != nil {
			return nil, err
		}
		body := pages[used:]
		size := h.Int(pageCompressed, -1)
		if h.Int(pageKind, -1) != int64(footer.DataPage) || size < 4 || size > int64(len(body)) {
			return nil, errors.New("a page of another kind or size than was written")
		}
		body = body[:size]
		levels := int64(binary.LittleEndian.Uint32(body))
		if levels > size-4 {
			return nil, errors.New("a page that is shorter than its levels")
		}
		dst = append(dst, body[4+levels:]...)
		pages = pages[int64(used)+size:]
		n -= h.Struct(pageData).Int(dataValues, n)
	}
	return dst, nil
}

// pageLimits bound a page's header: its statistics are the largest part of it.
var pageLimits = thrift.Limits{Depth: 8, Values: 1 << 10}

// decode reads n plain values, compressed as the chunk's pages are, as the reader
// reads them in the source: through a file in memory that has the one column. The
// page's checksum, where it has one, is looked at on the way.
func decode(ctx context.Context, f *footer.Footer, column *footer.Node, codec footer.Codec, body []byte, uncompressed int, n int32, checksum thrift.Value) (arrow.Array, error) {
	data := &thrift.Struct{}
	data.Set(dataValues, thrift.Int32(n))
	data.Set(dataEncoding, thrift.Int32(int32(footer.Plain)))
	data.Set(dataDefinition, thrift.Int32(int32(footer.RLE)))
	data.Set(dataRepetition, thrift.Int32(int32(footer.RLE)))
	head := pageHeader(footer.DataPage, pageData, data, uncompressed, len(body), checksum)
	out := append(append([]byte(magic), head...), body...)
	size := int64(len(head) + len(body))
	elements := column.CloneElements()
	elements[0].Struct().Set(elementRepetition, thrift.Int32(int32(footer.Required)))
	group, err := footer.NewGroup(0, int64(n), []footer.Chunk{footer.NewChunk(footer.ChunkParts{
		Physical: column.Physical(), Encodings: []footer.Encoding{footer.Plain}, Path: column.Path(), Codec: codec, Values: int64(n),
		Uncompressed: int64(len(head) + uncompressed), Size: size, Data: int64(len(magic)),
	})})
	if err != nil {
		return nil, err
	}
	made, err := f.With(footer.Parts{Schema: append([]footer.Element{f.NewRoot(1)}, elements...), Groups: []footer.Group{group}, Orders: []int{-1}})
	if err != nil {
		return nil, err
	}
	if out, err = made.AppendEnd(out); err != nil {
		return nil, err
	}
	return readAll(ctx, inMemory(out), int64(n))
}

// readAll reads the one column of a file as one array of n values.
func readAll(ctx context.Context, f store.File, n int64) (arrow.Array, error) {
	in, err := parquetfile.Open(f)
	if err != nil {
		return nil, err
	}
	scan := in.Read(ctx, nil, int(max(n, 1)))
	defer scan.Close()
	var parts []arrow.Array
	defer func() {
		for _, p := range parts {
			p.Release()
		}
	}()
	for scan.Next() {
		a := scan.Record().Column(0)
		a.Retain()
		parts = append(parts, a)
	}
	if err := scan.Err(); err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	all, err := array.Concatenate(parts, memory.DefaultAllocator)
	if err == nil && int64(all.Len()) != n {
		all.Release()
		return nil, fmt.Errorf("%d values of %d", all.Len(), n)
	}
	return all, err
}
