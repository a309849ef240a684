package tui

import (
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// tableList is the captured tables, a line for each capture instance. Some of
// them match the filter, and one of those has the cursor.
type tableList struct {
	tables []engine.Table
	lines  []tableLine
	by     tableOrder
	order  []int // into lines: all of them as they are sorted
	match  []int // into lines, as they are sorted
	at     int   // into match; -1 while none is chosen
	near   int   // into match: where the cursor starts from while none is chosen
	wide   int   // cells of the longest table's name
	wider  int   // and of the longest instance's
}

// tableLine is one capture instance.
type tableLine struct {
	table, instance int    // into the list's tables, and that one's instances
	answer          string // what names it in a request
	text            string // what the filter looks at
}

// newTableList makes the list with nothing chosen. A table with several
// instances is named by the one that the job is configured with.
func newTableList(tables []engine.Table) *tableList {
	l := &tableList{tables: tables, at: -1}
	for i, t := range tables {
		for j, in := range t.Instances {
			answer := t.String()
			if len(t.Instances) > 1 {
				answer = in.Name
			}
			l.lines = append(l.lines, tableLine{table: i, instance: j, answer: answer, text: strings.ToLower(t.String() + "\n" + in.Name)})
			l.wider = max(l.wider, width(clean(in.Name)))
		}
		l.wide = max(l.wide, width(clean(t.String())))
	}
	l.sort(byName)
	l.filter("")
	return l
}

// filter keeps the lines whose table or instance contains text, whatever the
// case. The cursor stays on its line; where that one is gone, it goes to the
// first that is left.
func (l *tableList) filter(text string) {
	now := l.line()
	text = strings.ToLower(strings.TrimSpace(text))
	l.match = nil
	for _, i := range l.order {
		if strings.Contains(l.lines[i].text, text) {
			l.match = append(l.match, i)
		}
	}
	l.near = 0
	if now < 0 {
		return
	}
	l.at = max(0, slices.Index(l.match, now))
	if len(l.match) == 0 {
		l.at = -1
	}
}

// line is the index of the line with the cursor, -1 for none.
func (l *tableList) line() int {
	if l.at < 0 || l.at >= len(l.match) {
		return -1
	}
	return l.match[l.at]
}

// choose puts the cursor on a line, if it matches the filter.
func (l *tableList) choose(line int) { l.at = slices.Index(l.match, line) }

// find is the line that a name given by a flag means, -1 where only the engine
// can tell or none is meant. Case is ignored where no name is exactly so.
func (l *tableList) find(name string) int {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, of := range []func(tableLine) string{l.instanceName, func(x tableLine) string { return x.answer }} {
			for i, x := range l.lines {
				if same(of(x), name) {
					return i
				}
			}
		}
	}
	return -1
}

// seen is the line of what the engine took a name for, -1 where that instance
// is gone.
func (l *tableList) seen(v engine.TableView) int {
	return slices.IndexFunc(l.lines, func(x tableLine) bool {
		return l.tables[x.table].ObjectID == v.Table.ObjectID && strings.EqualFold(l.instanceName(x), v.Instance)
	})
}

func (l *tableList) instanceName(x tableLine) string {
	return l.tables[x.table].Instances[x.instance].Name
}

// move puts the cursor a number of lines further. It reports whether it moved.
func (l *tableList) move(by int) bool {
	if len(l.match) == 0 {
		return false
	}
	to := l.near
	switch {
	case l.at >= 0:
		to = l.at + by
	case by > 1 || by < -1: // a page or an end of the list, of which nothing is chosen yet
		to = l.near + by
	}
	to = min(max(0, to), len(l.match)-1)
	moved := to != l.at
	l.at = to
	return moved
}

// window is the first of rows lines that show, with the cursor among them.
func (l *tableList) window(rows int) int {
	return min(max(0, max(l.at, l.near)-rows/2), max(0, len(l.match)-rows))
}

// count says how many lines there are, match, and show.
func (l *tableList) count(rows int) string {
	n, all := len(l.match), len(l.lines)
	text := fmt.Sprintf("%s of %s shown", verdict.Count(n), verdict.Count(all))
	if first := l.window(rows); n > rows {
		text = fmt.Sprintf("%s-%s of %s", verdict.Count(first+1), verdict.Count(first+rows), verdict.Count(n))
		if n < all {
			text += fmt.Sprintf(" (%s in all)", verdict.Count(all))
		}
	}
	if l.by != byName {
		text = l.by.words() + "   " + text
	}
	return text
}

// The widths of the columns behind the names, with the blanks before each.
const (
	sinceCells, columnsCells, rowsCells = 2 + 16, 2 + 7, 2 + 10
	headCells                           = 3
)

// view draws the head and rows lines, w cells wide. Where the terminal is
// narrow, the columns that the pane below repeats are left out.
func (l *tableList) view(d *desk, w, rows int) []string {
	room, more := w-headCells-rowsCells-2, false
	if room-sinceCells-columnsCells >= 24 {
		room, more = room-sinceCells-columnsCells, true
	}
	name := min(max(l.wide, 5), max(room/2, room-max(l.wider, 16)))
	instance := min(max(l.wider, 16), room-name)
	row := func(head, table, captures, since, columns, rows string) string {
		text := head + fill(table, name) + "  " + fill(captures, instance)
		if more {
			text += "  " + fill(since, sinceCells-2) + right(columns, columnsCells)
		}
		return cut(text+right(rows, rowsCells), w)
	}
	out := []string{d.look.dim.Render(row("   ", "TABLE", "CAPTURE INSTANCE", "CAPTURED SINCE", "COLUMNS", "ROWS (EST)"))}
	first := l.window(rows)
	for i := first; i < min(first+rows, len(l.match)); i++ {
		x := l.lines[l.match[i]]
		t := l.tables[x.table]
		in := t.Instances[x.instance]
		head := "   "
		if i == l.at {
			head = " " + d.look.accent.Render(d.glyph.cursor) + " "
		}
		out = append(out, row(head, middle(clean(t.String()), name), middle(clean(in.Name), instance),
			in.Created.Time().Format("2006-01-02 15:04"), verdict.Count(len(in.Columns)), rowsShort(t.Rows)))
	}
	return out
}

// right is s at the right of w cells.
func right(s string, w int) string { return strings.Repeat(" ", max(0, w-width(s))) + cut(s, w) }

// middle is s in w cells, without its middle where it is longer: names of one
// family begin alike and differ at the end.
func middle(s string, w int) string {
	if width(s) <= w || w < 8 {
		return cut(s, w)
	}
	end := []rune(s)
	for width(string(end)) > (w-3)/2 {
		end = end[1:]
	}
	return cut(s, w-width(string(end))) + string(end)
}

// rowsShort is an estimate of rows as a narrow column takes it.
func rowsShort(n *int64) string {
	switch {
	case n == nil:
		return "not known"
	case *n >= 1_000_000_000:
		return fmt.Sprintf("%.2f B", float64(*n)/1e9)
	case *n >= 1_000_000:
		return fmt.Sprintf("%.1f M", float64(*n)/1e6)
	}
	return verdict.Count(*n)
}
