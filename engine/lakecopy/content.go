package lakecopy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"

	"cdcseed/engine/delta"
)

// wholeBytes is up to which size a copy is read whole to tell it from another:
// in a small table one value can change without a trace in size or footer.
const wholeBytes = 16 << 20

// small reports whether all bytes of the files together are few enough to be read.
func small(files []File) bool {
	var sum int64
	for _, f := range files {
		if sum += f.Size; sum > wholeBytes {
			return false
		}
	}
	return true
}

// contentOf stands for what a file holds, wherever it lies and whenever it was
// written: its bytes where whole, else its size and its end with the footer; and
// the rows that a deletion vector hides.
func contentOf(f opened, v *delta.Vector, rows int64, whole bool) ([sha256.Size]byte, error) {
	end, err := f.EndSum()
	if err != nil {
		return end, err
	}
	h := sha256.New()
	h.Write(fmt.Appendf(nil, "%d ", f.stored.Size()))
	h.Write(end[:])
	if whole {
		if _, err := io.CopyBuffer(h, io.NewSectionReader(f.stored, 0, f.stored.Size()), make([]byte, 64<<10)); err != nil {
			return end, err
		}
	}
	if v != nil {
		h.Write(fmt.Appendf(nil, " deleted %d ", v.Count()))
		var row [8]byte
		for at := range v.Between(0, rows) {
			binary.LittleEndian.PutUint64(row[:], uint64(at)) //nolint:gosec // a position is no negative number
			h.Write(row[:])
		}
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// content stands for what all files hold, in whatever order and under whatever
// names: a copy of the copy has the same. Partition values are content.
func content(files []File, feet []footer) string {
	sums := make([][sha256.Size]byte, len(files))
	for i, f := range files {
		h := sha256.New()
		h.Write(feet[i].content[:])
		for _, name := range slices.Sorted(maps.Keys(f.Partition)) {
			value := "NULL"
			if v := f.Partition[name]; v != nil {
				value = fmt.Sprintf("%q", *v)
			}
			h.Write(fmt.Appendf(nil, " %q=%s", name, value))
		}
		sums[i] = [sha256.Size]byte(h.Sum(nil))
	}
	slices.SortFunc(sums, func(a, b [sha256.Size]byte) int { return slices.Compare(a[:], b[:]) })
	h := sha256.New()
	for _, s := range sums {
		h.Write(s[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}
