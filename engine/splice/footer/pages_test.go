package footer_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
)

// page is a page as a writer lays it out: header, then a body of size bytes.
func page(kind footer.PageKind, size int, more func(h *thrift.Struct)) []byte {
	h := &thrift.Struct{}
	h.Set(1, thrift.Int32(int32(kind)))
	h.Set(2, thrift.Int32(int32(size)))
	h.Set(3, thrift.Int32(int32(size)))
	more(h)
	return append(h.Append(nil), bytes.Repeat([]byte{0xee}, size)...)
}

func numbers(ns ...int32) *thrift.Struct {
	s := &thrift.Struct{}
	for i, n := range ns {
		s.Set(int16(i+1), thrift.Int32(n))
	}
	return s
}

func dataPage(values int32, e footer.Encoding, size int) []byte {
	return page(footer.DataPage, size, func(h *thrift.Struct) { h.Set(5, thrift.Of(numbers(values, int32(e), 3, 3))) })
}

func dictionary(entries int32, size int) []byte {
	return page(footer.DictionaryPage, size, func(h *thrift.Struct) { h.Set(7, thrift.Of(numbers(entries, 0))) })
}

func dataPageV2(values, nulls, rows int32, e footer.Encoding, def, rep int32, size int) []byte {
	return page(footer.DataPageV2, size, func(h *thrift.Struct) {
		h.Set(8, thrift.Of(numbers(values, nulls, rows, int32(e), def, rep)))
	})
}

// fileOf is a file's bytes of one column chunk that begins behind the magic,
// with the leaf and the chunk that its footer would hold.
func fileOf(t *testing.T, values int64, pages ...[]byte) ([]byte, *footer.Node, footer.Chunk) {
	t.Helper()
	leaf := read(t, made(t)).Leaves()[colID]
	body := bytes.Join(pages, nil)
	p := footer.ChunkParts{Physical: footer.Int64, Path: []string{"id"}, Values: values, Size: int64(len(body)), Uncompressed: int64(len(body)), Data: 4}
	if h, n, err := thrift.Parse(body, thrift.Limits{Depth: 9, Values: 999}); err == nil && h.Has(7) {
		p.Dictionary, p.Data = 4, 4+int64(n)+h.Int(3, 0)
	}
	return append([]byte("PAR1"), body...), leaf, footer.NewChunk(p)
}

