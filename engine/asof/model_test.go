package asof_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sort"
	"testing"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
)

// server is a model of a SQL Server with CDC: commits at true moments, and a
// clock that may be stepped. Its mapping rows hold what the clock showed.
type server struct {
	rules   *time.Location
	steps   []step // by moment
	back    step   // the one that sets the clock back, or none
	commits []time.Time
}

type step struct {
	at time.Time     // the true moment
	by time.Duration // what the clock shows changes by; negative is back
}

// shown is what the server's clock takes the moment for.
func (s *server) shown(at time.Time) time.Time {
	out := at
	for _, st := range s.steps {
		if !at.Before(st.at) {
			out = out.Add(st.by)
		}
	}
	return out
}

func (s *server) rows() []asof.MapRow {
	sort.Slice(s.commits, func(i, j int) bool { return s.commits[i].Before(s.commits[j]) })
	out := make([]asof.MapRow, len(s.commits))
	for i, at := range s.commits {
		out[i] = asof.MapRow{LSN: rowLSN(i), Local: tick(clock.WallOf(s.shown(at).In(s.rules)))}
	}
	return out
}

func rowLSN(i int) (l lsn.LSN) {
	binary.BigEndian.PutUint32(l[4:], uint32(i+1))
	return l
}

// tick rounds to a datetime's 1/300 s, as the driver shows it: to the millisecond.
func tick(l clock.Local) clock.Local {
	n := math.Round(float64(l%clock.Second) * 300 / clock.Second)
	return l - l%clock.Second + clock.Local(math.Round(n*10/3))*clock.Millisecond
}

// lookUp is fn_cdc_map_time_to_lsn('largest less than or equal', t) under
// either reading of its page: the largest time first, or the largest LSN.
func lookUp(rows []asof.MapRow, t clock.Local, byLSN bool) (best *asof.MapRow) {
	for i := range rows {
		if r := &rows[i]; r.Local <= t && (best == nil || byLSN || r.Local >= best.Local) {
			best = r
		}
	}
	return best
}

// mapped is what the whole rule makes of as_of, and what the record's look-up alone does.
func mapped(t *testing.T, c asof.Clock, rows []asof.MapRow, at clock.Instant, byLSN bool) (safe, record *asof.MapRow, why asof.Finding) {
	t.Helper()
	ch, err := asof.Choose(c, at, 0)
	if err != nil {
		t.Fatal(err)
	}
	record = lookUp(rows, ch.Local, byLSN)
	if record == nil {
		return nil, nil, why
	}
	why, err = asof.Check(c, ch.Instant, rows, record.LSN)
	if err != nil {
		t.Fatal(err)
	}
	if why.Reason != asof.NoStep {
		return why.Safe, record, why
	}
	return record, record, why
}

// changes lists the moments of 2025 to 2027 at which a zone's offset changes.
func changes(loc *time.Location) (out []time.Time) {
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for {
		_, end := at.In(loc).ZoneBounds()
		if end.IsZero() || end.Year() > 2027 {
			return out
		}
		out = append(out, end.UTC())
		at = end
	}
}

// changesNear lists those within the reach of the steps tried here.
func changesNear(loc *time.Location, at time.Time) (out []time.Time) {
	for _, c := range changes(loc) {
		if d := c.Sub(at).Abs(); d < 12*time.Hour {
			out = append(out, c)
		}
	}
	return out
}

// lost is the first commit after the moment as_of was read that is at or before l.
func lost(commits []time.Time, l *asof.MapRow, read time.Time) (time.Time, bool) {
	if l == nil {
		return time.Time{}, false
	}
	for i, at := range commits {
		if rowLSN(i).Compare(l.LSN) <= 0 && at.After(read) {
			return at, true
		}
	}
	return time.Time{}, false
}

// grain is a step that a datetime holds without rounding. Models keep to it:
// a commit less than half a tick after a whole second at which as_of was read
// has that second in its row, and nothing tells it from an earlier one.
const grain = 10 * time.Millisecond

