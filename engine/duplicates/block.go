package duplicates

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sort"
)

// hasher is the hash of a wide form: the same for one Counter's life.
type hasher func(wide []byte) uint64

func newHasher() hasher {
	seed := maphash.MakeSeed()
	return func(wide []byte) uint64 { return maphash.Bytes(seed, wide) }
}

// Keys are merged in ranges of their hashes, several at a time.
const (
	rangeBits = 4
	ranges    = 1 << rangeBits
)

func rangeOf(hash uint64) int { return int(hash >> (64 - rangeBits)) }

// entry points to a record in a block's bytes.
type entry struct {
	hash uint64
	at   uint32
}

// entryBytes is what an entry takes in memory.
const entryBytes = 16

// block is records in memory, sorted once it is full. Its size is fixed when it is
// made; a single record that is larger than it makes it grow.
type block struct {
	entries []entry
	bytes   []byte
}

// newBlock makes one of size bytes, half of them for entries: records of common
// keys are about as long.
func newBlock(size int) *block {
	n := max(1, size/2/entryBytes)
	return &block{entries: make([]entry, 0, n), bytes: make([]byte, 0, size-n*entryBytes)}
}

// add appends the row that e encoded last; false where the block is full.
func (b *block) add(e *encoder, hash hasher, file int, row int64) bool {
	at := len(b.bytes)
	if len(b.entries) == cap(b.entries) {
		return false
	}
	need := len(e.wide) + len(e.sure) + len(e.raw) + recordMost
	if at > 0 && at+need > cap(b.bytes) {
		return false
	}
	b.bytes = appendRecord(b.bytes, e, file, row)
	b.entries = append(b.entries, entry{hash(e.wide), uint32(at)})
	return true
}

// recordMost is how many bytes a record has at most beside its forms: flags, and
// five numbers.
const recordMost = 1 + 5*10

func (b *block) reset() { b.entries, b.bytes = b.entries[:0], b.bytes[:0] }

// sort puts the entries in the order of records.
func (b *block) sort() (err error) {
	slices.SortFunc(b.entries, func(x, y entry) int {
		if x.hash != y.hash {
			return cmp.Compare(x.hash, y.hash)
		}
		p, errP := readRecord(b.bytes[x.at:])
		q, errQ := readRecord(b.bytes[y.at:])
		if err == nil {
			err = cmp.Or(errP, errQ)
		}
		return compareRecords(p, q)
	})
	return err
}

// part is the entries of a sorted block whose hashes are of a range.
func (b *block) part(r int) []entry {
	from := sort.Search(len(b.entries), func(i int) bool { return rangeOf(b.entries[i].hash) >= r })
	to := sort.Search(len(b.entries), func(i int) bool { return rangeOf(b.entries[i].hash) > r })
	return b.entries[from:to]
}
