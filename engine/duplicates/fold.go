package duplicates

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folder makes two forms of a text: texts of equal sure forms are equal in the
// source's index, and texts of unequal wide forms are not. Between the two lies
// what a collation's name does not decide: its table of weights is the server's.
// Equal sure forms have equal wide forms.
type folder struct {
	collation
	pairs   *strings.Replacer // of the language; nil where it has none
	scratch []byte
}

func newFolder(c collation) *folder { return &folder{collation: c, pairs: c.tailored()} }

// sure appends the sure form of a text. The blanks at its end count in no collation.
func (f *folder) sure(dst []byte, text string) []byte {
	text = strings.TrimRight(text, " ")
	if f.binary || !f.known {
		return append(dst, text...)
	}
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf {
			split := b == 'A' && i > 0 && text[i-1] == 'a' && f.doubleA()
			if b >= 'A' && b <= 'Z' && f.caseless && !split {
				if b == 'I' && f.dotted() {
					dst = append(dst, "ı"...)
					i++
					continue
				}
				b += 'a' - 'A'
			}
			dst = append(dst, b)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 { // no UTF-8: the byte stands for itself
			dst = append(dst, b)
		} else {
			dst = utf8.AppendRune(dst, f.sureRune(r))
		}
		i += n
	}
	return dst
}

// Ranges of characters that every version of every collation knows.
const (
	fullFirst, fullLast, fullBy = 0xFF01, 0xFF5E, 0xFEE0 // full-width ASCII
	kataFirst, kataLast, kataBy = 0x30A1, 0x30F3, 0x60   // katakana over hiragana
)

// sureRune is the form of one character beyond ASCII.
func (f *folder) sureRune(r rune) rune {
	if f.widthless && r >= fullFirst && r <= fullLast {
		r -= fullBy
		if r == 'I' && f.caseless && f.dotted() {
			return 'ı'
		}
	}
	if f.kanaless && r >= kataFirst && r <= kataLast {
		return r - kataBy
	}
	if f.accentless && f.latin() {
		if d := norm.NFD.PropertiesString(string(r)).Decomposition(); len(d) > 1 && d[0] < utf8.RuneSelf && r <= 0x017F {
			r = rune(d[0])
		}
	}
	if !f.caseless {
		return r
	}
	if r == 'İ' && f.dotted() {
		return 'i'
	}
	if pairedLetter(r) {
		return unicode.ToLower(r)
	}
	return r
}

// pairedLetter reports whether a capital letter and its small one have differed in
// case alone since the first collations.
func pairedLetter(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return true
	case r >= 0x00C0 && r <= 0x00DE, // Latin 1
		r >= 0x0100 && r <= 0x017D && r != 'İ', // Latin, extended
		r >= 0x0391 && r <= 0x03AB,             // Greek
		r >= 0x0400 && r <= 0x042F:             // Cyrillic
		return true
	}
	return false
}
