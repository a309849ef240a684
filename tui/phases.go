package tui

import (
	"fmt"
	"strings"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// phaseRow is a phase as the screen numbers it.
type phaseRow struct {
	phase  engine.Phase
	name   string
	ahead  string // what it will do, while it is ahead
	passed bool   // this plan has no such phase
}

// phaseRows are the phases of a plan, in order.
func phaseRows(p engine.Plan) []phaseRow {
	seeded := p.State == engine.AlreadySeeded
	record := phaseRow{engine.Record, "Record in the facts table", "no facts table was asked for", true}
	if p.Facts != nil {
		record.ahead, record.passed = "event bootstrap", false
	}
	rows := []phaseRow{
		{engine.Recheck, "Re-check the plan", verdict.Plural(len(p.Preconditions), "precondition", "preconditions"), false},
		{engine.Stage, "Cast and stage files", verdict.Plural(p.Copy.Files, "file", "files"), seeded},
		{engine.Verify, "Check staged files", "and again what may have moved", seeded},
		{engine.Commit, "Commit to the Delta log", "from here on readers see the rows", seeded},
		record,
	}
	if seeded {
		for i := range rows[1:4] {
			rows[i+1].ahead = "the rows are in the target already"
		}
	}
	return rows
}

// phaseLines draw the phases, done, now and next.
func (j *journey) phaseLines(d *desk, w int) []string {
	var lines []string
	for i, r := range phaseRows(j.plan) {
		s := j.stretch[r.phase]
		name := fmt.Sprintf("%d %s", i+1, r.name)
		switch {
		case r.passed:
			lines = append(lines, phaseLine("  ", "-", name, r.ahead, "", w))
		case s == nil && j.ended.IsZero():
			lines = append(lines, d.look.dim.Render(phaseLine("  ", "next", name, r.ahead, "", w)))
		case s == nil:
			lines = append(lines, d.look.dim.Render(phaseLine("  ", "-", name, "", "", w)))
		case !s.ended.IsZero():
			lines = append(lines, phaseLine("  ", "done", name, clean(s.text), lasted(s.ended.Sub(s.began)), w))
		case !j.ended.IsZero():
			lines = append(lines, phaseLine("  ", "not", name, clean(s.text), lasted(j.ended.Sub(s.began)), w))
		default:
			head := d.look.accent.Render(d.glyph.cursor) + " "
			lines = append(lines, phaseLine(head, "now", name, j.percent(), lasted(d.now().Sub(s.began)), w))
			lines = append(lines, j.gaugeLines(d, w)...)
		}
	}
	return lines
}

func phaseLine(head, word, name, text, took string, w int) string {
	return apart(" "+head+fill(word, 6)+fill(name, 28)+text, took+" ", w)
}

// percent is how far the present phase is, empty where nobody counts.
func (j *journey) percent() string {
	if j.gauge.at.Total <= 0 {
		return ""
	}
	return j.gauge.percent()
}

// gaugeLines are the bar and the numbers of the present phase.
func (j *journey) gaugeLines(d *desk, w int) []string {
	g := &j.gauge
	if g.at.Total <= 0 {
		return nil
	}
	const indent = "         "
	lines := []string{indent + d.look.accent.Render(d.glyph.drawn(g.share(), min(62, w-len(indent)-1)))}
	for _, pair := range g.counts(d.now()) {
		left, right := fill(pair[0], 32), pair[1]
		if len(indent)+width(left)+width(right)+1 > w {
			left = pair[0] + "   "
			right, _, _ = strings.Cut(right, ", ") // the first number is what counts
		}
		lines = append(lines, cut(indent+left+right, w))
	}
	return lines
}

// leftLines are how long the rest takes beside the time that L has: that is
// what somebody at night decides by.
func (j *journey) leftLines(d *desk, w int) []string {
	if j.plan.State == engine.AlreadySeeded || j.past(engine.Commit) {
		return nil
	}
	need, known, needs := j.needs(d.now())
	until := j.plan.AsOf.KeptUntil
	if until == nil {
		return wrap("   ", "   ", "Time that L has left: not known.   "+needs, w)
	}
	left := until.Sub(d.server())
	if left < time.Second {
		return wrap("   ", "         ", d.look.word(verdict.Warn)+"cleanup may pass L at any time; then the commit is refused.   "+needs, w)
	}
	line := fmt.Sprintf("L stays readable for about %s   %s", about(left), needs)
	switch {
	case known && need > left:
		return wrap("   ", "         ", d.look.word(verdict.Warn)+line+". If cleanup passes L first, the commit is refused.", w)
	case left < shortTime:
		return wrap("   ", "         ", d.look.word(verdict.Warn)+line, w)
	}
	return wrap("   ", "   ", line, w)
}

// shortTime is the time left from which it is marked.
const shortTime = 2 * time.Hour

// needs is how long casting takes yet, and words on it. Only casting is long,
// and only its counts tell.
func (j *journey) needs(now time.Time) (need time.Duration, known bool, words string) {
	if j.past(engine.Verify) {
		return 0, false, "needed: the check and the commit"
	}
	if !j.past(engine.Stage) || j.gauge.share() < 0.01 {
		return 0, false, "needed: told from 1 % on"
	}
	if need, known = j.gauge.left(now); known {
		return need, true, "needed: about " + about(need)
	}
	if j.gauge.at.Done < j.gauge.at.Total {
		return 0, false, fmt.Sprintf("needed: not known, no progress for %s", clock.Words(lately))
	}
	return 0, false, "needed: the check and the commit"
}

// past reports whether a phase has begun, or one after it.
func (j *journey) past(p engine.Phase) bool { return j.stretch[p] != nil }
