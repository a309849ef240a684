package splice_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/parquet"

	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
)

// indexed puts page indexes and Bloom filters into a file: of every chunk but one,
// which -1 is none.
func indexed(t *testing.T, data []byte, without int) []byte {
	t.Helper()
	f := footerOf(t, data)
	out := bytes.Clone(data[:len(data)-8-len(f.Append(nil))])
	for _, g := range f.Groups() {
		for _, n := range f.Leaves() {
			if n.Leaf == without {
				continue
			}
			c := g.Chunk(n.Leaf)
			column, offset := indexOf(t, data, n, c)
			bloom := bloomOf(n.Name())
			at := int64(len(out))
			out = append(append(append(out, column...), offset...), bloom...)
			end := at + int64(len(column))
			if err := c.SetIndexes(footer.Region{Offset: at, Length: int64(len(column))}, footer.Region{Offset: end, Length: int64(len(offset))}); err != nil {
				t.Fatal(err)
			}
			if err := c.SetBloom(footer.Region{Offset: end + int64(len(offset)), Length: int64(len(bloom))}); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := f.AppendEnd(out)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func indexOf(t *testing.T, data []byte, n *footer.Node, c footer.Chunk) (column, offset []byte) {
	t.Helper()
	var none, bound, places []thrift.Value
	row := int64(0)
	if _, err := footer.Walk(bytes.NewReader(data), n, c, func(p footer.Page) error {
		if p.Kind == footer.DictionaryPage {
			return nil
		}
		none, bound = append(none, thrift.Bool(false)), append(bound, thrift.String(n.Name()))
		l := &thrift.Struct{}
		l.Set(1, thrift.Int64(p.Offset))
		l.Set(2, thrift.Int32(int32(p.End()-p.Offset)))
		l.Set(3, thrift.Int64(row))
		row += p.Values
		places = append(places, thrift.Of(l))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	ci, oi := &thrift.Struct{}, &thrift.Struct{}
	ci.Set(1, thrift.ListOf(thrift.True, none...))
	ci.Set(2, thrift.ListOf(thrift.Binary, bound...))
	ci.Set(3, thrift.ListOf(thrift.Binary, bound...))
	ci.Set(4, thrift.Int32(0))
	oi.Set(1, thrift.ListOf(thrift.Object, places...))
	return ci.Append(nil), oi.Append(nil)
}

func bloomOf(name string) []byte {
	bits := bytes.Repeat([]byte(name[:1]), 32)
	h := &thrift.Struct{}
	h.Set(1, thrift.Int32(int32(len(bits))))
	for id := int16(2); id < 5; id++ {
		h.Set(id, thrift.Of(&thrift.Struct{}))
	}
	return append(h.Append(nil), bits...)
}

// onlyCopied is the scene of columns that are all copied.
func onlyCopied(t *testing.T, without int, also ...schema.TargetColumn) *scene {
	t.Helper()
	data := parquetOf(t, made([]int{900, 400}, 3), parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(2000))
	keep := slices.DeleteFunc(captured(t), func(c schema.TargetColumn) bool {
		return !slices.Contains([]string{"id", "name", "at", "moment", "absent", "day"}, c.Name)
	})
	return newScene(t, indexed(t, data, without), append(keep, also...), answers())
}

// Page indexes are carried with the places that the pages have now, the constants'
// are made, and readers find all of columns in one stretch, then all of offsets.
func TestPageIndexesAreCarried(t *testing.T) {
	s := onlyCopied(t, -1)
	_, ways := s.splice()
	b := bytesOf(t, s.target, "spliced.parquet")
	f := footerOf(t, b)
	var columns, offsets []footer.Region
	for g, group := range f.Groups() {
		for _, n := range f.Leaves() {
			c := group.Chunk(n.Leaf)
			ci, ok := c.ColumnIndex()
			oi, ok2 := c.OffsetIndex()
			if !ok || !ok2 {
				t.Fatalf("row group %d: column %q has no index", g, n.Name())
			}
			columns, offsets = append(columns, ci), append(offsets, oi)
			checkPlaces(t, b, n, c, oi)
			bounds, size, err := thrift.Parse(b[ci.Offset:], thrift.Limits{Depth: 9, Values: 9999})
			if err != nil || int64(size) != ci.Length {
				t.Fatal(size, err)
			}
			if ways[n.Name()].Copies() && n.Name() != "id" && string(bounds.Items(2)[0].Raw()) != n.Name() {
				t.Errorf("the index of %q is that of %q", n.Name(), bounds.Items(2)[0].Raw())
			}
			if n.Name() == "_chunk" && (!bounds.Items(1)[0].Truth() || bounds.Items(5)[0].Int() != group.Rows()) {
				t.Error("a page of NULLs is not told")
			}
			r, ok := c.Bloom()
			if ok != ways[n.Name()].Copies() || ok && !bytes.Equal(b[r.Offset:r.End()], bloomOf(map[bool]string{true: "ID", false: n.Name()}[n.Name() == "id"])) {
				t.Errorf("column %q: its Bloom filter is at %+v, %v", n.Name(), r, ok)
			}
		}
	}
	all := append(columns, offsets...)
	for i := 1; i < len(all); i++ {
		if all[i].Offset != all[i-1].End() {
			t.Errorf("index %d begins at %d, the one before ends at %d", i, all[i].Offset, all[i-1].End())
		}
	}
	s.rewrite()
	s.compare()
}

func checkPlaces(t *testing.T, b []byte, n *footer.Node, c footer.Chunk, at footer.Region) {
	t.Helper()
	places, size, err := thrift.Parse(b[at.Offset:], thrift.Limits{Depth: 9, Values: 9999})
	if err != nil || int64(size) != at.Length {
		t.Fatal(size, err)
	}
	i, row := 0, int64(0)
	if _, err := footer.Walk(bytes.NewReader(b), n, c, func(p footer.Page) error {
		if p.Kind == footer.DictionaryPage {
			return nil
		}
		l := places.Items(1)[i].Struct()
		if l.Int(1, 0) != p.Offset || l.Int(2, 0) != p.End()-p.Offset || l.Int(3, -1) != row {
			t.Errorf("column %q, page %d: place %d, size %d, row %d; want %d, %d, %d", n.Name(), i, l.Int(1, 0), l.Int(2, 0), l.Int(3, -1), p.Offset, p.End()-p.Offset, row)
		}
		i, row = i+1, row+p.Values
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if i != len(places.Items(1)) {
		t.Errorf("column %q: %d pages, %d places", n.Name(), i, len(places.Items(1)))
	}
}

// A file is indexed altogether or not at all: readers crash on part of it.
func TestPageIndexesOfAllColumnsOrNone(t *testing.T) {
	for name, s := range map[string]*scene{
		"a copied column has none": onlyCopied(t, 8),
		"a column is recoded":      onlyCopied(t, -1, target(t, "guid", schema.SQLType{Name: "uniqueidentifier"})),
	} {
		_, ways := s.splice()
		f := footerOf(t, bytesOf(t, s.target, "spliced.parquet"))
		for _, g := range f.Groups() {
			for _, n := range f.Leaves() {
				_, ok := g.Chunk(n.Leaf).ColumnIndex()
				_, ok2 := g.Chunk(n.Leaf).OffsetIndex()
				if ok || ok2 {
					t.Errorf("%s: column %q (%s) has an index", name, n.Name(), ways[n.Name()])
				}
			}
		}
		if ways["guid"] != "" && ways["guid"] != splice.Recoded {
			t.Errorf("%s: %v", name, ways)
		}
	}
	all := footerOf(t, bytesOf(t, onlyCopied(t, 8).copy, "copy.parquet"))
	if n := leaf(all, "name"); n.Leaf != 8 {
		t.Errorf("column 8 is not name, which is %d", n.Leaf)
	}
}

// A footer may claim the same bytes for many chunks, so that a small file would
// become a large one: then none of them is carried.
func TestIndexesThatShareBytesAreNotCarried(t *testing.T) {
	data := parquetOf(t, made([]int{600, 600}, 3), parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(1<<20))
	keep := slices.DeleteFunc(captured(t), func(c schema.TargetColumn) bool { return !slices.Contains([]string{"id", "name", "absent"}, c.Name) })
	data = indexed(t, data, -1)
	carried := func(data []byte) (indexes, blooms int) {
		s := newScene(t, data, keep, answers())
		s.splice()
		for _, g := range footerOf(t, bytesOf(t, s.target, "spliced.parquet")).Groups() {
			for _, c := range g.Chunks() {
				if _, ok := c.ColumnIndex(); ok {
					indexes++
				}
				if _, ok := c.Bloom(); ok {
					blooms++
				}
			}
		}
		return indexes, blooms
	}
	if indexes, blooms := carried(data); indexes == 0 || blooms != 4 {
		t.Fatalf("%d indexes and %d Bloom filters of a good file", indexes, blooms)
	}
	shared := func(edit func(from, to footer.Chunk) error) []byte {
		f := footerOf(t, data)
		at := leaf(f, "name").Leaf
		if err := edit(f.Groups()[0].Chunk(at), f.Groups()[1].Chunk(at)); err != nil {
			t.Fatal(err)
		}
		out, err := f.AppendEnd(bytes.Clone(data))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if indexes, blooms := carried(shared(func(from, to footer.Chunk) error {
		at, _ := from.ColumnIndex()
		offset, _ := to.OffsetIndex()
		return to.SetIndexes(at, offset)
	})); indexes != 0 || blooms != 4 {
		t.Errorf("%d indexes, some of the same bytes, and %d Bloom filters", indexes, blooms)
	}
	if indexes, blooms := carried(shared(func(from, to footer.Chunk) error {
		at, _ := from.Bloom()
		return to.SetBloom(at)
	})); indexes == 0 || blooms != 0 {
		t.Errorf("%d indexes and %d Bloom filters, some of the same bytes", indexes, blooms)
	}
}
