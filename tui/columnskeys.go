package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"cdcseed/engine"
)

// The bindings of the columns' screen.
var (
	castMove    = bind("up/down", "column", "up", "down", "pgup", "pgdown", "home", "end")
	castChoose  = bind("space", "choose", " ", "right", "left")
	castAsk     = bind("tab", "question", "tab", "shift+tab")
	castBack    = bind("del", "take back", "delete", "backspace")
	castZone    = bind("t", "zone", "t")
	castNext    = bind("n", "next", "n")
	castOpen    = bind("o", "open only", "o")
	castAll     = bind("o", "all columns", "o")
	castWhole   = bind("v", "whole", "v")
	castList    = bind("v", "table", "v")
	castShut    = bind("esc", "table", "esc")
	castWiden   = bind("esc", "all columns", "esc")
	castEvery   = bind("a", "all values", "a")
	castSample  = bind("a", "sample", "a")
	castFilter  = bind("/", "filter", "/")
	castSort    = bind("s", "sort", "s")
	castRecheck = bind("ctrl+r", "look again", "ctrl+r")
)

// keys lists what does something now, what is needed most first.
func (s *columnsScreen) keys(d *desk) []key.Binding {
	l := s.line()
	switch {
	case !copyKnown(d):
		return nil
	case s.zone.on:
		return []key.Binding{bind("enter", "take the zone", "enter"), bind("esc", "leave it", "esc")}
	case s.filter.on:
		return []key.Binding{bind("enter", "keep the filter", "enter"), bind("esc", "all columns", "esc"), castMove}
	case l == nil && len(s.shown.Lines) > 0:
		return []key.Binding{castWiden, castFilter, castNext, castRecheck}
	case l == nil:
		return []key.Binding{castRecheck}
	}
	var out []key.Binding
	on := func(yes bool, b key.Binding) {
		if yes {
			out = append(out, b)
		}
	}
	a := s.question()
	on(a != nil, castChoose)
	on(len(l.Asks) > 1, castAsk)
	on(a != nil && a.Zone, castZone)
	on(len(s.waiting()) > 0, castNext)
	on(!s.whole, castWhole)
	on(s.whole, castList)
	on(d.answers.Check != engine.CheckAll && s.shown.Depth != engine.CheckAll, castEvery)
	on(d.answers.Check == engine.CheckAll, castSample)
	on(s.whole, castShut)
	on(!s.whole && s.narrowed(), castWiden)
	on(a != nil && a.Given != "", castBack)
	out = append(out, castMove)
	on(!s.open, castOpen)
	on(s.open, castAll)
	out = append(out, castFilter)
	on(len(s.shown.Lines) > 1, castSort)
	return append(out, castRecheck)
}

func (s *columnsScreen) key(d *desk, k tea.KeyMsg) (tea.Cmd, bool) {
	switch {
	case !copyKnown(d):
		return nil, false
	case s.zone.on:
		return s.typeZone(d, k), true
	case s.filter.on:
		return s.typeFilter(k), true
	case key.Matches(k, castRecheck):
		return s.look(d), true
	case s.whole && (key.Matches(k, keyBack) || key.Matches(k, castWhole)):
		s.whole = false
		return nil, true
	case s.narrowed() && key.Matches(k, keyBack):
		s.widen()
		return nil, true
	case s.whole && key.Matches(k, keyPageUp, keyPageDn):
		return nil, false // the frame scrolls
	case len(s.shown.Lines) == 0:
		return nil, false
	case key.Matches(k, castMove):
		s.move(k)
		return nil, true
	case key.Matches(k, castNext):
		s.next()
		return nil, true
	case key.Matches(k, castOpen):
		s.open = !s.open
		s.land()
		return nil, true
	case key.Matches(k, castFilter):
		s.filter.on = true
		s.filter.CursorEnd()
		return s.filter.Focus(), true
	case key.Matches(k, castSort):
		s.sort(s.by.next())
		return nil, true
	case key.Matches(k, castEvery):
		return s.every(d), true
	case s.line() == nil: // the filter leaves none: nothing unseen is answered
		return nil, false
	case key.Matches(k, castWhole):
		s.whole = true
		return nil, true
	}
	return s.answer(d, k)
}

// answer hears the keys of the line's questions. What is shown of columns that
// are asked about no more takes no answers.
func (s *columnsScreen) answer(d *desk, k tea.KeyMsg) (tea.Cmd, bool) {
	l := s.line()
	a := s.question()
	if a == nil || s.stale(d) {
		return nil, key.Matches(k, castChoose)
	}
	switch {
	case key.Matches(k, castAsk):
		step := 1
		if k.Type == tea.KeyShiftTab {
			step = len(l.Asks) - 1
		}
		s.ask = (s.ask + step) % len(l.Asks)
		return nil, true
	case key.Matches(k, castChoose):
		return s.choose(d, *a, k.Type == tea.KeyLeft), true
	case key.Matches(k, castBack):
		if a.Given == "" {
			return nil, true
		}
		return s.give(d, *a, ""), true
	case key.Matches(k, castZone) && a.Zone:
		s.zone.on = true
		s.zone.SetValue(a.Given)
		s.zone.CursorEnd()
		return s.zone.Focus(), true
	}
	return nil, false
}

