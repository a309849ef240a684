package lakecopy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// openDelta opens a Delta table: the log alone says which files count, which
// columns there are, and what the partition values are.
func openDelta(ctx context.Context, r store.Reader, o Options) (*Copy, error) {
	snap, err := snapshot(ctx, r, o.Version)
	if err != nil {
		return nil, err
	}
	if err := snap.Readable(); err != nil {
		return nil, err
	}
	c := &Copy{Kind: Delta, URL: r.URL(), Version: &snap.Version, reader: r}
	for _, a := range snap.Files {
		key, err := a.Key()
		if err != nil {
			return nil, unreadable(r.URL(), a.Path, err)
		}
		values, err := partitionValues(snap, a)
		if err != nil {
			return nil, unreadable(r.URL(), key, err)
		}
		f := File{Key: key, Size: a.Size, Modified: clock.Instant(a.ModificationTime * clock.Millisecond), Partition: values}
		if a.DeletionVector != nil {
			a.Stats, a.Tags = "", nil // large, and of no use for the vector
			f.add = &a
		}
		c.Files = append(c.Files, f)
	}
	slices.SortFunc(c.Files, byKey)
	feet, err := readFooters(ctx, r, c.Files, o)
	if err != nil {
		return nil, vacuumed(r.URL(), snap.Version, err)
	}
	if err := identified(snap, c.Files, feet); err != nil {
		return nil, err
	}
	c.classify(feet, byTable(snap), snap.Metadata.Mapping() == delta.ByID)
	if c.Evidence, err = fullLoad(ctx, r, snap); err != nil {
		return nil, err
	}
	c.sum()
	return c, nil
}

// partitionValues are a file's under the table's names, by the protocol's rule
// that an empty text is NULL for every type. A column without any entry is not
// NULL: the log does not tell its value.
func partitionValues(snap *delta.Snapshot, a delta.Add) (map[string]*string, error) {
	out := make(map[string]*string, len(snap.Metadata.PartitionColumns))
	for _, name := range snap.Metadata.PartitionColumns {
		v, told := a.PartitionValues[snap.Physical(name)]
		if !told {
			return nil, fmt.Errorf("the log has no value of partition column %q, as %q, but of %q",
				name, snap.Physical(name), slices.Sorted(maps.Keys(a.PartitionValues)))
		}
		if v != nil && *v == "" {
			v = nil
		}
		out[name] = v
	}
	return out, nil
}

func snapshot(ctx context.Context, r store.Reader, version *int64) (*delta.Snapshot, error) {
	open := delta.Open
	if version != nil {
		open = func(ctx context.Context, r store.Reader) (*delta.Snapshot, error) {
			return delta.OpenAt(ctx, r, *version)
		}
	}
	snap, err := open(ctx, r)
	if err == nil {
		return snap, nil
	}
	var e *verdict.Error
	switch {
	case errors.As(err, &e):
		mine := *e
		if mine.Code == verdict.TargetCorrupt {
			mine.Code = verdict.CopyUnreadable
		}
		return nil, &mine
	case errors.Is(err, delta.ErrNoTable):
		return nil, &verdict.Error{
			Code: verdict.CopyNotACopy,
			What: fmt.Sprintf("%q has a _delta_log without a commit or a checkpoint", r.URL()),
			Why:  "Without its log, a Delta table's files do not tell which rows count.",
			Hint: []string{"Copy the table again with its whole _delta_log."},
			Err:  err,
		}
	case errors.Is(err, delta.ErrNoVersion):
		return nil, &verdict.Error{
			Code: verdict.CopyNotFound,
			What: fmt.Sprintf("the Delta table %q has no version %d to read", r.URL(), *version),
			Why:  "Old versions go when their log entries are cleaned up.",
			Hint: []string{"List the versions with DESCRIBE HISTORY, or leave the version out to take the latest."},
			Err:  err,
		}
	}
	return nil, storeError(r, "_delta_log", err)
}

// vacuumed says of a missing data file what it means in a Delta table.
func vacuumed(url string, version int64, err error) error {
	var e *verdict.Error
	if !errors.As(err, &e) || e.Code != verdict.CopyNotFound {
		return err
	}
	mine := *e
	mine.Code = verdict.CopyUnreadable
	mine.What = fmt.Sprintf("version %d of the Delta table %q names a data file that is not there", version, url)
	mine.Why = "Its rows would be missing from the seed. VACUUM removes files of old versions; a copy of the folder may have left some out."
	mine.Hint = []string{"Read a newer version, or copy the table again."}
	return &mine
}

func byKey(a, b File) int {
	switch {
	case a.Key < b.Key:
		return -1
	case a.Key > b.Key:
		return 1
	}
	return 0
}
