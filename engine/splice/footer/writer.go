package footer

import (
	"strconv"
	"strings"
)

// writer is the library that wrote a file, as created_by names it.
type writer struct {
	app     string // in lower case; empty where created_by does not say
	version [3]int
	known   bool // the version could be read
}

// writerOf reads "parquet-mr version 1.8.1 (build 4aba4dae)". A version of two
// parts has a third of 0; what stands behind a part's digits says nothing here.
func writerOf(createdBy string) writer {
	app, rest, _ := strings.Cut(strings.ToLower(strings.TrimSpace(createdBy)), " version ")
	w := writer{app: strings.TrimSpace(app)}
	if words := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == '(' }); len(words) > 0 {
		w.known = true
		for i, part := range strings.SplitN(strings.TrimPrefix(words[0], "v"), ".", 3) {
			digits := part[:len(part)-len(strings.TrimLeft(part, "0123456789"))]
			n, err := strconv.Atoi(digits)
			if err != nil {
				w.known = false
			}
			w.version[i] = n
		}
	}
	return w
}

// before reports whether a version of app wrote the file that is older than the
// one given, or that cannot be read.
func (w writer) before(app string, version ...int) bool {
	if w.app != app {
		return false
	}
	if !w.known {
		return true
	}
	for i, v := range version {
		if w.version[i] != v {
			return w.version[i] < v
		}
	}
	return false
}
