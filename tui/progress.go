package tui

import (
	"fmt"
	"strings"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// lately is the time over which the present rate is taken.
const lately = 10 * time.Second

// gauge is how far a running phase is and how fast it goes. Its numbers never
// go back: workers count beside each other, and a count may come late.
type gauge struct {
	began time.Time
	at    engine.Progress // the furthest
	seen  []passed        // the counts of late, oldest first, and one from before
}

// passed is a count and when it was reached.
type passed struct {
	at   time.Time
	done int64
}

func newGauge(now time.Time) gauge { return gauge{began: now, seen: []passed{{now, 0}}} }

// hear takes a count.
func (g *gauge) hear(p engine.Progress, now time.Time) {
	p.Done, p.Bytes, p.Files = max(p.Done, g.at.Done), max(p.Bytes, g.at.Bytes), max(p.Files, g.at.Files)
	g.at = p
	g.seen = append(g.seen, passed{now, p.Done})
	for len(g.seen) > 1 && now.Sub(g.seen[1].at) >= lately {
		g.seen = g.seen[1:]
	}
}

// rates are units a second of late and since the beginning; false before
// there is enough time to tell.
func (g *gauge) rates(now time.Time) (recent, overall float64, ok bool) {
	if len(g.seen) == 0 {
		return 0, 0, false
	}
	all, late := now.Sub(g.began), now.Sub(g.seen[0].at)
	if all < time.Second || late < time.Second {
		return 0, 0, false
	}
	return float64(g.at.Done-g.seen[0].done) / late.Seconds(), float64(g.at.Done) / all.Seconds(), true
}

// left is about how long the rest takes, told from one per cent on. Of the two
// rates the slower one counts: what is compared with it is the time that L has.
func (g *gauge) left(now time.Time) (time.Duration, bool) {
	recent, overall, ok := g.rates(now)
	rate := min(recent, overall)
	if !ok || g.at.Total <= 0 || g.at.Done >= g.at.Total || g.share() < 0.01 || rate <= 0 {
		return 0, false
	}
	seconds := float64(g.at.Total-g.at.Done) / rate
	const most = 10 * 365 * 24 * 3600 // beyond it the number means nothing
	if seconds > most {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)), true
}

// share is the part that is done, from 0 to 1.
func (g *gauge) share() float64 {
	if g.at.Total <= 0 {
		return 0
	}
	return min(1, float64(g.at.Done)/float64(g.at.Total))
}

// percent is the share in words. It says 100 only when nothing is left.
func (g *gauge) percent() string {
	return fmt.Sprintf("%.1f %%", float64(int64(g.share()*1000))/10)
}

// drawn is a share as a bar in w cells.
func (g glyphs) drawn(share float64, w int) string {
	inner := max(0, w-2)
	full := min(inner, int(share*float64(inner)))
	return cut("["+strings.Repeat(g.bar, full)+strings.Repeat(g.rest, inner-full)+"]", w)
}

// counts are the numbers beside the bar, pairs that stand side by side where
// there is room.
func (g *gauge) counts(now time.Time) [][2]string {
	p := g.at
	rows := fmt.Sprintf("%s of %s %s", inMillions(p.Done), inMillions(p.Total), p.Unit)
	speed := ""
	if recent, overall, ok := g.rates(now); ok && p.Unit == "rows" {
		lately, all := inMillions(int64(recent)), inMillions(int64(overall))
		speed = fmt.Sprintf("%s %s/s", lately, p.Unit)
		if all != lately {
			speed += fmt.Sprintf(", %s/s overall", all)
		}
	}
	out := [][2]string{{rows, speed}}
	if p.FileCount > 0 {
		out = append(out, [2]string{
			fmt.Sprintf("%s of %s", verdict.Count(p.Files), verdict.Plural(p.FileCount, "file", "files")),
			engine.Size(p.Bytes) + " staged, no reader sees them",
		})
	}
	return out
}

// inMillions writes a count in a few cells: whole up to the million, then cut
// off, never rounded up.
func inMillions(n int64) string {
	switch {
	case n < 1_000_000:
		return verdict.Count(n)
	case n < 1_000_000_000:
		return fmt.Sprintf("%d.%d M", n/1_000_000, n/100_000%10)
	default:
		return fmt.Sprintf("%s.%02d B", verdict.Count(n/1_000_000_000), n/10_000_000%100)
	}
}

// about is a length of time in words, no finer than it can be known.
func about(t time.Duration) string {
	switch {
	case t >= 10*time.Minute:
		return clock.Words(t.Truncate(time.Minute))
	case t >= time.Second:
		return clock.Words(t.Truncate(time.Second))
	default:
		return "1 s"
	}
}

// lasted is how long something took.
func lasted(t time.Duration) string {
	if t < time.Second {
		return "under 1 s"
	}
	return clock.Words(t.Truncate(time.Second))
}
