package lakecopy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// hash identifies the copy's state: one line a file, in the order of keys, with
// its size and entity tag, or its time where the store has no tags, and its
// deletion vector: the file of fewer rows is another copy. Lengths stand before
// names, so that no two lists of files give the same bytes.
func hash(files []File) string {
	sorted := slices.SortedFunc(slices.Values(files), func(a, b File) int { return strings.Compare(a.Key, b.Key) })
	h := sha256.New()
	for _, f := range sorted {
		mark := "tag " + f.ETag
		if f.ETag == "" {
			mark = fmt.Sprintf("time %d", int64(f.Modified))
		}
		h.Write(fmt.Appendf(nil, "%d:%s %d %d:%s", len(f.Key), f.Key, f.Size, len(mark), mark))
		if f.add != nil {
			h.Write(fmt.Appendf(nil, " vector %q", f.add.DeletionVector.ID()))
		}
		h.Write([]byte("\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}
