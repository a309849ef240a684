package asof

import (
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
)

// idle is how long the log may go without a mapping row: a healthy server
// writes an idle entry about every five minutes.
const idle = time.Hour

// Reason says why a guard went back before the candidate.
type Reason string

// The reasons (decision 2).
const (
	NoStep     Reason = ""                 // commit times run forward: the candidate stands
	LaterFirst Reason = "later_time_first" // a commit before the candidate ended after as_of
	SetBack    Reason = "set_back"         // the clock was set back across as_of
)

// Finding is what a guard found.
type Finding struct {
	Reason Reason
	Safe   *MapRow       // the last row that is safe, nil where none is; unset for NoStep, where the candidate is
	Before MapRow        // where Reason is SetBack: the row before the step, else the row that ended too late
	After  MapRow        // where Reason is SetBack: the row after the step
	Step   time.Duration // how far the clock went back, at least; 0 for LaterFirst
}

// Guard looks at mapping rows in log order for a server clock that was stepped
// back, which makes the largest commit time at or before as_of belong to a
// commit after the copy began. It holds two rows, however many go by.
type Guard struct {
	asOf    clock.Instant
	reader  utcReader
	prev    *MapRow
	prevUTC clock.Instant
	seen    bool    // prev came through See, so it has a UTC time
	safe    *MapRow // the last row up to which none can be after asOf, however an ambiguous time is read
	unsafe  bool    // such a row has come by: safe stands
	found   Finding
}

// NewGuard starts a guard for as_of (Choice.Instant). before is the row that
// precedes the first one to be seen in the log, or nil.
func NewGuard(c Clock, asOf clock.Instant, before *MapRow) (*Guard, error) {
	w, err := newWall(c)
	if err != nil {
		return nil, err
	}
	return w.guard(asOf, before), nil
}

func (w *wall) guard(asOf clock.Instant, before *MapRow) *Guard {
	return &Guard{asOf: asOf, reader: utcReader{wall: w, drop: guardDrop}, prev: before, safe: before}
}

// See takes the next row and reports whether the guard is done: the first hit
// in log order is the earliest, whichever of the two rules makes it.
//
// Once it is known that the clock was stepped, a row in a repeated hour that
// no drop dates may be of either pass, and is taken for the later one.
func (g *Guard) See(r MapRow) (done bool) {
	at := g.reader.next(r.Local)
	switch {
	case at > g.asOf:
		g.found = Finding{Reason: LaterFirst, Safe: g.safe, Before: r}
		return true
	case g.seen && at < g.prevUTC.Add(-guardDrop) && g.asOf < g.prevUTC.Add(idle):
		g.found = Finding{Reason: SetBack, Safe: g.safe, Before: *g.prev, After: r, Step: g.prevUTC.Sub(at)}
		return true
	}
	g.prev, g.prevUTC, g.seen = &r, at, true
	if later, again := g.reader.wall.repeated(r.Local); again {
		g.unsafe = g.unsafe || clock.Instant(r.Local).Add(-later) > g.asOf
	}
	if !g.unsafe {
		g.safe = g.prev
	}
	return false
}

// Finding is what was found in the rows seen so far.
func (g *Guard) Finding() Finding { return g.found }

// From is the clock reading from which a guard for as_of must see every row,
// starting at the lowest LSN that has a later one: rows that ended after as_of
// and rows within the idle time before it. Near a clock change it is an hour
// earlier, since a row after the change may show less than one before it, and
// the change itself must be seen to tell the passes apart.
func From(c Clock, asOf clock.Instant) (clock.Local, error) {
	w, err := newWall(c)
	if err != nil {
		return 0, err
	}
	return w.from(asOf), nil
}

func (w *wall) from(asOf clock.Instant) clock.Local {
	from := w.local(asOf.Add(-idle))
	if w.offsetAt(asOf.Add(-lookAhead)) != w.offsetAt(asOf.Add(safetyHour)) {
		from = from.Add(-safetyHour)
	}
	return from
}

// Check runs a guard over rows that are all at hand, up to the candidate. It is
// the whole rule in one place; engine/sqlserver streams the same rows.
func Check(c Clock, asOf clock.Instant, rows []MapRow, candidate lsn.LSN) (Finding, error) {
	w, err := newWall(c)
	if err != nil {
		return Finding{}, err
	}
	return w.check(asOf, rows, candidate), nil
}

func (w *wall) check(asOf clock.Instant, rows []MapRow, candidate lsn.LSN) Finding {
	from, start := w.from(asOf), 0
	for start < len(rows) && rows[start].Local <= from {
		start++
	}
	var before *MapRow
	if start > 0 {
		before = &rows[start-1]
	}
	g := w.guard(asOf, before)
	for _, r := range rows[start:] {
		if r.LSN.Compare(candidate) > 0 || g.See(r) {
			break
		}
	}
	return g.Finding()
}
