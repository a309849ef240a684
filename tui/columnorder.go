package tui

import (
	"cmp"
	"slices"
	"strings"

	"cdcseed/engine"
)

// columnOrder is how the list of columns is sorted.
type columnOrder int

const (
	byPlace  columnOrder = iota // as the stream writes them
	byWeight                    // what needs an answer or loses something first
	byColumn                    // by name
	columnOrders
)

// words say the order where it is not the usual one.
func (o columnOrder) words() string {
	switch o {
	case byWeight:
		return "what loses first"
	case byColumn:
		return "by name"
	}
	return "in the stream's order"
}

// next is the order that the sort key goes to.
func (o columnOrder) next() columnOrder { return (o + 1) % columnOrders }

// sort orders the lines. It stays as it is while answers come, so that no line
// moves away from under the cursor.
func (s *columnsScreen) sort(by columnOrder) {
	s.by = by
	lines := s.shown.Lines
	s.order = make([]int, len(lines))
	for i := range s.order {
		s.order[i] = i
	}
	switch by {
	case byWeight:
		slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(weight(lines[b]), weight(lines[a])) })
	case byColumn:
		slices.SortStableFunc(s.order, func(a, b int) int { return strings.Compare(sortName(lines[a]), sortName(lines[b])) })
	}
}

// weight is how much a line asks for attention.
func weight(l engine.ColumnLine) int {
	switch {
	case castRefused(l):
		return 4
	case castWaits(l):
		return 3
	case l.Mark == engine.MarkLoses:
		return 2
	case l.Mark == engine.MarkLeftOut:
		return 0
	}
	return 1
}

// sortName is the name that a line is sorted by: the stream's, else the copy's.
func sortName(l engine.ColumnLine) string { return strings.ToLower(cmp.Or(l.Target, l.Copy)) }
