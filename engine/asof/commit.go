package asof

import (
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
)

// MapRow is a row of cdc.lsn_time_mapping: a commit (or an idle entry), and
// the time at which the server's clock saw it end.
type MapRow struct {
	LSN   lsn.LSN     `json:"lsn"`
	Local clock.Local `json:"local"`
}

// A drop is a row whose clock reading lies before that of the row preceding it
// in the log by more than a tolerance: the clock was set back in between.
const (
	commitDrop = time.Minute // what the record calls a drop when it converts a commit time
	guardDrop  = time.Second // what the guard calls one; neighbours differ by less by chance
)

// CommitTime is when the commit at l ended, as the stream's package tells it:
// the local time of l's mapping row with the offset before a clock change,
// except in the second pass of a repeated hour, which a drop before l gives
// away. rows are mapping rows in log order. It is nil where l has no row.
func CommitTime(c Clock, rows []MapRow, l lsn.LSN) (*clock.Instant, error) {
	w, err := newWall(c)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if rows[i].LSN == l {
			at := w.first(rows[i].Local)
			if later, second := secondPass(w, rows, i); second {
				at = clock.Instant(rows[i].Local).Add(-later)
			}
			return &at, nil
		}
	}
	return nil, nil
}

// secondPass looks for a drop between the newest row that is surely before the
// repeated hour and row i.
func secondPass(w *wall, rows []MapRow, i int) (later time.Duration, yes bool) {
	t := rows[i].Local
	later, again := w.repeated(t)
	if !again {
		return 0, false
	}
	var lo MapRow
	for _, r := range rows {
		if r.Local <= t.Add(-lookAhead) && (lo.LSN.IsZero() || r.Local > lo.Local || r.Local == lo.Local && r.LSN.Compare(lo.LSN) > 0) {
			lo = r
		}
	}
	for j := i; j > 0 && rows[j].LSN.Compare(lo.LSN) > 0; j-- {
		d := rows[j].Local
		if d < rows[j-1].Local.Add(-commitDrop) && d > t.Add(-lookAhead) {
			if _, again := w.repeated(d); again {
				return later, true
			}
		}
	}
	return 0, false
}

// utcReader converts rows that come in log order, each knowing the drops before it.
type utcReader struct {
	wall    *wall
	drop    time.Duration // what counts as a drop
	started bool
	last    clock.Local // of the row before
	dropped bool        // a drop into a repeated hour was seen ...
	dropAt  clock.Local // ... the newest of them showing this
}

func (u *utcReader) next(t clock.Local) clock.Instant {
	later, again := u.wall.repeated(t)
	if u.started && again && t < u.last.Add(-u.drop) && (!u.dropped || t > u.dropAt) {
		u.dropped, u.dropAt = true, t
	}
	u.started, u.last = true, t
	if again && u.dropped && u.dropAt > t.Add(-lookAhead) {
		return clock.Instant(t).Add(-later)
	}
	return u.wall.first(t)
}
