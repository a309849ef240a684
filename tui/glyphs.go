package tui

import "strings"

// glyphs are the characters that stand for something. Each is one cell wide.
type glyphs struct {
	cursor, done, off, on, rule, bar, rest string
}

// caret marks the place in a line where a key would write, before the text
// that follows it.
func (glyphs) caret(after string) string {
	if after == "" {
		return "_"
	}
	return "|"
}

var (
	plainGlyphs = glyphs{cursor: ">", done: "x", off: "( )", on: "(o)", rule: "-", bar: "#", rest: "-"}
	lineGlyphs  = glyphs{cursor: "▸", done: "✓", off: "○", on: "●", rule: "─", bar: "█", rest: "░"}
)

// glyphsFor picks the set by the environment: CDCSEED_ASCII, then the locale.
// Terminals of CJK locales draw the others two cells wide.
func glyphsFor(env func(string) (string, bool)) glyphs {
	if v, ok := env("CDCSEED_ASCII"); ok && v != "" && v != "0" {
		return plainGlyphs
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		v, ok := env(name)
		if !ok || v == "" {
			continue
		}
		v = strings.ToLower(v)
		cjk := strings.HasPrefix(v, "zh") || strings.HasPrefix(v, "ja") || strings.HasPrefix(v, "ko")
		if !cjk && (strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")) {
			return lineGlyphs
		}
		return plainGlyphs
	}
	return plainGlyphs
}
