package splice

import (
	"sync"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"cdcseed/engine/schema"
)

// Ranges remembers the values that the casts of one mapping leave as they are, so
// that of many files with bounds alike only the first few need a cast to prove it.
// It may be used by several goroutines at a time.
type Ranges struct {
	mu     sync.Mutex
	proven map[rangeOf]span
}

// rangeOf names a column's rule: each class of files has one.
type rangeOf struct{ class, column string }

// span is all numbers from low to high, as stored.
type span struct{ low, high decimal128.Num }

// NewRanges knows nothing yet.
func NewRanges() *Ranges { return &Ranges{proven: map[rangeOf]span{}} }

func (s span) holds(o span) bool { return !o.low.Less(s.low) && !s.high.Less(o.high) }

// with is the smallest span that holds both.
func (s span) with(o span) span {
	if o.low.Less(s.low) {
		s.low = o.low
	}
	if s.high.Less(o.high) {
		s.high = o.high
	}
	return s
}

// prove answers whether all values between a file's bounds pass, of which passes
// casts them to see. Numbers pass up to a limit on either side: where two stretches
// do, so does what lies between them.
func (known *Ranges) prove(of rangeOf, c schema.CopyColumn, values [][]byte, passes func([][]byte) bool) bool {
	own, ok := spanOf(c, values)
	if known == nil || !ok {
		return passes(values)
	}
	known.mu.Lock()
	before, met := known.proven[of]
	known.mu.Unlock()
	if met && before.holds(own) {
		return true
	}
	if !passes(values) {
		return false
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	if before, met = known.proven[of]; met {
		own = before.with(own)
	}
	known.proven[of] = own
	return true
}

// spanOf reads a pair of bounds as numbers, false where they are none.
func spanOf(c schema.CopyColumn, values [][]byte) (span, bool) {
	var n [2]decimal128.Num
	if len(values) != len(n) {
		return span{}, false
	}
	for i, v := range values {
		switch {
		case c.Physical == "INT32" && len(v) == 4, c.Physical == "INT64" && len(v) == 8:
			w, _ := stored(v, len(v))
			n[i] = decimal128.FromI64(w)
		case c.Physical == "FIXED_LEN_BYTE_ARRAY" && c.Logical == "DECIMAL" && len(v) == c.Length && len(v) >= 1 && len(v) <= 16:
			n[i] = bigEndian(v)
		default:
			return span{}, false
		}
	}
	return span{n[0], n[1]}, !n[1].Less(n[0])
}
