package splice

import (
	"io"
	"math"
	"slices"
	"strings"

	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
)

const (
	magic             = "PAR1"
	elementRepetition = 3 // the fields that are edited here, as parquet.thrift numbers them
	chunkMeta         = 3
	metaType          = 1
	metaUncompressed  = 6
	metaCompressed    = 7
	metaKeyValues     = 8
	metaData          = 9
	metaDictionary    = 11
	metaStatistics    = 12
	metaPageSizes     = 16 // of values as they were before a cast
	statNulls         = 3
)

// Source is a file of the copy as its footer tells it.
type Source struct {
	// Seen says that every value of the file was looked at when the seed was
	// planned, and that none was refused.
	Seen bool

	foot     *footer.Footer
	problems []*footer.Problem
	columns  map[string]*footer.Node // flat top-level columns by name, without names that stand twice
}

// Look reads the footer of a file of size bytes. A footer that cannot be read is an error.
func Look(r io.ReaderAt, size int64) (*Source, error) {
	f, err := footer.Read(r, size)
	if err != nil {
		return nil, err
	}
	s := &Source{foot: f, problems: f.Check(size), columns: map[string]*footer.Node{}}
	seen := map[string]bool{}
	for _, n := range f.Root().Children {
		switch {
		case seen[n.Name()]:
			delete(s.columns, n.Name())
		case n.IsLeaf() && n.Repetition() != footer.Repeated:
			s.columns[n.Name()] = n
		}
		seen[n.Name()] = true
	}
	return s, nil
}

// Rows is the number of rows, summed over the row groups.
func (s *Source) Rows() int64 { return s.foot.Rows() }

// Refused is the problem for which no way of reading the file can be trusted, or nil.
func (s *Source) Refused() error {
	if p := s.harshest(footer.Refuse); p != nil {
		return p
	}
	return nil
}

func (s *Source) harshest(r footer.Remedy) *footer.Problem {
	for _, p := range s.problems {
		if p.Kind.Remedy() == r {
			return p
		}
	}
	return nil
}

// Facts is what decides on the way of a column, by its name in the file.
func (s *Source) Facts(name string) Facts {
	n := s.columns[name]
	if n == nil {
		return Facts{Nulls: -1}
	}
	f := Facts{Present: true, Nulls: -1, Seen: s.Seen}
	if p := footer.Worst(s.problems, n.Leaf); p != nil && p.Kind.Remedy() >= footer.Recode {
		f.Spoiled = p.Detail
	}
	if count, known := s.foot.NullCount(n.Leaf); known {
		f.Nulls = count
	}
	if n.Repetition() == footer.Required {
		f.Nulls = 0
	}
	if b, ok := s.foot.Bounds(n.Leaf); ok {
		f.Bounds, f.Bounded = [][]byte{b.Min, b.Max}, true
	} else {
		f.Bounded = f.Nulls == s.Rows() // there is no value to be out of range
	}
	if f.Spoiled == "" && s.overflows(n) {
		f.Spoiled = "DuckDB's differences of whole numbers are not read everywhere"
	}
	f.Dictionary = s.dictionary(n.Leaf)
	return f
}

// overflows reports a column of 32-bit numbers whose pages may hold differences of
// more than 32 bits, as DuckDB writes them: pyarrow and delta-rs refuse those.
func (s *Source) overflows(n *footer.Node) bool {
	if n.Physical() != footer.Int32 || !strings.HasPrefix(s.foot.CreatedBy(), "DuckDB") {
		return false
	}
	if b, ok := s.foot.Bounds(n.Leaf); ok {
		if low, high, ok := b.Int64s(); ok && high-low <= math.MaxInt32 {
			return false
		}
	}
	for _, g := range s.foot.Groups() {
		if slices.Contains(g.Chunk(n.Leaf).Encodings(), footer.DeltaBinaryPacked) {
			return true
		}
	}
	return false
}

// dictionary reports whether the footer says that every data page of a leaf holds
// places in a dictionary.
func (s *Source) dictionary(leaf int) bool {
	for _, g := range s.foot.Groups() {
		if g.Rows() > 0 && !allDictionary(g.Chunk(leaf)) {
			return false
		}
	}
	return true
}

func allDictionary(c footer.Chunk) bool {
	data := false
	for _, p := range c.EncodingStats() {
		if p.Page != footer.DataPage && p.Page != footer.DataPageV2 || p.Count == 0 {
			continue
		}
		if !p.Encoding.Dictionary() {
			return false
		}
		data = true
	}
	if c.EncodingStats() != nil {
		return data
	}
	// Writers of before those counts name PLAIN only where values are plain, as
	// they call the dictionary's own encoding otherwise.
	for _, e := range c.Encodings() {
		switch e {
		case footer.PlainDictionary:
			data = true
		case footer.RLE, footer.BitPacked:
		default:
			return false
		}
	}
	return data
}

func set64(m *thrift.Struct, field int16, v int64) { m.Set(field, thrift.Int64(v)) }
