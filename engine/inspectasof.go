package engine

import (
	"context"

	"cdcseed/engine/asof"
	"cdcseed/engine/verdict"
)

// InspectAsOf maps r's as_of as planning does, with the same findings. c and t
// are the copy and the target as they were inspected; of a zero one, nothing is
// compared with it. Refusals are Build's of an as_of: beside one the view holds
// what was found before it.
func InspectAsOf(ctx context.Context, s *Session, r Request, c CopyView, t TargetView) (AsOfView, error) {
	v, err := inspectAsOf(ctx, s, r, c, t)
	return v, stoppedInspecting(ctx, err)
}

func inspectAsOf(ctx context.Context, s *Session, r Request, c CopyView, t TargetView) (AsOfView, error) {
	part := Request{
		Server: unasked, Table: r.Table, Copy: unasked, Target: unasked, AsOf: r.AsOf, CopyLag: r.CopyLag, AllowAsOfAfterCopy: r.AllowAsOfAfterCopy,
		Reseed: r.Reseed,
	}
	if err := part.Validate(); err != nil {
		return AsOfView{}, err
	}
	b := s.inspection(part)
	if err := b.tableOf(ctx, c); err != nil {
		return AsOfView{}, err
	}
	c.known(b)
	t.known(b)
	err := b.mapAsOf(ctx)
	v := AsOfView{Mapping: b.mapping, Until: b.plan.AsOf.KeptUntil, Checks: b.plan.Checks, here: s.now()}
	if in, wrong := asof.Parse(part.AsOf); wrong == nil {
		v.Input = in
	}
	if err != nil {
		v.Checks = v.Mapping.Checks
		return v, err
	}
	if v.Seeded = b.plan.State == AlreadySeeded; v.Seeded {
		v.L, v.CommitTS = b.plan.AsOf.L, b.plan.AsOf.CommitTS
	}
	return v, nil
}

// tableOf takes the table from the copy's inspection where it is the one asked
// for, and reads it where it is not.
func (b *builder) tableOf(ctx context.Context, c CopyView) error {
	if c.copy == nil || c.asked != b.request.Table {
		return b.readTable(ctx)
	}
	return b.useTable(c.table, c.instance)
}

// Tight warns where writing the copy may take more than half of the time that L
// has left, going by how long the columns' values took to look at; it is empty
// where it may not, or where nothing was looked at.
func (v ColumnsView) Tight(c CopyView, a AsOfView) []verdict.Check {
	if a.Until == nil || a.Seeded || v.Rows == 0 || v.took <= 0 {
		return nil
	}
	return tight(v.took, v.Rows, c.Rows, *a.Until, v.seen+a.ServerNow-a.here)
}
