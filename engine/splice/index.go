package splice

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
)

// The fields of indexes, as parquet.thrift numbers them.
const (
	columnNullPages = 1
	columnMins      = 2
	columnMaxes     = 3
	columnOrder     = 4
	columnNulls     = 5

	offsetPages   = 1
	locationPlace = 1
	locationSize  = 2
	locationRow   = 3

	bloomBytes = 1
)

// Bounds of what is carried over beside the chunks, in bytes.
const (
	maxIndexes = 8 << 20  // the page indexes of all chunks, which are held until they are written
	maxBloom   = 16 << 20 // one Bloom filter
)

// indexLimits bound the index of a chunk of so many pages: a handful of values each.
func indexLimits(pages int) thrift.Limits { return thrift.Limits{Depth: 8, Values: 64 + 16*pages} }

// errNoIndex says that a chunk's page index cannot be carried over.
var errNoIndex = errors.New("no page index that could be carried")

// indexed is the page index of one chunk of the new file.
type indexed struct {
	chunk          footer.Chunk
	column, offset []byte
}

// indexes writes the page indexes: those of all chunks, or none. Readers take a
// file for indexed altogether, and expect all indexes of columns in one stretch
// and all of offsets in the next. A column that is encoded here has none.
func (s *stage) indexes(ctx context.Context) error {
	if !s.indexed() {
		return nil
	}
	var all []indexed
	for g := range s.groups {
		for _, i := range s.order {
			one, err := s.index(&s.columns[i], g)
			if errors.Is(err, errNoIndex) {
				return nil
			}
			if err != nil {
				return err
			}
			all = append(all, one)
		}
	}
	columns := make([]footer.Region, len(all))
	for i, one := range all {
		at, err := s.add(ctx, one.column)
		if err != nil {
			return err
		}
		columns[i] = at
	}
	for i, one := range all {
		at, err := s.add(ctx, one.offset)
		if err != nil {
			return err
		}
		if err := one.chunk.SetIndexes(columns[i], at); err != nil {
			return err
		}
	}
	return nil
}

// add writes an index.
func (s *stage) add(ctx context.Context, b []byte) (footer.Region, error) {
	s.out.counts.Made += int64(len(b))
	at, err := s.out.put(ctx, b)
	return footer.Region{Offset: at, Length: int64(len(b))}, err
}

// indexed reports whether the indexes of all copied chunks can lie where the
// footer says, each in bytes of its own, and are no more than can be held. A
// footer may claim the same bytes for every chunk.
func (s *stage) indexed() bool {
	var all []footer.Region
	left := int64(maxIndexes)
	for _, group := range s.groups {
		for _, c := range s.columns {
			if !c.way.Copies() {
				continue
			}
			old := group.Chunk(c.node.Leaf)
			at, ok := old.ColumnIndex()
			to, ok2 := old.OffsetIndex()
			if !ok || !ok2 || !s.holds(at, left) || !s.holds(to, left-at.Length) {
				return false
			}
			left -= at.Length + to.Length
			all = append(all, at, to)
		}
	}
	return apart(all)
}

// apart reports whether no two regions share a byte.
func apart(all []footer.Region) bool {
	slices.SortFunc(all, func(a, b footer.Region) int { return cmp.Compare(a.Offset, b.Offset) })
	for i := 1; i < len(all); i++ {
		if all[i].Offset < all[i-1].End() {
			return false
		}
	}
	return true
}

// index is the page index of a column's chunk in the new file.
func (s *stage) index(c *column, g int) (indexed, error) {
	out := indexed{chunk: c.chunks[g]}
	switch c.way {
	case Copied, Annotated:
		var err error
		out.column, out.offset, err = s.carried(c, g)
		return out, err
	case Constant, Null:
		if c.value.plain != nil && c.value.bound == nil {
			return out, errNoIndex
		}
		made, err := synth(c.Name, c.value, s.groups[g].Rows())
		if err != nil {
			return out, err
		}
		out.column, out.offset = made.index(out.chunk.Start(), c.value)
		return out, nil
	}
	return out, errNoIndex
}

