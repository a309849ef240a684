package bronze

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cdcseed/engine/delta"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// collect finds every snapshot row of the wanted instances, and counts the files
// that had to be opened for it.
func collect(ctx context.Context, r store.Reader, snap *delta.Snapshot, wanted map[string]bool) ([]Held, int, error) {
	counts, read := map[key]int64{}, 0
	for _, file := range snap.Files {
		told, err := tell(snap, file)
		if err != nil {
			return nil, read, err
		}
		if told.none || (told.key.instance != "" && !wanted[schema.Fold(told.key.instance)]) {
			continue
		}
		if len(told.unknown) == 0 {
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
		found, err := readKeys(ctx, r, snap, file, told)
		if err != nil {
			return nil, read, err
		}
		for k, n := range found {
			counts[k] += n
		}
	}
	out, err := held(counts, snap)
	return out, read, err
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

// readKeys counts a file's snapshot rows by their keys. It reads only the columns
// that are unknown: in a table with many columns the statistics often leave out
// the last ones, which are quick to read where all rows have one value.
func readKeys(ctx context.Context, r store.Reader, snap *delta.Snapshot, file delta.Add, t told) (map[key]int64, error) {
	out := map[key]int64{}
	at := map[string]int{}
	for i, name := range t.unknown {
		at[name] = i
	}
	err := scan(ctx, r, snap, file, t.unknown, func(rec columnSet) error {
		operation, read := at[Operation]
		var last key
		var count int64
		for i := range rec.rows {
			if read {
				if n, ok := rec.number(operation, i); !ok || n != OperationSnapshot {
					continue
				}
			}
			k := rec.key(i, t.key)
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

// key is the key of row i: what the file's rows share, and what was read.
func (c *columnSet) key(i int, k key) key {
	for column, name := range c.names {
		switch name {
		case CaptureInstance:
			k.instance, _ = c.text(column, i)
		case StartLSN:
			k.start, _ = c.text(column, i)
		case SnapshotLSN:
			k.snapshot, _ = c.text(column, i)
		case Chunk:
			k.chunked = !c.null(column, i)
		case CommitTS:
			k.commit, k.timed = c.instant(column, i)
		}
	}
	return k
}
