package tui

import (
	"fmt"

	"cdcseed/engine/verdict"
)

func (s *tableScreen) view(d *desk, w, h int) page {
	switch s.aside {
	case asideUncaptured:
		return page{lines: uncapturedLines(d, s.uncaptured, s.uncapturedErr, w), focus: -1}
	case asideDetails:
		return page{lines: s.pane(d, w), focus: -1}
	}
	lines := []string{""}
	if h >= 16 && h > 2+len(s.pane(d, w))+7 { // with room for some of the list
		lines = append(lines, "")
	}
	rows := 0
	tables := d.found.tables
	switch {
	case tables.of(s.sourcePrint(d)) && tables.err != nil && !s.read.running():
		lines = append(lines, d.refusal(tables.err, min(w, proseWidth))...)
	case len(s.list.lines) > 0:
		var body []string
		body, rows = s.body(d, w, h-len(lines))
		lines = append(lines, body...)
	case tables.good(s.sourcePrint(d)):
		lines = append(lines, s.nothing(d, w)...)
	}
	lines[0] = apart(" "+d.look.bold.Render("Which table do you want to seed?"), s.corner(d, rows)+" ", w)
	return page{lines: lines, focus: -1}
}

// corner is the filter, and how much of the list shows.
func (s *tableScreen) corner(d *desk, rows int) string {
	text := ""
	switch value := clean(s.filter.input.Value()); {
	case s.typing:
		text = "Filter: " + s.filter.typed(d, 20)
	case value != "":
		text = "Filter: " + cut(value, 20)
	}
	if s.read.running() {
		return text + "   " + s.read.what + " ..."
	}
	if len(s.list.lines) == 0 {
		return text
	}
	return text + "   " + s.list.count(rows)
}

// body is the list, the pane of what is chosen and a word on what is not
// listed, h lines at most, and how many lines of the list those are.
func (s *tableScreen) body(d *desk, w, h int) (out []string, rows int) {
	pane := s.pane(d, w)
	rows = min(len(s.list.match), max(3, h-len(pane)-3)) // its head, a blank line, what is not here
	out = s.list.view(d, w, rows)
	if len(s.list.match) == 0 {
		out = append(out, "   Nothing matches.")
	}
	if s.read.running() {
		out = d.faded(out)
	}
	out = append(out, "")
	missing := s.notHere(w)
	room := max(0, h-len(out)-len(missing))
	if len(pane) > room {
		cutOff := fmt.Sprintf("        %s more: v shows them", verdict.Plural(len(pane)-room+1, "line", "lines"))
		pane = append(pane[:max(0, room-1)], cut(d.look.dim.Render(cutOff), w))
	}
	return append(append(out, pane...), missing...), rows
}

// pane tells of the answer: at once what the list knows, then what a closer
// look found.
func (s *tableScreen) pane(d *desk, w int) []string {
	if !s.shown(d) {
		return nil
	}
	w = min(w, proseWidth)
	k, line := d.found.table, s.list.line()
	var out []string
	switch known := k.of(s.print(d)); {
	case known && k.err == nil:
		out = append(closer(k.value).lines(d, w), d.findings(k.value.Checks, w)...)
	case line >= 0:
		out = s.list.chosenOf(line).lines(d, w)
	}
	if k.of(s.print(d)) && k.err != nil {
		out = append(out, d.refusal(k.err, w)...)
	}
	if s.read.running() || s.look.running() {
		out = d.faded(out)
	}
	if s.look.running() || d.answers.Table != "" && !k.of(s.print(d)) {
		out = append(out, cut("   looking at "+clean(d.answers.Table)+" ...", w))
	}
	return out
}

// notHere tells whoever misses a table where it is.
func (s *tableScreen) notHere(w int) []string {
	switch n := len(s.uncaptured); {
	case s.uncapturedErr != nil:
		return item("Not here?", "the tables without CDC could not be read: u tells why", w)
	case n > 0:
		return item("Not here?", verdict.Plural(n, "table is", "tables are")+" not captured: u lists them", w)
	}
	return nil
}

// nothing tells what to do where no table is captured.
func (s *tableScreen) nothing(d *desk, w int) []string {
	w = min(w, proseWidth)
	id := d.found.source.value.Identity
	out := wrap("  "+d.look.word(verdict.Stop), "        ",
		fmt.Sprintf("no captured table of %s is there for the login %s", clean(id.Database), clean(id.Login)), w)
	out = append(out, "")
	out = append(out, howToCapture(w)...)
	return append(append(out, ""), s.notHere(w)...)
}
