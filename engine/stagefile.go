package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"cdcseed/engine/asof"
	"cdcseed/engine/cast"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/splice"
	"cdcseed/engine/verdict"
)

// madeFile is a staged file and the rows of its source that are not in it.
type madeFile struct {
	rewrite.Staged
	excluded int64       // flagged as deleted
	report   cast.Report // of the columns that were cast
}

// make stages the file of the copy's i-th, in the manner that the plan has for it.
func (w *stageWork) make(ctx context.Context, i int, progress func(rows, bytes int64)) (madeFile, error) {
	manner, err := w.x.manner(i)
	if err != nil {
		return madeFile{}, err
	}
	key := rewrite.StageName(i, w.x.plan.Stage.Key, uuid.NewString(), w.x.plan.Stage.Codec)
	if manner.Rewrite == "" {
		return w.splice(ctx, i, key, manner, progress)
	}
	return w.rewrite(ctx, i, key, progress)
}

// manner is how the plan makes the file of the copy's i-th.
func (x *execution) manner(i int) (WaysPlan, error) {
	f := x.plan.Files[i]
	if f.Key != x.copy.Files[i].Key || f.Ways < 0 || f.Ways >= len(x.plan.Stage.Ways) {
		return WaysPlan{}, &verdict.Error{
			Code: verdict.PlanInvalid, What: "the plan does not say how a file of the copy is written", Facts: verdict.Facts("file", x.copy.Files[i].Key),
			Hint: []string{"Make the plan again."},
		}
	}
	return x.plan.Stage.Ways[f.Ways], nil
}

// rewrite reads, casts and writes every column.
func (w *stageWork) rewrite(ctx context.Context, i int, key string, progress func(rows, bytes int64)) (madeFile, error) {
	x, from := w.x, w.x.copy.Files[i]
	caster, err := x.plan.Columns.Caster(from.Class, asof.Location)
	if err != nil {
		return madeFile{}, err
	}
	scan := x.copy.Read(ctx, from, caster.Columns(), batchRows)
	if m := x.filter(); m != nil {
		scan = scan.ExcludeFlagged(*m)
	}
	defer func() { _ = scan.Close() }() // it was only read
	staged, report, err := rewrite.Stage(ctx, x.stores.Target, rewrite.Job{
		Key: key, File: from.Key,
		Columns: w.columns, Source: scan, Caster: caster, Codec: x.plan.Stage.Codec, StatsColumns: w.stats,
	}, progress)
	return madeFile{staged, scan.Excluded(), report}, err
}

// splice copies the bytes of the columns that stay, and casts the others.
func (w *stageWork) splice(ctx context.Context, i int, key string, manner WaysPlan, progress func(rows, bytes int64)) (_ madeFile, err error) {
	x, from := w.x, w.x.copy.Files[i]
	in, err := x.copy.Raw(ctx, from)
	if err != nil {
		return madeFile{}, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	ways := make([]splice.Choice, len(w.columns))
	for k, c := range w.columns {
		ways[k] = splice.Choice{Way: splice.Constant}
		if at, ok := c.Cast(); ok {
			ways[k] = splice.Choice{Way: manner.Columns[at].Way, Reason: manner.Columns[at].Reason}
		}
	}
	made, err := splice.Stage(ctx, x.stores.Target, splice.Job{
		Key: key, File: from.Key, From: in,
		Columns: w.columns, Mapping: &x.plan.Columns, Class: from.Class, Locate: asof.Location,
		Names: x.copy.InFile(from.Class), Partition: from.Partition, Ways: ways, Known: w.known,
		Codec: x.plan.Stage.Codec, StatsColumns: w.stats,
	}, progress)
	if errors.Is(err, splice.ErrChanged) {
		return madeFile{}, otherFile(x.copy.URL, from.Key, err)
	}
	if err != nil {
		return madeFile{}, w.withKeys(ctx, from, damaged(x.copy.URL, from.Key, err))
	}
	return madeFile{Staged: made.Staged, report: made.Report}, nil
}

// otherFile is a file of the copy that is not any more what was planned by.
func otherFile(url, key string, err error) error {
	return &verdict.Error{
		Code: verdict.CopyChanged, What: fmt.Sprintf("data file %q of %q is not the one that was planned", key, url), Err: err,
		Why:  "Its bytes would be copied as values that they are not.",
		Hint: []string{"Make the plan again, with an as_of that is right for the copy as it is now."},
	}
}
