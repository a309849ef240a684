package lakecopy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cdcseed/engine/delta"
	"cdcseed/engine/delta/deltatest"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

const vectorProtocol = `{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["deletionVectors"],"writerFeatures":["deletionVectors"]}}`

func addDeleted(t *testing.T, key string, data []byte, d *delta.DeletionVector) string {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(addLine(key, data, 900, true, ""), `"dataChange"`, `"deletionVector":`+string(text)+`,"dataChange"`, 1)
}

func TestDeletedRowsStayAway(t *testing.T) {
	data := made(t, "id bigint", `{"id":1}`, `{"id":2}`, `{"id":3}`)
	m := folder(t, "f.parquet", data)
	commit(t, m, 0, 1000, vectorProtocol, metaLine("id bigint"), addDeleted(t, "f.parquet", data, deltatest.Inline(1)))
	c := mustOpen(t, m, lakecopy.Options{})
	if got, excluded := ids(t, c, nil); !slices.Equal(got, []string{"1", "3"}) || excluded != 0 {
		t.Errorf("%v, %d excluded", got, excluded)
	}
	f := c.Files[0]
	if c.Rows != 2 || c.Deleted != 1 || f.Rows != 2 || f.Deleted != 1 || c.Classes[0].Rows != 2 {
		t.Errorf("%d rows, %d deleted; file %+v", c.Rows, c.Deleted, f)
	}
	s := c.Read(context.Background(), f, nil, 10)
	for s.Next() { //nolint:revive // only what follows is looked at
	}
	if err := errors.Join(s.Err(), s.Close()); err != nil || s.Read() != 3 {
		t.Errorf("%v, %d read", err, s.Read())
	}

	// The same files with other deleted rows are another copy.
	other := folder(t, "f.parquet", data)
	commit(t, other, 0, 1000, vectorProtocol, metaLine("id bigint"), addDeleted(t, "f.parquet", data, deltatest.Inline(2)))
	if d := mustOpen(t, other, lakecopy.Options{}); d.Hash == c.Hash || d.Content == c.Content {
		t.Error("the same hash")
	}
	all := folder(t, "f.parquet", data)
	commit(t, all, 0, 1000, vectorProtocol, metaLine("id bigint"), addDeleted(t, "f.parquet", data, deltatest.Inline(0, 1, 2)))
	if c := mustOpen(t, all, lakecopy.Options{}); c.Rows != 0 || c.Deleted != 3 {
		t.Errorf("%d rows, %d deleted", c.Rows, c.Deleted)
	}
}

