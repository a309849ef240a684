package footer

import "cdcseed/engine/splice/footer/thrift"

// ChunkParts are what the footer tells of a chunk that was made, not copied.
type ChunkParts struct {
	Physical     Physical
	Encodings    []Encoding
	Path         []string
	Codec        Codec
	Values       int64
	Uncompressed int64 // bytes, headers among them
	Size         int64 // bytes in the file, headers among them
	Data         int64 // offset of the first data page
	Dictionary   int64 // offset of the dictionary page; 0 is none
	Statistics   *ChunkStatistics
	Pages        []PageCount
}

// ChunkStatistics are a new chunk's bounds, in the PLAIN encoding without a
// length in front. A nil bound is left out.
type ChunkStatistics struct {
	Nulls    int64
	Min, Max []byte // exact
}

// NewChunk is a chunk of the footer.
func NewChunk(p ChunkParts) Chunk {
	m := &thrift.Struct{}
	encodings := make([]thrift.Value, len(p.Encodings))
	for i, e := range p.Encodings {
		encodings[i] = thrift.Int32(int32(e))
	}
	m.Set(metaType, thrift.Int32(int32(p.Physical)))
	m.Set(metaEncodings, thrift.ListOf(thrift.I32, encodings...))
	m.Set(metaPath, texts(p.Path))
	m.Set(metaCodec, thrift.Int32(int32(p.Codec)))
	m.Set(metaValues, thrift.Int64(p.Values))
	m.Set(metaUncompressed, thrift.Int64(p.Uncompressed))
	m.Set(metaCompressed, thrift.Int64(p.Size))
	m.Set(metaData, thrift.Int64(p.Data))
	if p.Dictionary > 0 {
		m.Set(metaDictionary, thrift.Int64(p.Dictionary))
	}
	if p.Statistics != nil {
		m.Set(metaStatistics, thrift.Of(p.Statistics.tree()))
	}
	if len(p.Pages) > 0 {
		m.Set(metaEncodingStats, pageCounts(p.Pages))
	}
	s := &thrift.Struct{}
	s.Set(chunkOffset, thrift.Int64(0))
	s.Set(chunkMeta, thrift.Of(m))
	return Chunk{s}
}

func (s *ChunkStatistics) tree() *thrift.Struct {
	out := &thrift.Struct{}
	out.Set(statNulls, thrift.Int64(s.Nulls))
	if s.Max != nil {
		out.Set(statMax, thrift.Bytes(s.Max))
	}
	if s.Min != nil {
		out.Set(statMin, thrift.Bytes(s.Min))
	}
	return out
}

func pageCounts(in []PageCount) thrift.Value {
	items := make([]*thrift.Struct, len(in))
	for i, p := range in {
		items[i] = &thrift.Struct{}
		items[i].Set(1, thrift.Int32(int32(p.Page)))
		items[i].Set(2, thrift.Int32(int32(p.Encoding)))
		items[i].Set(3, thrift.Int32(int32(p.Count)))
	}
	return thrift.Structs(items...)
}

// SetStatistics gives the chunk bounds and counts anew.
func (c Chunk) SetStatistics(s ChunkStatistics) { c.meta().Set(metaStatistics, thrift.Of(s.tree())) }
