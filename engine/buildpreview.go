package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine/asof"
	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/verdict"
)

// CheckAll is the value of --check, and the depth of a preview, that looks at
// every value.
const CheckAll = "all"

// Bounds of a sample: enough to see what a cast does, few enough to take seconds.
const (
	sampleRows      = 50_000 // of each file class
	sampleFiles     = 4      // of each file class
	batchRows       = 8_192
	previewSample   = "sample"
	previewFooters  = "footers"
	reasonableShare = 2 // writing may take 1/2 of the time that L has left
)

// preview casts values without writing them, so that a person sees what each
// cast does before anything is written.
func (b *builder) preview(ctx context.Context) error {
	b.plan.Preview = Preview{Depth: previewFooters, Report: cast.Report{Columns: map[string]cast.ColumnReport{}}}
	if b.plan.State == AlreadySeeded {
		return nil
	}
	b.tell(Recheck, "looking at the copy's values")
	looked := map[string]struct {
		files int
		rows  int64
	}{}
	started := b.session.now()
	b.counted = b.counter()
	var reports []cast.Report
	p := &b.plan.Preview
	all := true // rows that are left out as flagged count as looked at
	for _, f := range b.copy.Files {
		seen := looked[f.Class]
		limit := int64(sampleRows) - seen.rows
		if b.request.Check == CheckAll {
			limit = f.Rows
		} else if seen.files == sampleFiles || limit <= 0 {
			all = false
			continue
		}
		report, rows, err := b.look(ctx, f, limit)
		if err != nil {
			return err
		}
		all = all && (rows < limit || limit >= f.Rows)
		seen.files++
		seen.rows += rows
		looked[f.Class] = seen
		p.Rows += rows
		reports = append(reports, report)
	}
	b.counted(0, true)
	p.Depth, p.Report = previewSample, cast.Merge(reports...)
	if all {
		p.Depth = CheckAll
	}
	b.stop(b.columnRefusal(p.Report))
	b.cutOff(p.Report)
	b.tight(b.session.now().Sub(started))
	return nil
}

// counter counts rows whose values were looked at and tells how far it is, at most
// ten times a second and once at the end. A sample takes seconds: only looking at
// every value is counted.
func (b *builder) counter() func(rows int64, last bool) {
	if b.far == nil || b.request.Check != CheckAll {
		return func(int64, bool) {}
	}
	var done int64
	var told clock.Instant
	total := b.plan.Copy.Rows
	return func(rows int64, last bool) {
		done += rows
		now := b.session.now()
		switch {
		case last:
			done = total // rows that are left out were passed over
		case now.Sub(told) < time.Second/10:
			return
		}
		told = now
		b.far(done, total)
	}
}

// columnRefusal is the open questions, or else what the values mean: a column
// whose answer is open is told once, not twice.
func (b *builder) columnRefusal(r cast.Report) error {
	if err := b.plan.Columns.Refusal(); err != nil {
		return err
	}
	return r.Err()
}

// watcher sees a batch of a file and what was made of it, numbered from firstRow
// on. It keeps nothing of either.
type watcher func(f lakecopy.File, rec arrow.Record, out []arrow.Array, firstRow int64)

// look casts up to limit rows of one file.
func (b *builder) look(ctx context.Context, f lakecopy.File, limit int64) (cast.Report, int64, error) {
	caster, err := b.plan.Columns.Preview(f.Class, asof.Location)
	if err != nil {
		return cast.Report{}, 0, err
	}
	scan := b.copy.Read(ctx, f, caster.Columns(), batchRows)
	if b.filter != nil {
		scan = scan.ExcludeFlagged(*b.filter)
	}
	defer func() { _ = scan.Close() }() // it was only read
	var rows int64
	for rows < limit && scan.Next() {
		rec := scan.Record()
		if left := limit - rows; rec.NumRows() > left {
			rec = rec.NewSlice(0, left)
			defer rec.Release()
		}
		out, err := caster.Cast(rec, cast.Place{File: f.Key, FirstRow: rows + 1, Kept: scan.Gaps()})
		if err != nil {
			return cast.Report{}, rows, err
		}
		if b.watch != nil {
			b.watch(f, rec, out, rows+1)
		}
		for _, a := range out {
			a.Release()
		}
		rows += rec.NumRows()
		b.counted(rec.NumRows(), false)
	}
	return caster.Report(), rows, storeError("reading the copy", scan.Err())
}

// cutOff warns of columns whose longest values all end at the same power of two (case 22).
func (b *builder) cutOff(r cast.Report) {
	for _, c := range b.plan.Columns.Columns {
		if l := r.Columns[c.Target.Name].Longest; l.Suspicious() {
			b.check(verdict.Warned(verdict.CutOffText,
				fmt.Sprintf("%s values of %q end at exactly %s: cut off by the copying tool?", verdict.Count(l.Count), c.Target.Name, verdict.Count(l.Length)),
				"A value that was cut off stays so in the target until its row changes."))
		}
	}
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
		fmt.Sprintf("casting takes %s, and L stays readable until about %s", atMost(need), until),
		"If cleanup passes L first, the seed is refused right before its commit and the work is lost.")}
}
