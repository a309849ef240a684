package asof

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"cdcseed/engine/clock"
)

// exhaustive is the variable that asks for every second of every change.
const exhaustive = "CDCSEED_EXHAUSTIVE"

// Seeds are the fixed ones; CDCSEED_TEST_SEED explores from another.
func Seeds(t testing.TB, fixed ...uint64) []uint64 {
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

// secondsNear lists the whole seconds to read as_of at: all within a span, or
// those close to the moments around a change at which the rule takes a turn.
func secondsNear(c change, all bool) (out []clock.Instant) {
	const span, near = 3 * 60 * 60, 20
	if all {
		for s := -span; s <= span; s++ {
			out = append(out, c.at.Add(time.Duration(s)*time.Second))
		}
		return out
	}
	by := c.by().Abs()
	for _, edge := range []time.Duration{-2 * time.Hour, -time.Hour - by, -time.Hour, -by, 0, by, time.Hour, time.Hour + by, 3 * time.Hour} {
		for s := -near; s <= near; s++ {
			out = append(out, c.at.Add(edge+time.Duration(s)*time.Second))
		}
	}
	return out
}

// fractions are where in its second as_of is read.
var fractions = []clock.Instant{0, 1, 1_666, 1_667, 500_000, 998_333, 998_334, 999_999}

// offsets are where commits lie from moments that matter: on them, and on either
// side of where a datetime rounds the other way.
var offsets = []clock.Instant{
	0, 0, 1, -1, 1_666, 1_667, 1_668, -1_666, -1_667, -1_668, 3_333, -3_334, 5_000, -5_000,
	clock.Second, -clock.Second, clock.Second + 1_667, -clock.Second - 1_667, 30 * clock.Second, -30 * clock.Second,
}

// adversary places commits where they hurt: around the moment of reading, around
// the change, and an hour and the change's size away from both; some of them, few
// of them or none, alone or among others that come evenly.
func adversary(rng *rand.Rand, read, at clock.Instant, by time.Duration, buf []clock.Instant) []clock.Instant {
	out := buf[:0]
	moments := [...]clock.Instant{
		read, read, read.FloorSecond(), read.FloorSecond() + clock.Second, at, at,
		read.Add(time.Hour), read.Add(-time.Hour), read.Add(by), read.Add(-by),
		at.Add(time.Hour), at.Add(-time.Hour), at.Add(by), at.Add(-by),
	}
	for range []int{3, 12, 40}[rng.IntN(3)] {
		out = append(out, moments[rng.IntN(len(moments))]+offsets[rng.IntN(len(offsets))])
	}
	if rng.IntN(2) == 0 {
		stride := time.Duration(5+rng.IntN(60)) * time.Minute
		for d := -4 * time.Hour; d < 4*time.Hour; d += stride {
			out = append(out, at.Add(d+time.Duration(rng.IntN(60_000))*time.Millisecond))
		}
	}
	return out
}

// A counterexample is a history on which a rule is wrong, in words.
type counterexample string

// nearChange asks the rule for as_of at every second near a change, as both
// readings of the mapping function answer, on a clock that nobody steps. c is
// what the program takes the clock for: the zone, or an offset.
func (r rule) nearChange(t testing.TB, rng *rand.Rand, c Clock, zone *wall, ch change, seconds []clock.Instant) (asked int, bad counterexample) {
	s := &server{truth: zone}
	w := wallOf(t, c)
	var buf []clock.Instant
	for _, second := range seconds {
		read := second + fractions[rng.IntN(len(fractions))]
		buf = adversary(rng, read, ch.at, ch.by(), buf)
		purge := 0
		if rng.IntN(4) == 0 {
			purge = rng.IntN(1 + len(buf)/2)
		}
		s.commit(buf, purge)
		for _, byLSN := range []bool{false, true} {
			asked++
			if bad := r.unstepped(s, w, c, ch.at, read, byLSN); bad != "" {
				return asked, bad
			}
		}
	}
	return asked, ""
}

// unstepped tells what is wrong with the rule's answer on a server whose clock
// nobody stepped: a lost commit, or an L that is not the record's. A change of
// the zone, which is at at, is a step to a clock that is known by an offset.
func (r rule) unstepped(s *server, w *wall, c Clock, at, read clock.Instant, byLSN bool) counterexample {
	l, plain, ch, why := r.mapped(w, c, s.rows, read, byLSN)
	if i := s.lost(l, read); i >= 0 {
		return counterexample(fmt.Sprintf("%v, read %v, by LSN %v: looked up %v, L is row %d and holds the commit of %v", c, read, byLSN, ch.Local, l+s.purge, s.at[i]))
	}
	if r.loose {
		return ""
	}
	if t := lookedUp(w, c, read); ch.Local != t {
		return counterexample(fmt.Sprintf("%v, read %v: looked up %v and not %v", c, read, ch.Local, t))
	}
	want, reason := plain, NoStep
	if plain >= 0 && (c.IsOffset() || s.roundedOver(at)) {
		want, reason = written(w, ch.Instant, s.rows, plain)
	}
	if l != want || why.Reason != reason {
		return counterexample(fmt.Sprintf("%v, read %v, by LSN %v: looked up %v, L is row %d and not the rule's %d (%q, not %q)", c, read, byLSN, ch.Local, l+s.purge, want+s.purge, why.Reason, reason))
	}
	return ""
}

// roundedOver reports whether a commit ended in the last half tick before a
// change. Set back there, the clock's first pass through the repeated hour seems
// to go on into what follows the second, an hour later: the rule goes back before
// that, which is safe, and never happens elsewhere.
func (s *server) roundedOver(at clock.Instant) bool {
	for _, c := range s.at[s.purge:] {
		if c < at && at.Sub(c) <= halfTick {
			return true
		}
	}
	return false
}

// Whatever a zone does, at every second near every change of its clock, under
// both readings of the mapping function and wherever commits lie: no commit
// after the moment at which as_of was read is at or before L, and L is exactly
// the record's (but for roundedOver). The seconds that matter are asked in every zone, every second of
// three hours on either side once for each kind of change; CDCSEED_EXHAUSTIVE=1
// asks them in every zone.
func TestEveryChangeOfEveryZone(t *testing.T) {
	everywhere := os.Getenv(exhaustive) != ""
	for _, seed := range Seeds(t, 1) {
		rng := rand.New(rand.NewPCG(seed, 1))
		asked, changes := 0, 0
		kinds := map[string]bool{}
		for _, g := range zoneGroups(t) {
			zone := wallOf(t, g.clock)
			for _, ch := range g.changes {
				kind := fmt.Sprint(ch.by(), ch.at%clock.Hour)
				n, bad := product().nearChange(t, rng, g.clock, zone, ch, secondsNear(ch, everywhere || !kinds[kind]))
				if bad != "" {
					t.Fatalf("seed %d, %v: %s", seed, g.names, bad)
				}
				kinds[kind] = true
				asked, changes = asked+n, changes+1
			}
		}
		t.Logf("seed %d: %d changes of %d kinds, %d times asked", seed, changes, len(kinds), asked)
		if changes < 100 || len(kinds) < 6 {
			t.Error("the changes are not all there")
		}
	}
}

// A server that tells only the offset of today, which may be from either side
// of a change: safe in the same way, and never earlier than the rule's hour.
func TestEveryChangeByTodaysOffset(t *testing.T) {
	everywhere := os.Getenv(exhaustive) != ""
	for _, seed := range Seeds(t, 1) {
		rng := rand.New(rand.NewPCG(seed, 2))
		asked := 0
		for _, g := range zoneGroups(t) {
			zone := wallOf(t, g.clock)
			for _, ch := range g.changes {
				for _, today := range []time.Duration{ch.before, ch.after} {
					c := AtOffset(int(today.Minutes()))
					n, bad := product().nearChange(t, rng, c, zone, ch, secondsNear(ch, everywhere))
					if bad != "" {
						t.Fatalf("seed %d, %v: %s", seed, g.names, bad)
					}
					asked += n
				}
			}
		}
		t.Logf("seed %d: %d times asked", seed, asked)
	}
}

// Zones without changes, UTC and Azure's own UTC among them, are asked around a
// moment like any other.
func TestEveryZoneWithoutChanges(t *testing.T) {
	for _, seed := range Seeds(t, 1) {
		rng := rand.New(rand.NewPCG(seed, 3))
		zones := 0
		for _, g := range zoneGroups(t) {
			if len(g.changes) > 0 {
				continue
			}
			zones += len(g.names)
			zone := wallOf(t, g.clock)
			here := change{clock.Of(time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC)), 0, time.Hour}
			for _, c := range []Clock{g.clock, AtOffset(int(zone.offsetAt(here.at).Minutes()))} {
				if _, bad := product().nearChange(t, rng, c, zone, here, secondsNear(here, false)); bad != "" {
					t.Fatalf("seed %d, %v: %s", seed, g.names, bad)
				}
			}
		}
		if zones < 50 {
			t.Errorf("only %d zones", zones)
		}
	}
}
