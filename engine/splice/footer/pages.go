package footer

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cdcseed/engine/splice/footer/thrift"
)

// Page is a page's header, and where the page stands.
type Page struct {
	Kind         PageKind
	Offset       int64 // of the header
	Header       int   // bytes of the header
	Size         int64 // bytes of the body in the file
	Uncompressed int64
	Values       int64 // of a dictionary its entries
	Encoding     Encoding
	Checked      bool // the header holds a checksum of the body
}

// End is the first byte behind the page.
func (p Page) End() int64 { return p.Offset + int64(p.Header) + p.Size }

// Pages are a chunk's pages, taken together.
type Pages struct {
	Data       int      // data pages
	Values     int64    // in them
	Dictionary *Page    // nil where the chunk has none
	Other      int      // index pages
	Checked    int      // pages with a checksum, of any kind
	V2         int      // data pages of version 2
	Encoded    int      // data pages whose values are places in the dictionary
	NotKept    Encoding // an encoding of values or levels that may not be copied; valid where Odd
	Odd        bool     // a page has such an encoding
}

// AllDictionary reports whether each data page holds places in the dictionary,
// so that casting the dictionary casts the chunk.
func (p Pages) AllDictionary() bool { return p.Dictionary != nil && p.Encoded == p.Data }

// The bytes that one read of a header asks for: most headers have less than the
// first; one with long bounds may have a lot more.
const (
	headerBytes  = 128
	largestGuess = 16 << 20
)

var pageLimits = thrift.Limits{Depth: 16, Values: 1 << 16}

// Walk reads the headers of a chunk's pages and nothing else: they must fill
// the chunk exactly and hold as many values as the footer says. see, where it
// is not nil, is called for every page; its error ends the walk. A Problem is
// in the error's chain where the chunk is at fault. Check passed before.
func Walk(r io.ReaderAt, leaf *Node, c Chunk, see func(Page) error) (Pages, error) {
	w := walk{r: r, leaf: leaf, end: c.Start() + c.Size(), guess: headerBytes}
	for at := c.Start(); at < w.end; {
		p, err := w.page(at)
		if err != nil {
			return w.all, err
		}
		if see != nil {
			if err := see(p); err != nil {
				return w.all, err
			}
		}
		at = p.End()
	}
	if w.all.Values != c.Values() {
		return w.all, w.bad("its pages hold %d values, the footer says %d", w.all.Values, c.Values())
	}
	if at := w.firstData; at != 0 && at != c.DataOffset() && !w.misplaced(c) {
		return w.all, w.bad("its first data page stands at %d, the footer says %d", at, c.DataOffset())
	}
	return w.all, nil
}

// misplaced reports that the footer gives the dictionary page's place for that
// of the first data page, as some writers do.
func (w *walk) misplaced(c Chunk) bool {
	return w.all.Dictionary != nil && w.all.Dictionary.Offset == c.DataOffset()
}

type walk struct {
	r         io.ReaderAt
	leaf      *Node
	end       int64
	guess     int    // bytes that a header is read with
	window    []byte // of the file, at from
	from      int64
	firstData int64
	all       Pages
}

func (w *walk) bad(format string, args ...any) *Problem {
	return &Problem{Kind: BadPages, Group: -1, Leaf: w.leaf.Leaf, Column: columnName(w.leaf), Detail: fmt.Sprintf(format, args...)}
}

func (w *walk) page(at int64) (Page, error) {
	h, n, err := w.header(at)
	if err != nil {
		return Page{}, err
	}
	if err := pageShape.check(h); err != nil {
		return Page{}, w.bad("the page header at %d: %v", at, err)
	}
	p := Page{
		Kind: PageKind(h.Int(1, -1)), Offset: at, Header: n,
		Uncompressed: h.Int(2, -1), Size: h.Int(3, -1), Checked: h.Has(4),
	}
	if p.Size < 0 || p.Uncompressed < 0 || p.End() > w.end {
		return p, w.bad("a page at %d of %d bytes, %d uncompressed, in a chunk that ends at %d", at, p.Size, p.Uncompressed, w.end)
	}
	if err := w.take(&p, h); err != nil {
		return p, err
	}
	if p.Checked {
		w.all.Checked++
	}
	return p, nil
}

