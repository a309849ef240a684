package tui

import (
	"testing"
	"time"

	"cdcseed/engine/verdict"
)

func warned() []verdict.Check {
	return []verdict.Check{
		verdict.Okay("fine"),
		verdict.Warned(verdict.FellBack, "looked up an hour earlier", "the clock showed the time twice"),
		verdict.Warned(verdict.RowsDiffer, "rows differ", "", verdict.Facts("copy", 1)...),
	}
}

// Each warning is named before it can be accepted, one after the other.
func TestWarningsAreAcceptedOneByOne(t *testing.T) {
	a, ans, now := acceptance{}, newAnswers(ordersRequest(), ""), time.Unix(1_800_000_000, 0)
	press := func() bool {
		now = now.Add(time.Second)
		return a.press(ans, warned(), now)
	}
	for i, want := range []struct {
		done bool
		open int
	}{{false, 2}, {false, 1}, {true, 0}} {
		if done := press(); done != want.done || len(ans.open(warned())) != want.open {
			t.Errorf("enter %d: done %v with %d open, want %v with %d", i+1, done, len(ans.open(warned())), want.done, want.open)
		}
	}
	if got := ans.codes(warned()); len(got) != 2 || got[0] != "fell_back" || got[1] != "rows_differ" {
		t.Errorf("accepted %v", got)
	}
}

// A key that is held down accepts nothing.
func TestAHeldKeyAcceptsNothing(t *testing.T) {
	a, ans, now := acceptance{}, newAnswers(ordersRequest(), ""), time.Unix(1_800_000_000, 0)
	for range 10 {
		if a.press(ans, warned(), now) {
			t.Fatal("went on")
		}
		now = now.Add(30 * time.Millisecond)
	}
	if n := len(ans.open(warned())); n != 2 {
		t.Errorf("%d warnings are open, want 2", n)
	}
}

// What is told in other words or with other values is asked again.
func TestAChangedWarningIsAskedAgain(t *testing.T) {
	ans, checks := newAnswers(ordersRequest(), ""), warned()
	for _, c := range ans.open(checks) {
		ans.accept(c)
	}
	checks[2].Facts[0].Value = "2"
	if open := ans.open(checks); len(open) != 1 || open[0].Code != verdict.RowsDiffer {
		t.Errorf("open are %v", open)
	}
	ans.Accept = []string{"rows_differ"}
	if open := ans.open(checks); len(open) != 0 {
		t.Errorf("a flag accepted it, and open are %v", open)
	}
}
