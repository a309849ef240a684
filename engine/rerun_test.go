package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

// rerun is a seed that is asked for again after something happened to it.
type rerun struct {
	name  string
	then  func(*kit) // to the target, the source or the request
	notes string     // among the plan's checks
}

func reruns() []rerun {
	return []rerun{
		{name: "the same", notes: "its commit in the target's log names this as_of"},
		{name: "by its LSN", then: func(k *kit) { k.request.AsOf = lsnAt(30) }, notes: "the target holds its rows"},
		{name: "by another time that maps to it", then: func(k *kit) { k.request.AsOf = "2026-10-24T12:30:59.9Z" }, notes: "the target holds its rows"},
		{
			name: "from a copy that changed", then: func(k *kit) { k.writeCopy("b.parquet", orders(7)) },
			notes: "not the one that the seed was made from",
		},
		{name: "from the same copy", notes: "the seed was made from this copy"},
		{name: "from another copy, by its LSN", then: func(k *kit) {
			k.request.AsOf = lsnAt(30)
			k.writeCopy("b.parquet", orders(7))
		}, notes: "not the one that the seed was made from"},
		{name: "of a snapshot that was no seed of ours", then: func(k *kit) {
			k.must(os.RemoveAll(k.path("bronze")))
			k.bronzeTable(nil)
			k.appendRows("bronze", strings.ReplaceAll(snapshotRow(lsnAt(30), "null"), "12:05", "12:30"))
		}, notes: "whether the seed was made from this copy is not recorded"},
		{name: "by its LSN after cleanup", then: func(k *kit) {
			k.request.AsOf = lsnAt(30)
			k.cleanup(lsnAt(50))
		}, notes: "the changes right after L are not kept any more"},
		{name: "after cleanup of its mapping row", then: func(k *kit) { k.cleanup(lsnAt(50)) }, notes: "names this as_of"},
		{name: "after the instance was made again", then: func(k *kit) {
			k.must(k.server.DropInstance("Sales", "dbo_orders"))
			start := parsed(k, lsnAt(59))
			k.must(k.server.Capture("Sales", newInstance("dbo_orders", &start)))
		}, notes: "names this as_of"},
		{name: "under rows of the stream", then: func(k *kit) { k.appendRows("bronze", changeRow) }, notes: "names this as_of"},
		{name: "under a newer snapshot", then: func(k *kit) { k.appendRows("bronze", snapshotRow(lsnAt(40), "null")) }, notes: "names this as_of"},
		{name: "under a newer snapshot, by its LSN", then: func(k *kit) {
			k.request.AsOf = lsnAt(30)
			k.appendRows("bronze", snapshotRow(lsnAt(40), "null"))
		}, notes: "the target holds its rows"},
		{name: "case 47: behind a checkpoint", then: (*kit).forgetCommits, notes: "the target holds its rows"},
		{name: "case 47: behind a checkpoint, after cleanup", then: func(k *kit) {
			k.forgetCommits()
			k.cleanup(lsnAt(50))
		}, notes: "the target holds its rows"},
		{name: "case 47: behind a checkpoint, after cleanup, from another copy", then: func(k *kit) {
			k.forgetCommits()
			k.cleanup(lsnAt(50))
			k.writeCopy("b.parquet", orders(7))
		}, notes: "whether the seed was made from this copy is not recorded"},
		{name: "with accepted warnings that are gone", then: func(k *kit) { k.request.Accept = []string{"stream_must_be_stopped", "fell_back"} }, notes: "names this as_of"},
	}
}

// A seed asked for again is found, and nothing is written, whatever happened meanwhile.
func TestReruns(t *testing.T) {
	for _, r := range reruns() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			k := kitIn(t, scene{}).withFacts()
			first := k.seeded(3)
			if r.then != nil {
				r.then(k)
			}
			before := k.tree()
			p, err := k.build()
			k.must(err)
			if p.State != engine.AlreadySeeded || p.AsOf.L != first.L || textOf(p.AsOf.CommitTS) != "2026-10-24T12:30:00Z" {
				t.Errorf("%s %s %s", p.State, p.AsOf.L, textOf(p.AsOf.CommitTS))
			}
			if said := fmt.Sprint(p.Checks); !strings.Contains(said, r.notes) {
				t.Errorf("%s does not say %q", said, r.notes)
			}
			got, err := k.execute(p)
			k.must(err)
			if got.State != engine.AlreadySeeded || got.L != first.L || got.Rows != 0 || got.FactsRow != "present" {
				t.Errorf("%+v", got)
			}
			same(t, "rerun", before, k.tree())
			gone := strings.Contains(r.name, "cleanup") || strings.Contains(r.name, "made again")
			if next := strings.Join(got.Follow, "\n"); strings.Contains(next, "One that has not started from it cannot any more") != gone ||
				strings.Contains(next, "If the stream runs from this seed already, leave it") == gone {
				t.Errorf("changes gone: %v, and what is to be done next:\n%s", gone, next)
			}
		})
	}
}

