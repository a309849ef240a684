package engine_test

import (
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// What looks like a shell's own text is asked about, with the way to say that it
// is a name; a line's end is told as what it is.
func TestPathsThatAreNone(t *testing.T) {
	for path, says := range map[string]string{
		"$HOME/a": "a shell was to expand", "~/a": "a shell was to expand", "a`b": "a shell was to expand", "./a\nb": "a line's end",
		"./$HOME": "", "./~a": "", "./a$b": "",
	} {
		_, err := engine.Request{Copy: path}.Absolute()
		if says == "" && err != nil || says != "" && (verdict.As(err) == nil || verdict.As(err).Code != verdict.Usage || !strings.Contains(err.Error(), says)) {
			t.Errorf("%q: %v, want %q", path, err, says)
		}
	}
}
