package splice

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v17/parquet/compress"

	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
)

// synthRows is how many rows one page of a made chunk holds: a run takes as many
// bytes for one row as for all of them.
const synthRows = 1 << 20

// The fields of a page's header, as parquet.thrift numbers them.
const (
	pageKind         = 1
	pageUncompressed = 2
	pageCompressed   = 3
	pageChecksum     = 4
	pageData         = 5
	pageDictionary   = 7
	pageDataV2       = 8

	dataValues       = 1
	dataEncoding     = 2
	dataDefinition   = 3
	dataRepetition   = 4
	dataStatistics   = 5
	dataStatisticsV2 = 8 // of a page of version 2
	dictValues       = 1
	dictEncoding     = 2
)

// chunk is a column chunk that was made here: its bytes, and what the footer says
// of it with offsets into them.
type chunk struct {
	bytes []byte
	parts footer.ChunkParts
	pages []page
}

// page is one data page of a made chunk.
type page struct{ offset, size, firstRow, rows int64 }

// at is the chunk's entry in the footer of a file in which it begins at offset.
func (c *chunk) at(offset int64) footer.Chunk {
	p := c.parts
	p.Data += offset
	if p.Dictionary >= 0 {
		p.Dictionary += offset
	} else {
		p.Dictionary = 0
	}
	return footer.NewChunk(p)
}

// one is a value that fills a column: as Parquet stores plain values, with the
// length in front of those that have one. A nil plain is NULL.
type one struct {
	physical footer.Physical
	plain    []byte
	bound    []byte // of the chunk's statistics; nil is none
}

// synth makes the chunk of an optional column whose n rows all hold v.
func synth(name string, v one, n int64) (*chunk, error) {
	c := &chunk{parts: footer.ChunkParts{
		Physical: v.physical, Path: []string{name}, Codec: footer.Uncompressed, Values: n, Dictionary: -1,
		Encodings: []footer.Encoding{footer.Plain, footer.RLE}, Statistics: &footer.ChunkStatistics{Nulls: n},
	}}
	encoding := footer.Plain
	if v.plain != nil {
		c.parts.Statistics = &footer.ChunkStatistics{Min: v.bound, Max: v.bound}
		if v.physical == footer.Boolean { // for which Parquet has no dictionary
			c.parts.Codec = footer.Snappy
		} else {
			encoding = footer.RLEDictionary
			c.parts.Encodings = append(c.parts.Encodings, encoding)
			c.dictionary(v.plain)
		}
	}
	c.parts.Data = int64(len(c.bytes))
	for first := int64(0); first < n; first += synthRows {
		if err := c.data(v, encoding, first, min(n-first, synthRows)); err != nil {
			return nil, err
		}
	}
	c.parts.Size = int64(len(c.bytes))
	c.parts.Pages = append(c.parts.Pages, footer.PageCount{Page: footer.DataPage, Encoding: encoding, Count: int64(len(c.pages))})
	return c, nil
}

// dictionary adds the page that holds the one value.
func (c *chunk) dictionary(plain []byte) {
	c.parts.Dictionary = 0
	c.parts.Pages = append(c.parts.Pages, footer.PageCount{Page: footer.DictionaryPage, Encoding: footer.Plain, Count: 1})
	c.page(footer.DictionaryPage, pageDictionary, dictionaryHeader(1), plain, len(plain))
}

func dictionaryHeader(values int32) *thrift.Struct {
	h := &thrift.Struct{}
	h.Set(dictValues, thrift.Int32(values))
	h.Set(dictEncoding, thrift.Int32(int32(footer.Plain)))
	return h
}

// data adds a page of n rows: a run of definition levels and, for a value, a run
// of places in the dictionary or bits.
func (c *chunk) data(v one, encoding footer.Encoding, first, n int64) error {
	level := byte(1)
	if v.plain == nil {
		level = 0
	}
	run := runOf(nil, n, level)
	body := append(binary.LittleEndian.AppendUint32(nil, uint32(len(run))), run...)
	switch {
	case v.plain == nil:
	case encoding == footer.RLEDictionary:
		body = runOf(append(body, 1), n, 0) // places of one bit
	default:
		body = append(body, bits(v.plain[0] != 0, n)...)
	}
	size := len(body)
	if c.parts.Codec == footer.Snappy {
		codec, err := compress.GetCodec(compress.Codecs.Snappy)
		if err != nil {
			return err
		}
		body = codec.Encode(make([]byte, codec.CompressBound(int64(size))), body)
	}
	h := &thrift.Struct{}
	h.Set(dataValues, thrift.Int32(int32(n)))
	h.Set(dataEncoding, thrift.Int32(int32(encoding)))
	h.Set(dataDefinition, thrift.Int32(int32(footer.RLE)))
	h.Set(dataRepetition, thrift.Int32(int32(footer.RLE)))
	at := int64(len(c.bytes))
	c.page(footer.DataPage, pageData, h, body, size)
	c.pages = append(c.pages, page{at, int64(len(c.bytes)) - at, first, n})
	return nil
}

// page adds a page with the part of its header that its kind has.
func (c *chunk) page(kind footer.PageKind, field int16, part *thrift.Struct, body []byte, uncompressed int) {
	head := pageHeader(kind, field, part, uncompressed, len(body), thrift.Value{})
	c.bytes = append(append(c.bytes, head...), body...)
	c.parts.Uncompressed += int64(len(head) + uncompressed)
}

func pageHeader(kind footer.PageKind, field int16, part *thrift.Struct, uncompressed, compressed int, checksum thrift.Value) []byte {
	h := &thrift.Struct{}
	h.Set(pageKind, thrift.Int32(int32(kind)))
	h.Set(pageUncompressed, thrift.Int32(int32(uncompressed)))
	h.Set(pageCompressed, thrift.Int32(int32(compressed)))
	if checksum.Kind() == thrift.I32 {
		h.Set(pageChecksum, checksum)
	}
	h.Set(field, thrift.Of(part))
	return h.Append(nil)
}

// runOf is n times one value of up to eight bits in the RLE and bit-packing hybrid.
func runOf(dst []byte, n int64, value byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(n)<<1), value)
}

// bits are n booleans of one value; those behind the last are 0.
func bits(v bool, n int64) []byte {
	out := make([]byte, (n+7)/8)
	if !v {
		return out
	}
	for i := range out {
		out[i] = 0xff
	}
	if rest := n % 8; rest != 0 {
		out[len(out)-1] = 1<<rest - 1
	}
	return out
}
