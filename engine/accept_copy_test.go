package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"cdcseed/engine"
	"cdcseed/engine/delta"
)

// seeded runs the request and fails where it does not end in n new rows.
func (k *kit) seeded(n int64) engine.Result {
	k.t.Helper()
	got, err := k.seed()
	if err != nil || got.State != engine.Ready || got.Rows != n {
		k.t.Fatalf("%+v, %v; want %d rows", got, err, n)
	}
	return got
}

// nulls is how many rows of the target have NULL in a column, by the log.
func (k *kit) nulls(column string) int64 {
	k.t.Helper()
	var sum int64
	_, snap := k.snapshot("bronze")
	for _, f := range snap.Files {
		s, err := f.ParseStats()
		k.must(err)
		n, ok := s.Nulls(column)
		if !ok {
			k.t.Fatalf("%s of %s is not counted", column, f.Path)
		}
		sum += n
	}
	return sum
}

// Case 13: what the copy has more is dropped and said; what it lacks is NULL only where that was answered.
func TestColumnsMoreAndFewer(t *testing.T) {
	k := kitIn(t, scene{})
	k.newCopy([]arrow.Field{field("ID", int32s), field("name", texts), field("Note", texts)}, `[{"ID": 1, "name": "x", "Note": "n"}, {"ID": 2}]`)
	k.request.Missing = map[string]string{"AMOUNT": "null"}
	p, err := k.build()
	k.must(err)
	if !slices.Equal(p.Columns.LeftOut, []string{"Note"}) {
		t.Errorf("left out %q", p.Columns.LeftOut)
	}
	k.seeded(2)
	if k.nulls("amount") != 2 || k.nulls("id") != 0 || k.nulls("name") != 1 {
		t.Errorf("NULL: amount %d, id %d, name %d", k.nulls("amount"), k.nulls("id"), k.nulls("name"))
	}
	_, snap := k.snapshot("bronze")
	if _, there := snap.Schema.Field("Note"); there {
		t.Error("a column that is not captured is in the target")
	}
}

// Case 6: rows that another tool flagged are left out or kept, as answered, and counted.
func TestFlaggedRowsAreLeftOut(t *testing.T) {
	for column, c := range map[string]struct {
		kind arrow.DataType
		flag string
	}{
		"_fivetran_deleted":  {arrow.FixedWidthTypes.Boolean, "true"},
		"_ab_cdc_deleted_at": {texts, `"2026-09-01"`},
	} {
		k := kitIn(t, scene{})
		k.newCopy([]arrow.Field{field("id", int32s), field("name", texts), field("amount", cents), field(column, c.kind)},
			fmt.Sprintf(`[{"id": 1}, {"id": 2, %q: %s}, {"id": 3}]`, column, c.flag))
		k.request.ExcludeDeleted = true
		if got := k.seeded(2); got.Excluded != 1 {
			t.Errorf("%s: %d excluded", column, got.Excluded)
		}
		if got := k.lastCommit("bronze").Info.Tags["cdcseed.excluded"]; got != "1" {
			t.Errorf("%s: the commit records %q rows as left out", column, got)
		}
	}
}

// Case 20: files that are no data are passed over and listed.
func TestFilesBesideTheCopy(t *testing.T) {
	k := kitIn(t, scene{})
	k.writeCopy("part-1.parquet", nil)
	for _, name := range []string{"_SUCCESS", ".part-0.parquet.crc", "_committed_123", "part-3.parquet.tmp"} {
		k.place("", "copy", name)
	}
	p, err := k.build()
	k.must(err)
	passed := []string{".part-0.parquet.crc", "_SUCCESS", "_committed_123", "part-3.parquet.tmp"}
	if said := fmt.Sprint(p.Checks); !strings.Contains(said, "passed over in the copy's folder: "+strings.Join(passed, ", ")) || !slices.Equal(p.Copy.Skipped, passed) {
		t.Error(said, p.Copy.Skipped)
	}
	k.seeded(3)
}

// Case 14: a Delta root is read by its log, whatever else lies there.
func TestDeltaRootIsReadByItsLog(t *testing.T) {
	k := kitIn(t, scene{})
	k.deltaCopy(nil)
	k.appendRows("copy", `[{"id": 1}, {"id": 2}, {"id": 3}]`)
	_, snap := k.snapshot("copy")
	gone := snap.Files[0].Path
	k.appendRows("copy", `[{"id": 1}, {"id": 3}]`)
	k.place(fmt.Sprintf(`{"commitInfo": {"timestamp": %d, "operation": "DELETE"}}
{"remove": {"path": %q, "deletionTimestamp": 1, "dataChange": true}}
`, int64(someTime)/1000, gone), "copy", "_delta_log", "00000000000000000003.json")
	k.request.AsOf = lsnAt(0)
	k.request.AllowAsOfAfterCopy, k.request.Accept = true, []string{"as_of_after_copy"}
	p, err := k.build()
	k.must(err)
	if p.Copy.Kind != "delta" || p.Copy.Version == nil || *p.Copy.Version != 3 {
		t.Errorf("%+v", p.Copy)
	}
	k.seeded(2)
}

