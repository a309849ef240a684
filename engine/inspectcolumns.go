package engine

import (
	"context"
	"slices"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// InspectColumns says how each column of the copy becomes one of the stream's
// under r's answers, and what it still asks. c is the copy as it was inspected,
// and so is t, which may be zero. With look it casts values too: a sample, or all
// where r.Check says so; then progress hears how many rows it has seen of how
// many, and may be nil. Without look it reads nothing. Refusals are Build's of
// columns that match in no way or of answers that nothing takes (DropStale); what
// a person can still answer is in the view.
func InspectColumns(ctx context.Context, s *Session, r Request, c CopyView, t TargetView, look bool, progress func(done, total int64)) (ColumnsView, error) {
	v, err := inspectColumns(ctx, s, r, c, t, look, progress)
	return v, stoppedInspecting(ctx, err)
}

func inspectColumns(ctx context.Context, s *Session, r Request, c CopyView, t TargetView, look bool, progress func(done, total int64)) (ColumnsView, error) {
	b, err := s.columnsOf(r, c, t)
	if err != nil {
		return ColumnsView{}, err
	}
	if err := b.unmet(); err != nil {
		return ColumnsView{}, err
	}
	settled := b.settle()
	b.useMarks(settled)
	b.stop(marksRefusal(answerable(settled)))
	if err := b.matchColumns(ctx); err != nil {
		return ColumnsView{}, err
	}
	for _, m := range answerable(settled) {
		b.check(m.check...)
	}
	in := &columnsInspection{builder: b, marks: settled, zone: c.zone, kept: map[string][]SampleView{}}
	if look {
		b.watch, b.far = in.keep, progress
		if err := b.preview(ctx); err != nil {
			return ColumnsView{}, err
		}
	} else {
		b.stop(b.plan.Columns.Refusal())
	}
	v := in.view()
	v.took, v.seen = b.spent, s.now()
	if look {
		if err := in.sampleChoices(ctx, v.Lines); err != nil {
			return ColumnsView{}, err
		}
	}
	return v, nil
}

// columnsOf is a builder with the copy, the target's columns and the answers
// about them.
func (s *Session) columnsOf(r Request, c CopyView, t TargetView) (*builder, error) {
	if c.copy == nil {
		return nil, usage("the copy has not been looked at", "Give --copy.")
	}
	part := Request{
		Server: unasked, Table: unasked, Copy: unasked, Target: unasked, AsOf: unasked,
		Cast: r.Cast, Missing: r.Missing, Map: r.Map, Encoding: r.Encoding, CopyTimeZone: r.CopyTimeZone,
		ExcludeDeleted: r.ExcludeDeleted, KeepDeleted: r.KeepDeleted, IgnoreMark: r.IgnoreMark, Check: r.Check,
	}
	if err := part.Validate(); err != nil {
		return nil, err
	}
	b := s.inspection(part)
	c.known(b)
	b.table, b.captured = c.table, c.captured
	if t.URL != "" && t.asked == c.asked {
		b.captured = t.captured
	}
	return b, nil
}

// answerable are the marks that an answer settles, or did.
func answerable(settled []settledMark) []settledMark {
	var out []settledMark
	for _, m := range settled {
		if m.asked {
			out = append(out, m)
		}
	}
	return out
}

// columnsInspection makes the view of one mapping.
type columnsInspection struct {
	*builder
	marks []settledMark
	zone  string                  // the server's, by name; empty where it has none
	kept  map[string][]SampleView // values that stay what they are, by target column

	questions map[string][]cast.Question // all that the columns ask, answered or not, by target column
	open      map[string][]cast.Question // those that are not answered
	wallClock bool                       // every column that asks for a zone takes wall-clock
	zoneOpen  bool                       // one of them has no zone
}

func (in *columnsInspection) view() ColumnsView {
	p := in.plan
	in.ask()
	v := ColumnsView{Rows: p.Preview.Rows, Files: p.Preview.Files, Depth: p.Preview.Depth, Checks: p.Checks}
	if v.Depth == "" {
		v.Depth = previewFooters
	}
	for _, c := range p.Columns.Columns {
		v.Lines = append(v.Lines, in.line(c))
	}
	types := in.typesOfCopy()
	for _, name := range p.Columns.LeftOut {
		v.Lines = append(v.Lines, in.leftOut(name, types[name]))
	}
	v.Open = openAsks(v.Lines)
	if len(p.Stops) > 0 {
		v.Stop = p.stopped(nil)
	}
	return v
}

// ask finds what the columns ask: of a mapping without answers everything.
func (in *columnsInspection) ask() {
	plain := in.plan.Columns
	plain.Columns = slices.Clone(plain.Columns)
	for i, c := range plain.Columns {
		rules := slices.Clone(c.Rules)
		for j := range rules {
			rules[j].Answer, rules[j].Zone = "", ""
		}
		plain.Columns[i].Rules = rules
	}
	all, open := plain.Open(), in.plan.Columns.Open()
	in.questions, in.open = byColumn(all), byColumn(open)
	in.zoneOpen = slices.ContainsFunc(open, asksZone)
	in.wallClock = true
	for _, q := range all {
		if asksZone(q) {
			in.wallClock = in.wallClock && slices.Contains(q.Choices, cast.WallClock)
		}
	}
}

func asksZone(q cast.Question) bool { return q.Flag == cast.FlagZone }

func byColumn(qs []cast.Question) map[string][]cast.Question {
	out := map[string][]cast.Question{}
	for _, q := range qs {
		out[q.Column] = append(out[q.Column], q)
	}
	return out
}

// typesOfCopy are the copy's columns' types for people, by name.
func (in *columnsInspection) typesOfCopy() map[string]string {
	out := map[string]string{}
	for _, class := range in.copy.Classes {
		for _, c := range class.Columns {
			if out[c.Name] == "" || c.Physical != schema.Absent {
				out[c.Name] = c.String()
			}
		}
	}
	return out
}

// openAsks counts the questions that wait: one for the whole copy counts once.
func openAsks(lines []ColumnLine) int {
	seen := map[[2]string]bool{}
	for _, l := range lines {
		for _, a := range l.Asks {
			if a.Open {
				seen[[2]string{a.Flag, a.Column}] = true
			}
		}
	}
	return len(seen)
}
