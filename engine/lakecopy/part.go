package lakecopy

import (
	"context"
	"errors"
	"sort"
)

// Groups are the rows of each of a file's row groups, in its order. Rows that a
// deletion vector hides count.
func (c *Copy) Groups(ctx context.Context, f File) (_ []int64, err error) {
	from, err := open(ctx, c.reader, f)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	return from.GroupRows(), nil
}

// Part makes the scan begin with row group from and end before row group to. It
// is called before the first Next.
func (s *Scanner) Part(from, to int) *Scanner {
	s.part = &[2]int{from, to}
	return s
}

// beginPart leaves out the row groups before and behind the part.
func (s *Scanner) beginPart() {
	if s.part == nil {
		return
	}
	s.in.Groups(s.part[0], s.part[1])
	for g, rows := range s.from.GroupRows() {
		if g < s.part[0] {
			s.read += rows
		}
	}
}

// RowOf is the number in the file, counted from 1, of the record's i-th row.
func (s *Scanner) RowOf(i int) int64 {
	// Every second row may be left out, and every row be asked for.
	at := sort.Search(len(s.ends), func(k int) bool { return s.ends[k] > int64(i) })
	if at == len(s.ends) {
		return 0
	}
	return s.base + s.kept[at].to - (s.ends[at] - int64(i)) + 1
}

// ends are the rows of spans up to and with each.
func ends(spans []span) []int64 {
	out := make([]int64, len(spans))
	n := int64(0)
	for k, s := range spans {
		n += s.to - s.from
		out[k] = n
	}
	return out
}