func TestWalkTellsWhatTheChunkHolds(t *testing.T) {
	file, leaf, c := fileOf(t, 60,
		dictionary(5, 40),
		dataPage(10, footer.RLEDictionary, 100),
		page(footer.IndexPage, 7, func(h *thrift.Struct) { h.Set(6, thrift.Of(&thrift.Struct{})) }),
		dataPageV2(20, 2, 20, footer.RLEDictionary, 4, 0, 300),
		page(footer.DataPage, 50, func(h *thrift.Struct) {
			h.Set(4, thrift.Int32(-77))
			h.Set(5, thrift.Of(numbers(30, int32(footer.Plain), 3, 3)))
		}),
	)
	var seen []footer.Page
	got, err := footer.Walk(bytes.NewReader(file), leaf, c, func(p footer.Page) error {
		seen = append(seen, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Data != 3 || got.V2 != 1 || got.Encoded != 2 || got.Other != 1 || got.Checked != 1 || got.Values != 60 || got.Odd || got.AllDictionary() {
		t.Errorf("%+v", got)
	}
	if d := got.Dictionary; d == nil || d.Offset != 4 || d.Size != 40 || d.Values != 5 {
		t.Errorf("the dictionary: %+v", d)
	}
	if len(seen) != 5 || seen[4].End() != int64(len(file)) || !seen[4].Checked || seen[3].Values != 20 {
		t.Errorf("the pages: %+v", seen)
	}
	stop := errors.New("enough")
	if _, err := footer.Walk(bytes.NewReader(file), leaf, c, func(footer.Page) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the walk was stopped, and says %v", err)
	}
}

func TestPagesAllOfADictionary(t *testing.T) {
	file, leaf, c := fileOf(t, 30, dictionary(5, 40), dataPage(10, footer.RLEDictionary, 9), dataPage(20, footer.PlainDictionary, 9))
	if got, err := footer.Walk(bytes.NewReader(file), leaf, c, nil); err != nil || !got.AllDictionary() {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestOldLevelsAndEncodingsAreSeen(t *testing.T) {
	for e, pages := range map[footer.Encoding][]byte{
		footer.BitPacked:       page(footer.DataPage, 9, func(h *thrift.Struct) { h.Set(5, thrift.Of(numbers(1, 0, int32(footer.BitPacked), 3))) }),
		footer.ByteStreamSplit: dataPage(1, footer.ByteStreamSplit, 9),
	} {
		file, leaf, c := fileOf(t, 1, pages)
		if got, err := footer.Walk(bytes.NewReader(file), leaf, c, nil); err != nil || !got.Odd || got.NotKept != e {
			t.Errorf("%s: %+v, %v", e, got, err)
		}
	}
	// The column does not repeat: how its repetition levels would be laid out says nothing.
	file, leaf, c := fileOf(t, 1, page(footer.DataPage, 9, func(h *thrift.Struct) {
		h.Set(5, thrift.Of(numbers(1, 0, int32(footer.RLE), int32(footer.BitPacked))))
	}))
	if got, err := footer.Walk(bytes.NewReader(file), leaf, c, nil); err != nil || got.Odd {
		t.Errorf("levels of no bytes: %+v, %v", got, err)
	}
}

func TestWalkRefusesWhatDoesNotFit(t *testing.T) {
	one := dataPage(10, footer.Plain, 100)
	for name, c := range map[string]struct {
		values int64
		pages  [][]byte
		says   string
	}{
		"too few values":    {11, [][]byte{one}, "10 values, the footer says 11"},
		"too many values":   {9, [][]byte{one}, "10 values, the footer says 9"},
		"cut off":           {10, [][]byte{one[:len(one)-1]}, "in a chunk that ends at"},
		"cut off in header": {10, [][]byte{one, one[:5]}, "cut off by the chunk's end"},
		"a size below zero": {10, [][]byte{page(footer.DataPage, 0, func(h *thrift.Struct) {
			h.Set(3, thrift.Int32(-1))
			h.Set(5, thrift.Of(numbers(10, 0, 3, 3)))
		})}, "of -1 bytes"},
		"values below zero":     {-1, [][]byte{dataPage(-1, footer.Plain, 9)}, "does not say what it holds"},
		"no struct":             {10, [][]byte{bytes.Repeat([]byte{0xee}, 50)}, "the page header at 4"},
		"no header of its kind": {10, [][]byte{page(footer.DataPage, 9, func(*thrift.Struct) {})}, "does not say what it holds"},
		"a kind of its own":     {10, [][]byte{page(9, 9, func(*thrift.Struct) {})}, "of kind 9"},
		"two dictionaries":      {10, [][]byte{dictionary(1, 9), dictionary(1, 9), one}, "behind other pages"},
		"a late dictionary":     {10, [][]byte{one, dictionary(1, 9)}, "behind other pages"},
		"no dictionary":         {10, [][]byte{dataPage(10, footer.RLEDictionary, 9)}, "none stands before it"},
		"an odd dictionary": {10, [][]byte{page(footer.DictionaryPage, 9, func(h *thrift.Struct) {
			h.Set(7, thrift.Of(numbers(1, int32(footer.DeltaByteArray))))
		}), one}, "encoded as DELTA_BYTE_ARRAY"},
		"levels beyond the page": {10, [][]byte{dataPageV2(10, 0, 10, footer.Plain, 8, 2, 9)}, "more than its 9 bytes"},
		"levels below zero":      {10, [][]byte{dataPageV2(10, 0, 10, footer.Plain, -8, 2, 9)}, "impossible counts"},
		"kinds that differ":      {10, [][]byte{page(footer.DataPage, 9, func(h *thrift.Struct) { h.Set(5, thrift.Int32(1)) })}, "field 5 is a i32"},
	} {
		file, leaf, chunk := fileOf(t, c.values, c.pages...)
		_, err := footer.Walk(bytes.NewReader(file), leaf, chunk, nil)
		var p *footer.Problem
		if !errors.As(err, &p) || p.Kind != footer.BadPages || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v does not say %q", name, err, c.says)
		}
		if p != nil && (p.Column != "id" || p.Leaf != colID) {
			t.Errorf("%s: the problem is of %q, leaf %d", name, p.Column, p.Leaf)
		}
	}
}

func TestADataPageWhereTheFooterDoesNotPlaceIt(t *testing.T) {
	file, leaf, c := fileOf(t, 10, dictionary(5, 40), dataPage(10, footer.RLEDictionary, 9))
	right := c.DataOffset()
	c.Struct().Struct(3).Set(9, thrift.Int64(right+1))
	if _, err := footer.Walk(bytes.NewReader(file), leaf, c, nil); err == nil {
		t.Error("the footer places the data page inside itself, and nobody says so")
	}
	// Some writers give the dictionary's place for both.
	c.Struct().Struct(3).Set(9, thrift.Int64(4))
	c.Struct().Struct(3).Delete(11)
	if _, err := footer.Walk(bytes.NewReader(file), leaf, c, nil); err != nil {
		t.Error(err)
	}
}

// counted is a file whose reads are counted.
type counted struct {
	io.ReaderAt
	bytes, reads int
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	c.bytes, c.reads = c.bytes+len(p), c.reads+1
	return c.ReaderAt.ReadAt(p, off)
}

// TestWalkReadsHeadersAlone holds that no page is read: bodies of a megabyte
// cost as many bytes as bodies of 200.
func TestWalkReadsHeadersAlone(t *testing.T) {
	for _, size := range []int{200, 1 << 20} {
		var pages [][]byte
		for range 20 {
			pages = append(pages, dataPage(10, footer.Plain, size))
		}
		file, leaf, c := fileOf(t, 200, pages...)
		in := &counted{ReaderAt: bytes.NewReader(file)}
		if _, err := footer.Walk(in, leaf, c, nil); err != nil {
			t.Fatal(err)
		}
		if in.reads != 20 || in.bytes > 20*128 {
			t.Errorf("bodies of %d bytes: %d bytes in %d reads for 20 headers", size, in.bytes, in.reads)
		}
	}
}

// TestLongHeadersAreReadWhole has headers with bounds of up to 100 KB in them.
func TestLongHeadersAreReadWhole(t *testing.T) {
	var pages [][]byte
	all := 0
	for _, n := range []int{10, 5_000, 5_000, 100_000, 90_000, 10, 4_096} {
		p := page(footer.DataPage, 300_000, func(h *thrift.Struct) {
			bounds := &thrift.Struct{}
			bounds.Set(5, thrift.Bytes(make([]byte, n)))
			d := numbers(1, 0, 3, 3)
			d.Set(5, thrift.Of(bounds))
			h.Set(5, thrift.Of(d))
		})
		pages, all = append(pages, p), all+n
	}
	file, leaf, c := fileOf(t, int64(len(pages)), pages...)
	in := &counted{ReaderAt: bytes.NewReader(file)}
	got, err := footer.Walk(in, leaf, c, nil)
	if err != nil || got.Data != len(pages) {
		t.Fatalf("%+v, %v", got, err)
	}
	if in.bytes > 12*all {
		t.Errorf("%d bytes read for headers of %d", in.bytes, all)
	}
}

// TestAHeaderWithoutEndIsBounded has a header that claims more than any header has.
func TestAHeaderWithoutEndIsBounded(t *testing.T) {
	head := "\x15\x00\x15\x10\x15\x10\x5c\x18\x80\x80\x80\x20" // a text of 64 MiB in field 8
	huge := io.NewSectionReader(zeros{head: "PAR1" + head}, 0, 1<<30)
	leaf := read(t, made(t)).Leaves()[colID]
	c := footer.NewChunk(footer.ChunkParts{Physical: footer.Int64, Values: 1, Size: 1<<30 - 4, Data: 4})
	in := &counted{ReaderAt: huge}
	_, err := footer.Walk(in, leaf, c, nil)
	if err == nil || in.bytes > 64<<20 {
		t.Errorf("%d bytes were read, and the error is %v", in.bytes, err)
	}
}

// zeros is a file of zeros between its head and the tail that ends at size.
type zeros struct {
	head string
	tail []byte
	size int64
}

func (z zeros) ReadAt(p []byte, off int64) (int, error) {
	clear(p)
	if off < int64(len(z.head)) {
		copy(p, z.head[off:])
	}
	if from := z.size - int64(len(z.tail)) - off; len(z.tail) > 0 && from >= 0 && from < int64(len(p)) {
		copy(p[from:], z.tail)
	}
	return len(p), nil
}
