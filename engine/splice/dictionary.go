package splice

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/compress"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
	"cdcseed/engine/store"
)

// maxDictionary is the largest dictionary page that is cast, in bytes.
const maxDictionary = 64 << 20

// errByRows says that a dictionary's values cannot be cast without counting rows:
// one of them changes, does not fit, or cannot be read. The column is then recoded,
// which counts and reports what has to be reported.
var errByRows = errors.New("the dictionary's values have to be seen row by row")

// errRead is in the chain of an error that the copy's store gave.
var errRead = errors.New("read the copy's file")

// castDictionary is the new dictionary page of a chunk.
type castDictionary struct {
	page         []byte
	pieces       []piece // the chunk's data pages
	rest         int64   // bytes of pieces
	uncompressed int64   // of the whole new chunk
	element      footer.Element
	physical     footer.Physical
}

// piece is a stretch of the copy and the bytes that go in front of it.
type piece struct {
	head []byte
	body footer.Region
}

// dictionaryCaster casts the dictionaries of one column's chunks.
type dictionaryCaster struct {
	col    column
	node   *footer.Node
	foot   *footer.Footer
	from   store.File
	locate cast.Locate
}

// cast makes the new dictionary page of a chunk whose pages were walked.
func (d dictionaryCaster) cast(ctx context.Context, c footer.Chunk, pages footer.Pages) (*castDictionary, error) {
	old := pages.Dictionary
	if !pages.AllDictionary() || old.Size > maxDictionary || old.Uncompressed > maxDictionary || old.Offset != c.Start() {
		return nil, errByRows
	}
	out := &castDictionary{}
	shrunk, err := d.dataPages(out, c)
	if err != nil {
		return nil, err
	}
	made, err := d.values(ctx, c.Codec(), old)
	if err != nil {
		return nil, err
	}
	packed, err := compressed(c.Codec(), made.plain)
	if err != nil {
		return nil, err
	}
	head := pageHeader(footer.DictionaryPage, pageDictionary, dictionaryHeader(int32(old.Values)), len(made.plain), len(packed), thrift.Value{})
	out.page, out.element, out.physical = slices.Concat(head, packed), made.element, made.element.Physical()
	out.uncompressed = c.Uncompressed() - int64(old.Header) - old.Uncompressed + int64(len(head)+len(made.plain)) - shrunk
	return out, nil
}

// dataPages finds the chunk's data pages, whose bodies hold places in the dictionary
// whatever that holds. Bounds in their headers are of the old type: readers crash
// on them, and those headers are written anew. shrunk is how many bytes shorter
// they are.
func (d dictionaryCaster) dataPages(out *castDictionary, c footer.Chunk) (shrunk int64, err error) {
	_, err = footer.Walk(d.from, d.node, c, func(p footer.Page) error {
		if p.Kind == footer.DictionaryPage {
			return nil
		}
		head, err := d.header(p)
		if err != nil {
			return err
		}
		body := footer.Region{Offset: p.Offset, Length: int64(p.Header) + p.Size}
		if head != nil {
			body = footer.Region{Offset: p.Offset + int64(p.Header), Length: p.Size}
			shrunk += int64(p.Header - len(head))
		}
		out.rest += int64(len(head)) + body.Length
		if last := len(out.pieces) - 1; head == nil && last >= 0 && out.pieces[last].body.End() == body.Offset {
			out.pieces[last].body.Length += body.Length
			return nil
		}
		out.pieces = append(out.pieces, piece{head, body})
		return nil
	})
	return shrunk, err
}

// header is a page's header without bounds, or nothing where it has none.
func (d dictionaryCaster) header(p footer.Page) ([]byte, error) {
	b := make([]byte, p.Header)
	if n, err := d.from.ReadAt(b, p.Offset); n < len(b) {
		return nil, errors.Join(errRead, err)
	}
	h, _, err := thrift.Parse(b, pageLimits)
	if err != nil {
		return nil, err
	}
	part, field := h.Struct(pageData), int16(dataStatistics)
	if p.Kind == footer.DataPageV2 {
		part, field = h.Struct(pageDataV2), dataStatisticsV2
	}
	if part == nil || !part.Has(field) {
		return nil, nil
	}
	part.Delete(field)
	return h.Append(nil), nil
}

// values casts the dictionary's entries. One that changes would have to be counted
// as often as rows hold it, and one that does not fit may be held by no row.
func (d dictionaryCaster) values(ctx context.Context, codec footer.Codec, old *footer.Page) (encoded, error) {
	in, err := d.entries(ctx, codec, old)
	switch {
	case errors.Is(err, errRead), ctx.Err() != nil:
		return encoded{}, errors.Join(err, ctx.Err())
	case err != nil: // the column's own reader says what is wrong with it
		return encoded{}, errByRows
	}
	defer in.Release()
	made, report, err := castOne(d.col.rule(), d.col.plan.Target, in, d.locate)
	if err != nil {
		return encoded{}, err
	}
	defer made.Release()
	if !clean(report) || made.NullN() > 0 {
		return encoded{}, errByRows
	}
	return encode(d.col.Name, d.col.FieldID, made)
}

