package engine_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// heldSeed is a seed in a process of its own, on files on disk, which waits
// before each of its tries to commit.
type heldSeed struct {
	*kit
	child  *child
	target store.Writer
	facts  store.Writer
	rows   map[string]int // the seed's
}

// holdSeed starts a seed into a table that a stream has written to.
func holdSeed(t *testing.T) *heldSeed {
	t.Helper()
	k := newKit(t).withFacts()
	k.request.Accept = []string{"stream_must_be_stopped"}
	k.writeCopy("a.parquet", orders(300))
	k.writeCopy("b.parquet", orders(500)[300:])
	h := &heldSeed{
		kit: k, target: k.store(t, k.request.Target), facts: k.store(t, k.request.Facts),
		rows: seeded(lsnAt(30), orders(500)),
	}
	makeBronze(t, h.target)
	streamCommit(t, h.target, 0, 7, 8, 9)
	h.child = startChild(t, childOrder{Request: k.request, Hold: true})
	h.child.release(t)
	return h
}

// before does something in this process before the seed's i-th try, counted from
// 0, and lets the seed go on; it answers how often the seed tried.
func (h *heldSeed) before(t *testing.T, do func(i int)) int {
	t.Helper()
	for i := 0; ; i++ {
		if !h.child.held(t) {
			return i
		}
		do(i)
		h.child.release(t)
	}
}

// refused checks how the seed ended, and that it left no row and no file beside
// the rows of snapshots that others wrote.
func (h *heldSeed) refused(t *testing.T, code verdict.Code, says string, others int) {
	t.Helper()
	r := h.child.wait(t)
	if r == nil || r.Code != code || !strings.Contains(r.Err, says) {
		t.Fatalf("want %s with %q, got %+v", code, says, r)
	}
	now := standsIn(t, h.target)
	if left, _ := now.staged(); len(left) != 0 || len(now.seed) != others {
		t.Errorf("left %q, %d kinds of rows", left, len(now.seed))
	}
	if recorded, all := bootstraps(t, h.facts); recorded+all != 0 {
		t.Errorf("%d facts rows", all)
	}
}

// done checks that the seed's rows stand once, recorded once, and nothing beside.
func (h *heldSeed) done(t *testing.T) engine.Result {
	t.Helper()
	r := h.child.wait(t)
	if r == nil || r.Err != "" || r.Result.State != engine.Ready || r.Result.Rows != 500 {
		t.Fatalf("%+v", r)
	}
	now := standsIn(t, h.target)
	if left, _ := now.staged(); !maps.Equal(now.seed, h.rows) || len(left) != 0 {
		t.Errorf("%d kinds of rows, left %q", len(now.seed), left)
	}
	if recorded, all := bootstraps(t, h.facts); recorded != 1 || all != 1 {
		t.Errorf("%d facts rows, %d record a seed", all, recorded)
	}
	return r.Result
}

// TestAStreamsProcessCommitsFirst is case 29: five appends and an OPTIMIZE of
// another process come before the seed's commit.
func TestAStreamsProcessCommitsFirst(t *testing.T) {
	t.Parallel()
	h := holdSeed(t)
	tries := h.before(t, func(i int) {
		switch {
		case i == 2:
			optimize(t, h.target, 7, 8, 9, 100, 101)
		case i < 6:
			streamCommit(t, h.target, i+1, 100+int32(i))
		}
	})
	if got := h.done(t); tries != 7 || got.Version != 8 {
		t.Errorf("%d tries, version %d", tries, got.Version)
	}
	rows := 0
	for _, n := range standsIn(t, h.target).stream {
		rows += n
	}
	if rows != 8 {
		t.Errorf("%d rows of the stream", rows)
	}
}

// TestAStreamsProcessIsAlwaysFirst gives up after twenty lost races.
func TestAStreamsProcessIsAlwaysFirst(t *testing.T) {
	t.Parallel()
	h := holdSeed(t)
	tries := h.before(t, func(i int) { streamCommit(t, h.target, i+1, 100) })
	if h.refused(t, verdict.TargetChanged, "20 times in a row", 0); tries != 20 {
		t.Errorf("%d tries", tries)
	}
}

// TestAnotherProcessChangesTheTable stops the seed at a change of what it was
// planned for.
func TestAnotherProcessChangesTheTable(t *testing.T) {
	t.Parallel()
	for _, c := range tableChanges("schema changed") {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := holdSeed(t)
			h.before(t, func(int) { c.change(t, h.target) })
			h.refused(t, verdict.TargetChanged, c.says, 0)
		})
	}
}

