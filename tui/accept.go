package tui

import (
	"fmt"
	"time"

	"cdcseed/engine/verdict"
)

// acceptance asks for a step's open warnings one by one. An enter that goes on
// without having read is what it is there to prevent: the first names the
// warning, and only another one, after a moment, accepts it.
type acceptance struct {
	armed string    // the warning that was named, as told
	at    time.Time // when
}

// read is the least time that a warning stands before it can be accepted: a
// key that is held down does not run through.
const read = 400 * time.Millisecond

// press is what enter does. It reports whether no warning is open any more, so
// that the step may be left.
func (a *acceptance) press(ans *answers, checks []verdict.Check, now time.Time) bool {
	open := ans.open(checks)
	if len(open) == 0 {
		a.armed = ""
		return true
	}
	first := told(open[0])
	if a.armed != first {
		a.armed, a.at = first, now
		return false
	}
	if now.Sub(a.at) < read {
		return false
	}
	ans.accept(open[0])
	a.armed = ""
	if open = ans.open(checks); len(open) == 0 {
		return true
	}
	a.armed, a.at = told(open[0]), now
	return false
}

// status is the sentence on the open warnings, false where there are none.
func (a *acceptance) status(ans *answers, checks []verdict.Check) (status, bool) {
	open := ans.open(checks)
	if len(open) == 0 {
		return status{}, false
	}
	if a.armed == told(open[0]) {
		return status{level: verdict.Warn, text: fmt.Sprintf("%s: enter again accepts it; it is listed on Review.", open[0].Code)}, true
	}
	return status{level: verdict.Warn, text: verdict.Plural(len(open), "warning", "warnings") + " to accept: enter names each, enter again accepts it."}, true
}
