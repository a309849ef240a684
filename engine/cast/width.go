package cast

import (
	"unicode/utf8"

	"cdcseed/engine/schema"
)

// textMeasure counts a text in the units of its SQL type's length.
type textMeasure func(s string) int

// lengthOf is the declared length of a character or binary type and how a text
// is measured against it; 0 is without limit.
func lengthOf(t schema.SQLType) (limit int, measure textMeasure) {
	switch t.Name {
	case "nchar", "nvarchar":
		return max(t.Length/2, 0), utf16Units
	case "char", "varchar":
		return max(t.Length, 0), codePageBytes(t.CodePage)
	case "binary", "varbinary":
		return max(t.Length, 0), func(s string) int { return len(s) }
	}
	return 0, utf16Units
}

// utf16Units counts as SQL Server's Unicode types do: two for a character
// beyond the basic plane.
func utf16Units(s string) int {
	n := len(s)
	for i := 0; i < len(s); i++ {
		// A text's units are its bytes less the surplus of each sequence: a
		// two-byte sequence is one unit, three bytes one, four bytes two.
		switch b := s[i]; {
		case b < 0x80:
		case b < 0xC0:
			n--
		case b >= 0xF0:
			n++
		}
	}
	return n
}

// codePageBytes counts the bytes that a text has in a code page. The double-byte
// pages hold ASCII, and 932 half-width katakana, in one byte; UTF-8 is itself;
// every other page has one byte a character, which is also taken for a page
// that the catalogue did not tell.
func codePageBytes(page int) textMeasure {
	switch page {
	case 65001:
		return func(s string) int { return len(s) }
	case 932, 936, 949, 950:
		return func(s string) int { return doubleBytes(s, page) }
	}
	return utf8.RuneCountInString
}

func doubleBytes(s string, page int) int {
	n := 0
	for _, r := range s {
		switch {
		case r < 0x80, page == 932 && r >= 0xFF61 && r <= 0xFF9F, page == 936 && r == '€':
			n++
		default:
			n += 2
		}
	}
	return n
}

// cutTo is the longest beginning of s, in whole characters, within a limit.
func cutTo(s string, limit int, measure textMeasure) string {
	at := 0
	for at < len(s) {
		_, size := utf8.DecodeRuneInString(s[at:])
		if measure(s[:at+size]) > limit {
			break
		}
		at += size
	}
	return s[:at]
}