// A copy of a Delta table that goes on is read at the version that was planned.
func TestDeltaCopyThatMovesIsReadAsPlanned(t *testing.T) {
	k := kitIn(t, scene{})
	k.deltaCopy(nil)
	k.appendRows("copy", `[{"id": 1}, {"id": 2}]`)
	k.request.AllowAsOfAfterCopy, k.request.Accept = true, []string{"as_of_after_copy"}
	p, err := k.build()
	k.must(err)
	k.appendRows("copy", `[{"id": 3}]`)
	got, err := k.execute(p)
	if err != nil || got.Rows != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Decision 12: a snapshot of the stream that can no longer complete, or that
// was completed, or that is another's, stands in nobody's way.
func TestOpenSnapshotsThatBlockNothing(t *testing.T) {
	for name, rows := range map[string][]string{
		"purged, in one piece":      {openRow(lsnText("0001"), "full")},
		"completed":                 {openRow(lsnAt(20), "chunked"), strings.ReplaceAll(bootstrapRow(lsnAt(20)), "orders-v1", "orders-v1.g1")},
		"another target's":          {strings.ReplaceAll(openRow(lsnAt(20), "chunked"), "bronze.orders", "bronze.other")},
		"another stream's":          {strings.ReplaceAll(openRow(lsnAt(20), "chunked"), "orders-v1", "orders-v2")},
		"of the name and no number": {strings.ReplaceAll(openRow(lsnAt(20), "chunked"), "orders-v1", "orders-v1.gx")},
	} {
		t.Run(name, func(t *testing.T) {
			k := kitIn(t, scene{}).withFacts()
			k.factsTable(nil)
			for _, r := range rows {
				k.appendRows("facts", r)
			}
			if got := k.seeded(3); got.FactsRow != "written" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// bootstrapRow is a facts row of a first snapshot that was completed.
func bootstrapRow(l string) string {
	return fmt.Sprintf(`[{"app_id": "orders-v1", "event": "bootstrap", "target": "bronze.orders", "min_lsn": %q, "max_lsn": %q}]`, l, l)
}

// Case 4: with consent, one commit holds protocol, metaData and adds.
func TestProtocolUpgradeRidesInTheDataCommit(t *testing.T) {
	k := kitIn(t, scene{})
	k.bronzeTable(func(c *delta.Create) {
		withoutNTZ(c)
		inSchema(`{"name":"amount","type":"decimal(10,2)","nullable":true,"metadata":{}},`, "")(c)
	})
	k.request.UpgradeProtocol = true
	p, err := k.build()
	k.must(err)
	if !p.Target.UpgradeNTZ || !slices.Equal(p.Target.AddColumns, []string{"amount"}) {
		t.Errorf("%+v", p.Target)
	}
	if got := k.seeded(3); got.Version != 1 {
		t.Errorf("%+v", got)
	}
	c := k.lastCommit("bronze")
	if c.Version != 1 || c.Protocol == nil || c.Metadata == nil || len(c.Adds) != 1 {
		t.Fatalf("%+v", c)
	}
	if got := c.Protocol.String(); got != "3/7 [timestampNtz,invariants,appendOnly]" || !slices.Equal(c.Protocol.ReaderFeatures, []string{"timestampNtz"}) {
		t.Error(got, c.Protocol.ReaderFeatures)
	}
	var names []string
	_, snap := k.snapshot("bronze")
	for _, f := range snap.Schema.Fields {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); !strings.HasSuffix(got, "id name _batch_id _snapshot _chunk amount") {
		t.Errorf("a new column comes last, got %s", got)
	}
}

// Case 48: features that a seed honours.
func TestFeaturesOfTheTargetAreHonoured(t *testing.T) {
	t.Run("row tracking", func(t *testing.T) {
		k := kitIn(t, scene{})
		k.bronzeTable(func(c *delta.Create) {
			writerFeatures("rowTracking", "domainMetadata")(c)
			property("delta.enableRowTracking", "true")(c)
			property("delta.rowTracking.materializedRowIdColumnName", "_row-id-1")(c)
			property("delta.rowTracking.materializedRowCommitVersionColumnName", "_row-commit-1")(c)
		})
		k.seeded(3)
		c := k.lastCommit("bronze")
		if len(c.Adds) != 1 || c.Adds[0].BaseRowID == nil || *c.Adds[0].BaseRowID != 0 || *c.Adds[0].DefaultRowCommitVersion != 1 {
			t.Errorf("%+v", c.Adds)
		}
		if len(c.Domains) != 1 || c.Domains[0].Domain != "delta.rowTracking" || !strings.Contains(c.Domains[0].Configuration, `"rowIdHighWaterMark":2`) {
			t.Errorf("%+v", c.Domains)
		}
	})
	t.Run("append only", func(t *testing.T) {
		k := kitIn(t, scene{})
		k.bronzeTable(property("delta.appendOnly", "true"))
		k.seeded(3)
	})
}
