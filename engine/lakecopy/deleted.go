package lakecopy

import (
	"context"
	"errors"
	"fmt"

	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// Vector names the file's deletion vector, as the log does; empty where it has none.
func (f File) Vector() string {
	if f.add == nil {
		return ""
	}
	return f.add.DeletionVector.ID()
}

// deletedRows reads a file's deletion vector, nil where it has none. It is read
// when the copy is opened, so that a broken one is found before anything is
// planned, and again with the file: kept meanwhile, those of a large table would
// fill the memory.
func deletedRows(ctx context.Context, r store.Reader, file File, rows int64) (*delta.Vector, error) {
	if file.add == nil {
		return nil, nil //nolint:nilnil // no vector is the usual case
	}
	v, err := delta.ReadVector(ctx, r, *file.add, rows)
	switch {
	case err == nil:
		return v, nil
	case !errors.Is(err, delta.ErrVector):
		return nil, storeError(r, file.Key, err)
	}
	return nil, &verdict.Error{
		Code:  verdict.CopyUnreadable,
		What:  fmt.Sprintf("which rows of data file %q of %q are deleted cannot be read", file.Key, r.URL()),
		Facts: verdict.Facts("rows of the file", rows, "deleted, as the log says", file.add.DeletionVector.Cardinality),
		Why:   "Without the deletion vector, deleted rows would come back.",
		Hint: []string{
			"Copy the table again with all its files, deletion_vector_*.bin too.",
			"Or apply the vectors in the table: REORG TABLE ... APPLY (PURGE).",
		},
		Err: err,
	}
}

// without takes the deleted rows of a batch out of spans, which are in order. The
// batch begins with the file's row first.
func without(spans []span, v *delta.Vector, first, rows int64) []span {
	if v == nil {
		return spans
	}
	var out []span
	at := 0
	for deleted := range v.Between(first, first+rows) {
		row := deleted - first
		for at < len(spans) && spans[at].to <= row {
			out = append(out, spans[at])
			at++
		}
		if at == len(spans) {
			break
		}
		if s := spans[at]; s.from <= row {
			if s.from < row {
				out = append(out, span{s.from, row})
			}
			spans[at].from = row + 1
			if spans[at].from == s.to {
				at++
			}
		}
	}
	return append(out, spans[at:]...)
}
