package asof

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"testing"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
)

// A server is a pure model of SQL Server with CDC: commits at true moments, and
// a clock in some zone that may be stepped. A row of its mapping holds what the
// clock showed when a commit ended, rounded as a datetime is.
type server struct {
	truth *wall           // the zone that its clock runs in
	steps []clockStep     // by moment
	at    []clock.Instant // of the commits, in the order of the log
	rows  []MapRow        // one a commit; cleanup has removed the first purged of them
	purge int
}

// A clockStep changes what the clock shows from a true moment on.
type clockStep struct {
	at clock.Instant
	by time.Duration
}

// shown is the moment that the server's clock takes a true one for.
func (s *server) shown(at clock.Instant) clock.Instant {
	out := at
	for _, st := range s.steps {
		if at >= st.at {
			out = out.Add(st.by)
		}
	}
	return out
}

// commit makes the log of these moments, in any order, and purges its start.
func (s *server) commit(at []clock.Instant, purge int) {
	slices.Sort(at)
	s.at, s.rows, s.purge = at, s.rows[:0], min(purge, len(at))
	for i, c := range at {
		s.rows = append(s.rows, MapRow{LSN: logLSN(i), Local: tick(s.truth.local(s.shown(c)))})
	}
	s.rows = s.rows[s.purge:]
}

func logLSN(i int) (l lsn.LSN) {
	binary.BigEndian.PutUint32(l[4:], uint32(i+1))
	return l
}

// halfTick is the most by which a datetime lies before what it was made from.
const halfTick = 1667 * time.Microsecond

// tick rounds to a datetime's 1/300 s, as the driver shows it: to the millisecond.
func tick(l clock.Local) clock.Local {
	n := math.Round(float64(l-l.FloorSecond()) * 300 / clock.Second)
	return l.FloorSecond() + clock.Local(math.Round(n*10/3))*clock.Millisecond
}

// lookUp is fn_cdc_map_time_to_lsn('largest less than or equal', t) under either
// reading of its page, as an index of rows, -1 where it answers NULL: the largest
// time first and then the largest LSN that has it, or the largest LSN at once.
func lookUp(rows []MapRow, t clock.Local, byLSN bool) int {
	best := -1
	for i := range rows {
		if rows[i].Local <= t && (best < 0 || byLSN || rows[i].Local >= rows[best].Local) {
			best = i
		}
	}
	return best
}

// lost is the first commit more than half a tick after the true moment at which
// as_of was read that is at or before row l, -1 where there is none. Nearer than
// that, a row at a whole second is also what a commit before it leaves.
func (s *server) lost(l int, read clock.Instant) int {
	if l < 0 {
		return -1
	}
	i := sort.Search(len(s.at), func(i int) bool { return s.at[i].Sub(read) > halfTick })
	if i <= l+s.purge && i < len(s.at) {
		return i
	}
	return -1
}

// cannotTell reports whether the rows on either side of the moment at which
// as_of was read are also those of a clock that nobody stepped, on which as_of
// was read after both. Nothing that has only the rows can know better. Neither
// can the rule after an hour without any row, which it is told to take for
// granted.
func (s *server) cannotTell(w *wall, read, asOf clock.Instant) bool {
	n := sort.Search(len(s.at), func(i int) bool { return s.at[i].Sub(read) > halfTick }) - s.purge
	if n >= len(s.rows) {
		return false
	}
	after := possible(w, s.rows[max(n, 0)].Local)
	if n <= 0 { // what came before is purged
		return after[0] <= asOf
	}
	for _, b := range after {
		for _, a := range possible(w, s.rows[n-1].Local) {
			if b <= asOf && (b >= a.Add(-guardDrop) || asOf >= a.Add(idle)) {
				return true
			}
		}
	}
	return false
}

// possible are the moments that a reading may stand for.
func possible(w *wall, l clock.Local) []clock.Instant {
	if all := w.instants(l); len(all) > 0 {
		return all
	}
	return []clock.Instant{w.first(l)} // rounded into an hour that is skipped
}

