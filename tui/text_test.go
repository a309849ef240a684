package tui

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A line breaks at blanks alone: a time or a flag that is read across two lines
// is read wrong. What is wider than a line is cut over several all the same.
func TestWrapKeepsWordsWhole(t *testing.T) {
	for in, want := range map[string][]string{
		"committed 2026-10-24T23:39:58Z":      {"> committed", "  2026-10-24T23:39:58Z"},
		"or add --allow-as-of-after-copy":     {"> or add", "  --allow-as-of-after-copy"},
		"/lake/a-very-long-path-to-one-table": {"> /lake/a-very-long-path-to", "  -one-table"},
		"one\ntwo":                            {"> one", "  two"},
	} {
		if diff := cmp.Diff(want, wrap("> ", "  ", in, 27)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}
