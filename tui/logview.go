package tui

import (
	"slices"
	"strings"
	"time"
)

// logView is a seed's log as it is drawn. Lines are wrapped once, however many
// there are and however often a key is pressed.
type logView struct {
	trip  *journey
	ahead time.Duration
	w     int
	drawn [][]string // the log's lines, wrapped, oldest first
}

// logHead are the cells of a line's time and word.
const logHead = 18

// lines are all that was said, newest first.
func (v *logView) lines(d *desk, trip *journey, w int) []string {
	ahead, wide := d.found.source.value.Ahead, min(w, 120)
	if v.trip != trip || v.ahead != ahead || v.w != wide {
		*v = logView{trip: trip, ahead: ahead, w: wide}
	}
	for _, l := range trip.log[len(v.drawn):] {
		line := l.line(ahead)
		v.drawn = append(v.drawn, wrapQuoted(line[:logHead], strings.Repeat(" ", logHead), line[logHead:], wide))
	}
	const heading = "Log, newest first, on the server's clock"
	out := []string{apart(" "+d.look.bold.Render(heading), "plan "+trip.plan.Digest[:8]+" ", w), ""}
	for _, lines := range slices.Backward(v.drawn) {
		out = append(out, lines...)
	}
	return out
}