// carried is the index of a copied chunk with the places that its pages have now.
func (s *stage) carried(c *column, g int) (column, offset []byte, err error) {
	old := s.groups[g].Chunk(c.node.Leaf)
	at, ok := old.ColumnIndex()
	to, ok2 := old.OffsetIndex()
	if !ok || !ok2 || s.src.foot.Spoiled(c.node.Leaf) {
		return nil, nil, errNoIndex
	}
	if column, err = s.read(at); err != nil {
		return nil, nil, err
	}
	if offset, err = s.read(to); err != nil {
		return nil, nil, err
	}
	pages := c.pages[g].Data
	bounds, n, err := thrift.Parse(column, indexLimits(pages))
	if err != nil || n != len(column) || len(bounds.Items(columnNullPages)) != pages {
		return nil, nil, errNoIndex
	}
	places, n, err := thrift.Parse(offset, indexLimits(pages))
	if err != nil || n != len(offset) || len(places.Items(offsetPages)) != pages {
		return nil, nil, errNoIndex
	}
	moved := c.chunks[g].Start() - old.Start()
	for _, v := range places.Items(offsetPages) {
		p := v.Struct()
		was := p.Int(locationPlace, -1)
		if size := p.Int(locationSize, -1); p == nil || was < old.Start() || size < 0 || was+size > old.Start()+old.Size() {
			return nil, nil, errNoIndex
		}
		set64(p, locationPlace, was+moved)
	}
	return column, places.Append(nil), nil
}

// holds reports whether so many bytes at most can lie where the footer says.
func (s *stage) holds(r footer.Region, most int64) bool {
	return r.Offset >= int64(len(magic)) && r.Length > 0 && r.Length <= most && r.Offset <= s.job.From.Size()-r.Length
}

func (s *stage) read(r footer.Region) ([]byte, error) {
	b := make([]byte, r.Length)
	if n, err := s.job.From.ReadAt(b, r.Offset); n < len(b) {
		return nil, errors.Join(errRead, err)
	}
	return b, nil
}

// index is the page index of a made chunk that begins at offset.
func (c *chunk) index(offset int64, v one) (column, places []byte) {
	var none, low, high, nulls, at []thrift.Value
	for _, p := range c.pages {
		empty := v.plain == nil
		count := int64(0)
		if empty {
			count = p.rows
		}
		none = append(none, thrift.Bool(empty))
		low, high = append(low, thrift.Bytes(v.bound)), append(high, thrift.Bytes(v.bound))
		nulls = append(nulls, thrift.Int64(count))
		l := &thrift.Struct{}
		set64(l, locationPlace, offset+p.offset)
		l.Set(locationSize, thrift.Int32(int32(p.size)))
		set64(l, locationRow, p.firstRow)
		at = append(at, thrift.Of(l))
	}
	ci, oi := &thrift.Struct{}, &thrift.Struct{}
	ci.Set(columnNullPages, thrift.ListOf(thrift.True, none...))
	ci.Set(columnMins, thrift.ListOf(thrift.Binary, low...))
	ci.Set(columnMaxes, thrift.ListOf(thrift.Binary, high...))
	ci.Set(columnOrder, thrift.Int32(1)) // ascending, as all are equal
	ci.Set(columnNulls, thrift.ListOf(thrift.I64, nulls...))
	oi.Set(offsetPages, thrift.ListOf(thrift.Object, at...))
	return ci.Append(nil), oi.Append(nil)
}

// blooms carries the Bloom filters of copied chunks over, as they are: they hold
// hashes of stored values and know no place. One of unknown length stays behind, and
// all of them do where two share bytes.
func (s *stage) blooms(ctx context.Context) error {
	type bloom struct {
		footer.Region

		chunk footer.Chunk
	}
	var found []bloom
	var all []footer.Region
	for g := range s.groups {
		for _, i := range s.order {
			c := &s.columns[i]
			if !c.way.Copies() {
				continue
			}
			r, ok := s.groups[g].Chunk(c.node.Leaf).Bloom()
			if ok && s.holds(r, maxBloom) && s.isBloom(r) {
				found, all = append(found, bloom{r, c.chunks[g]}), append(all, r)
			}
		}
	}
	if !apart(all) {
		return nil
	}
	for _, b := range found {
		at, err := s.out.take(ctx, b.Region)
		if err != nil {
			return err
		}
		if err := b.chunk.SetBloom(footer.Region{Offset: at, Length: b.Length}); err != nil {
			return err
		}
	}
	return nil
}

// isBloom reports whether a region is a filter as long as its header says.
func (s *stage) isBloom(r footer.Region) bool {
	head := make([]byte, min(r.Length, 64))
	if n, err := s.job.From.ReadAt(head, r.Offset); n < len(head) && !errors.Is(err, io.EOF) {
		return false
	}
	h, n, err := thrift.Parse(head, pageLimits)
	return err == nil && h.Int(bloomBytes, -1) == r.Length-int64(n)
}
