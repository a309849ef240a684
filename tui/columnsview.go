package tui

import (
	"fmt"
	"strings"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// view draws the list in about half of the height and the column with the
// cursor below it.
func (s *columnsScreen) view(d *desk, w, h int) page {
	var lines []string
	if h >= 14 || s.basis == "" || s.filter.on || s.by != byPlace || len(s.listed()) < len(s.shown.Lines) {
		lines = []string{s.heading(d, w)}
	}
	switch {
	case !copyKnown(d):
		return page{lines: append(lines, "", cut("   The copy was not looked at yet.", w)), focus: -1}
	case s.basis == "":
		lines = append(lines, "")
		if s.job.running() {
			lines = append(lines, cut("   "+s.awaited(d), w))
		}
		return page{lines: append(lines, d.refusal(s.err, w)...), focus: -1}
	case s.whole && s.line() != nil:
		return page{lines: append(lines, s.all(d, w)...), focus: -1}
	}
	if h >= 20 {
		lines = append(lines, "")
	}
	rows := s.listed()
	s.height = s.listHeight(len(rows), h-len(lines)-2)
	table, above, below := castTable{lines: s.shown.Lines, rows: rows, at: s.at}.draw(d, w, s.height)
	if s.stale(d) || s.err != nil {
		table = d.faded(table)
	}
	lines = append(lines, table...)
	lines = append(lines, castRule(d, castHidden(above, below), castCounts(s.shown.Lines, s.old), w))
	said := s.said(d, w)
	if most := max(2, (h-len(lines))*2/3); len(said) > most {
		said = append(said[:most-1:most-1], cut("        "+d.look.dim.Render("ctrl+y tells the rest"), w))
	}
	lines = append(lines, said...)
	if room := h - len(lines); room > 0 && s.line() != nil {
		pane := s.pane(d).draw(d, w, room)
		if s.stale(d) {
			pane = d.faded(pane)
		}
		lines = append(lines, pane...)
		lines = append(lines, s.noted(d, w, room-len(pane))...)
	}
	return page{lines: lines, focus: -1}
}

// listHeight is how many lines the list shows of those that it shares with the
// pane: three in seven, fewer where the screen is low, more where no column's
// pane needs the rest. It does not depend on the cursor, so that nothing jumps.
func (s *columnsScreen) listHeight(rows, room int) int {
	need := 0
	for _, l := range s.shown.Lines {
		need = max(need, paneNeed(l))
	}
	share := room * 3 / 7
	if room < 12 {
		share = 3
	}
	return max(1, min(rows, max(share, room-need)))
}

// all is the column with the cursor and every finding, whole.
func (s *columnsScreen) all(d *desk, w int) []string {
	lines := append([]string{""}, s.pane(d).draw(d, w, 0)...)
	if found := d.findings(s.shown.Checks, w); len(found) > 0 {
		lines = append(append(lines, "", " "+d.look.bold.Render("Checks")), found...)
	}
	if s.err != nil {
		lines = append(lines, d.refusal(s.err, w)...)
	}
	if s.shown.Stop != nil && !s.told() {
		lines = append(lines, d.refusal(s.shown.Stop, w)...)
	}
	return lines
}

// heading asks the screen's question, or says what the list is narrowed to.
func (s *columnsScreen) heading(d *desk, w int) string {
	right := castSides(s.shown.Lines) + " "
	if s.basis == "" {
		right = ""
	}
	if n := len(s.listed()); n < len(s.shown.Lines) || s.open {
		right = fmt.Sprintf("%d of %d shown   %s", n, len(s.shown.Lines), right)
	}
	if s.by != byPlace && s.basis != "" {
		right = s.by.words() + "   " + right
	}
	switch {
	case s.filter.on:
		f := field{input: s.filter.Model}
		return apart(" Filter: "+f.typed(d, max(1, w/3)), right, w)
	case s.filter.Value() != "":
		return apart(" Filter: "+clean(s.filter.Value()), right, w)
	case s.open:
		return apart(" "+d.look.bold.Render("Only columns that need an answer"), right, w)
	}
	text := "How does each column of the copy become one of the stream's?"
	if width(text)+width(right)+2 > w {
		text = "From the copy's columns to the stream's"
	}
	return apart(" "+d.look.bold.Render(text), right, w)
}

func castHidden(above, below int) string {
	switch {
	case above > 0 && below > 0:
		return fmt.Sprintf("%s more above, %s below", verdict.Count(above), verdict.Count(below))
	case above > 0:
		return verdict.Count(above) + " more above"
	case below > 0:
		return verdict.Count(below) + " more below"
	}
	return ""
}

// castRule ends the list: what does not show, and how the columns stand.
func castRule(d *desk, left, right string, w int) string {
	word := func(s string) string {
		if s == "" {
			return ""
		}
		return " " + s + " "
	}
	l, r := word(left), word(right)
	if 3+width(l)+width(r)+2 > w {
		l = ""
	}
	line := func(n int) string { return d.look.dim.Render(strings.Repeat(d.glyph.rule, max(0, n))) }
	return cut(line(3)+l+line(w-3-width(l)-width(r)-2)+r+line(2), w)
}

// said is what has to be read before the column: a refusal, what forbids to go
// on and belongs to no column, warnings, answers that were taken out.
func (s *columnsScreen) said(d *desk, w int) []string {
	var out []string
	if s.err != nil {
		out = append(out, d.refusal(s.err, min(w, proseWidth))...)
	}
	if stop := s.shown.Stop; stop != nil && !s.told() {
		out = append(out, d.refusal(stop, min(w, proseWidth))...)
	}
	for _, c := range s.shown.Checks {
		if c.Level != verdict.Warn {
			continue
		}
		lines := d.finding(c, min(w, proseWidth))
		if s.old {
			lines = d.faded(lines)
		}
		out = append(out, lines...)
	}
	if seeded(d) {
		text := "the target holds this seed already: its rows keep the casts that they were made with, and what is answered here changes none"
		out = append(out, d.finding(verdict.Noted(text, ""), min(w, proseWidth))...)
	}
	if len(s.gone) > 0 {
		text := "earlier answers were taken out, as no column takes them now: " + someNames(s.gone, 8)
		if len(s.aside.kept) > 0 {
			text = fmt.Sprintf("earlier answers of columns that %s has not are kept aside: %s", clean(d.answers.Table), someNames(s.gone, 8))
		}
		out = append(out, d.finding(verdict.Noted(text, ""), min(w, proseWidth))...)
	}
	return out
}

// seeded reports whether the target holds the seed that the answers ask for.
func seeded(d *desk) bool {
	k := d.found.asOf
	return k.set && k.err == nil && k.value.Seeded
}

// told reports whether what forbids to go on is told by a column's line.
func (s *columnsScreen) told() bool {
	for _, l := range s.shown.Lines {
		if castWaits(l) || castRefused(l) {
			return true
		}
	}
	return false
}

// noted are findings that ask for nothing, where there is room for them.
func (s *columnsScreen) noted(d *desk, w, room int) []string {
	var out []string
	for _, c := range s.shown.Checks {
		if c.Level != verdict.Warn {
			out = append(out, d.finding(c, min(w, proseWidth))...)
		}
	}
	if len(out) == 0 || len(out)+1 > room {
		return nil
	}
	return append([]string{""}, out...)
}

// pane is what is told of the line with the cursor.
func (s *columnsScreen) pane(d *desk) castPane {
	p := castPane{line: *s.line(), ask: s.ask, old: s.old, looked: s.looked(d), brief: s.brief(d), stop: s.shown.Stop}
	if s.zone.on {
		f := field{input: s.zone.Model}
		p.typing = "zone  " + f.typed(d, 32) + d.look.dim.Render("   enter takes it, esc leaves it")
	}
	return p
}

// looked says what the samples and counts are of, or what is awaited.
func (s *columnsScreen) looked(d *desk) string {
	switch {
	case s.job.running():
		return s.awaited(d)
	case s.err != nil:
		return "of earlier answers"
	case s.old && s.shown.Rows == 0:
		return "no values looked at yet"
	case s.old:
		return "of earlier answers"
	case s.shown.Depth == engine.CheckAll:
		return "every one of " + verdict.Plural(s.shown.Rows, "row", "rows")
	}
	return "a sample of " + verdict.Plural(s.shown.Rows, "row", "rows")
}

// awaited names the wait.
func (s *columnsScreen) awaited(d *desk) string { return s.job.what + s.far + " ..." + s.lasts(d) }

// brief is that something is awaited, where there is no room for what.
func (s *columnsScreen) brief(d *desk) string {
	if !s.job.running() {
		return ""
	}
	return "checking ..." + s.lasts(d)
}

// lasts is how long values have been looked at, once that is long.
func (s *columnsScreen) lasts(d *desk) string {
	took := d.now().Sub(s.since).Truncate(time.Second)
	if !s.looks || took < 2*time.Second {
		return ""
	}
	return " " + clock.Words(took)
}
