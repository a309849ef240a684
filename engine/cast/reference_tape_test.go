package cast_test

import (
	"encoding/binary"
	"math/big"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/schema"
)

// tape is a fuzz input being read; past its end it is zeros.
type tape struct{ rest []byte }

func (t *tape) byte() byte {
	if len(t.rest) == 0 {
		return 0
	}
	b := t.rest[0]
	t.rest = t.rest[1:]
	return b
}

func (t *tape) pick(n int) int { return int(t.byte()) % n }

// bits are eight bytes, shifted by as many bits as a ninth says: small numbers
// are as likely as large ones.
func (t *tape) bits() uint64 {
	var b [8]byte
	for i := range b {
		b[i] = t.byte()
	}
	return binary.LittleEndian.Uint64(b[:]) >> (t.byte() % 64)
}

func (t *tape) int64() int64 {
	if v := t.bits(); t.byte()%2 == 1 {
		return -int64(v)
	} else {
		return int64(v)
	}
}

func (t *tape) text(most int) string {
	n := t.pick(most + 1)
	b := make([]byte, 0, n)
	for range n {
		b = append(b, t.byte())
	}
	return string(b)
}

// A copyKind is one sort of copy's column. Two bytes choose among its types.
// Its values are *big.Int for whole numbers and unscaled decimals, float64,
// bool, string, and int64 for days and times in their own unit.
type copyKind struct {
	column func(a, b byte) schema.CopyColumn
	picks  [][2]byte // for the seeds
	arrays func(c schema.CopyColumn) []arrow.DataType
	edges  func(c schema.CopyColumn) []any
	raw    func(c schema.CopyColumn, t *tape) any
	near   func(c schema.CopyColumn, v any, by int64) any // nil where values have no neighbours
}

// remembered keeps the edge values of each column type.
func remembered(edges func(schema.CopyColumn) []any) func(schema.CopyColumn) []any {
	have := map[schema.CopyColumn][]any{}
	return func(c schema.CopyColumn) []any {
		c.Name = ""
		if have[c] == nil {
			have[c] = edges(c)
		}
		return have[c]
	}
}

// A targetKind is one sort of captured column.
type targetKind struct {
	column func(a, b byte) schema.SQLType
	picks  [][2]byte
}

// header is what comes before the values of an input, in 16 bytes.
type header struct {
	source, target        int
	sourceA, sourceB      byte
	targetA, targetB      byte
	answer, zone          byte
	legacy, notNull, bare bool // bare: made with ANSI_PADDING off
	array                 byte
	before, after, split  byte
	shape, wild           byte // of a longer batch, see sheet.longer
}

func (h header) bytes() []byte {
	flags := byte(0)
	for k, on := range []bool{h.legacy, h.notNull, h.bare} {
		if on {
			flags |= 1 << k
		}
	}
	return []byte{byte(h.source), h.sourceA, h.sourceB, byte(h.target), h.targetA, h.targetB, h.answer, h.zone, flags, h.array, h.before, h.after, h.split, h.shape, h.wild, 0}
}

func (t *tape) header() header {
	h := header{source: int(t.byte()), sourceA: t.byte(), sourceB: t.byte(), target: int(t.byte()), targetA: t.byte(), targetB: t.byte(), answer: t.byte(), zone: t.byte()}
	flags := t.byte()
	h.legacy, h.notNull, h.bare = flags&1 != 0, flags&2 != 0, flags&4 != 0
	h.array, h.before, h.after, h.split = t.byte(), t.byte(), t.byte(), t.byte()
	h.shape, h.wild = t.byte(), t.byte()
	t.byte()
	return h
}

// slot is a value of a batch. A NULL has a value too: the rubbish in its slot.
type slot struct {
	v    any
	null bool
}

const mostValues = 256

// values reads a batch's values: each an edge value, a neighbour of one, or bytes.
func (t *tape) values(k copyKind, c schema.CopyColumn) []slot {
	edges := k.edges(c)
	var out []slot
	for len(t.rest) > 0 && len(out) < mostValues {
		mode := t.byte()
		s := slot{null: mode&0x80 != 0}
		at := func() any { return edges[(int(t.byte())+256*int(t.byte()))%len(edges)] }
		switch mode % 4 {
		case 0:
			s.v = at()
		case 1:
			s.v = at()
			if by := int64(int8(t.byte())); k.near != nil {
				s.v = k.near(c, s.v, by)
			}
		default:
			s.v = k.raw(c, t)
		}
		out = append(out, s)
	}
	return out
}

// edgeValues is what values reads as all edges of a column, every so often NULL.
func edgeValues(n, nullEvery int) []byte {
	var out []byte
	for i := range min(n, mostValues) {
		mode := byte(0)
		if nullEvery > 0 && i%nullEvery == nullEvery-1 {
			mode = 0x80
		}
		out = append(out, mode, byte(i), byte(i>>8))
	}
	return out
}

// wrap is v as a two's complement number of so many bits.
func wrap(v *big.Int, bits uint, unsigned bool) *big.Int {
	size := new(big.Int).Lsh(big.NewInt(1), bits)
	out := new(big.Int).Mod(v, size)
	if !unsigned && out.Bit(int(bits-1)) == 1 {
		out.Sub(out, size)
	}
	return out
}

func bigPow(base, exp int64) *big.Int {
	return new(big.Int).Exp(big.NewInt(base), big.NewInt(exp), nil)
}
