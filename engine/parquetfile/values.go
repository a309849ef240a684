package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/parquet"
)

// values checks what the levels leave of a page, where the library's decoder
// believes a number in it: one that is damaged would make it ask for gigabytes,
// or try for ever.
func (c *checkedPages) values(enc parquet.Encoding, data []byte, n int32) error {
	if n == 0 {
		return nil
	}
	var err error
	switch enc {
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		return indices(data, c.dictionary, uint64(n))
	case parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaLengthByteArray:
		_, err = c.deltas(data, uint64(n))
	case parquet.Encodings.DeltaByteArray: // the lengths of what is shared, then of the rest
		if data, err = c.deltas(data, uint64(n)); err == nil {
			_, err = c.deltas(data, uint64(n))
		}
	}
	return err
}

// freeWidth is how many bits an index may have without a look at it: a decoder
// makes room up to the largest index that it meets.
const freeWidth = 16

// indices checks that none of a page's at most n indices lies far beyond the
// dictionary of size values. Where they end early the library tells it.
func indices(data []byte, size, n uint64) error {
	if len(data) == 0 || data[0] <= freeWidth {
		return nil
	}
	width := uint64(data[0])
	if width > 32 {
		return fmt.Errorf("indices of %d bits", width)
	}
	data = data[1:]
	for have := uint64(0); have < n; {
		head, used := binary.Uvarint(data)
		if used <= 0 || head>>1 == 0 {
			return nil
		}
		data = data[used:]
		bytes, count, largest := (width+7)/8, head>>1, uint64(0)
		if head&1 == 1 {
			bytes = uint64(len(data))
			if count < bytes/width { // not the last run
				bytes = count * width
			}
			count = min(bytes*8/width, n-have)
			if 1<<width > 2*size { // no more bits than the dictionary needs lead nowhere
				largest = largestOf(data, width, count)
			}
		} else if bytes <= uint64(len(data)) {
			for i := range bytes {
				largest |= uint64(data[i]) << (8 * i)
			}
		}
		if largest >= max(size, 1) {
			return fmt.Errorf("index %d into a dictionary of %d values", largest, size)
		}
		if bytes > uint64(len(data)) {
			return nil
		}
		data = data[bytes:]
		have += count
	}
	return nil
}

// largestOf is the largest of count numbers of width bits each.
func largestOf(data []byte, width, count uint64) (out uint64) {
	for i := range count {
		v := uint64(0)
		for b := range width {
			at := i*width + b
			v |= uint64(data[at/8]>>(at%8)&1) << b
		}
		out = max(out, v)
	}
	return out
}

// maxDeltaBlock is the most numbers that a block of delta-packed ones may hold.
// Writers make blocks of 128, one of 2048.
const maxDeltaBlock = 1 << 16

var errDelta = errors.New("delta-packed numbers end early")

// deltas walks delta-packed numbers for n values, and answers what follows them.
// There are as many as values, or fewer where values may be NULL.
func (c *checkedPages) deltas(data []byte, n uint64) ([]byte, error) {
	nullable := c.def > 0 || c.rep > 0
	if len(data) == 0 && nullable {
		return nil, nil // all of them are, as the levels tell
	}
	var head [4]uint64 // numbers in a block, parts of a block, numbers, the first of them
	for i := range head {
		v, used := binary.Uvarint(data)
		if used <= 0 {
			return nil, errDelta
		}
		head[i], data = v, data[used:]
	}
	block, parts, count := head[0], head[1], head[2]
	if block > maxDeltaBlock || parts == 0 || parts > block/8 || block%(8*parts) != 0 { // a part ends with a byte
		return nil, fmt.Errorf("blocks of %d delta-packed numbers in %d parts", block, parts)
	}
	if count > n || count < n && !nullable {
		return nil, fmt.Errorf("%d delta-packed numbers for %d values", count, n)
	}
	for left := max(count, 1) - 1; left > 0; {
		var err error
		if data, left, err = deltaBlock(data, parts, block/parts, left); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// deltaBlock passes by a block of the left numbers, in parts of per each.
func deltaBlock(data []byte, parts, per, left uint64) (rest []byte, after uint64, err error) {
	_, used := binary.Uvarint(data) // the least difference
	if used <= 0 || parts > uint64(len(data)-used) {
		return nil, 0, errDelta
	}
	widths := data[used : uint64(used)+parts]
	data = data[uint64(used)+parts:]
	for _, width := range widths {
		if left == 0 {
			break
		}
		if width > 64 {
			return nil, 0, fmt.Errorf("delta-packed numbers of %d bits", width)
		}
		have := min(per, left)
		if need := (have*uint64(width) + 7) / 8; need > uint64(len(data)) {
			return nil, 0, errDelta
		}
		left -= have
		data = data[min(per/8*uint64(width), uint64(len(data))):] // the last part's padding may be left out
	}
	return data, left, nil
}
