package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cdcseed/engine/delta"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/store"
)

// vacuumAge is how long Delta's VACUUM leaves unreferenced files alone, where
// the table does not say otherwise.
const vacuumAge = 7 * 24 * time.Hour

// leftover is a whole staged file of an earlier try of the same plan.
type leftover struct{ store.Object }

// adoptable finds what an earlier try with the same stage key left: whole files
// that no log version names and that VACUUM will not take soon (decision 15).
func (x *execution) adoptable(ctx context.Context) (map[int]leftover, error) {
	out := map[int]leftover{}
	named, age, err := namedFiles(ctx, x.stores.Target)
	if err != nil {
		return nil, err
	}
	oldest := x.session.now().Add(-age / 2)
	for o, err := range x.stores.Target.List(ctx, "part-", "") {
		if err != nil {
			return nil, storeError("looking for staged files", err)
		}
		s, ours := rewrite.ParseStageName(o.Key)
		if ours && s.Key == x.plan.Stage.Key && !named[o.Key] && o.Modified >= oldest && s.Index < len(x.copy.Files) {
			out[s.Index] = leftover{o}
		}
	}
	return out, nil
}

// namedFiles are the files that any readable version of the table's log names,
// and how long VACUUM leaves others alone.
func namedFiles(ctx context.Context, r store.Reader) (map[string]bool, time.Duration, error) {
	named := map[string]bool{}
	snap, err := openTable(ctx, r)
	if err != nil || snap == nil {
		return named, vacuumAge, err
	}
	add := func(key string, err error) error {
		if err != nil {
			return storeError("reading the target's log", err)
		}
		named[key] = true
		return nil
	}
	for _, f := range snap.Files {
		if f.Absolute() {
			continue
		}
		if err := add(f.Key()); err != nil {
			return nil, 0, err
		}
	}
	for c, err := range delta.Commits(ctx, r) {
		if err != nil {
			return nil, 0, storeError("reading the target's log", err)
		}
		for _, f := range c.Adds {
			if f.Absolute() {
				continue
			}
			if err := add(f.Key()); err != nil {
				return nil, 0, err
			}
		}
	}
	return named, retentionOf(snap), nil
}

// retentionOf reads delta.deletedFileRetentionDuration, an interval in whole
// days, hours, minutes or weeks. One that is written otherwise counts as none,
// so that nothing old is adopted.
func retentionOf(s *delta.Snapshot) time.Duration {
	text, ok := s.Metadata.Configuration["delta.deletedFileRetentionDuration"]
	if !ok {
		return vacuumAge
	}
	words := strings.Fields(strings.TrimPrefix(strings.ToLower(text), "interval "))
	units := map[string]time.Duration{"week": 7 * 24 * time.Hour, "day": 24 * time.Hour, "hour": time.Hour, "minute": time.Minute}
	if len(words) != 2 {
		return 0
	}
	n, err := strconv.Atoi(words[0])
	unit, known := units[strings.TrimSuffix(words[1], "s")]
	if err != nil || !known || n < 0 {
		return 0
	}
	return time.Duration(n) * unit
}

// adopt takes a whole file of an earlier try for the copy's i-th. Its statistics
// are made again from what it holds, so that a broken one is not taken.
func (w *stageWork) adopt(ctx context.Context, i int) (*stagedFile, bool, error) {
	left, ok := w.left[i]
	if !ok {
		return nil, false, nil
	}
	f, err := w.reread(ctx, left.Object)
	if err != nil {
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		w.x.notify(Notice{Stage, fmt.Sprintf("%s of an earlier try is not whole and is written again: %v", left.Key, err)})
		return nil, false, nil
	}
	w.mu.Lock()
	w.files++
	w.adopted++
	w.excluded += w.x.copy.Files[i].Rows - f.Rows
	w.mu.Unlock()
	w.tell(f.Rows, f.Size, false)
	return f, true, nil
}

func (w *stageWork) reread(ctx context.Context, o store.Object) (_ *stagedFile, err error) {
	in, err := w.x.stores.Target.Open(ctx, o.Key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if in.Size() != o.Size {
		return nil, fmt.Errorf("size %d, listed as %d", in.Size(), o.Size)
	}
	rows, stats, err := parquetfile.Statistics(ctx, in)
	if err != nil {
		return nil, err
	}
	if want := w.x.copy.Files[indexOf(o.Key)].Rows; rows != want && w.x.plan.Copy.Filter == nil {
		return nil, fmt.Errorf("%d rows, the copy's file has %d", rows, want)
	}
	return &stagedFile{Object: o, Rows: rows, Stats: stats}, nil
}

func indexOf(key string) int {
	s, _ := rewrite.ParseStageName(key)
	return s.Index
}
