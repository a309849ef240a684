package splice

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"cdcseed/engine/schema"
)

// Of many files, what is answered is what a cast would have answered of each, and
// few of them are cast.
func TestRangesAnswerAsACastWould(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	shapes := []struct {
		column schema.CopyColumn
		bytes  func(int64) []byte
	}{
		{schema.CopyColumn{Physical: "INT32"}, func(v int64) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }},
		{schema.CopyColumn{Physical: "INT64", Logical: "TIMESTAMP"}, func(v int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }},
		{schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Logical: "DECIMAL", Length: 8}, func(v int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(v)) }},
	}
	for _, sh := range shapes {
		for range 20 {
			known, of := NewRanges(), rangeOf{"c1", "amount"}
			least, most, casts, inside := -rnd.Int64N(5000), rnd.Int64N(5000), 0, 0
			for range 500 {
				low := rnd.Int64N(8000) - 4500
				high := low + rnd.Int64N(1500)
				passes := low >= least && high <= most
				got := known.prove(of, sh.column, [][]byte{sh.bytes(low), sh.bytes(high)}, func([][]byte) bool {
					if passes {
						casts++
					}
					return passes
				})
				if got != passes {
					t.Fatalf("%d to %d of %d to %d: %v", low, high, least, most, got)
				}
				if passes {
					inside++
				}
			}
			if inside > 50 && casts > inside/2 {
				t.Errorf("%s: of %d files in range %d were cast", sh.column.Physical, inside, casts)
			}
		}
	}
}

// Bounds that are no numbers, stand the wrong way round, or are another column's
// or class's are proven by their own cast.
func TestRangesKnowNothingOfOthers(t *testing.T) {
	known := NewRanges()
	number := schema.CopyColumn{Physical: "INT32"}
	text := schema.CopyColumn{Physical: "BYTE_ARRAY", Logical: "STRING"}
	pair := func(low, high byte) [][]byte { return [][]byte{{low, 0, 0, 0}, {high, 0, 0, 0}} }
	yes := func([][]byte) bool { return true }
	no := func([][]byte) bool { return false }
	if !known.prove(rangeOf{"c1", "a"}, number, pair(0, 100), yes) || !known.prove(rangeOf{"c1", "a"}, number, pair(5, 90), no) {
		t.Fatal("what was proven is not known")
	}
	for name, got := range map[string]bool{
		"another column":     known.prove(rangeOf{"c1", "b"}, number, pair(5, 90), no),
		"another class":      known.prove(rangeOf{"c2", "a"}, number, pair(5, 90), no),
		"text":               known.prove(rangeOf{"c1", "a"}, text, pair(5, 90), no),
		"the wrong way":      known.prove(rangeOf{"c1", "a"}, number, pair(90, 5), no),
		"a value of 2 bytes": known.prove(rangeOf{"c1", "a"}, number, [][]byte{{5, 0}, {90, 0, 0, 0}}, no),
		"more":               known.prove(rangeOf{"c1", "a"}, number, pair(5, 101), no),
		"no memory":          (*Ranges)(nil).prove(rangeOf{"c1", "a"}, number, pair(5, 90), no),
	} {
		if got {
			t.Errorf("%s: taken for proven", name)
		}
	}
}
