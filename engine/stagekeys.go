package engine

import (
	"context"
	"errors"
	"slices"

	"cdcseed/engine/asof"
	"cdcseed/engine/cast"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// withKeys is the refusal of values with the keys of their rows. A column that is
// cast by itself does not know them, so the file is read again up to there, only
// the columns in question and the key. What is no such refusal stays as it is.
func (w *stageWork) withKeys(ctx context.Context, from lakecopy.File, err error) error {
	if !errors.Is(err, verdict.ValueRefused) {
		return err
	}
	m := w.x.plan.Columns
	m.Columns = slices.DeleteFunc(slices.Clone(m.Columns), func(c cast.ColumnPlan) bool {
		named := slices.ContainsFunc(verdict.As(err).Facts, func(f verdict.Fact) bool { return schema.SameName(f.Name, c.Target.Name) })
		return !c.Target.Key && !named
	})
	caster, failed := m.Caster(from.Class, asof.Location)
	if failed != nil {
		return err
	}
	scan := w.x.copy.Read(ctx, from, caster.Columns(), batchRows)
	if f := w.x.filter(); f != nil {
		scan = scan.ExcludeFlagged(*f)
	}
	defer func() { _ = scan.Close() }() // it was only read
	for scan.Next() {
		out, failed := caster.Cast(scan.Record(), cast.Place{File: from.Key, Row: scan.RowOf})
		if failed != nil {
			return err
		}
		for _, a := range out {
			a.Release()
		}
		if found := caster.Err(); found != nil {
			return found
		}
	}
	return err
}

// givenUp tells of values that were refused while files were made that the file
// was given up there: there may be more of them.
func (x *execution) givenUp(err error) error {
	if !errors.Is(err, verdict.ValueRefused) || x.plan.Preview.Depth == CheckAll {
		return err
	}
	e := *verdict.As(err)
	e.Hint = append(slices.Clone(e.Hint), "The file was given up there, and others may hold more: --check all counts all such values before anything is written.")
	return &e
}
