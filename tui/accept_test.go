package tui

import (
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

func warned() []verdict.Check {
	return []verdict.Check{
		verdict.Okay("fine"),
		verdict.Warned(verdict.FellBack, "looked up an hour earlier", "the clock showed the time twice"),
		verdict.Warned(verdict.RowsDiffer, "rows differ", "", verdict.Facts("copy", 1)...),
	}
}

// keyboard presses enter over some warnings, with a clock of its own.
type keyboard struct {
	desk
	checks  []verdict.Check
	at      time.Time
	pending []acceptMsg // with the quiet that each waits for
	due     []time.Time
}

func newKeyboard() *keyboard {
	k := &keyboard{checks: warned(), at: time.Unix(1_800_000_000, 0)}
	k.answers, k.now = newAnswers(ordersRequest(), ""), func() time.Time { return k.at }
	k.after = func(t time.Duration, m tea.Msg) tea.Cmd {
		k.pending, k.due = append(k.pending, m.(acceptMsg)), append(k.due, k.at.Add(t))
		return nil
	}
	return k
}

// wait lets time go by, and what is due happen.
func (k *keyboard) wait(t time.Duration) (done bool) {
	k.at = k.at.Add(t)
	for len(k.due) > 0 && !k.due[0].After(k.at) {
		m := k.pending[0]
		k.pending, k.due = k.pending[1:], k.due[1:]
		done = k.accepts.accept(m, &k.desk, k.checks) || done
	}
	return done
}

func (k *keyboard) press() (done bool) {
	done, _ = k.accepts.press(&k.desk, k.checks)
	return done
}

func (k *keyboard) open() int { return len(k.answers.open(k.checks)) }

// Each warning is named before it can be accepted, one after the other.
func TestWarningsAreAcceptedOneByOne(t *testing.T) {
	k := newKeyboard()
	for i, want := range []struct {
		done bool
		open int
	}{{false, 2}, {false, 1}, {true, 0}} {
		done := k.press()
		if done = k.wait(time.Second) || done; done != want.done || k.open() != want.open {
			t.Errorf("enter %d: done %v with %d open, want %v with %d", i+1, done, k.open(), want.done, want.open)
		}
	}
	if got := k.answers.codes(warned()); len(got) != 2 || got[0] != "fell_back" || got[1] != "rows_differ" {
		t.Errorf("accepted %v", got)
	}
}

// One code that is told of two columns is named once, with both, and accepted once,
// as --accept takes it.
func TestAWarningToldTwiceIsAcceptedOnce(t *testing.T) {
	k := newKeyboard()
	k.checks = append(k.checks, verdict.Warned(verdict.RowsDiffer, "rows of another differ", ""))
	var said []string
	for done := false; !done && len(said) < 5; {
		done = k.press()
		st, _ := k.accepts.status(k.answers, k.checks)
		said = append(said, st.text)
		done = k.wait(time.Second) || done
	}
	want := []string{
		"fell_back: enter again accepts it; it is listed on Review.",
		"fell_back: enter again accepts it; it is listed on Review.",
		"rows_differ (2 warnings): enter again accepts it; it is listed on Review.",
	}
	if !slices.Equal(said, want) || k.open() != 0 {
		t.Errorf("%q, %d open", said, k.open())
	}
}

// A key that is held down accepts nothing, whenever it begins to repeat; let
// go, it accepts nothing either.
func TestAHeldKeyAcceptsNothing(t *testing.T) {
	for _, first := range []time.Duration{0, 250 * time.Millisecond, 500 * time.Millisecond, 660 * time.Millisecond, time.Second} {
		for _, every := range []time.Duration{15 * time.Millisecond, 30 * time.Millisecond, 90 * time.Millisecond} {
			k := newKeyboard()
			k.press()
			k.wait(first)
			for range 40 {
				if k.press() || k.wait(every) {
					t.Fatalf("went on, repeating every %s after %s", every, first)
				}
			}
			if k.wait(time.Minute); k.open() != 2 {
				t.Errorf("%d warnings are open, want 2, repeating every %s after %s", k.open(), every, first)
			}
			if k.press(); k.wait(time.Second) || k.open() != 1 {
				t.Errorf("an enter that stands alone left %d open", k.open())
			}
		}
	}
}

// An enter of another screen accepts nothing on this one.
func TestALateAcceptanceIsDropped(t *testing.T) {
	k := newKeyboard()
	k.press()
	k.wait(time.Second)
	k.press() // accepts, unless something happens
	k.accepts = k.accepts.anew()
	k.press()
	k.press()
	if k.wait(time.Minute); k.open() != 2 {
		t.Errorf("%d warnings are open, want 2", k.open())
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
