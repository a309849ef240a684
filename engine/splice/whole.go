package splice

import (
	"context"
	"errors"
	"io"

	"cdcseed/engine/cast"
	"cdcseed/engine/splice/footer"
)

// Found is a spliced file of an earlier try, as its own footer tells it.
type Found struct {
	Rows    int64
	Stats   string // of the Delta add action
	Columns []FoundColumn
	Report  cast.Report // as Stage gave it, without samples
}

// FoundColumn is a column of such a file.
type FoundColumn struct {
	Name    string
	FieldID *int32 // nil where it has none
}

// ErrNotSpliced says that a file may be whole, and that splicing did not make it.
var ErrNotSpliced = errors.New("the file was not made by splicing")

// Whole proves that a spliced file is whole without decoding it: its footer fits
// the file, and the page headers of every chunk fill the chunk and hold its
// values. A *footer.Problem is in the chain of an error where the file is at fault.
func Whole(ctx context.Context, r io.ReaderAt, size int64) (Found, error) {
	f, err := footer.Read(r, size)
	if err != nil {
		return Found{}, err
	}
	out := Found{Rows: f.Rows()}
	told := map[string]string{}
	for _, kv := range f.KeyValues() {
		if kv.Value != nil {
			told[kv.Key] = *kv.Value
		}
	}
	if out.Stats = told[StatsKey]; out.Stats == "" {
		return Found{}, ErrNotSpliced
	}
	if out.Report, err = cast.ReadRecord(told[cast.RecordKey], out.Rows); err != nil {
		return Found{}, err
	}
	for _, p := range f.Check(size) {
		if p.Kind.Remedy() > footer.Keep {
			return Found{}, p
		}
	}
	for _, n := range f.Root().Children {
		c := FoundColumn{Name: n.Name()}
		if id, ok := n.FieldID(); ok {
			c.FieldID = &id
		}
		out.Columns = append(out.Columns, c)
	}
	for _, g := range f.Groups() {
		for _, leaf := range f.Leaves() {
			if err := ctx.Err(); err != nil {
				return Found{}, err
			}
			if _, err := footer.Walk(r, leaf, g.Chunk(leaf.Leaf), nil); err != nil {
				return Found{}, err
			}
		}
	}
	return out, midpoints(f)
}
