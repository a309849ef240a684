package lakecopy

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// checkCommits honours the commit marks that Databricks writes beside Parquet
// files: _started_ID when a job begins, _committed_ID, with the files that it
// added and removed, when it ends. A file of a job that never ended, or one that
// a later job removed, is refused by name.
func (l *listing) checkCommits(ctx context.Context, r store.Reader) error {
	started, committed, removed := map[string]string{}, map[string]bool{}, map[string]string{}
	for _, mark := range l.commits {
		dir, name := path.Split(mark.Key)
		if id, ok := strings.CutPrefix(name, "_started_"); ok {
			started[dir+id] = mark.Key
			continue
		}
		id := strings.TrimPrefix(name, "_committed_")
		committed[dir+id] = true
		gone, err := removedBy(ctx, r, mark.Key)
		if err != nil {
			return err
		}
		for _, n := range gone {
			removed[dir+n] = mark.Key
		}
	}
	for _, f := range l.data {
		if mark, gone := removed[f.Key]; gone {
			return commitRefusal(r, f.Key, "was removed by a later job", mark)
		}
		dir, name := path.Split(f.Key)
		id := transaction(name)
		if mark, begun := started[dir+id]; id != "" && begun && !committed[dir+id] {
			return commitRefusal(r, f.Key, "was written by a job that did not end", mark)
		}
	}
	return nil
}

// transaction is the ID in a name like part-00000-tid-123-uuid-0-c000.snappy.parquet.
func transaction(name string) string {
	_, rest, ok := strings.Cut(name, "-tid-")
	if !ok {
		return ""
	}
	id, _, _ := strings.Cut(rest, "-")
	return id
}

func removedBy(ctx context.Context, r store.Reader, key string) ([]string, error) {
	data, err := store.ReadAll(ctx, r, key)
	if err != nil {
		return nil, storeError(r, key, err)
	}
	if len(strings.TrimSpace(string(data))) == 0 {
		return nil, nil // a copy of a mark that lost its content names nothing
	}
	var mark struct {
		Removed []string `json:"removed"`
	}
	if err := json.Unmarshal(data, &mark); err != nil {
		return nil, unreadable(r.URL(), key, err)
	}
	return mark.Removed, nil
}

func commitRefusal(r store.Reader, file, what, mark string) error {
	return &verdict.Error{
		Code:  verdict.CopyNotACopy,
		What:  fmt.Sprintf("data file %q of %q %s", file, r.URL(), what),
		Facts: verdict.Facts("commit mark", mark),
		Why:   "Databricks does not count such a file; its rows are half a job's, or stand in other files again.",
		Hint:  []string{"Run the job that writes the copy again, into an empty folder."},
	}
}
