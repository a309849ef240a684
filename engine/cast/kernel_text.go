package cast

import (
	"unicode/utf8"

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

// plain reports whether a value is written as it is and counts for nothing.
func (f textForm) plain(s string) bool {
	if !f.binary && !utf8.ValidString(s) {
		return false
	}
	if f.limit == 0 {
		return true
	}
	// A text never has more units than bytes, so short ones need no counting.
	if !f.pad && !f.short {
		return len(s) <= f.limit || f.measure(s) <= f.limit
	}
	return f.measure(s) == f.limit
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
	if f.limit == 0 {
		c.measureLongest(src, in, f)
	}
	shared := src.DataType().ID() == arrow.STRING || src.DataType().ID() == arrow.BINARY
	if shared && allPlain(src, in, f) {
		return relabel(src, c.out), nil
	}
	b := c.newText(src, 16)
	defer b.release()
	for i := range src.Len() {
		if src.IsNull(i) {
			b.null(i)
			continue
		}
		c.writeText(b, i, in.Value(i), f)
	}
	return b.done(c.out)
}

func allPlain(src arrow.Array, in texts, f textForm) bool {
	for i := range src.Len() {
		if !f.plain(in.Value(i)) && src.IsValid(i) {
			return false
		}
	}
	return true
}

func (c *column) writeText(b *textOut, i int, s string, f textForm) {
	if !f.binary && !utf8.ValidString(s) {
		c.refuse(NotUTF8, i, 0)
		b.null(i)
		return
	}
	n := len(s)
	if f.limit > 0 && (f.pad || f.short || n > f.limit) {
		n = f.measure(s)
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
		b.add(cutTo(s, f.limit, f.measure))
	}
}

// measureLongest watches columns without declared length for values that a
// copying tool cut: many that end at exactly one length.
func (c *column) measureLongest(src arrow.Array, in texts, f textForm) {
	for i := range src.Len() {
		if src.IsNull(i) {
			continue
		}
		s := in.Value(i)
		if int64(len(s)) < c.longest.Length {
			continue
		}
		n := int64(len(s))
		if !f.binary {
			n = int64(f.measure(s))
		}
		switch {
		case n > c.longest.Length:
			c.longest = Longest{Length: n, Count: 1}
		case n == c.longest.Length:
			c.longest.Count++
		}
	}
}