// TestCleanupPassesWhileAProcessWrites is case 16: the changes right after L are
// taken away once everything is staged, when the seed has lost a race.
func TestCleanupPassesWhileAProcessWrites(t *testing.T) {
	t.Parallel()
	h := holdSeed(t)
	mark, err := fakeserver.ParseLSN(lsnAt(45))
	if err != nil {
		t.Fatal(err)
	}
	tries := h.before(t, func(int) {
		if _, err := h.server.Cleanup("Sales", mark); err != nil {
			t.Error(err)
		}
		streamCommit(t, h.target, 1, 100)
	})
	if h.refused(t, verdict.RetentionPassed, lsnAt(30), 0); tries != 1 {
		t.Errorf("%d tries", tries)
	}
}

// TestASnapshotOfAnotherProcessAppears stops the seed, or ends it as already
// seeded where the snapshot is this very one.
func TestASnapshotOfAnotherProcessAppears(t *testing.T) {
	t.Parallel()
	t.Run("another", func(t *testing.T) {
		t.Parallel()
		h := holdSeed(t)
		h.before(t, func(int) { h.appendRows("bronze", snapshotRow(lsnAt(31), "null")) })
		h.refused(t, verdict.TargetHoldsSnapshot, lsnAt(31), 1)
	})
	t.Run("in chunks", func(t *testing.T) {
		t.Parallel()
		h := holdSeed(t)
		h.before(t, func(int) { h.appendRows("bronze", snapshotRow(lsnAt(30), "1")) })
		h.refused(t, verdict.TargetHoldsSnapshot, "chunked", 1)
	})
	t.Run("the same", func(t *testing.T) {
		t.Parallel()
		h := holdSeed(t)
		h.before(t, func(int) {
			h.appendRows("bronze", snapshotRow(lsnAt(30), "null"))
		})
		r := h.child.wait(t)
		if r == nil || r.Err != "" || r.Result.State != engine.AlreadySeeded || r.Result.Rows != 0 || r.Result.FactsRow != "written" {
			t.Fatalf("%+v", r)
		}
		if now := standsIn(t, h.target); len(now.beside) != 0 || len(now.seed) != 1 {
			t.Errorf("%v, beside %v", now.seed, now.beside)
		}
	})
}

// TestTheLogIsCleanedMeanwhile lets another process write a checkpoint, and then
// take the commits below it away.
func TestTheLogIsCleanedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		clean bool
	}{{"a checkpoint", false}, {"a checkpoint, and its commits go", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := holdSeed(t)
			tries := h.before(t, func(i int) {
				if i > 2 {
					return
				}
				streamCommit(t, h.target, i+1, 100+int32(i))
				h.checkpoint(t, c.clean)
			})
			if got := h.done(t); tries != 4 || got.Version != 5 {
				t.Errorf("%d tries, version %d", tries, got.Version)
			}
		})
	}
}

// checkpoint writes the target's newest version as a checkpoint, and removes the
// commits before it if they are to go.
func (h *heldSeed) checkpoint(t *testing.T, clean bool) {
	t.Helper()
	snap := openNow(t, h.target)
	state := []any{
		map[string]any{"checkpointMetadata": map[string]any{"version": snap.Version}},
		map[string]any{"protocol": snap.Protocol},
		map[string]any{"metaData": snap.Metadata},
	}
	for app, v := range snap.Txns {
		state = append(state, map[string]any{"txn": delta.Txn{AppID: app, Version: v}})
	}
	for _, f := range snap.Files {
		state = append(state, map[string]any{"add": f})
	}
	var text strings.Builder
	for _, action := range state {
		line, err := json.Marshal(action)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	h.place(text.String(), "bronze", "_delta_log", fmt.Sprintf("%020d.checkpoint.0a1b2c3d-0000-0000-0000-00000000000%d.json", snap.Version, snap.Version))
	h.place(fmt.Sprintf(`{"version":%d}`, snap.Version), "bronze", "_delta_log", "_last_checkpoint")
	for v := int64(0); clean && v < snap.Version; v++ {
		if err := os.Remove(h.path("bronze", "_delta_log", fmt.Sprintf("%020d.json", v))); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}
