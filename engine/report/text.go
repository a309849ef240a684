package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// width is the text's measure: plans are read in 80-column terminals and tickets.
const width = 79

// text writes lines and keeps quiet about a writer that fails: there is nobody to tell.
type text struct{ w io.Writer }

func (t text) line(format string, args ...any) {
	_, _ = fmt.Fprintln(t.w, Clean(fmt.Sprintf(format, args...)))
}

// Clean makes text from outside fit for a terminal: control characters, bytes
// that are no UTF-8, and marks that change the direction of what follows become
// visible, as <001B>.
func Clean(s string) string {
	bad := func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == '\ufeff'
	}
	if utf8.ValidString(s) && strings.IndexFunc(s, bad) < 0 {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"):
			fmt.Fprintf(&b, "<%02X>", s[i])
		case bad(r):
			fmt.Fprintf(&b, "<%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// item writes a named value, indented.
func (t text) item(name, value string) {
	t.paragraphFirst(fmt.Sprintf("  %-10s ", name), strings.Repeat(" ", 13), value)
}

// longName is the longest name that others are lined up with: a longer one
// would leave no room for values.
const longName = 32

// facts writes named values, lined up behind the longest name.
func (t text) facts(facts []verdict.Fact) {
	wide := 10
	for _, f := range facts {
		wide = max(wide, min(longName, utf8.RuneCountInString(f.Name)))
	}
	for _, f := range facts {
		t.paragraphFirst(fmt.Sprintf("  %-*s ", wide, f.Name), strings.Repeat(" ", wide+3), f.Value)
	}
}

// paragraph wraps s at the measure with the indent on every line.
func (t text) paragraph(indent, s string) { t.paragraphFirst(indent, indent, s) }

// paragraphFirst wraps s with one indent on the first line and another on the
// rest. A word is never cut: commands stay copyable.
func (t text) paragraphFirst(first, rest, s string) {
	line, indent := first, first
	fresh := true
	for _, word := range strings.Split(s, " ") { // runs of blanks stay: values are padded
		if !fresh && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			t.line("%s", line)
			line, indent, fresh = rest, rest, true
		}
		if !fresh {
			line += " "
		}
		line += word
		fresh = false
	}
	if strings.TrimSpace(line) != "" || indent == first {
		t.line("%s", strings.TrimRightFunc(line, unicode.IsSpace))
	}
}

// sentence gives s a capital, unless it begins with a name, and no full stop of
// its own.
func sentence(s string) string {
	s = strings.TrimSuffix(s, ".")
	word, _, _ := strings.Cut(s, " ")
	if word == "" || isName(strings.TrimRight(word, ",:;")) {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// isName tells a name, whose letters are as they are, from a word: as_of,
// --as-of, dbo.Orders, "a b", sqlprod07, rowVersion, cdcseed itself.
func isName(word string) bool {
	return word == "cdcseed" || strings.ContainsAny(word, "_-./\\:\"'`0123456789") ||
		strings.IndexFunc(word, unicode.IsUpper) > 0
}

// Size writes a number of bytes in decimal units.
func Size(n int64) string { return engine.Size(n) }
