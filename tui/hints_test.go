package tui

import (
	"slices"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// A hint is not read as a part of what is typed: it goes with the first letter,
// and comes back where an answer is to be corrected.
func TestHintsGoWhenTyped(t *testing.T) {
	const hint = "host, host,port or host\\instance"
	p := perform(t, orders(), engine.Request{}).shows(hint)
	p.write("s").lacks(hint).press("backspace").shows(hint)

	s := mapsTo(mappedView())
	q := atAsOf(t, s, "2026-10-25T12:30:00Z").lacks("time with zone")
	s.asOfErr = &verdict.Error{Code: verdict.AsOfInvalid, What: "no time"}
	q.press("backspace").shows("_  time with zone, or 0x and 20 hex digits")
}

func TestTightDropsBlankLinesOnly(t *testing.T) {
	p := page{lines: []string{"a", "", "b", "", "c", "", "d"}, focus: 4}
	for h, want := range map[int][]string{
		7: {"a", "", "b", "", "c", "", "d"}, 6: {"a", "b", "", "c", "", "d"}, 5: {"a", "b", "", "c", "d"}, 4: {"a", "b", "c", "d"}, 2: {"a", "b", "c", "d"},
	} {
		got := p.tight(h)
		if !slices.Equal(got.lines, want) || got.lines[got.focus] != "c" {
			t.Errorf("%d: %q, focus %d", h, got.lines, got.focus)
		}
	}
	if len(p.lines) != 7 || p.lines[1] != "" {
		t.Errorf("the page itself became %q", p.lines)
	}
}

// As of loses blank lines before it loses checks.
func TestAsOfKeepsChecksBeforeBlankLines(t *testing.T) {
	p := atAsOf(t, mapsTo(fellBackView()), "2026-10-25T00:40:00Z")
	for h := 10; h < 40; h++ {
		drawn := p.step().view(p.desk, 80, h)
		if blank := slices.Contains(drawn.lines, ""); blank && len(drawn.lines) > h {
			t.Errorf("at %d: %d lines, with blank ones", h, len(drawn.lines))
		}
	}
}
