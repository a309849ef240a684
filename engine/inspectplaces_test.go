package engine_test

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/verdict"
)

func (k *kit) inspectCopy() (engine.CopyView, error) {
	k.t.Helper()
	session, _ := k.open()
	return engine.InspectCopy(k.t.Context(), session, k.request, nil)
}

func TestCopyIsTold(t *testing.T) {
	k := kitIn(t, scene{rows: `"generate": {"rows": 20000, "seed": 1, "columns": {"id": {"from": 1, "step": 1}, "name": {"text": "n{n}"}, "amount": {"pick": ["1.00"]}}}`})
	k.newCopy([]arrow.Field{field("ID", int32s), field("name", texts), field("Note", texts), field("_fivetran_synced", texts)}, `[{"ID": 1}, {"ID": 2}]`)
	k.writeCopy("b.parquet", orders(3))
	k.place("x", "copy", "_SUCCESS")
	k.place("x", "copy", "notes.txt")
	session, _ := k.open()
	k.request.Target, k.request.Facts, k.request.AsOf = "", "", "" // asked for later
	var done, total int
	v, err := engine.InspectCopy(t.Context(), session, k.request, func(d, n int) { done, total = d, n })
	k.must(err)
	if done != 2 || total != 2 {
		t.Errorf("told of %d of %d footers", done, total)
	}
	if v.Kind != lakecopy.Parquet || v.Files != 2 || v.Rows != 5 || v.Bytes == 0 || v.Columns != 6 || v.Matched != 2 || v.Version != nil {
		t.Errorf("%+v", v)
	}
	if !slices.Equal(v.Missing, []string{"amount"}) || !slices.Equal(v.Extra, []string{"Note", "_fivetran_synced", "etl"}) {
		t.Errorf("missing %q, extra %q", v.Missing, v.Extra)
	}
	if v.First.String() != "2026-10-24T12:31:00Z" || v.Last != v.First || v.Evidence != v.First || !strings.Contains(v.SeenIn, "a.parquet") {
		t.Errorf("from %s to %s, %s in %s", v.First, v.Last, v.Evidence, v.SeenIn)
	}
	want := `note passed over in the copy's folder: _SUCCESS, notes.txt
warn the copy has 5 rows and the table about 20,000
note column "_fivetran_synced" is Fivetran's bookkeeping and is left out`
	if diff := cmp.Diff(want, lines(v.Checks)); diff != "" {
		t.Error(diff)
	}
}

// A mark that an answer settles is asked about with the columns; one that none
// does is a refusal, beside what was found.
func TestMarksOfACopy(t *testing.T) {
	k := kitIn(t, scene{})
	k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", cents), field("_fivetran_deleted", arrow.FixedWidthTypes.Boolean)}, `[{"id": 1}]`)
	if v, err := k.inspectCopy(); err != nil || v.Files != 1 {
		t.Error(v, err)
	}
	k.dropCopy()
	k.writeCopy("LOAD00000001.parquet", orders(3))
	k.writeCopy("20261024-120000000.parquet", orders(1))
	v, err := k.inspectCopy()
	if !isCode(err, verdict.CopyMarks) || v.Files != 2 || !strings.Contains(err.Error(), "AWS DMS") {
		t.Error(v, err)
	}
	k.agrees()
}

func TestDeltaCopyIsTold(t *testing.T) {
	k := kitIn(t, scene{})
	k.deltaCopy(nil)
	k.appendRows("copy", `[{"id": 1, "name": "x", "amount": "1.00"}]`)
	v, err := k.inspectCopy()
	k.must(err)
	if v.Kind != lakecopy.Delta || v.Version == nil || *v.Version != 1 || v.Matched != 3 || v.Rows != 1 || !strings.HasPrefix(v.SeenIn, "version 0") {
		t.Errorf("%+v", v)
	}
	k.agrees()
}

