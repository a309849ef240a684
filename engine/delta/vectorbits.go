package delta

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/RoaringBitmap/roaring/v2"
)

// Vector is the positions of a file's deleted rows, counted from 0 over all its row groups.
type Vector struct {
	parts []vectorPart // ascending
	count int64
}

// vectorPart is the rows whose positions share their upper 32 bits.
type vectorPart struct {
	high uint32
	low  *roaring.Bitmap
}

// Count is the number of deleted rows.
func (v *Vector) Count() int64 { return v.count }

// Between yields the deleted positions from from on and before to, in order.
func (v *Vector) Between(from, to int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for _, p := range v.parts {
			base := int64(p.high) << 32
			if base >= to || base+1<<32 <= from {
				continue
			}
			it := p.low.Iterator()
			if from > base {
				it.AdvanceIfNeeded(uint32(from - base))
			}
			for it.HasNext() {
				at := base + int64(it.Next())
				if at >= to || !yield(at) {
					return
				}
			}
		}
	}
}

func (v *Vector) last() int64 {
	if len(v.parts) == 0 {
		return -1
	}
	p := v.parts[len(v.parts)-1]
	return int64(p.high)<<32 + int64(p.low.Maximum())
}

// vectorMagic begins the form that the protocol describes; older ones are not written any more.
const vectorMagic = 1681511377

// parseVector reads 32-bit bitmaps behind their upper halves.
func parseVector(data []byte, rows int64) (*Vector, error) {
	if len(data) < 12 {
		return nil, fmt.Errorf("%d bytes are no deletion vector", len(data))
	}
	if rows < 0 {
		return nil, fmt.Errorf("the file has %d rows", rows)
	}
	if magic := binary.LittleEndian.Uint32(data); magic != vectorMagic {
		return nil, fmt.Errorf("it begins with %d, not with %d", magic, vectorMagic)
	}
	count := binary.LittleEndian.Uint64(data[4:])
	if most := uint64(rows)>>32 + 1; count > most {
		return nil, fmt.Errorf("it has %d parts where %d are the most", count, most)
	}
	v, rest := &Vector{}, data[12:]
	for range count {
		if len(rest) < 4 {
			return nil, errors.New("it ends within a part")
		}
		p := vectorPart{binary.LittleEndian.Uint32(rest), roaring.New()}
		if k := len(v.parts); k > 0 && v.parts[k-1].high >= p.high {
			return nil, errors.New("its parts are not in order")
		}
		// The upper half is compared as it stands: shifted, a large one would be a negative position.
		if last := uint64(max(rows-1, 0)) >> 32; uint64(p.high) > last {
			return nil, fmt.Errorf("it deletes rows behind number %d of a file of %d rows", uint64(p.high)<<32, rows)
		}
		n, err := p.read(rest[4:], rows-int64(p.high)<<32)
		if err != nil {
			return nil, err
		}
		rest = rest[4+n:]
		if p.low.IsEmpty() {
			continue
		}
		v.parts = append(v.parts, p)
		v.count += int64(p.low.GetCardinality())
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%d bytes follow its end", len(rest))
	}
	return v, nil
}

// read fills the part from the beginning of data and tells how much of it that
// took. What the library makes of untrusted bytes is not used further: its values
// are put, in order, into a bitmap that is sound by its making. The first value
// that is not below rows ends it: a few bytes can stand for billions of values.
func (p vectorPart) read(data []byte, rows int64) (n int64, err error) {
	defer func() {
		if e := recover(); e != nil { // whatever a hostile file makes the library do
			err = fmt.Errorf("its bitmap cannot be read: %v", e)
		}
	}()
	raw := roaring.New()
	if n, err = raw.ReadFrom(bytes.NewReader(data)); err != nil {
		return 0, fmt.Errorf("its bitmap cannot be read: %w", err)
	}
	values, last := make([]uint32, 4096), int64(-1)
	for it := raw.ManyIterator(); ; {
		got := values[:it.NextMany(values)]
		if len(got) == 0 {
			return n, nil
		}
		for _, v := range got {
			if int64(v) <= last {
				return 0, fmt.Errorf("its bitmap has %d after %d", v, last)
			}
			if last = int64(v); last >= rows {
				return 0, fmt.Errorf("it deletes row %d of %d", last, rows)
			}
		}
		p.low.AddMany(got)
	}
}