// Another LSN than the seed's is another seed.
func TestAnotherLSNIsRefused(t *testing.T) {
	k := kitIn(t, scene{})
	k.seeded(3)
	for _, asOf := range []string{lsnAt(29), lsnAt(31), "2026-10-24T12:29:30Z"} {
		k.request.AsOf = asOf
		before := k.tree()
		_, err := k.seed()
		if e := verdict.As(err); e == nil || e.Code != verdict.TargetHoldsSnapshot || e.Code.Exit() != 6 || !strings.Contains(e.Error(), "held "+lsnAt(30)) {
			t.Errorf("as_of %s: %v", asOf, err)
		}
		same(t, asOf, before, k.tree())
	}
	k.request.AsOf, k.request.CopyLag = "2026-10-24T12:30:30Z", 10*time.Minute // the same as_of for another copy
	if _, err := k.seed(); verdict.As(err) == nil || verdict.As(err).Code != verdict.TargetHoldsSnapshot {
		t.Error("with a lag:", err)
	}
}

// A facts table that was not there at the first run gets its row by a rerun,
// without what only the first run knew.
func TestRerunWritesAMissingFactsRow(t *testing.T) {
	k := kitIn(t, scene{})
	k.seeded(3)
	bronze := k.tree("bronze")
	k.withFacts()
	got, err := k.seed()
	k.must(err)
	if got.State != engine.AlreadySeeded || got.FactsRow != "written" {
		t.Errorf("%+v", got)
	}
	same(t, "target", bronze, k.tree("bronze"))
	c := k.lastCommit("facts")
	s, err := c.Adds[0].ParseStats()
	k.must(err)
	for column, want := range map[string]int64{"rows": 1, "started_at": 1, "duration_ms": 1, "min_commit_ts": 0, "written_at": 0} {
		if n, ok := s.Nulls(column); !ok || n != want {
			t.Errorf("%d NULL in %s, want %d", n, column, want)
		}
	}
	if len(c.Txns) != 1 || c.Txns[0].AppID != "orders-v1#events" || c.Txns[0].Version != 0 || s.Max["max_lsn"] != lsnAt(30) {
		t.Errorf("%+v %v", c.Txns, s.Max)
	}
}

// The same seed written by another run between plan and execution is this
// plan's own: exit 0, and nothing is left of what was staged.
func TestAnotherRunOfTheSameSeedWins(t *testing.T) {
	k := kitIn(t, scene{}).withFacts()
	p, err := k.build()
	k.must(err)
	first := k.seeded(3)
	before := k.tree()
	got, err := k.execute(p)
	k.must(err)
	if got.State != engine.AlreadySeeded || got.L != first.L || got.Rows != 0 || got.FactsRow != "present" {
		t.Errorf("%+v", got)
	}
	same(t, "late run", before, k.tree())
}

// forgetCommits puts a checkpoint in the place of the target's commits, as a
// log that was cleaned up has it. The table is one with checkpoints of the
// second kind, which may be JSON.
func (k *kit) forgetCommits() {
	k.t.Helper()
	_, snap := k.snapshot("bronze")
	p := snap.Protocol
	p.ReaderFeatures = append(slices.Clone(p.ReaderFeatures), "v2Checkpoint")
	p.WriterFeatures = append(slices.Clone(p.WriterFeatures), "v2Checkpoint")
	k.commit("bronze", delta.Append{Operation: "UPGRADE", Protocol: &p})
	for range 3 {
		k.appendRows("bronze", changeRow)
	}
	_, snap = k.snapshot("bronze")
	lines := []any{
		map[string]any{"checkpointMetadata": map[string]any{"version": snap.Version}},
		map[string]any{"protocol": snap.Protocol},
		map[string]any{"metaData": snap.Metadata},
	}
	for _, f := range snap.Files {
		f.DataChange = false
		lines = append(lines, map[string]any{"add": f})
	}
	var b strings.Builder
	for _, l := range lines {
		text, err := json.Marshal(l)
		k.must(err)
		b.Write(append(text, '\n'))
	}
	k.place(b.String(), "bronze", "_delta_log", fmt.Sprintf("%020d.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json", snap.Version))
	k.place(fmt.Sprintf(`{"version": %d, "size": %d}`, snap.Version, len(lines)), "bronze", "_delta_log", "_last_checkpoint")
	for v := range snap.Version + 1 {
		k.must(os.Remove(k.path("bronze", "_delta_log", fmt.Sprintf("%020d.json", v))))
	}
}
