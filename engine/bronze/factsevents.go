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
				e, ok, err := rec.event(i, snap.URL(), target)
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
func (c *columnSet) event(i int, table, target string) (e Event, ok bool, err error) {
	name, _ := c.text(0, i)
	if name != EventOpen && name != EventBootstrap && name != EventResnapshot {
		return e, false, nil
	}
	if to, known := c.text(1, i); !known || to != target {
		return e, false, nil
	}
	appID, _ := c.text(2, i)
	detail, _ := c.text(4, i)
	position, known := c.text(3, i)
	l, err := lsn.Parse(position)
	if err != nil || !known {
		return e, false, noPosition(table, name, strings.Clone(appID), strings.Clone(position), known)
	}
	// The texts point into a batch that goes away.
	return Event{AppID: strings.Clone(appID), Event: strings.Clone(name), Target: target, LSN: l, Detail: strings.Clone(detail)}, true, nil
}

// noPosition refuses a facts row whose max_lsn is no LSN: NULL where it is not known.
func noPosition(table, event, appID, position string, known bool) error {
	found, where := "NULL", "max_lsn IS NULL"
	if known {
		found, where = fmt.Sprintf("%q", position), "max_lsn NOT RLIKE '^(0[xX])?[0-9A-Fa-f]{1,20}$'"
	}
	return &verdict.Error{
		Code:  verdict.FactsNotFacts,
		What:  fmt.Sprintf("a facts row with event %q has no position", event),
		Facts: verdict.Facts("facts table", table, "row of", appID, "max_lsn", found),
		Why:   "Whether the stream has a snapshot open cannot be told.",
		Hint:  []string{fmt.Sprintf("Look at the row: SELECT * FROM delta.`%s` WHERE event = '%s' AND %s", strings.ReplaceAll(table, "`", "``"), event, where)},
	}
}
