package duplicates

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wide appends the wide form of a text of this sure form: all that weights could
// make equal is made so, and what the collation's name tells apart stays apart.
func (f *folder) wide(dst, sure []byte) []byte {
	if f.binary || f.known && f.pairs == nil && plain(sure) {
		return append(dst, sure...)
	}
	f.scratch = f.decompose(f.scratch[:0], sure)
	at := len(dst)
	for text := f.scratch; len(text) > 0; {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		if !f.weightless(r) {
			dst = f.spell(dst, r)
		}
	}
	if f.pairs != nil {
		dst = append(dst[:at], f.pairs.Replace(string(dst[at:]))...)
	}
	if f.accentless {
		dst = bare(dst, at)
	}
	return append(dst[:at], bytes.TrimRight(dst[at:], " ")...)
}

// decompose appends a text with its letters and their marks apart, and what is
// written as one character for several, such as ﬁ, as those. Of characters of
// another width that is done only where width does not count.
func (f *folder) decompose(dst, text []byte) []byte {
	if f.widthless {
		return norm.NFKD.Append(dst, text...)
	}
	text = norm.NFD.Bytes(text) // marks in one order
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r >= formsFirst && r <= formsLast || r == utf8.RuneError {
			dst = append(dst, text[i:i+n]...)
		} else {
			dst = norm.NFKD.Append(dst, text[i:i+n]...)
		}
		i += n
	}
	return dst
}

// Characters of half and of full width.
const formsFirst, formsLast = 0xFF00, 0xFFEF

// plain reports whether a text is of ASCII alone and has no control characters.
func plain(text []byte) bool {
	for _, b := range text {
		if b < ' ' || b >= 0x7F {
			return false
		}
	}
	return true
}

// lastCurrency is the euro sign. Which of the signs behind it a table of weights
// knows, a collation's version does not tell.
const lastCurrency = 0x20AC

// weightless reports whether a collation may take a character for none at all:
// control and format characters, and what it does not know.
func (f *folder) weightless(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r':
		return false
	case !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs):
		return true
	case r > lastCurrency && r <= 0x20CF: // signs of money that came later
		return true
	case f.version >= hundred:
		return false
	case r >= 0x2000 && unicode.IsSymbol(r) && (r < 0x20A0 || r > lastCurrency):
		return true // most came after the tables of those versions were made
	case r > 0xFFFF:
		return true
	}
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Hebrew,
		unicode.Arabic, unicode.Devanagari, unicode.Thai, unicode.Georgian, unicode.Hangul, unicode.Hiragana, unicode.Katakana,
		unicode.Han, unicode.Bopomofo, unicode.Common)
}

// spell appends what a character of a decomposed text may be equal to, marks aside.
func (f *folder) spell(dst []byte, r rune) []byte {
	if f.kanaless && r >= kataFirst && r <= kataLast+3 {
		r -= kataBy
	}
	switch r {
	case 'ß':
		return append(dst, "ss"...)
	case 'ẞ':
		return f.lower(f.lower(dst, 'S'), 'S')
	case 'æ':
		return append(dst, "ae"...)
	case 'Æ':
		return f.lower(f.lower(dst, 'A'), 'E')
	case 'œ':
		return append(dst, "oe"...)
	case 'Œ':
		return f.lower(f.lower(dst, 'O'), 'E')
	case 'þ':
		return append(dst, "th"...)
	case 'Þ':
		return f.lower(f.lower(dst, 'T'), 'H')
	}
	return f.lower(dst, r)
}

// lower appends a character, small where case does not count. All that share a
// capital become one: ς and σ, ſ and s.
func (f *folder) lower(dst []byte, r rune) []byte {
	dotted := f.dotted() && (r == 'ı' || r == 'i')
	if f.caseless && !dotted {
		r = unicode.ToLower(unicode.ToUpper(r))
	}
	return utf8.AppendRune(dst, r)
}

// bare takes the marks from the text that begins at a place, and the strokes that
// decomposition leaves in letters.
func bare(dst []byte, at int) []byte {
	text := string(dst[at:])
	dst = dst[:at]
	for _, r := range text {
		if !unicode.Is(unicode.Mn, r) {
			dst = utf8.AppendRune(dst, unstruck(r))
		}
	}
	return dst
}

func unstruck(r rune) rune {
	const struck, letters = "øØđĐłŁħĦŧŦðÐı", "oOdDlLhHtTdDi"
	if i := strings.IndexRune(struck, r); i >= 0 && r >= utf8.RuneSelf {
		return rune(letters[utf8.RuneCountInString(struck[:i])])
	}
	return r
}

// tailored are pairs of spellings that a language may hold for one.
func (c collation) tailored() *strings.Replacer {
	if c.doubleA() {
		return strings.NewReplacer("aa", "a\u030a", "Aa", "A\u030a", "AA", "A\u030a")
	}
	switch c.language {
	case "german_phonebook":
		return strings.NewReplacer("a\u0308", "ae", "o\u0308", "oe", "u\u0308", "ue", "A\u0308", "AE", "O\u0308", "OE", "U\u0308", "UE")
	case "lithuanian":
		return strings.NewReplacer("y", "i", "Y", "I")
	case "finnish_swedish", "estonian":
		return strings.NewReplacer("w", "v", "W", "V")
	}
	return nil
}
