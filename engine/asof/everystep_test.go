package asof

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/clock"
)

// stepSizes are how far a clock is stepped: seconds where the rules have edges,
// and anything up to three hours.
func stepSize(rng *rand.Rand) time.Duration {
	edges := []time.Duration{time.Second, time.Second + 4*time.Millisecond, 2 * time.Second, 59 * time.Second, time.Minute, 61 * time.Second, 30 * time.Minute, time.Hour - time.Second, time.Hour, time.Hour + time.Second, 3 * time.Hour}
	if rng.IntN(2) == 0 {
		return edges[rng.IntN(len(edges))]
	}
	return time.Duration(float64(time.Second) * math.Pow(10_800, rng.Float64())).Truncate(time.Millisecond)
}

// tampered is a server whose clock is stepped up to four times, back or forth,
// near a moment, which is a change of its zone or is not.
func tampered(rng *rand.Rand, zone *wall, mid clock.Instant) *server {
	s := &server{truth: zone}
	for range 1 + rng.IntN(4) {
		by := stepSize(rng)
		if rng.IntN(3) > 0 {
			by = -by
		}
		s.steps = append(s.steps, clockStep{mid.Add(time.Duration(rng.Int64N(int64(6*time.Hour))) - 3*time.Hour), by})
	}
	slices.SortFunc(s.steps, func(a, b clockStep) int { return int(a.at - b.at) })
	return s
}

// aroundSteps places commits around the steps and the moment of reading, as
// close as a microsecond and as far as the steps are large, or hardly any.
func aroundSteps(rng *rand.Rand, s *server, read clock.Instant, buf []clock.Instant) []clock.Instant {
	out := buf[:0]
	density := []float64{0.02, 0.1, 0.3}[rng.IntN(3)]
	moments := []clock.Instant{read, read.FloorSecond()}
	for _, st := range s.steps {
		moments = append(moments, st.at, st.at.Add(st.by), st.at.Add(-st.by), read.Add(st.by), read.Add(-st.by))
	}
	for _, m := range moments {
		for _, o := range offsets {
			if rng.Float64() < density {
				out = append(out, m+o)
			}
		}
	}
	if rng.IntN(3) > 0 {
		for d := -5 * time.Hour; d < 5*time.Hour; d += time.Duration(1+rng.IntN(3600)) * time.Second {
			out = append(out, read.Add(d+time.Duration(rng.IntN(1_000_000))*time.Microsecond))
		}
	}
	return out
}

// tally is what a run of histories came to.
type tally struct{ asked, wentBack, plainLost, untold int }

// onSteps asks the rule on histories with steps in the zones given, and returns
// the first that it is wrong on.
func (r rule) onSteps(t testing.TB, rng *rand.Rand, groups []zoneGroup, histories int) (sum tally, bad counterexample) {
	t.Helper()
	var buf []clock.Instant
	for range histories {
		g := groups[rng.IntN(len(groups))]
		zone := wallOf(t, g.clock)
		mid, c := firstYearStarts.Add(time.Duration(rng.IntN(700*24))*time.Hour), g.clock
		if len(g.changes) > 0 && rng.IntN(3) > 0 {
			mid = g.changes[rng.IntN(len(g.changes))].at
		}
		if rng.IntN(4) == 0 {
			c = AtOffset(int(zone.offsetAt(mid.Add(time.Duration(rng.IntN(2)*2-1) * 24 * time.Hour)).Minutes()))
		}
		w, s := wallOf(t, c), tampered(rng, zone, mid)
		for range 12 {
			read := s.steps[rng.IntN(len(s.steps))].at.Add(time.Duration(rng.NormFloat64() * float64(20*time.Minute))).FloorSecond()
			read += fractions[rng.IntN(len(fractions))]
			buf = aroundSteps(rng, s, read, buf)
			s.commit(buf, rng.IntN(4)*rng.IntN(4))
			for _, byLSN := range []bool{false, true} {
				if bad := r.stepped(s, w, c, read, byLSN, &sum); bad != "" {
					return sum, bad
				}
			}
		}
	}
	return sum, ""
}

// stepped tells what is wrong with the rule's answer on a server whose clock was
// stepped: a lost commit that the rows could have told of, or an L that is
// not the one of the rule as it is written.
func (r rule) stepped(s *server, w *wall, c Clock, read clock.Instant, byLSN bool, sum *tally) counterexample {
	asked := s.shown(read)
	l, plain, ch, why := r.mapped(w, c, s.rows, asked, byLSN)
	sum.asked++
	if s.lost(plain, read) >= 0 {
		sum.plainLost++
	}
	if why.Reason != NoStep {
		sum.wentBack++
	}
	tell := func(what string) counterexample {
		return counterexample(fmt.Sprintf("%v in %v, steps %v, read %v, shown %v, by LSN %v: looked up %v, L is row %d of %d, %s (%+v)\n%s",
			c, s.truth.loc, s.steps, read, asked, byLSN, ch.Local, l+s.purge, len(s.at), what, why, s.log(w)))
	}
	if i := s.lost(l, read); i >= 0 {
		if !s.cannotTell(w, read, ch.Instant) {
			return tell("and holds the commit of " + s.at[i].String())
		}
		sum.untold++
	}
	if r.loose {
		return ""
	}
	if t := lookedUp(w, c, asked); ch.Local != t {
		return tell("looked up and not " + t.String())
	}
	if l > plain {
		return tell(fmt.Sprintf("after the look-up's %d", plain+s.purge))
	}
	if plain >= 0 {
		if want, reason := written(w, ch.Instant, s.rows, plain); l != want || why.Reason != reason {
			return tell(fmt.Sprintf("not %d by the rule as it is written, which says %q", want+s.purge, reason))
		}
	}
	return ""
}

// log lists the rows with what they stand for.
func (s *server) log(w *wall) string {
	var b strings.Builder
	for i, r := range s.rows {
		fmt.Fprintf(&b, "%3d of %v, shown %v, reads %v, taken for %v\n", i+s.purge, s.at[i+s.purge], s.shown(s.at[i+s.purge]), r.Local, converted(w, s.rows, i))
	}
	return b.String()
}

// However a clock is stepped, in every zone, an hour's change beside it or not:
// no commit after the moment at which as_of was read is at or before L, unless
// the rows around that moment are those of a clock that was not stepped; and L
// is the one of the rule as it is written, never earlier.
func TestEveryStep(t *testing.T) {
	histories := 3000
	if os.Getenv(exhaustive) != "" {
		histories = 100_000
	}
	for _, seed := range Seeds(t, 1, 2) {
		sum, bad := product().onSteps(t, rand.New(rand.NewPCG(seed, 4)), zoneGroups(t), histories)
		if bad != "" {
			t.Fatalf("seed %d: %s", seed, bad)
		}
		t.Logf("seed %d: asked %d times; the guard went back %d times; the look-up alone lost commits %d times, the rule %d times, where no row could tell",
			seed, sum.asked, sum.wentBack, sum.plainLost, sum.untold)
		if sum.wentBack == 0 || sum.plainLost < 10*sum.untold {
			t.Errorf("seed %d: the steps hardly matter: the test tests little", seed)
		}
	}
}