// question is the one that keys are about; nil where the line has none.
func (s *columnsScreen) question() *engine.Ask {
	l := s.line()
	if l == nil || len(l.Asks) == 0 {
		return nil
	}
	return &l.Asks[min(s.ask, len(l.Asks)-1)]
}

// choose gives the next choice or the one before; the first where none is given.
func (s *columnsScreen) choose(d *desk, a engine.Ask, before bool) tea.Cmd {
	options := choicesOf(a)
	n := len(options)
	if n == 0 {
		return nil
	}
	at := slices.IndexFunc(options, func(c engine.Choice) bool { return c.Value == a.Given })
	switch {
	case !before:
		at = (at + 1) % n
	case at <= 0:
		at = n - 1
	default:
		at--
	}
	if options[at].Value == a.Given {
		return nil
	}
	return s.give(d, a, options[at].Value)
}

// give answers. The screen shows it at once; what it means is asked.
func (s *columnsScreen) give(d *desk, a engine.Ask, value string) tea.Cmd {
	a.Answer(&d.answers.Request, value)
	s.shown.Lines = slices.Clone(s.shown.Lines) // the view may be kept elsewhere as it was found
	for i := range s.shown.Lines {
		l := &s.shown.Lines[i]
		for j := range l.Asks {
			if l.Asks[j].Flag == a.Flag && l.Asks[j].Column == a.Column {
				l.Asks = slices.Clone(l.Asks)
				l.Asks[j].Given = value
			}
		}
	}
	s.gone = nil
	return s.match(d)
}

// every goes from a sample to every value, and back.
func (s *columnsScreen) every(d *desk) tea.Cmd {
	if d.answers.Check == engine.CheckAll {
		d.answers.Check = ""
	} else {
		d.answers.Check = engine.CheckAll
	}
	return s.look(d)
}

// typeZone hears a key while a zone is typed.
func (s *columnsScreen) typeZone(d *desk, k tea.KeyMsg) (cmd tea.Cmd) {
	switch {
	case key.Matches(k, keyBack):
		s.zone.on = false
		return nil
	case !key.Matches(k, keyNext):
		s.zone.Model, cmd = s.zone.Update(k)
		return cmd
	}
	s.zone.on = false
	name, a := strings.TrimSpace(s.zone.Value()), s.question()
	if a == nil || !a.Zone || name == a.Given || s.stale(d) { // the columns may be others by now
		return nil
	}
	return s.give(d, *a, name)
}

// typeFilter hears a key while the filter is typed.
func (s *columnsScreen) typeFilter(k tea.KeyMsg) (cmd tea.Cmd) {
	switch {
	case key.Matches(k, keyBack):
		s.filter.on = false
		s.filter.SetValue("")
	case key.Matches(k, keyNext):
		s.filter.on = false
	case k.Type == tea.KeyUp, k.Type == tea.KeyDown:
		s.move(k)
	default:
		s.filter.Model, cmd = s.filter.Update(k)
	}
	s.land()
	return cmd
}

// listed are the lines that the list holds. One that was just answered stays
// while it has the cursor.
func (s *columnsScreen) listed() []int {
	var out []int
	part := strings.ToLower(strings.TrimSpace(s.filter.Value()))
	for _, i := range s.order {
		l := s.shown.Lines[i]
		if s.open && !castWaits(l) && i != s.at {
			continue
		}
		if strings.Contains(strings.ToLower(l.Copy), part) || strings.Contains(strings.ToLower(l.Target), part) {
			out = append(out, i)
		}
	}
	return out
}

// narrowed reports whether the list was narrowed by the person.
func (s *columnsScreen) narrowed() bool { return s.filter.Value() != "" || s.open }

// widen lists all columns again, with the cursor where it is.
func (s *columnsScreen) widen() {
	s.filter.SetValue("")
	s.open = false
}

// land puts the cursor on a line that is listed.
func (s *columnsScreen) land() {
	if rows := s.listed(); len(rows) > 0 && !slices.Contains(rows, s.at) {
		s.to(rows[0])
	}
}

func (s *columnsScreen) to(at int) {
	if at != s.at {
		s.at, s.ask = at, 0
	}
}

// move moves the cursor in the list.
func (s *columnsScreen) move(k tea.KeyMsg) {
	rows := s.listed()
	if len(rows) == 0 {
		return
	}
	at := max(0, slices.Index(rows, s.at))
	switch k.Type {
	case tea.KeyUp:
		at--
	case tea.KeyDown:
		at++
	case tea.KeyPgUp:
		at -= s.height
	case tea.KeyPgDown:
		at += s.height
	case tea.KeyHome:
		at = 0
	case tea.KeyEnd:
		at = len(rows) - 1
	}
	s.to(rows[min(max(0, at), len(rows)-1)])
}

// next goes to the next column that waits for an answer or whose values are
// refused, round the end, whether it is listed or not.
func (s *columnsScreen) next() {
	n := len(s.shown.Lines)
	for i := 1; i <= n; i++ {
		at := (s.at + i) % n
		if l := s.shown.Lines[at]; !castWaits(l) && !castRefused(l) {
			continue
		}
		s.to(at)
		if !slices.Contains(s.listed(), at) {
			s.filter.SetValue("")
		}
		return
	}
}
