package asof

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
)

// looking is the product with another choice of what is looked up.
func looking(name string, change func(w *wall, c Clock, asked clock.Instant, ch *Choice)) rule {
	r := product()
	r.name = name
	r.choose = func(w *wall, c Clock, asked clock.Instant) Choice {
		ch := w.choose(c, asked, 0)
		change(w, c, asked, &ch)
		return ch
	}
	return r
}

// finding is the product with another reading of what its guard finds.
func finding(name string, keep func(Finding) bool) rule {
	r := product()
	r.name = name
	r.guard = func(w *wall, asOf clock.Instant, rows []MapRow, candidate lsn.LSN) Finding {
		if f := w.check(asOf, rows, candidate); keep(f) {
			return f
		}
		return Finding{}
	}
	return r
}

// What the properties say of a rule.
const (
	losing  = "holds the commit"
	inexact = " not "
)

// doubles are rules with a part left out, with what finds it out: a lost commit,
// or an L that is earlier than it has to be.
func doubles() map[string][]rule {
	return map[string][]rule{
		losing: {
			looking("the second is not cut", func(w *wall, c Clock, asked clock.Instant, ch *Choice) {
				ch.Local, ch.Instant = tick(ch.Local.Add(asked.Sub(asked.FloorSecond()))), asked
			}),
			looking("the second is rounded", func(w *wall, c Clock, asked clock.Instant, ch *Choice) {
				if asked-asked.FloorSecond() >= clock.Second/2 {
					ch.Local, ch.Instant = ch.Local.Add(time.Second), ch.Instant.Add(time.Second)
				}
			}),
			looking("a repeated hour is not gone before", func(w *wall, c Clock, asked clock.Instant, ch *Choice) {
				if ch.FellBack {
					ch.Local = ch.Own
				}
			}),
			looking("half an hour before a repeated hour", func(w *wall, c Clock, asked clock.Instant, ch *Choice) {
				if ch.FellBack {
					ch.Local = max(ch.Local, ch.Own.Add(-30*time.Minute))
				}
			}),
			looking("an offset without its hour", func(w *wall, c Clock, asked clock.Instant, ch *Choice) {
				if ch.NoZone {
					ch.Local, ch.Instant = ch.Own, ch.Instant.Add(time.Hour)
				}
			}),
			finding("no guard", func(Finding) bool { return false }),
			finding("a guard that sees no drop", func(f Finding) bool { return f.Reason != SetBack }),
			finding("a guard that sees no later time", func(f Finding) bool { return f.Reason != LaterFirst }),
			finding("a guard that sees drops of a minute and more", func(f Finding) bool { return f.Reason != SetBack || f.Step > time.Minute }),
		},
		inexact: {
			looking("an hour back always", func(w *wall, c Clock, asked clock.Instant, ch *Choice) {
				ch.Local = ch.Local.Add(-time.Hour)
			}),
			looking("a second back always", func(w *wall, c Clock, asked clock.Instant, ch *Choice) {
				ch.Local = ch.Local.Add(-time.Second)
			}),
			backAgain(),
		},
	}
}

// backAgain goes a row further back than the guard has to.
func backAgain() rule {
	r := product()
	r.name = "a row further back"
	r.guard = func(w *wall, asOf clock.Instant, rows []MapRow, candidate lsn.LSN) Finding {
		f := w.check(asOf, rows, candidate)
		if f.Safe != nil && f.Safe.LSN.Compare(rows[0].LSN) > 0 {
			for i := range rows[1:] {
				if rows[i+1].LSN == f.Safe.LSN {
					f.Safe = &rows[i]
					break
				}
			}
		}
		return f
	}
	return r
}

// anywhere asks a rule wherever the properties ask the product, at the seconds
// that matter, until it is wrong.
func (r rule) anywhere(t *testing.T, seed uint64) counterexample {
	rng := rand.New(rand.NewPCG(seed, 5))
	groups := zoneGroups(t)
	for _, g := range groups {
		zone := wallOf(t, g.clock)
		for _, ch := range g.changes {
			for _, c := range []Clock{g.clock, AtOffset(int(ch.before.Minutes())), AtOffset(int(ch.after.Minutes()))} {
				if _, bad := r.nearChange(t, rng, c, zone, ch, secondsNear(ch, false)); bad != "" {
					return bad
				}
			}
		}
		if _, bad := r.onSteps(t, rng, []zoneGroup{g}, 100); bad != "" {
			return bad
		}
	}
	return ""
}

// The properties can fail: each double is found out.
func TestTheRuleWithoutAnyOfItsPartsIsFoundOut(t *testing.T) {
	for says, list := range doubles() {
		for _, r := range list {
			r.loose = says == losing
			bad := r.anywhere(t, 1)
			t.Logf("%s: %.300s", r.name, bad)
			if !strings.Contains(string(bad), says) {
				t.Errorf("%s: nothing was found to be wrong of the kind %q: %.300s", r.name, says, bad)
			}
		}
	}
}
