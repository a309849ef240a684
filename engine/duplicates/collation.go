package duplicates

import (
	"slices"
	"strconv"
	"strings"
)

// collation is how a column's texts are compared, read from the collation's name.
// One whose name tells nothing is taken for one that tells the least apart.
type collation struct {
	known  bool
	binary bool // by code point
	// What does not count: case, accents, the kind of kana, the width.
	caseless, accentless, kanaless, widthless bool

	version  int    // 80 where the name has none
	language string // such as latin1_general or danish_norwegian
}

// versions of collations are part of their names.
const (
	firstVersion = 80
	hundred      = 100 // from here on characters beyond the basic plane have weights
)

// parseCollation reads a name such as Latin1_General_100_CI_AS_KS_WS_SC_UTF8.
func parseCollation(name string) collation {
	least := collation{version: firstVersion, caseless: true, accentless: true, kanaless: true, widthless: true}
	c := least
	words := strings.Split(strings.ToLower(name), "_")
	var rest []string
	for _, w := range words {
		switch w {
		case "bin", "bin2":
			c.known, c.binary = true, true
		case "ci":
			c.known = true
		case "cs":
			c.known, c.caseless = true, false
		case "ai":
		case "as":
			c.accentless = false
		case "ks":
			c.kanaless = false
		case "ws":
			c.widthless = false
		case "sc", "vss", "utf8", "sql":
		default:
			if v, err := strconv.Atoi(w); err == nil {
				c.version = v
				continue
			}
			rest = append(rest, w)
		}
	}
	if !c.known {
		return least
	}
	c.language = strings.Join(slices.DeleteFunc(rest, noLanguage), "_")
	return c
}

// noLanguage reports whether a word of a SQL collation's name tells its code page
// (cp1, cp1250), or which case it sorts first.
func noLanguage(word string) bool {
	n, page := strings.CutPrefix(word, "cp")
	_, err := strconv.Atoi(n)
	return word == "pref" || page && err == nil
}

// dotted are the languages in which I and i are two letters.
func (c collation) dotted() bool {
	return c.language == "turkish" || strings.HasPrefix(c.language, "azeri")
}

// doubleA are the languages in which aa is the letter å, but aA, which no word has,
// may be two letters.
func (c collation) doubleA() bool {
	return c.language == "danish_norwegian" || c.language == "danish_greenlandic" || c.language == "norwegian"
}

// latin is whether a letter with an accent is that letter wherever accents do not
// count. Other languages hold some of them for letters of their own.
func (c collation) latin() bool { return c.language == "latin1_general" }