// With a step back of any size the answer is safe without any excuse, as long as
// commits show the step: idle entries at most five minutes apart, and a commit on either side of
// the step. One thing no row can show: a clock that ran ahead over a zone's
// change and was set back over it looks like the change itself.
func TestEveryStepBackIsSafe(t *testing.T) {
	for _, seed := range asof.Seeds(t, 1, 2, 3, 4) {
		rng := rand.New(rand.NewPCG(seed, 2))
		names := []string{"UTC", "Eastern Standard Time", "W. Europe Standard Time", "Lord Howe Standard Time", "Morocco Standard Time", "China Standard Time"}
		guarded, wrong := 0, 0
		for range 500 {
			c := zone(t, names[rng.IntN(len(names))])
			loc, err := c.Location()
			if err != nil {
				t.Fatal(err)
			}
			mid := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
			if all := changes(loc); len(all) > 0 && rng.IntN(2) == 0 {
				mid = all[rng.IntN(len(all))]
			}
			if rng.IntN(4) == 0 { // a server that tells only an offset, of today or of the other half of the year
				_, off := mid.Add(time.Duration(rng.IntN(2)*2-1) * 24 * time.Hour).In(loc).Zone()
				c = asof.AtOffset(off / 60)
			}
			g, w := safeAroundAStep(t, rng, c, stepped(rng, loc, mid))
			guarded, wrong = guarded+g, wrong+w
			if t.Failed() {
				t.Fatal("seed", seed)
			}
		}
		t.Logf("seed %d: the guard went back %d times; the record's look-up alone would have lost commits %d times", seed, guarded, wrong)
		if wrong == 0 || guarded == 0 {
			t.Errorf("seed %d: no step mattered: the test tests nothing", seed)
		}
	}
}

// safeAroundAStep maps moments around the step, and counts those at which the
// guard went back, and those at which the record alone is wrong.
func safeAroundAStep(t *testing.T, rng *rand.Rand, c asof.Clock, s *server) (guarded, wrong int) {
	t.Helper()
	at, size := s.back.at, -s.back.by
	rows := s.rows()
	for range 6 {
		read := at.Add(time.Duration(rng.Int64N(int64(4*size))) - 2*size)
		if rng.IntN(3) == 0 {
			read = at.Add(time.Duration(rng.Int64N(int64(4*time.Hour))) - 2*time.Hour)
		}
		read = read.Truncate(grain)
		for _, byLSN := range []bool{false, true} {
			got, record, why := mapped(t, c, rows, clock.Of(s.shown(read)), byLSN)
			if why.Reason != asof.NoStep {
				guarded++
			}
			if _, bad := lost(s.commits, record, read); bad {
				wrong++
			}
			if late, bad := lost(s.commits, got, read); bad {
				t.Errorf("%v in %v byLSN %v: steps %v, read %v, shown %v: L %v holds the later commit %v (%+v)",
					c, s.rules, byLSN, s.steps, read, s.shown(read).UTC(), got, late, why)
			}
			if got != nil && record != nil && got.LSN.Compare(record.LSN) > 0 {
				t.Errorf("the guard went forward, from %v to %v", record, got)
			}
		}
	}
	return guarded, wrong
}

// stepped is a server whose clock is stepped back once near mid, and sometimes
// forward before that.
func stepped(rng *rand.Rand, loc *time.Location, mid time.Time) *server {
	size := time.Duration(float64(2*time.Second) * math.Pow(5400, rng.Float64())).Truncate(grain) // 2 s to 3 h
	at := mid.Add(time.Duration(rng.Int64N(int64(6*time.Hour))) - 3*time.Hour).Truncate(grain)
	s := &server{rules: loc, back: step{at, -size}}
	if rng.IntN(3) == 0 && len(changesNear(loc, at)) == 0 { // it had run ahead for a while
		ahead := time.Duration(rng.Int64N(int64(3*time.Hour))).Truncate(grain) + grain
		s.steps = append(s.steps, step{at.Add(-ahead), size})
		s.commits = append(s.commits, at.Add(-min(ahead, size)/8)) // else nothing shows it
	}
	s.steps = append(s.steps, s.back)
	for d := -9 * time.Hour; d < 9*time.Hour; d += time.Duration(1+rng.IntN(300)) * time.Second {
		s.commits = append(s.commits, at.Add(d))
	}
	for range 30 { // around the step, close enough to show it
		s.commits = append(s.commits, at.Add(-time.Duration(rng.Int64N(int64(size)))), at.Add(time.Duration(rng.Int64N(int64(size)))))
	}
	s.commits = append(s.commits, at.Add(-size/8), at.Add(size/8))
	for i, c := range s.commits {
		s.commits[i] = c.Truncate(grain)
	}
	return s
}
