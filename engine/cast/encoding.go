package cast

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// charset is a text encoding in which a copy's bytes may be.
type charset struct {
	decoder *encoding.Decoder
	ascii   bool // bytes below 0x80 are the letters of ASCII
	windows bool // a code page in which control characters above 0x7F stand for nothing
}

// codePages are SQL Server's, by number.
func codePages() map[int]encoding.Encoding {
	return map[int]encoding.Encoding{
		437: charmap.CodePage437, 850: charmap.CodePage850, 874: charmap.Windows874,
		932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
		1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254,
		1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258,
	}
}

// EncodingOfPage is the name under which --encoding takes the code page of a
// source's column: empty of one that has none, or whose text is UTF-8.
func EncodingOfPage(page int) string {
	if _, known := codePages()[page]; !known {
		return ""
	}
	if page < 874 {
		return "cp" + strconv.Itoa(page) // DOS had it
	}
	return "windows-" + strconv.Itoa(page)
}

// charsetOf finds an encoding by its IANA name or by its Windows code page:
// windows-1252, cp1252, ISO-8859-15, UTF-16LE. Encodings that switch between
// alphabets within a text are none that a database stores.
func charsetOf(name string) (charset, bool) {
	folded := strings.ToLower(strings.TrimSpace(name))
	number := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(folded, "windows-"), "cp"), "ibm")
	page, err := strconv.Atoi(number)
	enc := codePages()[page]
	if err != nil || enc == nil {
		enc, err = ianaindex.IANA.Encoding(folded)
	}
	if err != nil || enc == nil || strings.HasPrefix(folded, "iso-2022") || strings.HasPrefix(folded, "hz-") || folded == "utf-16" || folded == "utf-7" {
		return charset{}, false
	}
	c := charset{decoder: enc.NewDecoder(), windows: page == 874 || page >= 1250 && page <= 1258}
	var all [utf8.RuneSelf]byte
	for i := range all {
		all[i] = byte(i)
	}
	same, err := c.decoder.Bytes(all[:])
	c.ascii = err == nil && string(same) == string(all[:])
	return c, true
}

// decode is the text that the bytes are; false where they are none.
func (c charset) decode(s string) (string, bool) {
	text, err := c.decoder.String(s)
	if err != nil || strings.ContainsRune(text, utf8.RuneError) {
		return "", false
	}
	// The tables give such a byte the control character of its number, which no
	// keyboard and no program writes: the byte is of another encoding.
	if c.windows && strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 && r < 0xA0 }) {
		return "", false
	}
	return text, true
}

// decoding is a kernel of text behind the decoding of the bytes.
func decoding(name string, then kernel) kernel {
	set, ok := charsetOf(name)
	if !ok || then == nil {
		return nil
	}
	return func(c *column, src arrow.Array) (arrow.Array, error) {
		in, ok := textsOf(src)
		if !ok {
			return nil, c.unexpected(src)
		}
		b := array.NewStringBuilder(c.mem)
		defer b.Release()
		b.Reserve(src.Len())
		c.decoded.begin(src.Len())
		for i := range src.Len() {
			if src.IsNull(i) {
				b.AppendNull()
				continue
			}
			s := in.Value(i)
			if set.ascii && isASCII(s) {
				b.Append(s)
				continue
			}
			text, ok := set.decode(s)
			if !ok {
				c.refuse(Unparseable, i, 0)
				b.AppendNull()
				continue
			}
			c.decoded.rows[i] = 1
			if set.ascii && utf8.ValidString(s) {
				c.decoded.rows[i] = 2
			}
			b.Append(text)
		}
		made := b.NewArray()
		defer made.Release()
		out, err := then(c, made)
		c.decoded.told(c)
		return out, err
	}
}

// decoded are a batch's values that were decoded, while another kernel works on
// their texts. What it says of one counts with its decoding as said of one value.
type decoded struct {
	rows []byte // 0 for a value of which nothing waits, 1 for one decoded, 2 for one that was UTF-8 text as well
}

func (d *decoded) begin(rows int) {
	d.rows = slices.Grow(d.rows[:0], rows)[:rows]
	clear(d.rows)
}

// take is what waits to be told of the value at i, which is told now.
func (d *decoded) take(i int) byte {
	if i >= len(d.rows) {
		return 0
	}
	was := d.rows[i]
	d.rows[i] = 0
	return was
}

// told counts the values of which the kernel had nothing to say, and ends the batch.
func (d *decoded) told(c *column) {
	for i, was := range d.rows {
		if was != 0 {
			c.settle()
			c.noteRow(i)
		}
	}
	d.rows = d.rows[:0]
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// takesEncoding reports whether the rule's values are text whose bytes may be in
// another encoding than UTF-8.
func (r Rule) takesEncoding(to schema.TargetColumn) bool {
	if r.Source == nil || to.Type.Kind != schema.String || to.SQL.Name == "time" || to.SQL.Name == "uniqueidentifier" {
		return false
	}
	f := formOf(*r.Source)
	return f == text || f == bytes
}

// setEncoding answers in which encoding a column's text is.
func (m *Mapping) setEncoding(name, encoding string) error {
	leave := []string{fmt.Sprintf("Leave %s out.", typed(FlagEncoding, name, verdict.ShellWord(encoding)))}
	if _, known := charsetOf(encoding); !known {
		return &verdict.Error{
			Code: verdict.AnswerUnknown, What: fmt.Sprintf("%s names %q, which is no encoding that is known", FlagEncoding, encoding),
			Why:  "Text is decoded by a table of its encoding; a wrong one makes other letters of it.",
			Hint: []string{"Give the code page that the text was written in, such as windows-1252, or an IANA name, such as ISO-8859-15 or UTF-16LE."},
		}
	}
	for i := range m.Columns {
		p := &m.Columns[i]
		if !schema.SameName(p.Target.Name, name) {
			continue
		}
		taken := false
		for j := range p.Rules {
			if r := &p.Rules[j]; r.takesEncoding(p.Target) {
				r.Encoding, taken = encoding, true
				r.Note = "the copy's text is decoded from " + encoding
			}
		}
		if !taken {
			return &verdict.Error{
				Code: verdict.AnswerUnknown, What: fmt.Sprintf("column %q takes no answer from %s", p.Target.Name, FlagEncoding),
				Why: "It is made from no bytes that may be text.", Hint: leave,
			}
		}
		return nil
	}
	return &verdict.Error{
		Code: verdict.AnswerUnknown, What: fmt.Sprintf("%s names %q, which is no captured column", FlagEncoding, name),
		Facts: verdict.Facts("captured columns", strings.Join(m.targets(), ", ")), Hint: leave,
	}
}
