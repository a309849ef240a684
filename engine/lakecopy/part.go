package lakecopy

import (
	"context"
	"errors"
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
	left := int64(i)
	for _, k := range s.kept {
		if n := k.to - k.from; left >= n {
			left -= n
			continue
		}
		return s.base + k.from + left + 1
	}
	return 0
}