// A place that was typed as a shell would expand it is refused as on the command line.
func TestPlacesAreReadAsTyped(t *testing.T) {
	k := kitIn(t, scene{})
	session, _ := k.open()
	r := k.request
	r.Copy, r.Target = "~/copy", "bronze.orders"
	if _, err := engine.InspectCopy(t.Context(), session, r, nil); !isCode(err, verdict.Usage) {
		t.Error(err)
	}
	if _, err := engine.InspectTarget(t.Context(), session, r); !isCode(err, verdict.Usage) {
		t.Error(err)
	}
	r.Copy = ""
	if _, err := engine.InspectCopy(t.Context(), session, r, nil); !isCode(err, verdict.Usage) || !strings.Contains(err.Error(), "--copy is missing") {
		t.Error(err)
	}
	if _, err := engine.InspectColumns(t.Context(), session, r, engine.CopyView{}, engine.TargetView{}, true, nil); !isCode(err, verdict.Usage) {
		t.Error(err)
	}
}

func (k *kit) inspectTarget() engine.TargetView {
	k.t.Helper()
	session, _ := k.open()
	v, err := engine.InspectTarget(k.t.Context(), session, k.request)
	k.must(err)
	if len(v.Checks) > 0 && v.Checks[len(v.Checks)-1].Text == "this user can write there" {
		v.Checks = v.Checks[:len(v.Checks)-1] // not known on every system
	}
	return v
}

func TestTargetIsTold(t *testing.T) {
	for _, c := range []struct {
		name    string
		arrange func(*kit)
		want    string
	}{
		{"missing", func(*kit) {}, `ok the target is missing: it is made first
ok no snapshot of the table is in the target
note keep the stream stopped until the seed is committed`},
		{"missing, with facts", func(k *kit) { k.withFacts() }, `ok the target is missing: it is made first
ok no snapshot of the table is in the target
note keep the stream stopped until the seed is committed
ok the facts table is missing: it is made when the seed is committed`},
		{"empty, with facts", func(k *kit) {
			k.withFacts().bronzeTable(nil)
			k.factsTable(nil)
		}, `ok the target is a Delta table, version 0, protocol 3/7 (timestampNtz, invariants, appendOnly)
ok no snapshot of the table is in the target
ok the facts table is version 0 and has no row of app id "orders-v1" yet`},
		{"with a snapshot", func(k *kit) {
			k.bronzeTable(nil)
			k.appendRows("bronze", snapshotRow(lsnAt(5), "null"))
		}, `ok the target is a Delta table, version 1, protocol 3/7 (timestampNtz, invariants, appendOnly)
note the target holds a snapshot of the table at ` + lsnAt(5) + `
ok the changes after the target's newest row, at ` + lsnAt(5) + `, are kept: its stream can go on
warn the target holds rows: the stream that writes it must stay stopped until the seed is committed`},
		{"with a part of a snapshot", func(k *kit) {
			k.bronzeTable(nil)
			k.appendRows("bronze", snapshotRow(lsnAt(5), "1"))
		}, `ok the target is a Delta table, version 1, protocol 3/7 (timestampNtz, invariants, appendOnly)
note the target holds a snapshot of the table at ` + lsnAt(5) + `, taken in chunks
ok the changes after the target's newest row, at ` + lsnAt(5) + `, are kept: its stream can go on
warn the target holds rows: the stream that writes it must stay stopped until the seed is committed`},
		{"a protocol to upgrade, as answered", func(k *kit) {
			k.bronzeTable(withoutNTZ)
			k.request.UpgradeProtocol = true
		}, `ok the target is a Delta table, version 0, protocol 1/2
ok no snapshot of the table is in the target
note the commit enables timestampNtz: protocol 3/7, which older readers can no longer read`},
		{
			"a column to add", func(k *kit) {
				k.bronzeTable(inSchema(`,{"name":"amount","type":"decimal(10,2)","nullable":true,"metadata":{}}`, ""))
			},
			`ok the target is a Delta table, version 0, protocol 3/7 (timestampNtz, invariants, appendOnly)
ok no snapshot of the table is in the target
note the commit adds columns, which are NULL in the rows there: amount`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := kitIn(t, scene{})
			c.arrange(k)
			before := k.tree()
			v := k.inspectTarget()
			same(t, "inspected", before, k.tree())
			if diff := cmp.Diff(c.want, lines(v.Checks)); diff != "" {
				t.Error(diff)
			}
			if v.NeedsNTZ != nil || v.URL != k.request.Target || v.Free == nil || *v.Free <= 0 {
				t.Errorf("%+v", v)
			}
		})
	}
}

