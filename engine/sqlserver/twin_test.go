package sqlserver_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// disorder is a server whose mapping rows around a clock change run wild: small
// and large steps, gaps, rows that share a time.
func disorder(rng *rand.Rand, zone, now string, from time.Time) (situation, []asof.MapRow) {
	s := situation{zone: zone, now: now, instances: []instance{{"dbo_orders", "0001", "2026-01-01T00:00:00"}}}
	var rows []asof.MapRow
	at := from
	for i := range 60 {
		l := fmt.Sprintf("%04X", 16*(i+1))
		local := clock.WallOf(at.Truncate(10 * time.Millisecond))
		s.mapping = append(s.mapping, row{l, local.Time().Format("2006-01-02T15:04:05.000")})
		rows = append(rows, asof.MapRow{LSN: lsn.LSN{8: byte((i + 1) >> 4), 9: byte(16 * (i + 1))}, Local: local})
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

// The server's conversion of commit times and this program's are the same,
// whatever the rows look like.
func TestCommitTimeIsThePureRule(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	rng := rand.New(rand.NewPCG(seed, 3))
	second := 0
	for _, z := range []struct{ zone, from string }{
		{"Eastern Standard Time", "2026-10-31T22:30:00Z"},
		{"W. Europe Standard Time", "2026-10-25T00:30:00Z"},
		{"Lord Howe Standard Time", "2026-04-05T00:00:00Z"},
		{"Eastern Standard Time", "2026-03-08T00:30:00Z"},
		{"UTC", "2026-10-25T00:30:00Z"},
	} {
		from, err := time.Parse(time.RFC3339, z.from)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			s, rows := disorder(rng, z.zone, "2026-12-01T00:00:00Z", from)
			_, src := s.start(t)
			c, err := src.Clock(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				got, err := src.CommitTime(t.Context(), c.Clock, r.LSN)
				want, errPure := asof.CommitTime(c.Clock, rows, r.LSN)
				if err != nil || errPure != nil || got == nil || *got != *want {
					t.Fatalf("%s %v at %v: %v, %v; want %v, %v", z.zone, r.LSN, r.Local, got, err, want, errPure)
				}
				if first, err := c.Clock.First(r.Local); err != nil || first != *got {
					second++
				}
			}
			if got, err := src.CommitTime(t.Context(), c.Clock, lsn.LSN{9: 5}); err != nil || got != nil {
				t.Error("an LSN without a row has no time:", got, err)
			}
		}
	}
	if second == 0 {
		t.Error("no row was in a second pass: the test tests nothing")
	}
}

// Asked through the driver, the guard finds what the pure one does.
func TestMapAsOfIsThePureRule(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	rng := rand.New(rand.NewPCG(seed, 4))
	stepped := 0
	for i, zone := range []string{"Eastern Standard Time", "UTC", "Eastern Standard Time", "W. Europe Standard Time"} {
		from := time.Date(2026, 10, 31, 22, 30, 0, 0, time.UTC)
		s, rows := disorder(rng, zone, "2026-12-01T00:00:00Z", from)
		s.byLSN = i%2 == 1
		_, src := s.start(t)
		c, err := src.Clock(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		table, _, err := src.Table(t.Context(), "dbo_orders")
		if err != nil {
			t.Fatal(err)
		}
		for range 25 {
			pick := rows[rng.IntN(len(rows))].Local
			at, err := c.Clock.First(pick)
			if err != nil {
				t.Fatal(err)
			}
			at = at.Add(time.Duration(rng.Int64N(int64(3*time.Hour))) - time.Hour)
			want, reason := pure(t, c.Clock, rows, at, s.byLSN)
			in := asof.Input{Text: at.String(), Instant: &at}
			m, err := src.MapAsOf(t.Context(), c.Clock, table, in, sqlserver.MapOptions{})
			if want == nil {
				if !errors.Is(err, verdict.NoCommit) {
					t.Fatalf("%s %v: %v, %v; want no commit", zone, at, m.L, err)
				}
				continue
			}
			if err != nil || m.L != *want || m.Stepped != (reason != asof.NoStep) {
				t.Fatalf("%s %v byLSN %v: %v stepped %v, %v; want %v %q", zone, at, s.byLSN, m.L, m.Stepped, err, want, reason)
			}
			if m.Stepped {
				stepped++
			}
		}
	}
	if stepped == 0 {
		t.Error("the guard never went back: the test tests nothing")
	}
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
