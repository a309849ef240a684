package bronze_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/delta/deltatest"
	"cdcseed/engine/verdict"
)

var orders = captured("order_id:integer", "status:string")

func lsnText(n string) string { return "0x000000000000000000" + n }

func stamp(t *testing.T, instance, n string, at int64) bronze.Stamp {
	t.Helper()
	s := bronze.Stamp{Instance: instance, LSN: position(t, lsnText(n))}
	if at != 0 {
		i := commit.At + clock.Instant(at)*clock.Millisecond
		s.Commit = &i
	}
	return s
}

func change(n string) row {
	return row{"_capture_instance": "dbo_orders", "_start_lsn": lsnText(n), "_seqval": lsnText(n), "_operation": 2, "_command_id": 1, "_batch_id": 1}
}

func chunkRow(t *testing.T, snapshot, start string, chunk int) row {
	t.Helper()
	r := rowsOf(stamp(t, "dbo_orders", start, 7), 1)[0]
	r["_snapshot"], r["_chunk"] = lsnText(snapshot), chunk
	return r
}

func told(s *bronze.Snapshot) string {
	if s == nil {
		return "none"
	}
	return fmt.Sprintf("%s %s %d rows %q chunked %v", s.Instance, strings.TrimPrefix(s.LSN.String(), "0x000000000000000000"), s.Rows, s.CommitText(), s.Chunked)
}

func look(t *testing.T, w *table, snap *delta.Snapshot, instances ...string) *bronze.Snapshots {
	t.Helper()
	if len(instances) == 0 {
		instances = []string{"DBO_orders"}
	}
	s, err := bronze.Lookup(t.Context(), w, snap, instances)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLookupAnswersFromStatistics(t *testing.T) {
	w, snap := newTable(t, orders)
	if got := told(look(t, w, snap).Newest()); got != "none" {
		t.Error("an empty table holds", got)
	}
	snap = w.commit(t, w.file(t, snap.Schema, rowsOf(stamp(t, "dbo_orders", "10", 1), 3)...), w.file(t, snap.Schema, rowsOf(stamp(t, "dbo_orders", "10", 1), 2)...))
	snap = w.commit(t, w.file(t, snap.Schema, change("11"), change("12")))
	snap = w.commit(t, w.file(t, snap.Schema, rowsOf(stamp(t, "dbo_orders_v2", "20", 0), 4)...))
	snap = w.commit(t, w.file(t, snap.Schema, rowsOf(stamp(t, "dbo_other", "30", 3), 1)...))

	s := look(t, w, snap, "DBO_ORDERS", "dbo_orders_V2")
	if s.Read != 0 {
		t.Errorf("%d files were opened", s.Read)
	}
	for what, c := range map[string][2]string{
		"newest":                               {told(s.Newest()), `dbo_orders_v2 20 4 rows "" chunked false`},
		"newest whole":                         {told(s.NewestWhole()), `dbo_orders_v2 20 4 rows "" chunked false`},
		"at 10":                                {told(s.At(position(t, lsnText("10")))), `dbo_orders 10 5 rows "2026-09-21T14:13:20.001" chunked false`},
		"at 11":                                {told(s.At(position(t, lsnText("11")))), "none"},
		"at 30":                                {told(s.At(position(t, lsnText("30")))), "none"},
		"by its own time":                      {told(s.NewestBy(commit.At + clock.Millisecond)), `dbo_orders 10 5 rows "2026-09-21T14:13:20.001" chunked false`},
		"by a time before, to the microsecond": {told(s.NewestBy(commit.At + clock.Millisecond - 1)), "none"},
		"of v2 alone":                          {told(look(t, w, snap, "dbo_orders_v2").At(position(t, lsnText("10")))), "none"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %s, want %s", what, c[0], c[1])
		}
	}
}

func TestLookupReadsWhereStatisticsCannotTell(t *testing.T) {
	long := "dbo_" + strings.Repeat("long_name_", 4)
	for _, c := range []struct {
		name string
		rows []row
		want string
		find []string
	}{
		{"changes beside snapshot rows", append(rowsOf(stamp(t, "dbo_orders", "10", 1), 2), change("11")), `dbo_orders 10 2 rows "2026-09-21T14:13:20.001" chunked false`, nil},
		{"changes around operation 0", []row{{"_operation": -1}, {"_operation": 1}}, "none", nil},
		{"an unknown operation beside", append(rowsOf(stamp(t, "dbo_orders", "10", 1), 2), row{"_start_lsn": lsnText("11")}), `dbo_orders 10 2 rows "2026-09-21T14:13:20.001" chunked false`, nil},
		{"two snapshots in one file", append(rowsOf(stamp(t, "dbo_orders", "10", 1), 2), rowsOf(stamp(t, "dbo_orders", "12", 2), 3)...), `dbo_orders 12 3 rows "2026-09-21T14:13:20.002" chunked false`, nil},
		{"a name that statistics cut", rowsOf(stamp(t, long+"a", "10", 1), 2), long + `a 10 2 rows "2026-09-21T14:13:20.001" chunked false`, []string{long + "A"}},
		{"another name with the same beginning", rowsOf(stamp(t, long+"a", "10", 1), 2), "none", []string{long + "b"}},
		{"a whole and a chunked one", append(rowsOf(stamp(t, "dbo_orders", "10", 1), 2), chunkRow(t, "12", "13", 1)), `dbo_orders 12 1 rows "2026-09-21T14:13:20.007" chunked true`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, snap := newTable(t, orders)
			snap = w.commit(t, w.file(t, snap.Schema, c.rows...))
			s := look(t, w, snap, c.find...)
			if s.Read != 1 || told(s.Newest()) != c.want {
				t.Errorf("%d files read, %s, want %s", s.Read, told(s.Newest()), c.want)
			}
		})
	}
}

