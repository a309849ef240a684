package parquetfile

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// leastShare is what one column of a batch may take at least, however many there are.
const leastShare = 1 << 20

// fill makes the next record, of n rows or of fewer where a column has values so
// large that n of them would be too much. It answers of how many.
func (s *Scanner) fill(n int) (int64, error) {
	for _, c := range s.columns {
		if c.ahead != nil {
			n = min(n, c.ahead.Len())
		}
	}
	arrays := make([]arrow.Array, len(s.columns))
	defer func() {
		for _, a := range arrays {
			if a != nil {
				a.Release()
			}
		}
	}()
	most := max(batchBytes/max(len(s.columns), 1), leastShare)
	for i, c := range s.columns {
		if c.ahead != nil {
			arrays[i], c.ahead = c.ahead, nil
			continue
		}
		made, err := c.read(n, most, s.left)
		if err != nil {
			return 0, c.fault(err)
		}
		arrays[i], n = c.array(), made
	}
	for i, c := range s.columns {
		if err := c.keep(&arrays[i], n); err != nil {
			return 0, c.fault(err)
		}
	}
	s.rec = array.NewRecord(s.schema, arrays, int64(n))
	return int64(n), nil
}

// read appends n rows, or fewer where more would take more than most bytes. At the
// end of the row group, which has left rows more, it makes sure that nothing is left.
func (c *column) read(n, most int, left int64) (int, error) {
	var err error
	if c.flat != nil {
		n, err = c.flat.rows(n, most)
	} else {
		n, err = c.nested.rows(n, most)
	}
	if err != nil || int64(n) < left {
		return n, err
	}
	for i, l := range c.leaves {
		if err := l.rest(); err != nil {
			return 0, err
		}
		if c.streams[i].short {
			return 0, errShort
		}
	}
	return n, nil
}

// array hands over the rows that were read.
func (c *column) array() arrow.Array {
	if c.flat != nil {
		return c.flat.array()
	}
	return c.builder.NewArray()
}

// keep cuts an array that was read to n rows, and holds the others for the next
// record. What is handed out begins at its buffers' start.
func (c *column) keep(a *arrow.Array, n int) error {
	all := *a
	if all.Len() == n && all.Data().Offset() == 0 {
		return nil
	}
	if all.Len() > n {
		c.ahead = array.NewSlice(all, int64(n), int64(all.Len()))
	}
	part := array.NewSlice(all, 0, int64(n))
	defer part.Release()
	out, err := array.Concatenate([]arrow.Array{part}, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	all.Release()
	*a = out
	return nil
}

func recordBytes(r arrow.Record) (sum int64) {
	for _, c := range r.Columns() {
		sum += dataBytes(c.Data())
	}
	return sum
}

func dataBytes(d arrow.ArrayData) (sum int64) {
	for _, b := range d.Buffers() {
		if b != nil {
			sum += int64(b.Len())
		}
	}
	for _, c := range d.Children() {
		sum += dataBytes(c)
	}
	return sum
}
