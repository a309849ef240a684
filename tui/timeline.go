package tui

import (
	"strings"

	"cdcseed/engine/clock"
)

// moments are what the picture of an as_of is drawn from. Its left edge is the
// oldest change that CDC keeps, its right edge the server's clock.
type moments struct {
	oldest   *clock.Instant // nil where its time is not known
	now      clock.Instant
	l        *clock.Instant // of the commit at L; nil for no L, or one without a time
	asOf     *clock.Instant // nil for an LSN
	timeless bool           // there is an L, and its commit time is not known
}

// leastTimeline is the width under which a picture says less than the words
// beside it.
const leastTimeline = 20

// timeline is the picture in rows of at most w cells: what the edges are, the
// bar, and what the marks are. What lies outside the edges is drawn outside,
// behind dots that keep no scale. It is empty where there is nothing to mark.
func timeline(m moments, w int, g glyphs) []string {
	if w < leastTimeline || m.l == nil && m.asOf == nil && !m.timeless {
		return nil
	}
	s := m.scale(w)
	rows := []string{s.labels(m), s.bar(m, g)}
	return append(rows, flow(s.legend(m), w)...)
}

// scale is where moments go: cells from left to right lie between the edges.
type scale struct {
	w           int
	left, right int           // the cells of the edges
	from, to    clock.Instant // the moments of the edges
	first, last clock.Instant // of all moments drawn
	open        bool          // what the left edge is, is not known
}

func (m moments) scale(w int) scale {
	s := scale{w: w, right: w - 1, from: m.now, to: m.now, first: m.now, last: m.now, open: m.oldest == nil}
	for _, t := range []*clock.Instant{m.l, m.asOf} {
		if t != nil {
			s.first, s.last = min(s.first, *t), max(s.last, *t)
		}
	}
	if s.open {
		// Some room before the first mark: what is kept may go further back.
		s.first = s.first.Add(-m.now.Sub(s.first)/8 - 1)
		s.from = s.first
	} else {
		s.from = min(*m.oldest, m.now)
	}
	gutter := max(5, w/6)
	if s.first < s.from {
		s.left = gutter
	}
	if s.last > s.to {
		s.right = w - 1 - gutter
	}
	return s
}

// cell is where a moment goes. No moment takes an edge's cell.
func (s scale) cell(t clock.Instant) int {
	within := func(lo, hi clock.Instant, first, cells int) int {
		if hi <= lo {
			return first
		}
		return first + min(cells-1, int(float64(t-lo)/float64(hi-lo)*float64(cells)))
	}
	switch {
	case t < s.from:
		return within(s.first, s.from, 0, s.left)
	case t > s.to:
		return within(s.to, s.last, s.right+1, s.w-1-s.right)
	default:
		return within(s.from, s.to, s.left+1, s.right-s.left-1)
	}
}

// marks are the cells of L and of as_of, -1 for none. Where both fall into one
// cell, L has it and as_of the one beside it, on its side in time.
func (s scale) marks(m moments) (l, a int) {
	l, a = -1, -1
	if m.l != nil {
		l = s.cell(*m.l)
	}
	if m.asOf != nil {
		a = s.cell(*m.asOf)
	}
	if l < 0 || l != a {
		return l, a
	}
	side := 1
	if *m.asOf < *m.l {
		side = -1
	}
	if a += side; a == s.left || a == s.right || a < 0 || a >= s.w {
		l, a = l-side, l
	}
	return l, a
}

func (s scale) bar(m moments, g glyphs) string {
	cells := make([]string, s.w)
	for i := range cells {
		cells[i] = g.rule
		if i < s.left || i > s.right {
			cells[i] = "."
		}
	}
	cells[s.left], cells[s.right] = "|", "|"
	if s.open {
		cells[s.left] = "?"
	}
	l, a := s.marks(m)
	if a >= 0 {
		cells[a] = "A"
	}
	if l >= 0 {
		cells[l] = "L"
	}
	return strings.Join(cells, "")
}

// labels are the edges in words, each above its own, as long as they fit.
func (s scale) labels(m moments) string {
	now := stamp(m.now, m.now)
	oldest, day := "not known", "?"
	if !s.open {
		oldest, day = stamp(*m.oldest, m.now), m.oldest.Time().Format("01-02")
	}
	indent := strings.Repeat(" ", s.left)
	room := s.right - s.left + 1
	for _, pair := range [][2]string{
		{"oldest kept " + oldest, "now " + now},
		{"kept " + oldest, "now " + now},
		{oldest, "now " + now},
		{oldest, now},
		{day, "now " + m.now.Time().Format("15:04Z")},
		{day, "now"},
	} {
		if width(pair[0])+2+width(pair[1]) <= room {
			return indent + apart(pair[0], pair[1], room)
		}
	}
	return cut(indent+day, s.w)
}

// legend says what the marks are: all of it without the picture too.
func (s scale) legend(m moments) []string {
	var out []string
	switch {
	case m.l != nil:
		out = append(out, "L "+stamp(*m.l, m.now))
	case m.timeless:
		out = append(out, "L is not drawn: its commit time is not known")
	}
	if m.asOf != nil {
		out = append(out, "A = as_of "+stamp(*m.asOf, m.now))
	}
	switch {
	case s.open:
		out = append(out, "?: the oldest kept has no known time")
	case s.left > 0:
		out = append(out, "left of |: not kept any more")
	default:
		out = append(out, "cleanup moves the left edge")
	}
	if s.right < s.w-1 {
		out = append(out, "right of |: not yet")
	}
	return out
}

// stamp is a moment to the minute, with its year where that is not now's.
func stamp(i, now clock.Instant) string {
	if t := i.Time(); t.Year() != now.Time().Year() {
		return t.Format("2006-01-02 15:04Z")
	}
	return i.Time().Format("01-02 15:04Z")
}

// flow sets parts side by side in rows of at most w cells.
func flow(parts []string, w int) []string {
	var rows []string
	row := ""
	for _, p := range parts {
		if row != "" && width(row)+3+width(p) <= w {
			row += "   " + p
			continue
		}
		if row != "" {
			rows = append(rows, row)
		}
		lines := wrap("", "", p, w)
		rows, row = append(rows, lines[:len(lines)-1]...), lines[len(lines)-1]
	}
	return append(rows, row)
}
