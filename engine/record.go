package engine

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"cdcseed/engine/bronze"
	"cdcseed/engine/verdict"
)

// record writes the facts row that the stream would have written for its first snapshot.
func (x *execution) record(ctx context.Context) error {
	f := x.plan.Facts
	if f == nil {
		return nil
	}
	x.result.FactsURL, x.result.FactsRow = f.URL, "present"
	return x.phase(Record, "Record the seed in the facts table", func() (string, error) {
		fact := bronze.Fact{Stamp: x.stamp(), AppID: f.AppID, Target: f.Target, Wrote: x.wrote, WrittenAt: x.session.now()}
		written, err := bronze.WriteFact(ctx, x.stores.Facts, fact, bronze.Pen{Engine: x.plan.Tool, Now: x.session.now, NewID: uuid.NewString})
		if err != nil {
			return "", x.unrecorded(err)
		}
		if !written {
			return x.recorded(ctx)
		}
		x.result.FactsRow = "written"
		return fmt.Sprintf("event bootstrap of app id %s written", f.AppID), nil
	})
}

// recorded says whose the row is that stands under the app id.
func (x *execution) recorded(ctx context.Context) (string, error) {
	f := x.plan.Facts
	snap, err := openTable(ctx, x.stores.Facts)
	if err == nil && snap == nil {
		err = &verdict.Error{Code: verdict.StoreUnreachable, What: "the facts table is gone"}
	}
	if err != nil {
		return "", x.unrecorded(err)
	}
	rows, err := bronze.Events(ctx, x.stores.Facts, snap, f.Target)
	if err != nil {
		return "", x.unrecorded(err)
	}
	for _, r := range rows {
		if r.AppID == f.AppID && r.Event == bronze.EventBootstrap && r.LSN == x.plan.AsOf.L {
			return fmt.Sprintf("the row of app id %s was there", f.AppID), nil
		}
	}
	x.result.FactsRow = "of another"
	return fmt.Sprintf("app id %s has written its one row, and it is not one of this target at this L: this seed has none", f.AppID), nil
}

// unrecorded is the error for a facts row that could not be written after the
// seed was committed.
func (x *execution) unrecorded(err error) error {
	cause := verdict.As(storeError("writing the facts row", err))
	return &verdict.Error{
		Code:  verdict.FactsFailed,
		What:  "the seed is committed, its facts row is not",
		Wrote: fmt.Sprintf("The seed is in %q at version %d; the facts table %q does not record it.", x.plan.Target.URL, x.result.Version, x.plan.Facts.URL),
		Facts: append(verdict.Facts("cause", cause.Code), cause.Facts...),
		Why:   "Without the row the stream writes its own when it starts, without the seed's counts.",
		Hint:  append(cause.Hint, "Run the same command again: it writes the row and no rows of the table."),
		Err:   err,
	}
}
