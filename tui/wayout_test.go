package tui

import (
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// Every way out is whole on the narrowest screen, and with its code on the usual
// one. It speaks of fields and steps, not of flags.
func TestWaysOutFit(t *testing.T) {
	const narrow, usual = leastWidth - len(" STOP  "), fullWidth - len(" STOP  ")
	for _, c := range verdict.Codes() {
		e := &verdict.Error{Code: c}
		target, field := onTarget(e)
		if field < fieldCopy || field > fieldProtocol {
			t.Errorf("%s leads to field %d", c, field)
		}
		for _, text := range []string{
			onConnect(e), onConnect(&verdict.Error{Code: c, What: "the sign-in x"}), onConnect(&verdict.Error{Code: c, What: "--encrypt x"}),
			onSource(c), onList(c), onTable(c), onCopy(c), target, onAsOf(c),
		} {
			if width(text) > narrow || strings.Contains(text, "--") || !strings.HasSuffix(text, ".") {
				t.Errorf("%s: %q is %d wide, and %d fit", c, text, width(text), narrow)
			}
		}
		for _, text := range []string{stopFor(c, onAsOf(c)).text, stopFor(c, onCopy(c)).text, stopFor(c, target).text} {
			if width(text) > usual {
				t.Errorf("%q is %d wide, and %d fit", text, width(text), usual)
			}
		}
	}
}

// A source that fails on a later step is told once, as the source's.
func TestTheSourceIsNotToldAsTheCopy(t *testing.T) {
	s := lake()
	gone := &verdict.Error{Code: verdict.SourceUnreachable, What: "read the table: the server hung up"}
	found := *s
	s.copyErr, s.targetErr, s.copy, s.target = gone, gone, engine.CopyView{}, engine.TargetView{}
	p := atCopy(t, s, ordersRequest()).golden("copy-source-gone")
	p.shows("The source", "STOP  The source is gone: nothing to change here; ctrl+r. (source_unreachable)", "not looked at", "enter (off)")
	if n := strings.Count(p.see(120, 60), "the server hung up"); n != 1 {
		t.Errorf("told %d times:\n%s", n, p.View())
	}
	s.copyErr, s.targetErr, s.copy, s.target = nil, nil, found.copy, found.target
	p.press("ctrl+r").shows("Ready").lacks("The source", "not looked at")

	s.targetErr = &verdict.Error{Code: verdict.ColumnUnmapped, What: "column geo has no stream type"}
	p.press("ctrl+r").shows("The table", "esc goes back to it", "STOP  It is the table: esc goes back to choose another. (column_unmapped)")
}
