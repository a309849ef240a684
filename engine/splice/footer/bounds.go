package footer

import (
	"bytes"
	"encoding/binary"
	"math/big"

	"cdcseed/engine/splice/footer/thrift"
)

// NullCount is the number of nulls in a leaf, over all row groups. known is
// false where one group does not tell it, or tells what cannot be: nothing is
// then known, not even that there are some. Under a list or map the footer
// counts places of the leaf and not rows, so that nothing is known there.
func (f *Footer) NullCount(leaf int) (n int64, known bool) {
	if leaf < 0 || leaf >= len(f.leaves) || f.leaves[leaf].Rep > 0 {
		return 0, false
	}
	if f.leaves[leaf].Def > 0 && !writerOf(f.CreatedBy()).trusted(ofNulls, false) {
		return 0, false
	}
	for _, g := range f.Groups() {
		if g.Len() != len(f.leaves) {
			return 0, false
		}
		nulls, ok := g.Chunk(leaf).nulls(f.leaves[leaf])
		if !ok {
			return 0, false
		}
		n += nulls
	}
	return n, true
}

// nulls is the chunk's own count. A leaf that is always there has none.
func (c Chunk) nulls(leaf *Node) (n int64, known bool) {
	if c.Values() == 0 || leaf.Def == 0 {
		return 0, true
	}
	v := c.meta().Struct(metaStatistics).Get(statNulls)
	if v.Kind() == thrift.Stop || v.Int() < 0 || v.Int() > c.Values() {
		return 0, false
	}
	return v.Int(), true
}

// Bounds are a leaf's least and greatest value over all row groups, in the
// PLAIN encoding without a length in front.
type Bounds struct {
	Min, Max []byte
	// A bound that is not exact is still one, but maybe no value of the column.
	MinExact, MaxExact bool
	order              order
}

// Bounds are the leaf's bounds where its type, its writer and every row group
// allow to trust them. ok is false for a leaf that holds nothing but nulls.
func (f *Footer) Bounds(leaf int) (b Bounds, ok bool) {
	if leaf < 0 || leaf >= len(f.leaves) || f.leaves[leaf].Rep > 0 {
		return b, false
	}
	n := f.leaves[leaf]
	o := orderOf(n)
	if o == noOrder {
		return b, false
	}
	w := writerOf(f.CreatedBy())
	for _, g := range f.Groups() {
		if g.Len() != len(f.leaves) {
			return b, false
		}
		c := g.Chunk(leaf)
		if nulls, known := c.nulls(n); known && nulls == c.Values() && w.trusted(ofNulls, false) {
			continue
		}
		one, found := f.chunkBounds(n, o, w, c)
		if !found {
			return Bounds{}, false
		}
		if !ok {
			b, ok = one, true
			continue
		}
		b = b.with(one)
	}
	return b, ok
}

// Spoiled reports whether the leaf's statistics come of a library that is known
// to get them wrong: a new file is better without them, in the chunk and in
// page indexes, as readers do not all know that library's faults.
func (f *Footer) Spoiled(leaf int) bool {
	o := orderOf(f.leaves[leaf])
	return o != noOrder && writerOf(f.CreatedBy()).faulty(wordOf[o]|ofNulls, false)
}

// chunkBounds are those of one chunk. The fields of today count where the
// footer says that they sort by type; the old ones, which sorted as signed
// numbers, for leaves that do.
func (f *Footer) chunkBounds(n *Node, o order, w writer, c Chunk) (b Bounds, ok bool) {
	s := c.meta().Struct(metaStatistics)
	ordered, _ := f.TypeOrdered(n.Leaf)
	b.order = o
	switch {
	case s == nil:
		return b, false
	case ordered && s.Has(statMin) && s.Has(statMax):
		b.Min, b.Max = s.Get(statMin).Raw(), s.Get(statMax).Raw()
		b.MinExact, b.MaxExact = exact(s, statMinExact), exact(s, statMaxExact)
	case o == byNumber && s.Has(statMinOld) && s.Has(statMaxOld):
		b.Min, b.Max, b.MinExact, b.MaxExact = s.Get(statMinOld).Raw(), s.Get(statMaxOld).Raw(), true, true
	default:
		return b, false
	}
	if !w.trusted(wordOf[o], bytes.Equal(b.Min, b.Max)) {
		return b, false
	}
	return b, o.fits(n, b.Min) && o.fits(n, b.Max) && o.compare(b.Min, b.Max) <= 0
}

