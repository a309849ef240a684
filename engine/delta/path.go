package delta

import (
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"strings"
)

// scheme begins an absolute URI. Relative paths hold no bare colon: Spark
// writes %3A.
var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// Absolute reports whether the file lies outside the table's own folder, as
// those of a shallow clone do.
func (a Add) Absolute() bool { return strings.HasPrefix(a.Path, "/") || scheme.MatchString(a.Path) }

// Key is the file's key in the table's store.
func (a Add) Key() (string, error) {
	if a.Absolute() {
		return "", fmt.Errorf("data file %q lies outside the table's folder", a.Path)
	}
	key, err := url.PathUnescape(a.Path)
	if err != nil {
		return "", fmt.Errorf("data file %q: %w", a.Path, err)
	}
	if !fs.ValidPath(key) || key == "." {
		return "", fmt.Errorf("data file %q is no path below the table's folder", a.Path)
	}
	return key, nil
}

// canonical is the form by which an add and a remove of one file match,
// whoever encoded the path and how.
func canonical(path string) string {
	if key, err := url.PathUnescape(path); err == nil {
		return key
	}
	return path
}

// EscapePath is a key as add.path has it: controls, blanks and a few marks
// percent-encoded, other text as it is. A colon in the first part would read
// as a URI's scheme.
func EscapePath(key string) string {
	const hex, special = "0123456789ABCDEF", "\"#%<>?[\\]^`{|}"
	var b strings.Builder
	first := true
	for i := range len(key) {
		c := key[i]
		first = first && c != '/'
		plain := c > ' ' && c != 0x7f && strings.IndexByte(special, c) < 0 && (c != ':' || !first)
		if plain {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}
