package tui

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine/verdict"
)

// acceptance asks for a step's open warnings, code by code. An enter that goes on
// without having read is what it is there to prevent: the first names the
// warning, and only another one that stands alone accepts it. A key that is
// held down comes again and again, and accepts nothing.
type acceptance struct {
	armed string    // the warnings of one code that were named, as told
	last  time.Time // when enter was last pressed
	gen   int       // counts the presses
}

// An enter accepts when none came for a while before it, and none right after.
const (
	read  = 400 * time.Millisecond
	quiet = 200 * time.Millisecond
)

// acceptMsg is the end of the quiet after an enter.
type acceptMsg struct{ gen int }

// acceptedMsg tells a step that no warning of it is open any more.
type acceptedMsg struct{ step stepID }

func (m acceptedMsg) to() stepID { return m.step }

// anew is an acceptance that has named nothing, for which what is under way
// comes too late.
func (a *acceptance) anew() acceptance { return acceptance{gen: a.gen + 1} }

// press is what enter does: it names a warning, or begins to accept the one
// that is named. It reports whether none is open, so that the step may be left.
func (a *acceptance) press(d *desk, checks []verdict.Check) (done bool, later tea.Cmd) {
	open := d.answers.open(checks)
	now := d.now()
	alone := now.Sub(a.last) >= read
	a.last = now
	a.gen++
	switch {
	case len(open) == 0:
		a.armed = ""
		return true, nil
	case !a.names(open):
		a.armed = toldAll(asking(open))
		return false, nil
	case !alone:
		return false, nil
	}
	return false, d.after(quiet, acceptMsg{a.gen})
}

// accept takes the warning that is named, where no enter came since. It
// reports whether that was the last one; another one is named.
func (a *acceptance) accept(m acceptMsg, d *desk, checks []verdict.Check) (done bool) {
	open := d.answers.open(checks)
	if m.gen != a.gen || !a.names(open) {
		return false
	}
	for _, c := range asking(open) {
		d.answers.accept(c)
	}
	if open = d.answers.open(checks); len(open) > 0 {
		a.armed = toldAll(asking(open))
		return false
	}
	a.armed = ""
	return true
}

// asking are the open warnings that are asked for together: all of the first one's
// code, since that accepts them all.
func asking(open []verdict.Check) []verdict.Check {
	var out []verdict.Check
	for _, c := range open {
		if c.Code == open[0].Code {
			out = append(out, c)
		}
	}
	return out
}

// names reports whether the warnings that are asked for are those that were named.
func (a *acceptance) names(open []verdict.Check) bool {
	return len(open) > 0 && a.armed == toldAll(asking(open))
}

// toldAll is what some warnings tell.
func toldAll(checks []verdict.Check) string {
	var b strings.Builder
	for _, c := range checks {
		b.WriteString(told(c) + "\n\n")
	}
	return b.String()
}

// status is the sentence on the open warnings, false where there are none.
func (a *acceptance) status(ans *answers, checks []verdict.Check) (status, bool) {
	open := ans.open(checks)
	if len(open) == 0 {
		return status{}, false
	}
	if a.names(open) {
		name := string(open[0].Code)
		if n := len(asking(open)); n > 1 {
			name += fmt.Sprintf(" (%d warnings)", n)
		}
		return status{level: verdict.Warn, text: name + ": enter again accepts it; it is listed on Review."}, true
	}
	return status{level: verdict.Warn, text: verdict.Plural(len(open), "warning: enter names it", "warnings: enter names one") + ", enter again accepts it."}, true
}
