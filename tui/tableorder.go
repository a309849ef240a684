package tui

import (
	"cmp"
	"slices"
	"time"
)

// tableOrder is how the list of tables is sorted.
type tableOrder int

const (
	byName  tableOrder = iota // as the engine lists them
	byRows                    // the largest first, those of unknown size last
	bySince                   // the instance that was created last first
	tableOrders
)

// words say the order where it is not the usual one.
func (o tableOrder) words() string {
	switch o {
	case byRows:
		return "largest first"
	case bySince:
		return "newest first"
	}
	return "by name"
}

// next is the order that the sort key goes to.
func (o tableOrder) next() tableOrder { return (o + 1) % tableOrders }

// sort orders the lines. What is filtered has to be filtered again.
func (l *tableList) sort(by tableOrder) {
	l.by = by
	l.order = make([]int, len(l.lines))
	for i := range l.order {
		l.order[i] = i
	}
	switch by {
	case byRows:
		slices.SortStableFunc(l.order, func(a, b int) int { return cmp.Compare(l.rowsOf(b), l.rowsOf(a)) })
	case bySince:
		slices.SortStableFunc(l.order, func(a, b int) int {
			return l.since(b).Compare(l.since(a))
		})
	}
}

// rowsOf is the estimate of a line's table, -1 where there is none.
func (l *tableList) rowsOf(line int) int64 {
	if n := l.tables[l.lines[line].table].Rows; n != nil {
		return *n
	}
	return -1
}

// since is when a line's instance was created, on the server's clock.
func (l *tableList) since(line int) time.Time {
	x := l.lines[line]
	return l.tables[x.table].Instances[x.instance].Created.Time()
}
