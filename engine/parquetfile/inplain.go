package parquetfile

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
)

// byteStreamSplit is the format's number of an encoding that the library has no name for.
const byteStreamSplit = parquet.Encoding(9)

// inPlain is the page itself, or the same page with its values in the PLAIN
// encoding where the library has no decoder for theirs: bytes of numbers apart
// from each other, and values of fixed length that share their beginnings.
func (c *checkedPages) inPlain(p file.Page) (file.Page, error) {
	levels, err := c.levels(p)
	if err != nil {
		return p, err
	}
	data := p.Data()
	var values []byte
	switch enc := parquet.Encoding(p.Encoding()); {
	case levels < 0:
		return p, nil
	case enc == byteStreamSplit:
		values, err = joined(data[levels:], c.width())
	case enc == parquet.Encodings.DeltaByteArray && c.descr.PhysicalType() == parquet.Types.FixedLenByteArray:
		values, err = unshared(data[levels:], c.width())
	default:
		return p, nil
	}
	if err != nil {
		return p, err
	}
	buf := memory.NewBufferBytes(append(data[:levels:levels], values...))
	switch p := p.(type) {
	case *file.DataPageV1:
		return file.NewDataPageV1(buf, p.NumValues(), parquet.Encodings.Plain,
			p.DefinitionLevelEncoding(), p.RepetitionLevelEncoding(), int32(buf.Len())), nil
	case *file.DataPageV2:
		return file.NewDataPageV2(buf, p.NumValues(), p.NumNulls(), p.NumRows(), parquet.Encodings.Plain,
			p.DefinitionLevelByteLen(), p.RepetitionLevelByteLen(), int32(buf.Len()), false), nil
	}
	return p, nil
}

// levels is how many bytes of a data page stand in front of its values; -1 for
// any other page. The page's levels were checked.
func (c *checkedPages) levels(p file.Page) (int, error) {
	switch p := p.(type) {
	case *file.DataPageV1:
		rest, err := levelsV1(p.Data(), p.RepetitionLevelEncoding(), c.rep, p.NumValues())
		if err == nil {
			rest, err = levelsV1(rest, p.DefinitionLevelEncoding(), c.def, p.NumValues())
		}
		return len(p.Data()) - len(rest), err
	case *file.DataPageV2:
		return int(p.RepetitionLevelByteLen()) + int(p.DefinitionLevelByteLen()), nil
	}
	return -1, nil
}

// width is the bytes of one value in the PLAIN encoding.
func (c *checkedPages) width() int {
	switch c.descr.PhysicalType() {
	case parquet.Types.Int32, parquet.Types.Float:
		return 4
	case parquet.Types.Int64, parquet.Types.Double:
		return 8
	case parquet.Types.FixedLenByteArray:
		return c.descr.TypeLength()
	}
	return 0
}

// splits reports whether values of the type may have their bytes apart.
func splits(t parquet.Type) bool {
	switch t {
	case parquet.Types.Int32, parquet.Types.Int64, parquet.Types.Float, parquet.Types.Double, parquet.Types.FixedLenByteArray:
		return true
	}
	return false
}

// joined puts numbers together that were written as all first bytes, then all
// second ones, and so on.
func joined(data []byte, width int) ([]byte, error) {
	if width < 1 || len(data)%width != 0 {
		return nil, fmt.Errorf("%d bytes are no values of %d bytes each", len(data), width)
	}
	n := len(data) / width
	out := make([]byte, len(data))
	for k := range width {
		at := k
		for _, b := range data[k*n : (k+1)*n] {
			out[at] = b
			at += width
		}
	}
	return out, nil
}

// unshared writes out values of width bytes that were told as how much each has
// in common with the one before it, and the rest.
func unshared(data []byte, width int) ([]byte, error) {
	if len(data) == 0 {
		return nil, nil
	}
	shared, data, err := deltaNumbers(data, width)
	if err != nil {
		return nil, err
	}
	own, data, err := deltaNumbers(data, width)
	if err != nil {
		return nil, err
	}
	if len(shared) != len(own) {
		return nil, fmt.Errorf("%d values begin and %d values end", len(shared), len(own))
	}
	out := make([]byte, 0, len(own)*width)
	for i := range own {
		s, o := shared[i], own[i]
		if s < 0 || o < 0 || s+o != int64(width) || s > int64(len(out)) || o > int64(len(data)) {
			return nil, fmt.Errorf("a value of %d and %d bytes, where each has %d", s, o, width)
		}
		if s > 0 {
			out = append(out, out[len(out)-width:len(out)-width+int(s)]...)
		}
		out = append(out, data[:o]...)
		data = data[o:]
	}
	return out, nil
}

// deltaNumbers decodes delta-packed numbers that deltas has walked, and answers
// what follows them. width is the bytes that each of them will ask for.
func deltaNumbers(data []byte, width int) (out []int64, rest []byte, err error) {
	var head [4]uint64 // numbers in a block, parts of a block, numbers, the first of them
	for i := range head {
		v, used := binary.Uvarint(data)
		if used <= 0 {
			return nil, nil, errDelta
		}
		head[i], data = v, data[used:]
	}
	block, parts, count := head[0], head[1], head[2]
	if parts == 0 || block/parts == 0 {
		return nil, nil, errDelta
	}
	if count > maxAllocation/uint64(max(width, 8)) {
		return nil, nil, errTooLarge
	}
	if count == 0 {
		return nil, data, nil
	}
	out = make([]int64, 1, count)
	out[0] = unzigzag(head[3])
	for uint64(len(out)) < count {
		if out, data, err = deltaPart(out, data, parts, block/parts); err != nil {
			return nil, nil, err
		}
	}
	return out, data, nil
}

// deltaPart appends a block of numbers, in parts of per each, up to out's capacity.
func deltaPart(out []int64, data []byte, parts, per uint64) ([]int64, []byte, error) {
	least, used := binary.Uvarint(data)
	if used <= 0 || parts > uint64(len(data)-used) {
		return nil, nil, errDelta
	}
	widths := data[used : uint64(used)+parts]
	data = data[uint64(used)+parts:]
	for _, width := range widths {
		n := min(per, uint64(cap(out)-len(out)))
		if n == 0 {
			break
		}
		if width > 64 || (n*uint64(width)+7)/8 > uint64(len(data)) {
			return nil, nil, errDelta
		}
		for i := range n {
			out = append(out, out[len(out)-1]+unzigzag(least)+int64(packed(data, i*uint64(width), uint64(width))))
		}
		data = data[min(per*uint64(width)/8, uint64(len(data))):] // the last part's padding may be left out
	}
	return out, data, nil
}

// packed is the number of width bits that begins at a bit of data.
func packed(data []byte, bit, width uint64) (v uint64) {
	for have := uint64(0); have < width; {
		at := bit + have
		take := min(8-at%8, width-have)
		v |= uint64(data[at/8]>>(at%8)) & (1<<take - 1) << have
		have += take
	}
	return v
}