// Positions count over batches and row groups, and flags are looked up among the
// rows that are there.
func TestDeletedRowsAcrossBatchesAndFlags(t *testing.T) {
	var rows []string
	var gone []int64
	var want, unflagged []string
	for i := range int64(1000) {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"_fivetran_deleted":%v,"_fivetran_synced":"2026-01-01"}`, i, i%5 == 0))
		if i%7 == 3 || i >= 400 && i < 420 || i == 999 {
			gone = append(gone, i)
			continue
		}
		want = append(want, fmt.Sprint(i))
		if i%5 != 0 {
			unflagged = append(unflagged, fmt.Sprint(i))
		}
	}
	const columns = "id bigint, _fivetran_deleted bool, _fivetran_synced string"
	data := madeInGroups(t, 64, columns, rows...)
	key, file, found := deltatest.Stored("q7", uuid.MustParse("d2c639aa-8816-431a-aaf6-d3fe2512ff61"), gone)
	m := folder(t, "f.parquet", data, key, file)
	commit(t, m, 0, 1000, vectorProtocol, metaLine(columns), addDeleted(t, "f.parquet", data, found[0]))
	c := mustOpen(t, m, lakecopy.Options{})
	for _, batch := range []int{1, 7, 64, 5000} {
		got, _ := idsBy(t, c, batch, nil)
		if !slices.Equal(got, want) {
			t.Errorf("batches of %d: %d rows, want %d", batch, len(got), len(want))
		}
		mark := c.Marks[slices.IndexFunc(c.Marks, func(m lakecopy.Mark) bool { return m.Kind == lakecopy.SoftDelete })]
		got, excluded := idsBy(t, c, batch, &mark)
		if !slices.Equal(got, unflagged) || excluded != int64(len(want)-len(unflagged)) {
			t.Errorf("batches of %d without flagged rows: %d rows, %d excluded; want %d, %d", batch, len(got), excluded, len(unflagged), len(want)-len(unflagged))
		}
	}
}

func idsBy(t *testing.T, c *lakecopy.Copy, batch int, mark *lakecopy.Mark) (out []string, excluded int64) {
	t.Helper()
	s := c.Read(context.Background(), c.Files[0], []string{"id"}, batch)
	if mark != nil {
		s.ExcludeFlagged(*mark)
	}
	for s.Next() {
		for i := range int(s.Record().NumRows()) {
			out = append(out, fmt.Sprint(value(s.Record().Column(0), i)))
		}
	}
	if err := errors.Join(s.Err(), s.Close()); err != nil {
		t.Fatal(err)
	}
	return out, s.Excluded()
}

func TestUnsoundVectorsAreRefusedWhenTheCopyIsOpened(t *testing.T) {
	data := made(t, "id bigint", `{"id":1}`, `{"id":2}`, `{"id":3}`)
	id := uuid.MustParse("d2c639aa-8816-431a-aaf6-d3fe2512ff61")
	key, file, found := deltatest.Stored("", id, []int64{1})
	damaged := slices.Clone(file)
	damaged[len(damaged)-1]++
	behind := deltatest.Inline(3)
	outside := *found[0]
	outside.StorageType, outside.PathOrInlineDv = "p", "s3://other/"+key
	for name, c := range map[string]struct {
		file  []byte // of vectors; nil is none
		d     *delta.DeletionVector
		code  verdict.Code
		names string
	}{
		"missing":       {nil, found[0], verdict.CopyUnreadable, key},
		"damaged":       {damaged, found[0], verdict.CopyUnreadable, "checksum"},
		"behind rows":   {file, behind, verdict.CopyUnreadable, "row 3"},
		"outside":       {file, &outside, verdict.CopyFeature, "s3://other/"},
		"another count": {file, &delta.DeletionVector{StorageType: "i", PathOrInlineDv: deltatest.Inline(1).PathOrInlineDv, SizeInBytes: deltatest.Inline(1).SizeInBytes, Cardinality: 2}, verdict.CopyUnreadable, "the log says 2"},
	} {
		t.Run(name, func(t *testing.T) {
			m := folder(t, "f.parquet", data)
			if c.file != nil {
				put(t, m, key, c.file)
			}
			commit(t, m, 0, 1000, vectorProtocol, metaLine("id bigint"), addDeleted(t, "f.parquet", data, c.d))
			refusal(t, m, lakecopy.Options{}, c.code, "f.parquet", c.names)
		})
	}
}

// A store that fails while a vector is read is told as that.
func TestVectorOfAStoreThatFails(t *testing.T) {
	data := made(t, "id bigint", `{"id":1}`, `{"id":2}`)
	key, file, found := deltatest.Stored("", uuid.MustParse("d2c639aa-8816-431a-aaf6-d3fe2512ff61"), []int64{1})
	m := folder(t, "f.parquet", data, key, file)
	commit(t, m, 0, 1000, vectorProtocol, metaLine("id bigint"), addDeleted(t, "f.parquet", data, found[0]))
	broken := errors.New("injected")
	r := storetest.Intercept(m, func(op storetest.Op) storetest.Fault {
		if op.Key == key {
			return storetest.Fault{Err: broken}
		}
		return storetest.Fault{}
	})
	if _, err := lakecopy.Open(context.Background(), r, lakecopy.Options{}); !errors.Is(err, broken) || !errors.Is(err, verdict.StoreUnreachable) {
		t.Error(err)
	}
}
