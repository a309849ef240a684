package engine

import (
	"context"
	"errors"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// InspectCopy opens the copy that r names and compares it with r's table.
// Answers about its columns are not looked at, InspectColumns asks for them, but
// that its files are no changes is heard.
// progress is told while footers are read, by one goroutine at a time; it may be
// nil. Refusals are Build's of a table and a copy; of marks, only those that no
// answer settles, beside a view that is filled.
func InspectCopy(ctx context.Context, s *Session, r Request, progress func(done, total int)) (CopyView, error) {
	v, err := inspectCopy(ctx, s, r, progress)
	return v, stoppedInspecting(ctx, err)
}

func inspectCopy(ctx context.Context, s *Session, r Request, progress func(done, total int)) (CopyView, error) {
	part := Request{Server: unasked, Table: r.Table, Copy: r.Copy, Target: unasked, AsOf: unasked, IgnoreMark: r.IgnoreMark}
	if err := part.Validate(); err != nil {
		return CopyView{}, err
	}
	part, err := Request{Table: r.Table, Copy: r.Copy, IgnoreMark: r.IgnoreMark}.Absolute()
	if err != nil {
		return CopyView{}, err
	}
	b := s.inspection(part)
	if b.readers.Copy, b.readers.open, err = openCopy(part.Copy); err != nil {
		return CopyView{}, err
	}
	b.readers.open.Progress = progress
	if err := b.readTable(ctx); err != nil {
		return CopyView{}, err
	}
	if err := b.openCopy(ctx); err != nil {
		return CopyView{}, err
	}
	if b.noCopy != nil {
		return CopyView{}, b.noCopy
	}
	settled := fixed(b.settle())
	for _, m := range settled {
		b.check(m.check...)
	}
	v := viewOfCopy(b)
	v.asked = r.Table
	v.compare()
	if v.zone, err = s.zoneName(ctx); err != nil {
		return CopyView{}, err
	}
	return v, marksRefusal(settled)
}

// fixed are the marks that no answer changes.
func fixed(settled []settledMark) []settledMark {
	var out []settledMark
	for _, m := range settled {
		if !m.asked {
			out = append(out, m)
		}
	}
	return out
}

func viewOfCopy(b *builder) CopyView {
	c := b.copy
	v := CopyView{
		Kind: c.Kind, URL: b.request.Copy, Version: c.Version, Files: len(c.Files), Rows: c.Rows, Bytes: c.Bytes,
		Evidence: c.Evidence.Earliest, SeenIn: c.Evidence.What, Checks: b.plan.Checks,
		copy: c, table: b.table, instance: b.plan.Table.Instance, captured: b.captured,
	}
	for i, f := range c.Files {
		if i == 0 || f.Modified < v.First {
			v.First = f.Modified
		}
		if i == 0 || f.Modified > v.Last {
			v.Last = f.Modified
		}
	}
	return v
}

// compare matches the copy's columns with the captured ones by name.
func (v *CopyView) compare() {
	lacking, captured := map[string]bool{}, map[string]bool{}
	for _, c := range v.captured {
		captured[schema.Fold(c.Name)] = true
	}
	seen := map[string]bool{}
	for _, class := range v.copy.Classes {
		has := map[string]bool{}
		for _, c := range class.Columns {
			name := schema.Fold(c.Name)
			has[name] = true
			if seen[name] {
				continue
			}
			seen[name] = true
			if !captured[name] {
				v.Extra = append(v.Extra, c.Name)
			}
		}
		for name := range captured {
			lacking[name] = lacking[name] || !has[name]
		}
	}
	v.Columns = len(seen)
	for _, c := range v.captured {
		if lacking[schema.Fold(c.Name)] {
			v.Missing = append(v.Missing, c.Name)
		} else {
			v.Matched++
		}
	}
}

// zoneName is the server's zone by its name, empty where it has none.
func (s *Session) zoneName(ctx context.Context) (string, error) {
	now, err := s.source.Clock(ctx, s.zone)
	if errors.Is(err, verdict.ZoneUnknown) { // told when as_of is asked for
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return now.Clock.Zone, nil
}

// known is the copy as a builder of the same table uses it.
func (v CopyView) known(b *builder) {
	if v.copy == nil {
		return
	}
	b.copy = v.copy
	b.plan.Copy = CopyPlan{URL: v.URL, Rows: v.Rows, Hash: v.copy.Hash, Content: v.copy.Content}
}