func (d dictionaryCaster) entries(ctx context.Context, codec footer.Codec, old *footer.Page) (arrow.Array, error) {
	if old.Values == 0 { // of a chunk without a value
		return array.MakeArrayOfNull(memory.DefaultAllocator, arrow.Null, 0), nil
	}
	if old.Values > old.Uncompressed || int64(int32(old.Values)) != old.Values {
		return nil, fmt.Errorf("a dictionary of %d entries in %d bytes", old.Values, old.Uncompressed)
	}
	page := make([]byte, int64(old.Header)+old.Size)
	if n, err := d.from.ReadAt(page, old.Offset); n < len(page) {
		return nil, errors.Join(errRead, err)
	}
	h, used, err := thrift.Parse(page, pageLimits)
	if err != nil {
		return nil, err
	}
	return decode(ctx, d.foot, d.node, codec, page[used:], int(old.Uncompressed), int32(old.Values), h.Get(pageChecksum))
}

// compressed packs a page as the chunk's other pages are packed.
func compressed(c footer.Codec, body []byte) ([]byte, error) {
	if c == footer.Uncompressed {
		return body, nil
	}
	lib, ok := map[footer.Codec]compress.Compression{
		footer.Snappy: compress.Codecs.Snappy, footer.Gzip: compress.Codecs.Gzip, footer.Zstd: compress.Codecs.Zstd,
	}[c]
	if !ok {
		return nil, fmt.Errorf("no page is packed as %s", c)
	}
	codec, err := compress.GetCodec(lib)
	if err != nil {
		return nil, err
	}
	return codec.Encode(make([]byte, codec.CompressBound(int64(len(body)))), body), nil
}

// at is what the new footer says of the chunk, which begins at offset.
func (d *castDictionary) at(offset int64, name string, old footer.Chunk) footer.Chunk {
	out := old.Moved(0)
	out.SetPath([]string{name})
	m := out.Struct().Struct(chunkMeta)
	set64(m, metaUncompressed, d.uncompressed)
	set64(m, metaCompressed, int64(len(d.page))+d.rest)
	set64(m, metaDictionary, offset)
	set64(m, metaData, offset+int64(len(d.page)))
	nulls := m.Struct(metaStatistics).Get(statNulls)
	m.Delete(metaKeyValues, metaPageSizes, metaStatistics) // bounds of other values than these
	if nulls.Kind() == thrift.I64 {
		kept := &thrift.Struct{}
		kept.Set(statNulls, nulls)
		m.Set(metaStatistics, thrift.Of(kept))
	}
	m.Set(metaType, thrift.Int32(int32(d.physical)))
	return out
}

// keepsOrder reports whether a cast that changed no value worth counting gives a
// greater value never a lesser one. The last ones leave such a value as it is.
func keepsOrder(r cast.Rule) bool {
	switch r.Code {
	case cast.Same, cast.Widen, cast.NarrowChecked, cast.DecimalRescale, cast.IntToDecimal, cast.MillisToMicros, cast.NanosToMicros,
		cast.DateToStamp, cast.TimeToText, cast.DatetimeTick, cast.MinuteOnly, cast.PadChar, cast.AnsiChar, cast.GUIDText:
		return !r.Legacy
	}
	return false
}

// bounds are the bounds of the new column: those of the old one, cast. The
// dictionary's own extremes are none, as no row need hold them.
func (d dictionaryCaster) bounds() parquetfile.ColumnBounds {
	out := parquetfile.ColumnBounds{Name: d.col.Name, Nulls: -1}
	if n, known := d.foot.NullCount(d.node.Leaf); known {
		out.Nulls = n
	}
	b, ok := d.foot.Bounds(d.node.Leaf)
	if !ok || !b.MinExact || !b.MaxExact || !keepsOrder(d.col.rule()) {
		return out
	}
	in, ok := bounds(*d.col.rule().Source, [][]byte{b.Min, b.Max})
	if !ok {
		return out
	}
	defer in.Release()
	made, report, err := castOne(d.col.rule(), d.col.plan.Target, in, d.locate)
	if err != nil {
		return out
	}
	defer made.Release()
	if !clean(report) {
		return out
	}
	if e, err := encode(d.col.Name, nil, made); err == nil {
		out.Low, out.High = e.stats.Low, e.stats.High
	}
	return out
}

func withoutLength(plain []byte, physical footer.Physical) []byte {
	if physical == footer.ByteArray && len(plain) >= 4 && uint64(binary.LittleEndian.Uint32(plain)) == uint64(len(plain)-4) {
		return plain[4:]
	}
	return plain
}
