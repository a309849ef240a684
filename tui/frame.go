package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/lipgloss"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// The least sizes of the layouts.
const (
	fullWidth, fullHeight   = 80, 24
	leastWidth, leastHeight = 60, 18
	fullFrame, compactFrame = 7, 7 // lines around the body
)

// full reports whether there is room for the whole frame.
func (w *wizard) full() bool { return w.w >= fullWidth && w.h >= fullHeight }

// tooFew reports whether there are too few cells for any layout.
func (w *wizard) tooFew() bool { return w.w < leastWidth || w.h < leastHeight }

// room is the body's height.
func (w *wizard) room() int {
	if w.full() {
		return w.h - fullFrame
	}
	return w.h - compactFrame
}

// View draws the screen: exactly as many lines as the terminal has, none of
// them wider than it.
func (w *wizard) View() string {
	if w.tooFew() {
		return w.tooSmall()
	}
	body := w.body()
	lines := []string{w.title(), w.railLine(), w.ruled("", w.w)}
	shown, more := w.window(body)
	lines = append(lines, shown...)
	lines = append(lines, w.ruled(more, w.w))
	if w.full() {
		lines = append(lines, w.statusLine(), w.sameLine())
	} else {
		lines = append(lines, w.statusLines()...)
	}
	lines = append(lines, w.keysLine())
	for i, l := range lines {
		lines[i] = cut(l, w.w)
	}
	return strings.Join(lines, "\n")
}

// body is the step's page, or what lies over it.
func (w *wizard) body() page {
	if w.over != nil {
		return w.over.view(w, w.w, w.room())
	}
	p := w.step().view(w.desk, w.w, w.room())
	if open := w.answers.open(w.step().checks(w.desk)); w.accepts.names(open) {
		// The warning that is asked for is in sight, wherever the cursor is.
		head := width("  ") + width(w.look.word(verdict.Warn))
		text := cut(string(open[0].Code)+": "+clean(open[0].Text), max(1, w.w-head)*2/3)
		text = strings.TrimSuffix(text, "...")
		if at := slices.IndexFunc(p.lines, func(l string) bool { return strings.Contains(l, text) }); at >= 0 {
			p.focus = at
		}
	}
	return p
}

// window is the part of a page that shows, and words on what does not.
func (w *wizard) window(p page) (lines []string, more string) {
	h, top := w.room(), w.first(p)
	end := min(len(p.lines), top+h)
	lines = append(lines, p.lines[top:end]...)
	for len(lines) < h {
		lines = append(lines, "")
	}
	above, below := top, len(p.lines)-end
	switch {
	case above > 0 && below > 0:
		more = fmt.Sprintf("%s above (pgup), %d below (pgdn)", verdict.Plural(above, "line", "lines"), below)
	case above > 0:
		more = verdict.Plural(above, "line", "lines") + " above (pgup)"
	case below > 0:
		more = verdict.Plural(below, "line", "lines") + " below (pgdn)"
	}
	return lines, more
}

// first is the page's first line that shows.
func (w *wizard) first(p page) int {
	h := w.room()
	last := max(0, len(p.lines)-h)
	if w.scroll {
		return min(max(0, w.top), last)
	}
	if p.focus < h-1 {
		return 0
	}
	return min(p.focus-h+2, last)
}

// page scrolls by almost a whole body.
func (w *wizard) page(down bool) {
	by := max(1, w.room()-2)
	if !down {
		by = -by
	}
	w.scrollBy(by)
}

// scrollBy scrolls by lines, up where there are fewer than none.
func (w *wizard) scrollBy(lines int) {
	p := w.body()
	w.top = min(max(0, w.first(p)+lines), max(0, len(p.lines)-w.room()))
	w.scroll = true
}

func (w *wizard) title() string {
	name := " cdcseed " + w.version
	who := "not connected yet"
	if k := w.found.source; k.set && k.err == nil {
		id := k.value.Identity
		who = clean(id.Server + " / " + id.Database + " | " + id.Login)
	}
	if !w.full() {
		name = " cdcseed"
	}
	return apart(w.look.bold.Render(cut(name, w.w))+" | "+who, w.stateStyle().Render(w.state())+" ", w.w)
}

// stateStyle repeats the write state in colour.
func (w *wizard) stateStyle() lipgloss.Style {
	switch w.state() {
	case stateWriting, stateCommitting:
		return w.look.warn.Bold(true)
	case stateWritten, stateSeeded:
		return w.look.ok.Bold(true)
	case stateNothing, stateNoRows, stateUnknown:
		return w.look.stop
	}
	return w.look.bold
}

