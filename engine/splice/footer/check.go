package footer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Check compares what the footer claims with itself and with a file of size
// bytes. It reads nothing. Of each kind of problem it tells the first of a leaf.
// A Footer that came of With is checked after it was written and read again.
func (f *Footer) Check(size int64) []*Problem {
	k := checker{f: f, dataEnd: size - trailer - int64(f.encoded), told: map[told]bool{}}
	for _, leaf := range f.leaves {
		k.paths = append(k.paths, leaf.Path())
	}
	if f.Encrypted() {
		k.file(Encrypted, "the file is encrypted")
	}
	if w := f.CreatedBy(); writerOf(w).before("parquet-mr", 1, 2, 9) {
		k.file(ShortChunks, "%q wrote it: sizes of its column chunks leave out the dictionary's header", w)
	}
	for _, leaf := range f.leaves {
		if leaf.Repetition() == Required && leaf.Parent == f.tree {
			k.at(RequiredKept, -1, leaf, "the column may hold no NULL, and its pages do not say of each row that it has none")
		}
	}
	var rows int64
	for g, group := range f.Groups() {
		n := group.Rows()
		if n < 0 || rows+n < rows {
			k.at(Impossible, g, nil, "%d rows behind %d", n, rows)
			n = 0
		}
		rows += n
		k.group(g, group)
	}
	if said := f.SaidRows(); said != rows {
		k.file(RowSum, "the footer says %d rows, its row groups %d", said, rows)
	}
	k.overlaps()
	return k.out
}

type checker struct {
	f       *Footer
	paths   [][]string // of the leaves
	dataEnd int64      // where the footer begins
	taken   []stretch
	told    map[told]bool
	out     []*Problem
}

// told is a kind of problem of a leaf, or of none.
type told struct {
	kind Kind
	leaf int
}

// stretch is the bytes of a chunk that could be placed.
type stretch struct {
	Region
	group int
	leaf  *Node
}

func (k *checker) file(kind Kind, format string, args ...any) {
	k.out = append(k.out, newProblem(kind, format, args...))
}

func (k *checker) at(kind Kind, group int, leaf *Node, format string, args ...any) {
	p := &Problem{Kind: kind, Group: group, Leaf: -1}
	if leaf != nil {
		p.Leaf = leaf.Leaf
	}
	if k.told[told{kind, p.Leaf}] {
		return
	}
	k.told[told{kind, p.Leaf}] = true
	p.Detail = fmt.Sprintf(format, args...)
	if leaf != nil {
		p.Column = columnName(leaf)
	}
	k.out = append(k.out, p)
}

func (k *checker) group(g int, group Group) {
	if group.Len() != len(k.f.leaves) {
		k.at(Mismatch, g, nil, "%d column chunks for %d columns", group.Len(), len(k.f.leaves))
		return
	}
	for i, c := range group.Chunks() {
		leaf := k.f.leaves[i]
		switch {
		case c.Encrypted():
			k.at(Encrypted, g, leaf, "its pages are encrypted")
		case c.FilePath() != "":
			k.at(OtherFile, g, leaf, "its pages lie in another file, %q", c.FilePath())
		case c.meta() == nil:
			k.at(Mismatch, g, leaf, "the footer has no metadata of its pages")
		default:
			k.chunk(g, group, leaf, c)
		}
	}
}

func (k *checker) chunk(g int, group Group, leaf *Node, c Chunk) {
	if c.Physical() != leaf.Physical() {
		k.at(Mismatch, g, leaf, "its pages hold %s, its schema says %s", c.Physical(), leaf.Physical())
	}
	if !c.hasPath(k.paths[leaf.Leaf]) {
		k.at(Mismatch, g, leaf, "its pages are those of %q", c.Path())
	}
	rows, values := group.Rows(), c.Values()
	if c.Size() < 0 || c.Uncompressed() < 0 || values < 0 || c.DataOffset() < 0 {
		k.at(Impossible, g, leaf, "%d values in %d bytes, %d uncompressed, at %d", values, c.Size(), c.Uncompressed(), c.DataOffset())
		return
	}
	if values < rows || leaf.Rep == 0 && values != rows {
		k.at(Mismatch, g, leaf, "%d values for %d rows", values, rows)
	}
	if rows == 0 && values == 0 {
		return // some writers give an empty row group pages that are nowhere: nobody reads them
	}
	k.place(g, leaf, c)
	k.kept(g, leaf, c)
	if at := c.meta().Get(metaDictionary); at.Kind() != 0 {
		if _, ok := c.DictionaryOffset(); !ok {
			k.at(DictionaryPlace, g, leaf, "a dictionary page at %d, data pages from %d on", at.Int(), c.DataOffset())
		}
	}
}

// place finds chunks and their indexes outside the file.
func (k *checker) place(g int, leaf *Node, c Chunk) {
	r := Region{c.Start(), c.Size()}
	switch {
	case r.Length == 0:
		k.at(Impossible, g, leaf, "%d values in 0 bytes", c.Values())
	case !k.inside(r):
		k.at(Outside, g, leaf, "%d bytes at %d are not among the file's data, bytes %d to %d", r.Length, r.Offset, len(magic), k.dataEnd)
	default:
		k.taken = append(k.taken, stretch{r, g, leaf})
	}
	for _, find := range []func() (Region, bool){c.ColumnIndex, c.OffsetIndex, c.Bloom} {
		if r, ok := find(); ok && !k.inside(r) {
			k.at(IndexPlace, g, leaf, "an index of %d bytes at %d is not among the file's data, bytes %d to %d", r.Length, r.Offset, len(magic), k.dataEnd)
		}
	}
}

func (k *checker) inside(r Region) bool {
	return r.Offset >= int64(len(magic)) && r.Length >= 0 && r.Offset <= math.MaxInt64-r.Length && r.End() <= k.dataEnd
}

// kept finds codecs and encodings that may not be copied. Levels of old writers
// are called bit-packed even where they take no bytes: Walk looks at the pages.
func (k *checker) kept(g int, leaf *Node, c Chunk) {
	if !c.Codec().Kept() {
		k.at(CodecNotKept, g, leaf, "not every reader of a Delta table knows %s", c.Codec())
	}
	for _, e := range c.Encodings() {
		if !e.Kept() && e != BitPacked {
			k.at(EncodingNotKept, g, leaf, "not every reader of a Delta table knows %s", e)
		}
	}
}

func (k *checker) overlaps() {
	slices.SortFunc(k.taken, func(a, b stretch) int { return cmp.Compare(a.Offset, b.Offset) })
	var far stretch // the one that reaches furthest so far
	for i, b := range k.taken {
		if i > 0 && b.Offset < far.End() {
			k.at(Overlap, b.group, b.leaf, "it begins at %d, inside column %q of row group %d, which ends at %d", b.Offset, columnName(far.leaf), far.group, far.End())
		}
		if b.End() > far.End() {
			far = b
		}
	}
}

// Worst is the harshest problem of a leaf or of the whole file; nil where
// there is none.
func Worst(problems []*Problem, leaf int) *Problem {
	var out *Problem
	for _, p := range problems {
		if (p.Leaf < 0 || p.Leaf == leaf) && (out == nil || p.Kind.Remedy() > out.Kind.Remedy()) {
			out = p
		}
	}
	return out
}
