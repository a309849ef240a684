package sqlserver_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// seeds are the fixed ones; CDCSEED_TEST_SEED explores from another.
func seeds(t *testing.T, fixed ...uint64) []uint64 {
	t.Helper()
	text := os.Getenv("CDCSEED_TEST_SEED")
	if text == "" {
		return fixed
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("CDCSEED_TEST_SEED: %v", err)
	}
	return []uint64{seed}
}

// disorder is a server whose mapping rows around a clock change run wild: small
// and large steps, gaps, rows that share a time. Half of them come after the
// clock has passed twice through the half hour from twice on.
func disorder(rng *rand.Rand, zone, now string, from, twice time.Time) (situation, []asof.MapRow) {
	s := situation{zone: zone, now: now, instances: []instance{{"dbo_orders", "0001", "2026-01-01T00:00:00"}}}
	var rows []asof.MapRow
	at := from
	for i := range 60 {
		l := fmt.Sprintf("%04X", 16*(i+1))
		local := clock.WallOf(at.Truncate(10 * time.Millisecond))
		s.mapping = append(s.mapping, row{l, local.Time().Format("2006-01-02T15:04:05.000")})
		rows = append(rows, asof.MapRow{LSN: lsn.LSN{8: byte((i + 1) >> 4), 9: byte(16 * (i + 1))}, Local: local})
		if minutes, ok := map[int]int{25: 1, 26: 13, 27: 29, 28: 2, 29: 14, 30: 28}[i]; ok {
			at = twice.Add(time.Duration(minutes) * time.Minute)
			continue
		}
		switch rng.IntN(12) {
		case 0:
			at = at.Add(-time.Duration(rng.Int64N(int64(70 * time.Minute))))
		case 1:
			at = at.Add(-time.Duration(rng.Int64N(int64(2 * time.Minute))))
		case 2: // the same time again
		default:
			at = at.Add(time.Duration(rng.Int64N(int64(14 * time.Minute))))
		}
	}
	return s, rows
}

// disorderly are zones, with a local time to begin at, and one that follows
// which the zone's clocks show twice, if there is one.
var disorderly = []struct {
	zone        string
	from, twice time.Time
}{
	{"Eastern Standard Time", time.Date(2026, 10, 31, 22, 30, 0, 0, time.UTC), time.Date(2026, 11, 1, 1, 15, 0, 0, time.UTC)},
	{"W. Europe Standard Time", time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC), time.Date(2026, 10, 25, 2, 20, 0, 0, time.UTC)},
	{"Lord Howe Standard Time", time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC), time.Date(2026, 4, 5, 1, 30, 0, 0, time.UTC)},
	{"Eastern Standard Time", time.Date(2026, 3, 8, 0, 30, 0, 0, time.UTC), time.Date(2026, 3, 8, 1, 30, 0, 0, time.UTC)},
	{"UTC", time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC), time.Date(2026, 10, 25, 2, 20, 0, 0, time.UTC)},
}

// kinds are the servers that tell their zone, or do not, each in its way.
var kinds = []struct {
	name   string
	change func(*situation)
	named  bool // --time-zone names the zone
}{
	{"2022 names its zone", func(*situation) {}, false},
	{"Azure names its zone", func(s *situation) { s.azure = true }, false},
	{"2019 tells an offset", func(s *situation) { s.version = "15.0.4345.5" }, false},
	{"2019, named by --time-zone", func(s *situation) { s.version = "15.0.4345.5" }, true},
}

// The server's conversion of commit times and this program's are the same,
// whatever the rows look like.
func TestCommitTimeIsThePureRule(t *testing.T) {
	for _, seed := range seeds(t, 1, 2) {
		rng := rand.New(rand.NewPCG(seed, 3))
		second := 0
		for i, z := range disorderly {
			s, rows := disorder(rng, z.zone, "2026-12-01T00:00:00Z", z.from, z.twice)
			for _, k := range []int{0, 1 + (i+int(seed))%3} {
				second += timesAsPure(t, s, rows, k)
				if t.Failed() {
					t.Fatalf("seed %d: %s, %s", seed, z.zone, kinds[k].name)
				}
			}
		}
		t.Logf("seed %d: %d rows in a second pass", seed, second)
		if second == 0 {
			t.Errorf("seed %d: no row was in a second pass: the test tests nothing", seed)
		}
	}
}