// header reads the header at a place, with more bytes each time that they end
// inside it.
func (w *walk) header(at int64) (*thrift.Struct, int, error) {
	for {
		var have []byte
		if skip := at - w.from; skip < int64(len(w.window)) {
			have = w.window[skip:]
		}
		h, n, err := thrift.Parse(have, pageLimits)
		switch {
		case err == nil:
			w.guess = max(headerBytes, n+n/4)
			return h, n, nil
		case !errors.Is(err, thrift.ErrShort):
			return nil, 0, w.bad("the page header at %d: %v", at, err)
		case int64(len(have)) >= w.end-at:
			return nil, 0, w.bad("the page header at %d is cut off by the chunk's end, %d", at, w.end)
		case len(have) >= largestGuess:
			return nil, 0, w.bad("the page header at %d has more than %d bytes", at, largestGuess)
		}
		if len(have) >= w.guess {
			w.guess = min(largestGuess, len(have)*8)
		}
		n = int(min(int64(w.guess), w.end-at))
		w.window, w.from = slices.Grow(w.window[:0], n)[:n], at
		if err := readFull(w.r, w.window, at); err != nil {
			return nil, 0, err
		}
	}
}

// take adds a page to what is known of all of them.
func (w *walk) take(p *Page, h *thrift.Struct) error {
	switch p.Kind {
	case DataPage, DataPageV2:
		return w.data(p, h)
	case DictionaryPage:
		d := h.Struct(headerDictionary)
		if d == nil || d.Int(1, -1) < 0 {
			return w.bad("the dictionary page at %d does not say how many entries it has", p.Offset)
		}
		if w.all.Dictionary != nil || w.all.Data > 0 {
			return w.bad("a dictionary page at %d, behind other pages", p.Offset)
		}
		p.Values, p.Encoding = d.Int(1, 0), Encoding(d.Int(2, -1))
		if p.Encoding != Plain && p.Encoding != PlainDictionary {
			return w.bad("the dictionary page at %d is encoded as %s", p.Offset, p.Encoding)
		}
		kept := *p
		w.all.Dictionary = &kept
	case IndexPage:
		w.all.Other++
	default:
		return w.bad("the page at %d is of kind %d, which does not exist", p.Offset, p.Kind)
	}
	return nil
}

func (w *walk) data(p *Page, h *thrift.Struct) error {
	var d *thrift.Struct
	levels := int64(0) // bytes in front of the values
	if p.Kind == DataPage {
		d = h.Struct(headerData)
		p.Encoding = Encoding(d.Int(2, -1))
		w.levels(Encoding(d.Int(3, int64(RLE))), w.leaf.Def)
		w.levels(Encoding(d.Int(4, int64(RLE))), w.leaf.Rep)
	} else {
		d = h.Struct(headerDataV2)
		p.Encoding = Encoding(d.Int(4, -1))
		levels = d.Int(5, -1) + d.Int(6, -1)
		if d != nil && (d.Int(5, -1) < 0 || d.Int(6, -1) < 0 || d.Int(2, -1) < 0 || d.Int(3, -1) < 0) {
			return w.bad("the page at %d has impossible counts of nulls, rows or levels", p.Offset)
		}
		w.all.V2++
	}
	p.Values = d.Int(1, -1)
	if d == nil || p.Values < 0 || levels > p.Size {
		return w.bad("the data page at %d does not say what it holds, or holds more than its %d bytes", p.Offset, p.Size)
	}
	if p.Encoding.Dictionary() {
		if w.all.Dictionary == nil {
			return w.bad("the page at %d needs a dictionary, and none stands before it", p.Offset)
		}
		w.all.Encoded++
	}
	if !p.Encoding.Kept() {
		w.all.NotKept, w.all.Odd = p.Encoding, true
	}
	if w.all.Data == 0 {
		w.firstData = p.Offset
	}
	w.all.Data++
	w.all.Values += p.Values
	return nil
}

// levels remembers an old encoding of levels, where there are levels.
func (w *walk) levels(e Encoding, deepest int) {
	if deepest > 0 && e != RLE {
		w.all.NotKept, w.all.Odd = e, true
	}
}

func columnName(n *Node) string { return strings.Join(n.Path(), ".") }
