package tui

import (
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// A copy of another table is asked about, and never called ready; a person may
// go on all the same.
func TestACopyThatHardlyMatches(t *testing.T) {
	s := lake()
	s.copy.Matched, s.copy.Missing, s.copy.Extra = 1, []string{"Name", "Country", "Since"}, []string{"OrderId", "Amount", "Note"}
	p := atCopy(t, s, ordersRequest()).golden("copy-of-another")
	p.shows("warn  Copy: 1 of 4 columns match. Is it of dbo.Orders?", "note  it has 1 of 4 captured columns of dbo.Orders by name").lacks("Ready")
	p.press("enter")
	if p.at != asOfStep {
		t.Error("the person is not let on")
	}
	s.copy.Matched, s.copy.Missing = 4, []string{"a", "b", "c", "d"}
	p.press("esc", "ctrl+r").shows("ok    Ready") // half of them is a copy with few columns
}

// So is one without a column of the key.
func TestACopyWithoutItsKey(t *testing.T) {
	s := lake()
	s.copy.Matched, s.copy.Missing = 13, []string{"ORDER_ID"}
	atCopy(t, s, ordersRequest()).shows("warn  Copy: it lacks ORDER_ID of the key. Is it of dbo.Orders?").lacks("Ready")
}

// An app id that is taken is told while it can be changed.
func TestATakenAppID(t *testing.T) {
	s := lake()
	s.target.Facts.Present = true
	s.target.Checks[2] = verdict.Noted(`the facts table has a row of app id "orders-v1" already`, "")
	p := atCopy(t, s, ordersRequest()).golden("copy-app-id-taken")
	p.shows("warn  App id: it is taken. Give a new one.", `app id "orders-v1" has recorded a snapshot that is not in this target`).lacks("Ready")
	s.target.Held = []engine.HeldView{{LSN: position("0x0000003100000A280001"), Rows: 5}}
	p.press("ctrl+r").shows("warn  App id: it is taken. Right only for that same seed.")
	s.target.Facts = &engine.FactsPlan{AppID: "orders-v2"}
	p.press("ctrl+r").shows("ok    Ready")
}

// The status is about the first thing that is wrong, in the order of the fields.
func TestTheCopyIsAskedForFirst(t *testing.T) {
	s := lake()
	r := ordersRequest()
	r.Copy, r.Target = "/nope/copy", ""
	s.copyErr = notFound()
	p := atCopy(t, s, r).shows("STOP  Copy: nothing is there.")
	p.press("tab", "tab", "enter").shows("> Copy")
	s.copyErr = nil
	p.press("ctrl+r").shows("note  Give the target's path.").press("enter").shows("> Target")
}

// The copy stands above the target, whatever is in the way of either.
func TestTheCopyStaysAboveTheTarget(t *testing.T) {
	s := lake()
	p := atCopy(t, s, ordersRequest())
	for _, what := range []func(){
		func() {},
		func() { s.target.NeedsNTZ = needsNTZ() },
		func() { s.targetErr = needsNTZ() },
		func() { s.copyErr = notFound() },
	} {
		what()
		p.press("ctrl+r")
		for _, size := range [][2]int{{60, 18}, {80, 24}, {120, 60}} {
			c, target := lineOf(p.see(size[0], size[1]), " The copy"), lineOf(p.View(), " The target")
			if c < 0 || target >= 0 && c > target {
				t.Errorf("the copy is on line %d, the target on %d:\n%s", c, target, p.View())
			}
		}
	}
}