// timesAsPure compares the commit time of every row on a kind of server, and
// counts those in the second pass of a repeated hour.
func timesAsPure(t *testing.T, s situation, rows []asof.MapRow, kind int) (second int) {
	t.Helper()
	src, c := s.startKind(t, kind)
	for i, r := range rows {
		if kind > 0 && i%4 > 0 {
			continue // each row was asked of the first kind
		}
		got, err := src.CommitTime(t.Context(), c, r.LSN)
		want, errPure := asof.CommitTime(c, rows, r.LSN)
		if err != nil || errPure != nil || got == nil || *got != *want {
			t.Fatalf("%v at %v: %v, %v; want %v, %v", r.LSN, r.Local, got, err, want, errPure)
		}
		if first, err := c.First(r.Local); err != nil || first != *got {
			second++
		}
	}
	if got, err := src.CommitTime(t.Context(), c, lsn.LSN{9: 5}); err != nil || got != nil {
		t.Error("an LSN without a row has no time:", got, err)
	}
	return second
}

// startKind serves the situation as a kind of server and reads its clock.
func (s situation) startKind(t *testing.T, kind int) (*sqlserver.Source, asof.Clock) {
	t.Helper()
	kinds[kind].change(&s)
	override := ""
	if kinds[kind].named {
		override = s.zone
	}
	_, src := s.start(t)
	c, err := src.Clock(t.Context(), override)
	if err != nil {
		t.Fatal(err)
	}
	if c.Disagrees != nil {
		t.Fatal(c.Disagrees)
	}
	if c.Clock.IsOffset() != (s.version != "" && !kinds[kind].named) {
		t.Fatal(kinds[kind].name, c.Clock)
	}
	return src, c.Clock
}

// Asked through the driver, under both readings of the mapping function and on
// every kind of server, the look-up and the guard find what the pure ones do.
func TestMapAsOfIsThePureRule(t *testing.T) {
	for _, seed := range seeds(t, 1, 2) {
		rng := rand.New(rand.NewPCG(seed, 4))
		stepped := make([]int, len(kinds))
		for _, z := range disorderly {
			for k := range kinds {
				s, rows := disorder(rng, z.zone, "2026-12-01T00:00:00Z", z.from, z.twice)
				for _, s.byLSN = range []bool{false, true} {
					stepped[k] += mapsAsPure(t, rng, s, rows, k)
					if t.Failed() {
						t.Fatalf("seed %d: %s, %s, by LSN %v", seed, z.zone, kinds[k].name, s.byLSN)
					}
				}
			}
		}
		t.Logf("seed %d: the guard went back %v times", seed, stepped)
		if slices.Contains(stepped, 0) {
			t.Errorf("seed %d: the guard never went back on some kind of server: the test tests nothing", seed)
		}
	}
}

// mapsAsPure maps times around those of the rows, and counts those at which the guard went back.
func mapsAsPure(t *testing.T, rng *rand.Rand, s situation, rows []asof.MapRow, kind int) (stepped int) {
	t.Helper()
	src, c := s.startKind(t, kind)
	table, _, err := src.Table(t.Context(), "dbo_orders")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		pick := rows[rng.IntN(len(rows))].Local
		at, err := c.First(pick)
		if err != nil {
			t.Fatal(err)
		}
		at = at.Add(time.Duration(rng.Int64N(int64(3*time.Hour))) - time.Hour)
		want, reason := pure(t, c, rows, at, s.byLSN)
		in := asof.Input{Text: at.String(), Instant: &at}
		m, err := src.MapAsOf(t.Context(), c, table, in, sqlserver.MapOptions{})
		if want == nil {
			if !errors.Is(err, verdict.NoCommit) {
				t.Errorf("%v: %v, %v; want no commit", at, m.L, err)
			}
			continue
		}
		if err != nil || m.L != *want || m.Stepped != (reason != asof.NoStep) {
			t.Errorf("%v: %v stepped %v, %v; want %v %q", at, m.L, m.Stepped, err, want, reason)
		}
		if m.Stepped {
			stepped++
		}
	}
	return stepped
}

// pure maps a time without a server.
func pure(t *testing.T, c asof.Clock, rows []asof.MapRow, at clock.Instant, byLSN bool) (*lsn.LSN, asof.Reason) {
	t.Helper()
	ch, err := asof.Choose(c, at, 0)
	if err != nil {
		t.Fatal(err)
	}
	var best *asof.MapRow
	for i := range rows {
		if r := &rows[i]; r.Local <= ch.Local && (best == nil || byLSN || r.Local >= best.Local) {
			best = r
		}
	}
	if best == nil {
		return nil, asof.NoStep
	}
	f, err := asof.Check(c, ch.Instant, rows, best.LSN)
	switch {
	case err != nil:
		t.Fatal(err)
	case f.Reason == asof.NoStep:
		return &best.LSN, f.Reason
	case f.Safe == nil:
		return nil, f.Reason
	}
	return &f.Safe.LSN, f.Reason
}
