package splice_test

import (
	"bytes"
	"errors"
	"testing"

	"cdcseed/engine/splice"
)

func TestASplicedFileIsProvenWhole(t *testing.T) {
	s := common(t)
	id := int32(12)
	s.columns[0].FieldID = &id
	r, _ := s.splice()
	s.rewrite()
	b := bytesOf(t, s.target, "spliced.parquet")
	got, err := splice.Whole(t.Context(), bytes.NewReader(b), int64(len(b)))
	if err != nil || got.Rows != r.Rows || got.Stats != r.Stats || len(got.Columns) != len(s.columns) {
		t.Errorf("%+v, %v", got, err)
	}
	if len(got.Report.Columns) != len(r.Report.Columns) {
		t.Errorf("counts of %d columns, want %d", len(got.Report.Columns), len(r.Report.Columns))
	}
	for name, c := range r.Report.Columns {
		if g := got.Report.Columns[name]; g.Values != c.Values || g.Nulls != c.Nulls || g.Changed != c.Changed || g.ToNull != c.ToNull || g.Unchanged != c.Unchanged {
			t.Errorf("column %q: %+v, want %+v", name, g, c)
		}
	}
	for _, c := range got.Columns {
		if (c.FieldID != nil) != (c.Name == "_start_lsn") {
			t.Errorf("%+v", c)
		}
	}
	f := footerOf(t, b)
	at := f.Groups()[1].Chunk(2).Start()
	for name, bad := range map[string][]byte{
		"cut off":             b[:len(b)-100],
		"a page is not there": append(append(bytes.Clone(b[:at]), make([]byte, 40)...), b[at+40:]...),
	} {
		if got, err := splice.Whole(t.Context(), bytes.NewReader(bad), int64(len(bad))); err == nil {
			t.Errorf("%s: taken for whole: %+v", name, got)
		}
	}
	other := bytesOf(t, s.target, "rewritten.parquet")
	if _, err := splice.Whole(t.Context(), bytes.NewReader(other), int64(len(other))); !errors.Is(err, splice.ErrNotSpliced) {
		t.Error(err)
	}
}
