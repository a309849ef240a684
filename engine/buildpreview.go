package engine

import (
	"context"
	"fmt"
	"time"

	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// CheckAll is the value of --check, and the depth of a preview, that looks at
// every value.
const CheckAll = "all"

const (
	batchRows       = 8_192
	previewSample   = "sample"
	previewFooters  = "footers"
	reasonableShare = 2 // writing may take 1/2 of the time that L has left
)

// preview casts values without writing them, so that a person sees what each
// cast does before anything is written.
func (b *builder) preview(ctx context.Context) error {
	b.plan.Preview = Preview{Depth: previewFooters, Report: cast.Merge()}
	if b.plan.State == AlreadySeeded {
		return nil
	}
	b.tell("looking at the copy's values")
	l, all := b.newLooking(), true
	parts := func(give func(part) bool) error { return b.allParts(ctx, give) }
	if b.request.Check != CheckAll {
		sample, whole, err := b.sampleParts(ctx)
		if err != nil {
			return err
		}
		all = whole
		parts = func(give func(part) bool) error {
			for _, p := range sample {
				if !give(p) {
					break
				}
			}
			return nil
		}
	}
	if err := l.run(ctx, parts); err != nil {
		return err
	}
	b.plan.Preview = Preview{Depth: previewSample, Rows: l.rows, Files: len(l.files), Report: l.report}
	if all { // rows that are left out as flagged count as looked at
		b.plan.Preview.Depth = CheckAll
	}
	b.spent = l.spent
	b.answered(l.report)
	b.stop(b.plan.Columns.RefusalWith(l.report))
	b.cutOff(l.report)
	b.doubtful(l.report)
	b.tight(l.spent)
	return nil
}

// cutOff warns of columns whose longest values all end at the same power of two
// (case 22), and says which rows those are.
func (b *builder) cutOff(r cast.Report) {
	for _, c := range b.plan.Columns.Columns {
		report := r.Columns[c.Target.Name]
		l := report.Longest
		if !l.Suspicious() {
			report.LongestAt = nil // they tell nothing then
			r.Columns[c.Target.Name] = report
			continue
		}
		facts := make([]verdict.Fact, len(report.LongestAt))
		for i, s := range report.LongestAt {
			facts[i] = verdict.Fact{Name: c.Target.Name, Value: s.Where()}
		}
		b.check(verdict.Warned(verdict.CutOffText,
			fmt.Sprintf("%s values of %q end at exactly %s: cut off by the copying tool?", verdict.Count(l.Count), c.Target.Name, verdict.Count(l.Length)),
			"A value that was cut off stays so in the target until its row changes.", facts...))
	}
}

// doubtful warns of whole numbers, and of keys, that came through a type which
// skips numbers of their size, and of keys that an answer changes.
func (b *builder) doubtful(r cast.Report) {
	for _, c := range b.plan.Columns.Columns {
		to, effects := c.Target, r.Columns[c.Target.Name].Effects
		if n := effects[cast.Doubtful]; n > 0 && (to.Key || wholeNumbers(to.Type)) {
			b.check(verdict.Warned(verdict.DigitsDoubtful,
				fmt.Sprintf("%s of %q came through floating-point numbers that skip numbers of their size", verdict.Plural(n, "value", "values"), to.Name),
				"A tool that knows no NULL in whole numbers copies them so, such as pandas. Their last digits may be others than the source's."))
		}
		if n := effects[cast.Rounded] + effects[cast.CutOff]; n > 0 && to.Key {
			b.check(verdict.Warned(verdict.KeyChanged,
				fmt.Sprintf("%s of the key column %q would be written changed", verdict.Plural(n, "value", "values"), to.Name),
				"Keys that are apart in the source may become one, and none of them joins with the stream's rows. --check keys counts those that become one."))
		}
	}
}

// wholeNumbers reports whether a type holds whole numbers alone.
func wholeNumbers(t schema.Type) bool {
	return t.Kind == schema.Short || t.Kind == schema.Integer || t.Kind == schema.Long || t.Kind == schema.Decimal && t.Scale == 0
}

// tight warns where writing may take more than half of the time that L has
// left, going by how long the preview took.
func (b *builder) tight(took time.Duration) {
	p := &b.plan
	if p.AsOf.KeptUntil == nil || p.Preview.Rows == 0 || took <= 0 {
		return
	}
	b.check(tight(took, p.Preview.Rows, p.Copy.Rows, *p.AsOf.KeptUntil, b.session.now()+b.ahead)...)
}

// tight compares how long casting all rows takes, going by how long looking at
// some of them took, with the time that L has left now, on the server's clock. A
// measured time is never the same twice, so the plan says a round one.
func tight(took time.Duration, looked, rows int64, until, now clock.Instant) []verdict.Check {
	need := time.Duration(float64(took) / float64(looked) * float64(rows))
	if need*reasonableShare <= until.Sub(now) {
		return nil
	}
	return []verdict.Check{verdict.Warned(verdict.RetentionTight,
		fmt.Sprintf("casting every value takes %s, and L stays readable until about %s", atMost(need), until),
		"If cleanup passes L first, the seed is refused right before its commit and the work is lost.")}
}
