package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// The bindings of the tables' screen.
var (
	keyFilter     = bind("/", "filter", "/")
	keyUncaptured = bind("u", "uncaptured", "u")
	keyDetails    = bind("v", "details", "v")
	keyReread     = bind("ctrl+r", "re-read", "ctrl+r")
	keySort       = bind("s", "sort", "s")
)

// resort lists the tables in the next order. The answer keeps the cursor.
func (s *tableScreen) resort() {
	line := s.list.line()
	s.list.sort(s.list.by.next())
	s.list.filter(s.filter.input.Value())
	s.list.choose(line)
}

// browse hears a key while something else is shown. The frame scrolls it.
func (s *tableScreen) browse(k tea.KeyMsg) bool {
	if key.Matches(k, keyBack) || key.Matches(k, keyUncaptured) && s.aside == asideUncaptured || key.Matches(k, keyDetails) && s.aside == asideDetails {
		s.aside = asideNothing
		return true
	}
	return false
}

func (s *tableScreen) keys(d *desk) []key.Binding {
	switch {
	case s.aside != asideNothing:
		return []key.Binding{bind("esc", "the captured tables", "esc")}
	case s.typing:
		return []key.Binding{bind("enter", "keep the filter", "enter"), bind("esc", "clear it", "esc")}
	}
	filter, uncaptured, details := keyFilter, keyUncaptured, keyDetails
	filter.SetEnabled(len(s.list.lines) > 0)
	uncaptured.SetEnabled(d.found.tables.good(s.sourcePrint(d)))
	details.SetEnabled(s.shown(d))
	var own []key.Binding
	if s.pending(d) { // the frame's enter is off: it waits for the look
		own = append(own, keyNext)
	}
	if s.filter.input.Value() != "" {
		own = append(own, bind("esc", "clear the filter", "esc"))
	} else if s.pending(d) {
		own = append(own, keyBack) // behind enter, as ever
	}
	sorts := keySort
	sorts.SetEnabled(len(s.list.match) > 1)
	return append(own, filter, uncaptured, details, sorts, keyReread)
}
