package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// castTable is the list of columns and their casts, as it is drawn.
type castTable struct {
	lines []engine.ColumnLine
	rows  []int // those of lines that are listed, in order
	at    int   // the line with the cursor
}

// The table's columns.
const (
	copyName = iota
	copyType
	targetName
	targetType
	castWords
	castColumns
)

// castHead are the cells before the first column: the cursor's.
const castHead = 3

// castLayout is how wide the columns are, 0 for one that is left out, and how
// many cells lie between them.
type castLayout struct {
	widths [castColumns]int
	gap    int
}

// castCells is a line of the table, or its head.
type castCells [castColumns]string

// castHeads name the columns; castLeast are the cells below which each is not
// cut while there is another to drop.
func castHeads() castCells        { return castCells{"COPY", "TYPE", "TARGET", "TYPE", "CAST"} }
func castLeast() [castColumns]int { return [castColumns]int{12, 9, 12, 9, 17} }

// cellsOf are a line's texts.
func cellsOf(l engine.ColumnLine) castCells {
	return castCells{nameOr(l.Copy), clean(l.CopyType), nameOr(l.Target), clean(l.TargetType), castText(l)}
}

// nameOr is a column's name, with quotes where blanks at its ends would not be
// seen.
func nameOr(name string) string {
	switch {
	case name == "":
		return "(none)"
	case strings.TrimSpace(name) != name:
		return `"` + clean(name) + `"`
	}
	return clean(name)
}

// castText is the mark and its words. A ? beside the mark tells that the column
// castWaits for an answer.
func castText(l engine.ColumnLine) string {
	open := " "
	if castWaits(l) {
		open = "?"
	}
	words := clean(l.Cast)
	if l.Copy != l.Target && strings.EqualFold(l.Copy, l.Target) && !strings.Contains(words, differs) {
		words += ", " + differs
	}
	return string(l.Mark) + open + " " + words
}

// differs is said of a name that the copy spells otherwise.
const differs = "case differs"

// castWaits reports whether a question of the line has no answer.
func castWaits(l engine.ColumnLine) bool {
	return slices.ContainsFunc(l.Asks, func(a engine.Ask) bool { return a.Open })
}

// castRefused reports whether values of the line cannot be written, whatever was
// answered.
func castRefused(l engine.ColumnLine) bool { return l.Refused > 0 && !castWaits(l) }

// draw is the head and at most n lines, the one with the cursor among them.
// above and below are how many are not shown.
func (t castTable) draw(d *desk, w, n int) (lines []string, above, below int) {
	all := make([]castCells, len(t.lines))
	for i, l := range t.lines {
		all[i] = cellsOf(l)
	}
	layout := castLayoutOf(all, w)
	lines = append(lines, d.look.dim.Render(cut(strings.Repeat(" ", castHead)+layout.row(castHeads()), w)))
	if len(t.rows) == 0 {
		return append(lines, cut("   no column has this in its name: / changes the filter", w)), 0, 0
	}
	top := min(max(0, slices.Index(t.rows, t.at)-n/2), max(0, len(t.rows)-n))
	end := min(len(t.rows), top+n)
	for _, i := range t.rows[top:end] {
		head := "   "
		if i == t.at {
			head = " " + d.look.accent.Render(d.glyph.cursor) + " "
		}
		lines = append(lines, cut(head+t.colour(d, i, layout.row(all[i])), w))
	}
	return lines, top, len(t.rows) - end
}

// colour repeats what a line's mark says.
func (t castTable) colour(d *desk, i int, row string) string {
	switch l := t.lines[i]; {
	case castRefused(l):
		return d.look.stop.Render(row)
	case castWaits(l):
		return d.look.warn.Render(row)
	case l.Mark == engine.MarkLeftOut:
		return d.look.dim.Render(row)
	}
	return row
}

// row puts cells side by side.
func (c castLayout) row(cells castCells) string {
	var parts []string
	for i, text := range cells {
		if c.widths[i] > 0 {
			parts = append(parts, castPadded(cutName(text, c.widths[i]), c.widths[i]))
		}
	}
	return strings.TrimRight(strings.Join(parts, strings.Repeat(" ", c.gap)), " ")
}

func castPadded(s string, w int) string { return s + strings.Repeat(" ", max(0, w-width(s))) }

// cutName makes a name at most w cells wide. Its end stays too: names of one
// table often begin alike.
func cutName(s string, w int) string {
	have := width(s)
	if have <= w || w < 10 {
		return cut(s, w)
	}
	tail := (w - 2) / 3
	head := ansi.Truncate(s, w-2-tail, "")
	end := ansi.TruncateLeft(s, have-tail, "")
	for over := 1; width(head)+2+width(end) > w && over < tail; over++ { // a wide character on the border
		end = ansi.TruncateLeft(s, have-tail+over, "")
	}
	return cut(head+".."+end, w)
}

// castLayoutOf gives columns what they hold, where there is room; else they
// stand closer, and the widest gives way first. Where not even the least fits,
// the types go: the pane below tells them of the line with the cursor.
func castLayoutOf(all []castCells, w int) castLayout {
	heads, least := castHeads(), castLeast()
	out := castLayout{gap: 2}
	for i, h := range heads {
		out.widths[i] = width(h)
	}
	for _, cells := range all {
		for i, c := range cells {
			out.widths[i] = max(out.widths[i], width(c))
		}
	}
	if out.total() > w {
		out.gap = 1
	}
	for i := range least {
		least[i] = min(least[i], out.widths[i])
	}
	for _, gone := range []int{copyType, targetType} {
		if (castLayout{least, out.gap}).total() > w {
			least[gone], out.widths[gone] = 0, 0
		}
	}
	for out.total() > w {
		widest := -1
		for i, n := range out.widths {
			if n > least[i] && (widest < 0 || n > out.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break // the row is cut
		}
		out.widths[widest]--
	}
	return out
}

// total is a row's cells.
func (c castLayout) total() int {
	total := castHead - c.gap
	for _, w := range c.widths {
		if w > 0 {
			total += w + c.gap
		}
	}
	return total
}

// castCounts say how the columns stand: "3 to decide (?), 1 lossy (!), 10 fine,
// 2 left out". What may lose something is answered, and not fine.
// What was refused under older answers is to be looked at again.
func castCounts(lines []engine.ColumnLine, old bool) string {
	var bad, open, lossy, fine, left int
	for _, l := range lines {
		switch {
		case castRefused(l):
			bad++
		case castWaits(l):
			open++
		case l.Mark == engine.MarkLeftOut:
			left++
		case l.Mark == engine.MarkLoses:
			lossy++
		default:
			fine++
		}
	}
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", verdict.Count(n), what))
		}
	}
	if old {
		add(bad, "to check")
	} else {
		add(bad, "refused")
	}
	add(open, "to decide (?)")
	add(lossy, "lossy (!)")
	add(fine, "fine")
	add(left, "left out")
	return strings.Join(parts, ", ")
}

// castSides are how many columns the copy has and how many are written.
func castSides(lines []engine.ColumnLine) string {
	var from, to int
	for _, l := range lines {
		if l.Copy != "" {
			from++
		}
		if l.Target != "" {
			to++
		}
	}
	return fmt.Sprintf("%s -> %s", verdict.Count(from), verdict.Count(to))
}
