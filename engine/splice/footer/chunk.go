package footer

import (
	"fmt"
	"slices"

	"cdcseed/engine/splice/footer/thrift"
)

// Chunk is a column chunk: a leaf's pages of one row group.
type Chunk struct{ s *thrift.Struct }

func (c Chunk) meta() *thrift.Struct { return c.s.Struct(chunkMeta) }

// Struct is the tree beneath, a ColumnChunk.
func (c Chunk) Struct() *thrift.Struct { return c.s }

// Physical is the type of the values.
func (c Chunk) Physical() Physical { return Physical(c.meta().Int(metaType, int64(NoType))) }

// Codec is how the pages are compressed.
func (c Chunk) Codec() Codec { return Codec(c.meta().Int(metaCodec, -1)) }

// Encodings are all that the chunk says it uses, of levels too.
func (c Chunk) Encodings() []Encoding {
	items := c.meta().Items(metaEncodings)
	out := make([]Encoding, len(items))
	for i, it := range items {
		out[i] = Encoding(it.Int())
	}
	return out
}

// PageCount is how many pages of a kind have an encoding.
type PageCount struct {
	Page     PageKind
	Encoding Encoding
	Count    int64
}

// EncodingStats are the pages by kind and encoding; nil where the writer did not count them.
func (c Chunk) EncodingStats() []PageCount {
	var out []PageCount
	for _, it := range c.meta().Items(metaEncodingStats) {
		s := it.Struct()
		out = append(out, PageCount{PageKind(s.Int(1, -1)), Encoding(s.Int(2, -1)), s.Int(3, 0)})
	}
	return out
}

// Path is the names of the fields down to the leaf.
func (c Chunk) Path() []string {
	items := c.meta().Items(metaPath)
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = string(it.Raw())
	}
	return out
}

// hasPath reports whether Path is the one given.
func (c Chunk) hasPath(path []string) bool {
	return slices.EqualFunc(c.meta().Items(metaPath), path, func(v thrift.Value, name string) bool { return string(v.Raw()) == name })
}

// Values is the number of values, nulls and empty lists among them.
func (c Chunk) Values() int64 { return c.meta().Int(metaValues, 0) }

// Size is the bytes of the pages in the file, their headers among them.
func (c Chunk) Size() int64 { return c.meta().Int(metaCompressed, 0) }

// Uncompressed is Size as it would be without compression.
func (c Chunk) Uncompressed() int64 { return c.meta().Int(metaUncompressed, 0) }

// DataOffset is where the first data page stands, by the footer's word.
func (c Chunk) DataOffset() int64 { return c.meta().Int(metaData, 0) }

// DictionaryOffset is where the dictionary page stands. A place of 0, or none
// before the first data page, is no place: some writers leave it so.
func (c Chunk) DictionaryOffset() (at int64, ok bool) {
	at = c.meta().Int(metaDictionary, 0)
	return at, at > 0 && at < c.DataOffset()
}

// Start is the chunk's first byte.
func (c Chunk) Start() int64 {
	if at, ok := c.DictionaryOffset(); ok {
		return at
	}
	return c.DataOffset()
}

// FilePath names the other file that the pages lie in; empty is this file.
func (c Chunk) FilePath() string { return c.s.Text(chunkPath) }

// Encrypted reports whether the chunk names an encryption.
func (c Chunk) Encrypted() bool { return c.s.Has(chunkCrypto) || c.s.Has(chunkSealed) }

// Region is a stretch of the file. The zero Region is none.
type Region struct{ Offset, Length int64 }

// End is the first byte behind the region.
func (r Region) End() int64 { return r.Offset + r.Length }

// ColumnIndex is where the bounds of the chunk's pages stand.
func (c Chunk) ColumnIndex() (r Region, ok bool) {
	return region(c.s, chunkColumnIndex, chunkColumnIndexLen)
}

// OffsetIndex is where the places of the chunk's pages stand.
func (c Chunk) OffsetIndex() (r Region, ok bool) {
	return region(c.s, chunkOffsetIndex, chunkOffsetIndexLen)
}

// Bloom is the chunk's Bloom filter. Its length is 0 where the writer did not tell it.
func (c Chunk) Bloom() (r Region, ok bool) {
	return region(c.meta(), metaBloom, metaBloomLen)
}

func region(s *thrift.Struct, at, length int16) (Region, bool) {
	return Region{s.Int(at, 0), s.Int(length, 0)}, s.Has(at)
}

// Moved is the chunk as it stands delta bytes further on in a new file: its
// page indexes and Bloom filter, whose places the new file decides, and the
// places that are none, are left out.
func (c Chunk) Moved(delta int64) Chunk {
	out := Chunk{c.s.Clone()}
	dict, ok := c.DictionaryOffset()
	out.s.Delete(chunkOffsetIndex, chunkOffsetIndexLen, chunkColumnIndex, chunkColumnIndexLen)
	out.s.Set(chunkOffset, thrift.Int64(0))
	m := out.meta()
	m.Delete(metaIndexPage, metaDictionary, metaBloom, metaBloomLen)
	m.Set(metaData, thrift.Int64(c.DataOffset()+delta))
	if ok {
		m.Set(metaDictionary, thrift.Int64(dict+delta))
	}
	return out
}

// SetPath renames the fields down to the leaf.
func (c Chunk) SetPath(path []string) {
	c.meta().Set(metaPath, texts(path))
}

// SetIndexes says where the page indexes stand in the new file.
func (c Chunk) SetIndexes(column, offset Region) error {
	for _, r := range []Region{column, offset} {
		if int64(int32(r.Length)) != r.Length {
			return fmt.Errorf("a page index of %d bytes", r.Length)
		}
	}
	c.s.Set(chunkColumnIndex, thrift.Int64(column.Offset))
	c.s.Set(chunkColumnIndexLen, thrift.Int32(int32(column.Length)))
	c.s.Set(chunkOffsetIndex, thrift.Int64(offset.Offset))
	c.s.Set(chunkOffsetIndexLen, thrift.Int32(int32(offset.Length)))
	return nil
}

// SetBloom says where the Bloom filter stands in the new file.
func (c Chunk) SetBloom(r Region) error {
	if int64(int32(r.Length)) != r.Length {
		return fmt.Errorf("a Bloom filter of %d bytes", r.Length)
	}
	c.meta().Set(metaBloom, thrift.Int64(r.Offset))
	c.meta().Set(metaBloomLen, thrift.Int32(int32(r.Length)))
	return nil
}

// DropStatistics takes the bounds and counts out of the chunk.
func (c Chunk) DropStatistics() { c.meta().Delete(metaStatistics) }

func texts(in []string) thrift.Value {
	out := make([]thrift.Value, len(in))
	for i, s := range in {
		out[i] = thrift.String(s)
	}
	return thrift.ListOf(thrift.Binary, out...)
}