func (w *wizard) railLine() string {
	if !w.full() {
		return railShort(w.titles(), int(w.at)-1, w.w)
	}
	here := ""
	if w.at == runStep && w.found.failure != nil {
		here = "STOPPED"
	}
	line := rail(w.titles(), w.marks(), int(w.at)-1, here, w.glyph.done, w.w)
	before, rest, found := strings.Cut(line, "[")
	if name, after, closed := strings.Cut(rest, "]"); found && closed {
		return before + w.look.accent.Render("["+name+"]") + after
	}
	return line
}

func (w *wizard) statusLine() string {
	if w.over != nil {
		if s := w.over.status(w); s != "" {
			return " " + s
		}
	}
	s := w.status()
	if s.text == "" {
		return ""
	}
	return " " + w.look.word(s.level) + clean(s.text)
}

// statusLines are the status where there is little room: two lines, so that it is
// read to its end.
func (w *wizard) statusLines() []string {
	const indent = "       "
	lines := append(wrap("", indent, w.statusLine(), w.w), "")
	return lines[:2]
}

func (w *wizard) sameLine() string {
	const head = " same as: "
	return w.look.dim.Render(head) + w.look.dim.Render(w.command().short(w.w-width(head)-1))
}

// keysLine lists the keys that do something now, and only those.
func (w *wizard) keysLine() string {
	var parts []string
	add := func(b key.Binding) {
		if b.Enabled() {
			parts = append(parts, help(b))
		}
	}
	if w.over != nil {
		for _, b := range w.over.keys(w) {
			add(b)
		}
		return " " + strings.Join(parts, "  ")
	}
	own := w.step().keys(w.desk)
	if w.at < reviewStep && !takes(own, keyNext) {
		if w.step().ready(w.desk).off() {
			parts = append(parts, "enter (off)")
		} else {
			add(keyNext)
		}
	}
	if w.at > connectStep && w.at < runStep && !takes(own, keyBack) {
		add(keyBack)
	}
	more := own
	if len(w.answers.open(w.step().checks(w.desk))) > 0 {
		at := 0
		if takes(own, keyNext) { // enter comes first, whoever takes it
			at = 1
		}
		more = slices.Insert(slices.Clone(own), at, keyWhy)
	}
	for _, b := range more {
		add(b)
	}
	add(keyCommand)
	switch {
	case !w.running():
		add(keyQuit)
	case !w.found.committed && w.found.phase != engine.Record && !w.found.stopping:
		add(keyStop)
	}
	return " " + fitted(parts, help(keyHelp), w.w-1)
}

// fitted are the keys that there is room for, and the one that lists them all.
func fitted(parts []string, all string, w int) string {
	line := strings.Join(append(slices.Clone(parts), all), "  ")
	for len(parts) > 0 && width(line) > w {
		parts = parts[:len(parts)-1]
		line = strings.Join(append(slices.Clone(parts), all), "  ")
	}
	return line
}

// tooSmall says what is wrong in as many lines and cells as there are.
func (w *wizard) tooSmall() string {
	if w.w <= 0 || w.h <= 0 {
		return ""
	}
	text := []string{
		fmt.Sprintf("cdcseed needs at least %d x %d.", leastWidth, leastHeight),
		"Make it larger, or quit (ctrl+c) and run cdcseed --plain.",
		fmt.Sprintf("This window is %d x %d.", w.w, w.h),
	}
	if w.running() {
		text[1] = "Make it larger; ctrl+c stops the seed."
	}
	if w.at >= reviewStep {
		text = append([]string{w.state()}, text...)
	}
	var lines []string
	for _, t := range text {
		lines = append(lines, wrap(" ", " ", t, w.w)...)
	}
	if w.over != nil { // a question that waits is answered by its keys at any size
		lines = append(lines, wrap(" ", " ", w.over.status(w), w.w)...)
	}
	lines = lines[:min(len(lines), w.h)]
	return strings.Join(lines, "\n")
}

// takes reports whether a step uses a key of the frame's itself for now.
func takes(own []key.Binding, b key.Binding) bool {
	return slices.ContainsFunc(own, func(o key.Binding) bool { return o.Enabled() && o.Help().Key == b.Help().Key })
}
