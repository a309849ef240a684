package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
)

// readingList is the choice of what a time without a zone means. None of its
// readings is chosen before a person chooses it.
type readingList struct {
	known known[[]engine.ReadingView]
	on    bool // it has the cursor
	at    int  // the reading under the cursor
	taken takenReading
}

// takenReading is what as_of was made from.
type takenReading struct{ typed, zone, value string }

var keyTake = bind("space", "take this reading", " ", "enter")

// merged are readings of which those that come to the same moment, in the same
// words, are told once under all their names.
func merged(in []engine.ReadingView) []engine.ReadingView {
	var out []engine.ReadingView
	names := map[int]int{}
	for _, v := range in {
		i := slices.IndexFunc(out, func(o engine.ReadingView) bool { return o.Value == v.Value && o.Note == v.Note })
		if i < 0 {
			out = append(out, v)
			continue
		}
		// "UTC, also this machine's zone", whose own name says no more
		also := ", also "
		if names[i]++; names[i] > 1 {
			also = " and "
		}
		first, _, _ := strings.Cut(out[i].Zone, ", also ")
		out[i].Zone += also + strings.TrimSuffix(v.Zone, " ("+first+")")
	}
	return out
}

// choosable reports whether any of the readings is a moment.
func (l *readingList) choosable() bool { return l.next(-1, 1) >= 0 }

// next is the nearest reading from one on, in a direction, that is a moment; -1
// where there is none. A time that a clock skipped is none.
func (l *readingList) next(at, step int) int {
	for at += step; at >= 0 && at < len(l.known.value); at += step {
		if l.known.value[at].Value != "" {
			return at
		}
	}
	return -1
}

// enter puts the cursor on the first reading, or coming from below on the last.
func (l *readingList) enter(down bool) {
	l.on, l.at = true, l.next(len(l.known.value), -1)
	if down {
		l.at = l.next(-1, 1)
	}
}

func (l *readingList) out() { l.on = false }

// isMove reports whether a key moves a cursor by one.
func isMove(k tea.KeyMsg) bool {
	return k.Type == tea.KeyDown || k.Type == tea.KeyUp || k.Type == tea.KeyTab || k.Type == tea.KeyShiftTab
}

// move hears a key. left tells that the cursor goes out of the list, down at its
// lower end.
func (l *readingList) move(k tea.KeyMsg) (left, down bool) {
	step := 0
	switch k.Type {
	case tea.KeyDown:
		step = 1
	case tea.KeyUp:
		step = -1
	case tea.KeyTab, tea.KeyShiftTab:
		l.out()
		return true, k.Type == tea.KeyTab
	default:
		return false, false
	}
	to := l.next(l.at, step)
	if to < 0 {
		l.out()
		return true, step > 0
	}
	l.at = to
	return false, false
}

// take is the value of the reading under the cursor.
func (l *readingList) take(typed string) string {
	v := l.known.value[l.at]
	l.taken = takenReading{typed: typed, zone: v.Zone, value: v.Value}
	l.out()
	return v.Value
}

// of is the reading that an as_of was made from, in words; empty where a person
// typed it as it stands.
func (r takenReading) of(asOf string) string {
	if r.value == "" || r.value != asOf {
		return ""
	}
	return clean(r.typed) + ", taken as " + clean(r.zone)
}

// block draws the readings, side by side in UTC.
func (l *readingList) block(d *desk, w int) block {
	out := block{focus: -1}
	moments := 0
	for _, v := range l.known.value {
		moments = max(moments, width(v.At.String()))
	}
	for i, v := range l.known.value {
		cursor, dot, moment := " ", d.glyph.off, v.At.String()
		if v.Value == "" {
			dot, moment = strings.Repeat(" ", width(d.glyph.off)), "no such moment"
		}
		if l.on && i == l.at {
			cursor, out.focus = d.look.accent.Render(d.glyph.cursor), len(out.lines)
		}
		head := " " + cursor + " " + dot + " " + fill(clean(moment), moments) + "  "
		out.lines = append(out.lines, wrap(head, strings.Repeat(" ", width(head)), clean(v.Zone), w)...)
		if v.Note != "" {
			indent := strings.Repeat(" ", 4+width(dot))
			out.lines = append(out.lines, wrap(indent, indent, clean(v.Note), w)...)
		}
	}
	return out
}
