package parquetfile

// GroupRows are the rows of each row group, in the file's order.
func (f *File) GroupRows() []int64 {
	out := make([]int64, f.RowGroups())
	for g := range out {
		out[g] = f.rdr.RowGroup(g).NumRows()
	}
	return out
}

// Groups makes the scan begin with row group from and end before row group to. It
// is called before the first Next.
func (s *Scanner) Groups(from, to int) *Scanner {
	s.group, s.until = max(from, 0), min(to, s.until)
	return s
}
