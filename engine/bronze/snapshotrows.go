package bronze

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cdcseed/engine/delta"
	"cdcseed/engine/lsn"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// collect finds every snapshot row of the table, of whatever instance, and counts
// the files that had to be opened for it.
func collect(ctx context.Context, r store.Reader, snap *delta.Snapshot) ([]Held, int, error) {
	counts, read := map[key]int64{}, 0
	for _, file := range snap.Files {
		told, err := tell(file)
		if err != nil {
			return nil, read, err
		}
		if told.none {
			continue
		}
		if told.all {
			rows := told.rows
			if file.DeletionVector != nil {
				rows -= file.DeletionVector.Cardinality
			}
			if rows > 0 {
				counts[told.key] += rows
			}
			continue
		}
		read++
		found, err := readKeys(ctx, r, file)
		if err != nil {
			return nil, read, err
		}
		if len(found) > 0 && file.DeletionVector != nil {
			return nil, read, hiddenRows("bronze", snap, file)
		}
		for k, n := range found {
			counts[k] += n
		}
	}
	out, err := held(counts, snap)
	return out, read, err
}

// hiddenRows refuses a table whose snapshot rows, or rows about them, may or may not be deleted.
func hiddenRows(kind string, snap *delta.Snapshot, file delta.Add) error {
	return &verdict.Error{
		Code:  verdict.TargetFeature,
		What:  fmt.Sprintf("the %s table %q has rows of snapshots in a data file of which a deletion vector hides some", kind, snap.URL()),
		Facts: verdict.Facts("data file", file.Path, "hidden rows", file.DeletionVector.Cardinality),
		Why:   "Whether those rows are still in the table cannot be told without reading the vector.",
		Hint:  []string{"REORG TABLE ... APPLY (PURGE)"},
	}
}

// held turns counts into sets, refusing what is no LSN.
func held(counts map[key]int64, snap *delta.Snapshot) ([]Held, error) {
	out := make([]Held, 0, len(counts))
	for k, n := range counts {
		h := Held{Instance: k.instance, Chunked: k.chunked, Rows: n}
		if k.timed {
			at := k.commit
			h.Commit = &at
		}
		start, err := lsn.Parse(k.start)
		h.Start, h.LSN = start, start
		if k.snapshot != "" {
			var errSnapshot error
			h.LSN, errSnapshot = lsn.Parse(k.snapshot)
			err = errors.Join(err, errSnapshot)
		}
		if err != nil {
			return nil, &verdict.Error{
				Code: verdict.TargetNotBronze,
				What: fmt.Sprintf("the Delta table %q has snapshot rows without a position", snap.URL()),
				Why:  "The stream cannot tell such a snapshot from others.",
				Hint: []string{"Give --target the table that the stream writes."},
				Err:  err,
			}
		}
		out = append(out, h)
	}
	return out, nil
}

// readKeys counts a file's snapshot rows by their keys.
func readKeys(ctx context.Context, r store.Reader, file delta.Add) (map[key]int64, error) {
	out := map[key]int64{}
	columns := []string{Operation, CaptureInstance, StartLSN, SnapshotLSN, Chunk, CommitTS}
	err := scan(ctx, r, file, columns, func(rec columnSet) error {
		var last key
		var count int64
		for i := range rec.rows {
			if n, ok := rec.number(0, i); !ok || n != OperationSnapshot {
				continue
			}
			k := rec.key(i)
			if count > 0 && k == last {
				count++
				continue
			}
			add(out, last, count)
			last, count = k, 1
		}
		add(out, last, count)
		return rec.err
	})
	return out, err
}

// add counts rows of k, whose texts point into a record that is about to go.
func add(counts map[key]int64, k key, n int64) {
	if n == 0 {
		return
	}
	k.instance, k.start, k.snapshot = strings.Clone(k.instance), strings.Clone(k.start), strings.Clone(k.snapshot)
	counts[k] += n
}

// key is the key of row i, for columns in readKeys' order.
func (c *columnSet) key(i int) (k key) {
	k.instance, _ = c.text(1, i)
	k.start, _ = c.text(2, i)
	k.snapshot, _ = c.text(3, i)
	k.chunked = !c.null(4, i)
	k.commit, k.timed = c.instant(5, i)
	return k
}