func TestLookupWithoutStatistics(t *testing.T) {
	w, snap := newTable(t, orders)
	add := w.file(t, snap.Schema, rowsOf(stamp(t, "dbo_orders", "10", 1), 3)...)
	add.Stats = ""
	snap = w.commit(t, add)
	if s := look(t, w, snap); s.Read != 1 || told(s.Newest()) != `dbo_orders 10 3 rows "2026-09-21T14:13:20.001" chunked false` {
		t.Error(s.Read, told(s.Newest()))
	}
}

func TestLookupReadsOnlyWhatIsUnknown(t *testing.T) {
	w, snap := newTable(t, orders)
	add := w.file(t, snap.Schema, rowsOf(stamp(t, "dbo_orders", "10", 1), 3)...)
	var stats map[string]any
	if err := json.Unmarshal([]byte(add.Stats), &stats); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"minValues", "maxValues", "nullCount"} {
		delete(stats[part].(map[string]any), "_snapshot")
		delete(stats[part].(map[string]any), "_chunk")
	}
	// Another position than the rows have tells that it was not read from them.
	for _, part := range []string{"minValues", "maxValues"} {
		stats[part].(map[string]any)["_start_lsn"] = lsnText("0F")
	}
	text, err := json.Marshal(stats)
	if err != nil {
		t.Fatal(err)
	}
	add.Stats = string(text)
	snap = w.commit(t, add)
	s := look(t, w, snap)
	if s.Read != 1 || told(s.Newest()) != `dbo_orders 10 3 rows "2026-09-21T14:13:20.001" chunked false` || s.Held[0].Start != position(t, lsnText("0F")) {
		t.Errorf("%d files, %+v", s.Read, s.Held)
	}
	if s := look(t, w, snap, "dbo_other"); s.Read != 0 || len(s.Held) != 0 {
		t.Errorf("a file of another instance was read: %+v", s)
	}
}

func TestLookupOfChunkedSnapshots(t *testing.T) {
	w, snap := newTable(t, orders)
	snap = w.commit(t, w.file(t, snap.Schema, chunkRow(t, "12", "13", 1)), w.file(t, snap.Schema, chunkRow(t, "12", "14", 2)))
	s := look(t, w, snap)
	if s.Read != 0 {
		t.Errorf("%d files were opened", s.Read)
	}
	if s.NewestWhole() != nil || s.At(position(t, lsnText("13"))) != nil || s.NewestBy(commit.At+clock.Hour) != nil {
		t.Error("a chunked snapshot was taken for a whole one")
	}
	if got := told(s.Newest()); got != `dbo_orders 12 2 rows "2026-09-21T14:13:20.007" chunked true` {
		t.Error(got)
	}
}

