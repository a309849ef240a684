package engine_test

import (
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

// meanwhile is what another writer does when a reseed is about to commit.
type meanwhile struct {
	name string
	do   func(*kit)
	code verdict.Code // of the refusal; empty: none
	says string
	rows int64 // that the reseed wrote
}

func reseedRaces() []meanwhile {
	snapshot := func(minute int, chunk string) func(*kit) {
		return func(k *kit) { k.appendRows("bronze", snapshotRow(lsnAt(minute), chunk)) }
	}
	return []meanwhile{
		{name: "the stream takes a snapshot below L", do: snapshot(20, "null"), code: verdict.TargetHoldsSnapshot, says: "planned to follow " + lsnAt(10)},
		{name: "the stream takes a snapshot above L", do: snapshot(40, "null"), code: verdict.TargetHoldsSnapshot, says: "held " + lsnAt(40)},
		{name: "a chunk of a snapshot comes", do: snapshot(25, "1"), code: verdict.TargetHoldsSnapshot, says: "held " + lsnAt(25)},
		{name: "another program seeds at L", do: snapshot(30, "null")},
		{name: "an older chunk comes late", do: snapshot(7, "1"), rows: 5},
		{name: "the stream appends", do: func(k *kit) { k.appendRows("bronze", changeRow) }, rows: 5},
		{name: "all rows are deleted", do: (*kit).deleteAll, code: verdict.TargetChanged, says: "not in the target any more"},
		{name: "the new app id is used", do: func(k *kit) {
			k.commit("bronze", delta.Append{Operation: "STREAMING UPDATE", Txn: &delta.Txn{AppID: "orders-v2", Version: 0}})
		}, code: verdict.AppIDTaken, says: "transactions of orders-v2"},
		{name: "another stream opens a snapshot", do: func(k *kit) {
			k.appendRows("facts", rowOf("elsewhere", openRow(lsnAt(45), "chunked")))
			k.appendRows("bronze", changeRow) // so that the commit is tried again
		}, code: verdict.SnapshotOpen, says: "app id elsewhere"},
		{name: "the facts table comes to tell of a newer snapshot", do: func(k *kit) {
			k.appendRows("facts", rowOf("elsewhere", bootstrapRow(lsnAt(40))))
			k.appendRows("bronze", changeRow) // so that the commit is tried again
		}, code: verdict.ReseedNotNewer, says: "row of elsewhere"},
		{name: "cleanup passes L", do: func(k *kit) {
			k.cleanup(lsnAt(40))
			k.appendRows("bronze", changeRow)
		}, code: verdict.RetentionPassed, says: "oldest kept " + lsnAt(40)},
	}
}

// What comes between plan and commit is found before anything is visible, and
// what harms nobody stops nothing.
func TestReseedRaces(t *testing.T) {
	for _, m := range reseedRaces() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			k := lost(t)
			p, err := k.build()
			k.must(err)
			session, stores := k.open()
			stores.Target = beforeCommit(stores.Target, func(i int) {
				if i == 0 {
					m.do(k)
				}
			})
			got, err := engine.Execute(t.Context(), p, session, stores, nil)
			e := verdict.As(err)
			switch {
			case m.code == "" && (err != nil || got.Rows != m.rows || (got.State == engine.Ready) != (m.rows > 0)):
				t.Errorf("%+v, %v", got, err)
			case m.code != "" && (e == nil || e.Code != m.code || e.WroteText() != verdict.NothingWritten):
				t.Fatalf("%v, want %s with nothing written", err, m.code)
			case m.code != "" && !strings.Contains(e.Error(), m.says):
				t.Errorf("%v does not say %q", err, m.says)
			}
			if rows := k.snapshotRows()[lsnAt(30)]; m.code != "" && rows != 0 || m.rows > 0 && rows != m.rows {
				t.Errorf("%d rows at L", rows)
			}
			k.nothingBeside()
		})
	}
}

// nothingBeside checks that no staged file lies beside the target's own.
func (k *kit) nothingBeside() {
	k.t.Helper()
	w, _ := k.snapshot("bronze")
	if left, _ := standsIn(k.t, w).staged(); len(left) > 0 {
		k.t.Errorf("left: %q", left)
	}
}

// Of two processes that reseed alike one commits, and the other finds its rows.
func TestTwoReseedProcesses(t *testing.T) {
	t.Parallel()
	for range 3 {
		k := lost(t)
		one, two := startChild(t, childOrder{Request: k.request}), startChild(t, childOrder{Request: k.request})
		one.release(t)
		two.release(t)
		a, b := one.outcome(t), two.outcome(t)
		k.must(a.err)
		k.must(b.err)
		if a.state == b.state || a.rows+b.rows != 5 {
			t.Errorf("one came to %+v, the other to %+v", a, b)
		}
		if rows := k.snapshotRows(); rows[lsnAt(30)] != 5 {
			t.Errorf("snapshot rows %v", rows)
		}
		if rows := k.events(); len(rows) != 2 || rows[1] != "orders-v2 bootstrap "+lsnAt(30) {
			t.Errorf("facts rows %q", rows)
		}
		k.nothingBeside()
	}
}

// Of two processes that reseed the same copy for other positions one commits,
// and the other is refused: whichever is late.
func TestTwoReseedProcessesOfOtherPositions(t *testing.T) {
	t.Parallel()
	late := []verdict.Code{verdict.TargetHoldsSnapshot, verdict.ReseedNotNewer, verdict.CopySameAsSeed}
	for range 3 {
		k := lost(t)
		earlier := k.request
		earlier.AsOf, earlier.AppID = lsnAt(29), "orders-v3"
		one, two := startChild(t, childOrder{Request: k.request}), startChild(t, childOrder{Request: earlier})
		one.release(t)
		two.release(t)
		a, b := one.wait(t), two.wait(t)
		if a == nil || b == nil {
			t.Fatal("a child died")
		}
		if a.Err != "" {
			a, b = b, a
		}
		if a.Err != "" || a.Result.Rows != 5 || !slices.Contains(late, b.Code) {
			t.Errorf("one came to %+v, the other to %+v", a, b)
		}
		if rows := k.snapshotRows(); len(rows) != 2 || rows[a.Result.L.String()] != 5 {
			t.Errorf("snapshot rows %v", rows)
		}
		k.nothingBeside()
	}
}

// A process that reseeds is ended before each of its changes, and the same
// command completes what it left.
func TestAReseedIsKilledAnywhere(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		k := lost(t)
		c := startChild(t, childOrder{Request: k.request, DieAt: at})
		c.release(t)
		done := c.wait(t)
		if rows := k.snapshotRows(); rows[lsnAt(10)] != 3 || rows[lsnAt(30)] != 0 && rows[lsnAt(30)] != 5 {
			t.Errorf("killed before change %d: snapshot rows %v", at, rows)
		}
		got, err := k.seed()
		if err != nil || got.L.String() != lsnAt(30) {
			t.Errorf("killed before change %d: %+v %v", at, got, err)
		}
		if rows, events := k.snapshotRows(), k.events(); rows[lsnAt(30)] != 5 || len(events) != 2 {
			t.Errorf("killed before change %d, completed: snapshot rows %v, facts rows %q", at, rows, events)
		}
		if done != nil {
			if at < 4 || done.Err != "" || done.Result.Rows != 5 {
				t.Errorf("%d changes, %+v", at-1, done)
			}
			return
		}
	}
}