// A rule is a way from as_of to a row: the product's, or a double of it with a
// part left out, which the properties must find out.
type rule struct {
	name   string
	loose  bool // only whether commits are lost is asked of it, not whether L is exact
	choose func(w *wall, c Clock, asked clock.Instant) Choice
	guard  func(w *wall, asOf clock.Instant, rows []MapRow, candidate lsn.LSN) Finding
}

func product() rule {
	return rule{
		name:   "the rule",
		choose: func(w *wall, c Clock, asked clock.Instant) Choice { return w.choose(c, asked, 0) },
		guard:  (*wall).check,
	}
}

// mapped is the row that the rule takes for as_of, -1 where it refuses, and what
// the look-up alone gave. w is the clock as the program knows it.
func (r rule) mapped(w *wall, c Clock, rows []MapRow, asked clock.Instant, byLSN bool) (l, plain int, ch Choice, why Finding) {
	ch = r.choose(w, c, asked)
	plain = lookUp(rows, ch.Local, byLSN)
	if plain < 0 {
		return -1, -1, ch, why
	}
	why = r.guard(w, ch.Instant, rows, rows[plain].LSN)
	if why.Reason == NoStep {
		return plain, plain, ch, why
	}
	if why.Safe == nil {
		return -1, plain, ch, why
	}
	return slices.IndexFunc(rows, func(m MapRow) bool { return m.LSN == why.Safe.LSN }), plain, ch, why
}

// lookedUp is the reading to look up as the contract writes it: to the second,
// the earlier of the reading at as_of and the reading an hour later less that
// hour, and by an offset always an hour earlier.
func lookedUp(w *wall, c Clock, asked clock.Instant) clock.Local {
	u := time.Unix(int64(asked.FloorSecond()/clock.Second), 0).In(w.loc)
	if c.IsOffset() {
		return clock.WallOf(u.Add(-time.Hour))
	}
	return min(clock.WallOf(u), clock.WallOf(u.Add(time.Hour))-clock.Hour)
}

// written is the guard as decision and contract write it, over all rows and with
// nothing streamed: the row that is safe and why, -1 where none is.
func written(w *wall, asOf clock.Instant, rows []MapRow, candidate int) (int, Reason) {
	utc := make([]clock.Instant, candidate+1)
	for i := range utc {
		utc[i] = converted(w, rows, i)
	}
	hit, why := -1, NoStep
	for i := 0; i <= candidate && hit < 0; i++ {
		switch {
		case utc[i] > asOf:
			hit, why = i, LaterFirst
		case i > 0 && utc[i] < utc[i-1].Add(-guardDrop) && asOf < utc[i-1].Add(idle):
			hit, why = i, SetBack
		}
	}
	if hit < 0 {
		return candidate, NoStep
	}
	// With a step known, a row of a repeated hour that no drop dates may be of
	// the later pass too.
	for i := range hit {
		if all := w.instants(rows[i].Local); len(all) > 1 && all[1] > asOf && rows[i].Local > w.from(asOf) {
			return i - 1, why
		}
	}
	return hit - 1, why
}

// converted is the moment of a row by contract 1.5, where a drop is of more than
// the guard's second.
func converted(w *wall, rows []MapRow, i int) clock.Instant {
	t := rows[i].Local
	all := w.instants(t)
	if len(all) < 2 {
		return possible(w, t)[0]
	}
	lo := -1
	for j := range rows[:i+1] {
		if rows[j].Local <= t.Add(-3*time.Hour) && (lo < 0 || rows[j].Local >= rows[lo].Local) {
			lo = j
		}
	}
	for j := max(lo, 0) + 1; j <= i; j++ {
		d := rows[j].Local
		if d < rows[j-1].Local.Add(-guardDrop) && d > t.Add(-3*time.Hour) && len(w.instants(d)) > 1 {
			return all[1]
		}
	}
	return all[0]
}

func wallOf(t testing.TB, c Clock) *wall {
	t.Helper()
	w, err := newWall(c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
