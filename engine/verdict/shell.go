package verdict

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShellWord makes one word of s for a POSIX shell. What a terminal would act on
// instead of showing is written out: "$(printf '\033')".
func ShellWord(s string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-+=./:,@%", c)
	}
	if s != "" && strings.IndexFunc(s, func(c rune) bool { return !plain(c) }) < 0 {
		return s
	}
	hidden := func(c rune) bool {
		return !unicode.IsGraphic(c) && c != '\n' && c != '\t' || c == unicode.ReplacementChar
	}
	if strings.IndexFunc(s, hidden) < 0 || strings.HasSuffix(s, "\n") { // a shell would drop a line's end that is last
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString(`"$(printf '`)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\\' || r == '%':
			b.WriteString(string(r) + string(r))
		case r != unicode.ReplacementChar && unicode.IsGraphic(r) && r != '\'' && (r != '-' || i > 0):
			b.WriteRune(r)
		default:
			for _, c := range []byte(s[i : i+n]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		}
		i += n
	}
	return b.String() + `')"`
}