func exact(s *thrift.Struct, id int16) bool { return !s.Has(id) || s.Get(id).Truth() }

// with is the bounds of two row groups taken together.
func (b Bounds) with(o Bounds) Bounds {
	if b.order.compare(o.Min, b.Min) < 0 {
		b.Min, b.MinExact = o.Min, o.MinExact
	}
	if b.order.compare(o.Max, b.Max) > 0 {
		b.Max, b.MaxExact = o.Max, o.MaxExact
	}
	return b
}

// Int64s are the bounds of a leaf of whole numbers: integers, days, times,
// unscaled decimals in INT32 or INT64.
func (b Bounds) Int64s() (low, high int64, ok bool) {
	if b.order != byNumber || len(b.Min) < 4 {
		return 0, 0, false
	}
	return number(b.Min), number(b.Max), true
}

// Unscaled are the bounds of whole numbers and of decimals of any width.
func (b Bounds) Unscaled() (low, high *big.Int, ok bool) {
	if l, h, ok := b.Int64s(); ok {
		return big.NewInt(l), big.NewInt(h), true
	}
	if b.order != byFixed {
		return nil, nil, false
	}
	return signed(b.Min), signed(b.Max), true
}

// order is how a leaf's bounds compare.
type order int

const (
	noOrder  order = iota
	byNumber       // little endian and signed; a boolean's byte
	byBytes        // byte by byte
	byFixed        // big endian and signed
)

// wordOf is what a writer is trusted for in bounds of an order.
var wordOf = map[order]word{byNumber: ofNumbers, byBytes: ofTexts, byFixed: ofFixed}

// orderOf is noOrder for leaves whose bounds say nothing here: floats, of which
// no footer tells whether NaN is among them, INT96, decimals of changing length,
// and what has no order in the format.
func orderOf(n *Node) order {
	c := n.Describe()
	switch n.Physical() {
	case Boolean:
		return byNumber
	case Int32, Int64:
		if n.unknownAnnotation() {
			return noOrder
		}
		return byNumber
	case ByteArray:
		switch c.Logical {
		case "STRING", "ENUM", "JSON", "":
			if n.unknownAnnotation() {
				return noOrder
			}
			return byBytes
		}
	case FixedBytes:
		if c.Logical == "DECIMAL" {
			return byFixed
		}
	}
	return noOrder
}

// unknownAnnotation reports a field that is annotated as something that
// Describe has no word for.
func (n *Node) unknownAnnotation() bool {
	return n.Describe().Logical == "" && (n.s.Has(elementLogical) || n.s.Has(elementConverted))
}

// fits reports whether a bound is one of the leaf. Unsigned numbers sort in two ways,
// by writer and field, which agree only where both bounds are below half the range.
func (o order) fits(n *Node, v []byte) bool {
	switch n.Physical() {
	case Boolean:
		return len(v) == 1 && v[0] <= 1
	case Int32:
		return len(v) == 4 && (number(v) >= 0 || !n.Describe().Unsigned)
	case Int64:
		return len(v) == 8 && (number(v) >= 0 || !n.Describe().Unsigned)
	case FixedBytes:
		return len(v) == n.Length()
	}
	return true
}

func (o order) compare(a, b []byte) int {
	switch o {
	case byNumber:
		x, y := number(a), number(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	case byFixed:
		return signed(a).Cmp(signed(b))
	}
	return bytes.Compare(a, b)
}

// number reads the bytes of an INT32, INT64 or BOOLEAN.
func number(v []byte) int64 {
	switch len(v) {
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(v)))
	case 8:
		return int64(binary.LittleEndian.Uint64(v))
	}
	return int64(v[0])
}

// signed reads a number of any length in two's complement.
func signed(v []byte) *big.Int {
	out := new(big.Int).SetBytes(v)
	if len(v) > 0 && v[0] >= 0x80 {
		out.Sub(out, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v))))
	}
	return out
}
