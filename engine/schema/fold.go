package schema

import (
	"strings"
	"unicode"
)

// SameName compares names as the stream's package does: by Unicode lower case,
// whatever the server's collation.
func SameName(a, b string) bool { return Fold(a) == Fold(b) }

// Fold is the form of a name under which the stream's package matches it: what
// Python's str.lower makes of it. That differs from strings.ToLower in two
// letters: İ becomes two characters, and Σ at a word's end becomes ς.
func Fold(name string) string {
	if !strings.ContainsAny(name, "İΣ") {
		return strings.ToLower(name)
	}
	in := []rune(name)
	var out strings.Builder
	for i, r := range in {
		switch {
		case r == 'İ':
			out.WriteString("i\u0307")
		case r == 'Σ' && endsWord(in, i):
			out.WriteRune('ς')
		default:
			out.WriteRune(unicode.ToLower(r))
		}
	}
	return out.String()
}

// endsWord reports whether a cased letter stands before place i and none after
// it, whatever of no case stands between (Unicode's Final_Sigma).
func endsWord(name []rune, i int) bool {
	before := i - 1
	for before >= 0 && caseIgnorable(name[before]) {
		before--
	}
	after := i + 1
	for after < len(name) && caseIgnorable(name[after]) {
		after++
	}
	return before >= 0 && cased(name[before]) && (after == len(name) || !cased(name[after]))
}

func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// caseIgnorable is Unicode's Case_Ignorable: marks, modifiers and format
// characters, and the punctuation that stands within words.
func caseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a", r)
}
