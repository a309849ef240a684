package verdict_test

import (
	"strings"
	"testing"

	"cdcseed/engine/verdict"
)

// Whoever accepts a warning can read what it costs: each has a text of its own.
func TestEveryWarningHasAText(t *testing.T) {
	seen := map[string]verdict.Warning{}
	for _, w := range verdict.Warnings() {
		text := w.Text()
		if !strings.HasSuffix(text, ".") || len(strings.Fields(text)) < 10 {
			t.Errorf("%s has no sentence: %q", w, text)
		}
		if other, ok := seen[text]; ok {
			t.Errorf("%s and %s have one text", w, other)
		}
		seen[text] = w
	}
	if text := verdict.Warning("no_such_warning").Text(); text != "" {
		t.Errorf("a name that is no warning means %q", text)
	}
}