func TestLookupOfRowsFromBeforeTheSnapshotColumn(t *testing.T) {
	w, snap := newTable(t, orders)
	old := delta.Schema{}
	for _, f := range snap.Schema.Fields {
		if f.Name != "_snapshot" && f.Name != "_chunk" {
			old.Fields = append(old.Fields, f)
		}
	}
	snap = w.commit(t, w.file(t, old, rowsOf(stamp(t, "dbo_orders", "10", 1), 2)...))
	if s := look(t, w, snap); told(s.At(position(t, lsnText("10")))) != `dbo_orders 10 2 rows "2026-09-21T14:13:20.001" chunked false` {
		t.Error(told(s.Newest()))
	}
}

func TestLookupUnderDeletionVectors(t *testing.T) {
	create, err := bronze.NewTable(orders, true, "table", commit)
	if err != nil {
		t.Fatal(err)
	}
	create.Protocol.ReaderFeatures = append(create.Protocol.ReaderFeatures, "deletionVectors")
	create.Protocol.WriterFeatures = append(create.Protocol.WriterFeatures, "deletionVectors")
	for _, c := range []struct {
		name   string
		rows   []row
		hidden []int64
		want   string
		read   int
	}{
		{"some of a whole file", rowsOf(stamp(t, "dbo_orders", "10", 1), 3), []int64{1}, `dbo_orders 10 2 rows "2026-09-21T14:13:20.001" chunked false`, 0},
		{"all of a whole file", rowsOf(stamp(t, "dbo_orders", "10", 1), 3), []int64{0, 1, 2}, "none", 0},
		{"a snapshot's row of a mixed file", append(rowsOf(stamp(t, "dbo_orders", "10", 1), 2), change("11")), []int64{0}, `dbo_orders 10 1 rows "2026-09-21T14:13:20.001" chunked false`, 1},
		{"the change of a mixed file", append(rowsOf(stamp(t, "dbo_orders", "10", 1), 2), change("11")), []int64{2}, `dbo_orders 10 2 rows "2026-09-21T14:13:20.001" chunked false`, 1},
		{"all snapshot rows of a mixed file", append(rowsOf(stamp(t, "dbo_orders", "10", 1), 2), change("11")), []int64{0, 1}, "none", 1},
		{"changes only", []row{change("11"), change("12")}, []int64{1}, "none", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, snap := tableFrom(t, create)
			add := w.file(t, snap.Schema, c.rows...)
			add.DeletionVector = deltatest.Inline(c.hidden...)
			with := *snap
			with.Files = []delta.Add{add}
			s, err := bronze.Lookup(t.Context(), w, &with, []string{"dbo_orders"})
			if err != nil || told(s.Newest()) != c.want || s.Read != c.read {
				t.Error(err, told(s.Newest()), s.Read)
			}
		})
	}
	w, snap := tableFrom(t, create)
	add := w.file(t, snap.Schema, append(rowsOf(stamp(t, "dbo_orders", "10", 1), 2), change("11"))...)
	add.DeletionVector = deltatest.Inline(7)
	with := *snap
	with.Files = []delta.Add{add}
	if _, err := bronze.Lookup(t.Context(), w, &with, []string{"dbo_orders"}); !errors.Is(err, verdict.TargetCorrupt) {
		t.Error("a vector of rows that are not there:", err)
	}
}

func TestLookupRefusesRowsWithoutAPosition(t *testing.T) {
	for _, bad := range []any{nil, "soon"} {
		w, snap := newTable(t, orders)
		r := rowsOf(stamp(t, "dbo_orders", "10", 1), 1)[0]
		r["_start_lsn"] = bad
		snap = w.commit(t, w.file(t, snap.Schema, r))
		if s, err := bronze.Lookup(t.Context(), w, snap, []string{"dbo_orders"}); !errors.Is(err, verdict.TargetNotBronze) {
			t.Errorf("%v: %v, %v", bad, s, err)
		}
	}
}
