package engine

import (
	"fmt"

	"cdcseed/engine/bronze"
	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// secondRow notes that a seed which was found is recorded under another app id
// than the one given now, whose row is written beside it; nil where it is not.
// That is right for a stream that got a new app id before it started, and a
// mistyped app id looks the same.
func secondRow(f *FactsPlan, events []bronze.Event, at lsn.LSN) *verdict.Check {
	if f == nil || f.Present {
		return nil
	}
	for _, e := range events {
		if e.LSN == at && e.AppID != f.AppID {
			c := verdict.Noted(
				fmt.Sprintf("the facts table has this snapshot as the row of app id %q: another row of it is written for %q, which is right only for a stream with that app id", e.AppID, f.AppID),
				"A row is not taken back. The stream that runs from this seed keeps the app id that it has.",
				verdict.Facts("row of", e.AppID, "event", e.Event, "given now", f.AppID)...)
			return &c
		}
	}
	return nil
}
