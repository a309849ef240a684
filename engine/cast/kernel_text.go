package cast

import (
	"encoding/binary"
	"unicode/utf8"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
)

// textForm is what a column's text must be.
type textForm struct {
	limit   int // in units of measure; 0 is without
	measure textMeasure
	binary  bool // bytes need not be UTF-8 text
	pad     bool // short values are padded
	short   bool // short values are counted: they were left so on purpose
	fill    byte
}

func (c *column) textForm() textForm {
	f := textForm{fill: ' '}
	f.limit, f.measure = lengthOf(c.target.SQL)
	switch c.rule.Code {
	case PadChar:
		f.pad = f.limit > 0
	case PadBinary:
		f.pad, f.fill = f.limit > 0, 0
	case AnsiBinary:
		f.fill = 0
		fallthrough
	case AnsiChar:
		f.pad = c.rule.Answer == Pad && f.limit > 0
		f.short = c.rule.Answer == Keep && f.limit > 0
	}
	return f
}

// plain reports whether a value is written as it is and counts for nothing. sure
// says what is known of all values together.
func (f *textForm) plain(s string, sure surely) bool {
	if !f.binary && !sure.text && !utf8.ValidString(s) {
		return false
	}
	switch {
	case f.limit == 0:
		return true
	case f.pad || f.short:
		return f.size(s, sure) == f.limit
	}
	// A text never has more units than bytes, so short ones need no counting.
	return len(s) <= f.limit || f.size(s, sure) <= f.limit
}

// size is a value's length in the type's units.
func (f *textForm) size(s string, sure surely) int {
	if sure.ascii || f.binary {
		return len(s)
	}
	return f.measure(s)
}

// surely is what one look at all of an array's bytes proved of its values.
type surely struct {
	ascii bool // every unit is a byte
	text  bool // UTF-8
}

func (f *textForm) look(in *texts) surely {
	if f.binary || in.starts == nil {
		return surely{}
	}
	first := in.starts[0]
	all := in.data[first:in.starts[len(in.starts)-1]]
	switch {
	case ascii(all):
		return surely{ascii: true, text: true}
	case !utf8.ValidString(all):
		return surely{}
	}
	// Whole characters end where values do.
	for _, at := range in.starts {
		if k := int(at - first); k < len(all) && !utf8.RuneStart(all[k]) {
			return surely{}
		}
	}
	return surely{text: true}
}

// ascii reports whether all bytes are below 128.
func ascii(s string) bool {
	const high = 0x8080808080808080
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	var all uint64
	for len(b) >= 32 {
		all |= binary.LittleEndian.Uint64(b) | binary.LittleEndian.Uint64(b[8:]) |
			binary.LittleEndian.Uint64(b[16:]) | binary.LittleEndian.Uint64(b[24:])
		b = b[32:]
	}
	for _, ch := range b {
		all |= uint64(ch)
	}
	return all&high == 0
}

func castText(c *column, src arrow.Array) (arrow.Array, error) { return c.write(src, c.textForm()) }

func castBytes(c *column, src arrow.Array) (arrow.Array, error) {
	f := c.textForm()
	f.binary = true
	return c.write(src, f)
}

// write makes a column of text or bytes. While every value is plain nothing is
// copied: the source's own buffers are handed on.
func (c *column) write(src arrow.Array, f textForm) (arrow.Array, error) {
	in, ok := textsOf(src)
	if !ok {
		return nil, c.unexpected(src)
	}
	sure := f.look(&in)
	if f.limit == 0 {
		c.measureLongest(src, &in, &f, sure)
	}
	shared := src.DataType().ID() == arrow.STRING || src.DataType().ID() == arrow.BINARY
	if shared && allPlain(src, &in, &f, sure) {
		return relabel(src, c.out), nil
	}
	b := c.newText(src, max(16, widthOf(src.DataType())))
	defer b.release()
	for from := 0; from < src.Len(); from += blockLen {
		to := min(from+blockLen, src.Len())
		if f.pad && c.padBlock(b, src, &in, &f, sure, from, to) {
			continue
		}
		for i := from; i < to; i++ {
			if src.IsNull(i) {
				b.null(i)
				continue
			}
			c.writeText(b, i, in.Value(i), &f, sure)
		}
	}
	return b.done(c.out)
}

func allPlain(src arrow.Array, in *texts, f *textForm, sure surely) bool {
	if sure.text && f.limit == 0 {
		return true
	}
	for i := range src.Len() {
		if !f.plain(in.Value(i), sure) && src.IsValid(i) {
			return false
		}
	}
	return true
}

// padBlock pads a block whose values are at most as long as declared.
func (c *column) padBlock(b *textOut, src arrow.Array, in *texts, f *textForm, sure surely, from, to int) bool {
	if !f.binary && !sure.ascii {
		return false
	}
	var short, n int64
	for i := from; i < to; i++ {
		if src.IsNull(i) {
			continue
		}
		size := len(in.Value(i))
		if size > f.limit {
			return false
		}
		n++
		if size < f.limit {
			short++
		}
	}
	if !c.calmly(Padded, short, 0) {
		return false
	}
	room := b.reserve(int(n) * f.limit)
	for i := from; i < to; i++ {
		if src.IsValid(i) {
			for k := copy(room[:f.limit], in.Value(i)); k < f.limit; k++ {
				room[k] = f.fill
			}
			room, b.used = room[f.limit:], b.used+f.limit
		}
		b.next++
		b.starts[b.next] = int32(b.used)
	}
	return true
}

func (c *column) writeText(b *textOut, i int, s string, f *textForm, sure surely) {
	if !f.binary && !sure.text && !utf8.ValidString(s) {
		c.refuse(NotUTF8, i, 0)
		b.null(i)
		return
	}
	n := len(s)
	if f.limit > 0 && (f.pad || f.short || n > f.limit) {
		n = f.size(s, sure)
	}
	switch over := float64(n - f.limit); {
	case f.limit == 0, n == f.limit, n < f.limit && !f.pad && !f.short:
		b.add(s)
	case n < f.limit && f.short:
		c.note(LeftShort, i, 0)
		b.add(s)
	case n < f.limit:
		c.note(Padded, i, 0)
		b.addPadded(s, f.limit-n, f.fill)
	case c.rule.Answer != Cut:
		c.refuse(TooLong, i, over)
		b.null(i)
	case f.binary:
		c.note(CutOff, i, over)
		b.add(s[:f.limit])
	default:
		c.note(CutOff, i, over)
		s = cutTo(s, f.limit, f.measure)
		short := 0 // a character that did not fit in whole leaves room
		if f.pad {
			short = f.limit - f.measure(s)
		}
		b.addPadded(s, short, f.fill)
	}
}

// measureLongest watches columns without declared length for values that a
// copying tool cut: many that end at exactly one length.
func (c *column) measureLongest(src arrow.Array, in *texts, f *textForm, sure surely) {
	for i := range src.Len() {
		s := in.Value(i)
		if int64(len(s)) < c.longest.Length || src.IsNull(i) {
			continue
		}
		n := int64(f.size(s, sure))
		if n < c.longest.Length {
			continue
		}
		c.seeLong(i, n)
	}
}
