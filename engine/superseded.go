package engine

import (
	"fmt"

	"cdcseed/engine/bronze"
	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// newestRecorded is the row that tells of the newest finished snapshot, whichever
// stream took it, or nil. An open one is not used by anything yet.
func newestRecorded(rows []bronze.Event) *bronze.Event {
	var newest *bronze.Event
	for i := range rows {
		if r := &rows[i]; r.Event != bronze.EventOpen && (newest == nil || r.LSN.Compare(newest.LSN) > 0) {
			newest = r
		}
	}
	return newest
}

// superseded refuses an L before the newest snapshot that the facts table records
// for the same target. Silver takes the larger of what the facts table records
// and what the target holds, so the seed's rows would never be used: a target
// that was dropped and is seeded anew under its old name comes to this.
func superseded(f *FactsPlan, rows []bronze.Event, l lsn.LSN) error {
	newest := newestRecorded(rows)
	if f == nil || newest == nil || newest.LSN.Compare(l) <= 0 {
		return nil
	}
	return &verdict.Error{
		Code: verdict.ReseedNotNewer, What: fmt.Sprintf("L is before the newest snapshot that the facts table records for target %q", f.Target),
		Facts: verdict.Facts("facts table", f.URL, "row of", newest.AppID, "event", newest.Event, "at", newest.LSN, "asked for", l),
		Why:   "Silver rebuilds from the newest snapshot that the facts table or the target tells of, so this seed would be written and never used.",
		Hint: []string{
			"Take a new copy of the table, and give the time at which it started as --as-of.",
			"If the row is of another table's target, or of one that is gone: give another --target-name, or another --facts, to the seed and to the jobs that read the target.",
			"Only if as_of was typed wrong: give the time at which this copy started.",
		},
	}
}