// A protocol that lacks the upgrade is a question, and everything else is told.
func TestTargetThatNeedsAnUpgrade(t *testing.T) {
	k := kitIn(t, scene{})
	k.bronzeTable(withoutNTZ)
	v := k.inspectTarget()
	if v.NeedsNTZ == nil || v.NeedsNTZ.Code != verdict.TargetNeedsNTZ || v.UpgradeNTZ || v.Protocol != "1/2" || v.Version != 0 {
		t.Errorf("%+v", v)
	}
	k.request.UpgradeProtocol = true
	k.agrees()
}

func TestTargetHolds(t *testing.T) {
	k := kitIn(t, scene{})
	k.bronzeTable(nil)
	k.appendRows("bronze", snapshotRow(lsnAt(5), "null"))
	k.appendRows("bronze", snapshotRow(lsnAt(7), "1"))
	k.appendRows("bronze", strings.Replace(snapshotRow(lsnAt(7), "2"), "12:05", "12:07", 1))
	v := k.inspectTarget()
	if len(v.Held) != 2 || v.Files != 3 {
		t.Fatalf("%+v", v.Held)
	}
	newest, oldest := v.Held[0], v.Held[1]
	if newest.LSN.String() != lsnAt(7) || newest.Rows != 2 || !newest.Chunked || textOf(newest.Commit) != "2026-10-24T12:07:00Z" ||
		oldest.LSN.String() != lsnAt(5) || oldest.Rows != 1 || oldest.Chunked {
		t.Errorf("%+v", v.Held)
	}
}

func TestFactsRowThatIsThere(t *testing.T) {
	k := kitIn(t, scene{}).withFacts()
	k.factsTable(nil)
	k.commit("facts", delta.Append{Operation: "WRITE", Txn: &delta.Txn{AppID: "orders-v1#events", Version: 0}})
	if v := k.inspectTarget(); !v.Facts.Present || !strings.Contains(lines(v.Checks), `note the facts table has a row of app id "orders-v1" already`) {
		t.Errorf("%+v\n%s", v.Facts, lines(v.Checks))
	}
	k.agrees()
}

func TestPlacesThatLieInOneAnother(t *testing.T) {
	k := kitIn(t, scene{})
	session, _ := k.open()
	k.request.Target = k.path("copy", "bronze")
	if _, err := engine.InspectTarget(t.Context(), session, k.request); !isCode(err, verdict.TargetPath) {
		t.Error(err)
	}
	k.request.Copy = "" // asked for later
	if _, err := engine.InspectTarget(t.Context(), session, k.request); err != nil {
		t.Error(err)
	}
}

func TestRoom(t *testing.T) {
	free := int64(999)
	for _, c := range []struct {
		view engine.TargetView
		copy int64
		want string
	}{
		{engine.TargetView{}, 5, "note how much is free on the target's disk is not known"},
		{engine.TargetView{Free: &free}, 1_234_567, "note the target's disk has 999 B free, and the copy has 1.2 MB"},
		{engine.TargetView{Free: &free}, 999, "ok the target's disk has 999 B free; the copy has 999 B"},
	} {
		if got := lines([]verdict.Check{c.view.Room(engine.CopyView{Bytes: c.copy})}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// Whether this user may write is told without trying.
func TestTargetThatMayNotBeWritten(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("this user may write everywhere")
	}
	k := kitIn(t, scene{})
	k.must(os.Mkdir(k.path("locked"), 0o555))
	k.request.Target = k.path("locked", "bronze")
	if v := k.inspectTarget(); !strings.HasSuffix(lines(v.Checks), "note this user may not write at the target's place") {
		t.Error(lines(v.Checks))
	}
}
