package bronze

import (
	"context"
	"fmt"
	"strings"

	"cdcseed/engine/delta"
	"cdcseed/engine/lsn"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// Events reads from a facts table the rows of target that open a snapshot or
// complete one: what Unfinished decides by.
func Events(ctx context.Context, r store.Reader, snap *delta.Snapshot, target string) ([]Event, error) {
	var out []Event
	columns := []string{"event", "target", "app_id", "max_lsn", "detail"}
	for _, file := range snap.Files {
		s, err := file.ParseStats()
		if err != nil {
			return nil, err
		}
		if nulls, ok := s.Nulls(snap.Physical("event")); ok && s.NumRecords != nil && nulls == *s.NumRecords {
			continue
		}
		err = scan(ctx, r, snap, file, columns, func(rec columnSet) error {
			for i := range rec.rows {
				e, ok, err := rec.event(i, target)
				if err != nil {
					return err
				}
				if ok {
					out = append(out, e)
				}
			}
			return rec.err
		})
		if err != nil {
			return nil, fmt.Errorf("facts table %q: %w", snap.URL(), err)
		}
	}
	return out, nil
}

// event is row i of Events' columns, if it is one that matters.
func (c *columnSet) event(i int, target string) (e Event, ok bool, err error) {
	name, _ := c.text(0, i)
	if name != EventOpen && name != EventBootstrap && name != EventResnapshot {
		return e, false, nil
	}
	if to, known := c.text(1, i); !known || to != target {
		return e, false, nil
	}
	position, _ := c.text(3, i)
	l, err := lsn.Parse(position)
	if err != nil {
		return e, false, &verdict.Error{
			Code: verdict.FactsNotFacts,
			What: fmt.Sprintf("a facts row with event %q has no position", name),
			Why:  "Whether the stream has a snapshot open cannot be told.",
			Hint: []string{"Look at the row: SELECT * FROM ... WHERE event = '" + name + "' AND max_lsn IS NULL"},
			Err:  err,
		}
	}
	appID, _ := c.text(2, i)
	detail, _ := c.text(4, i)
	// The texts point into a batch that goes away.
	return Event{AppID: strings.Clone(appID), Event: strings.Clone(name), Target: target, LSN: l, Detail: strings.Clone(detail)}, true, nil
}
