package engine_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/bronze"
	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

// lost is a target that cdcseed seeded at 12:10 and whose stream lost changes:
// cleanup has passed what it read last. The copy was taken anew at 12:30, and the
// request is that of a reseed.
func lost(t *testing.T) *kit {
	t.Helper()
	k := kitIn(t, scene{}).withFacts()
	k.request.AsOf = "2026-10-24T12:10:30Z"
	k.seeded(3)
	k.streamedTo(12)
	k.commit("bronze", delta.Append{Operation: "STREAMING UPDATE", Txn: &delta.Txn{AppID: "orders-v1", Version: 4}})
	k.cleanup(lsnAt(20))
	k.dropCopy()
	k.writeCopy("b.parquet", orders(5))
	k.request.AsOf, k.request.AppID, k.request.Reseed = "2026-10-24T12:30:30Z", "orders-v2", true
	k.request.Accept = []string{"stream_must_be_stopped", "reseed"}
	return k
}

// snapshotRows counts the target's snapshot rows by position, by the look-up.
func (k *kit) snapshotRows() map[string]int64 {
	k.t.Helper()
	w, snap := k.snapshot("bronze")
	held, err := bronze.Lookup(k.t.Context(), w, snap, []string{"dbo_orders"})
	k.must(err)
	out := map[string]int64{}
	for _, h := range held.Held {
		out[h.LSN.String()] += h.Rows
	}
	return out
}

// events are the facts rows that tell of snapshots: app id, event and position.
func (k *kit) events() []string {
	k.t.Helper()
	w, snap := k.snapshot("facts")
	rows, err := bronze.Events(k.t.Context(), w, snap, "bronze.orders")
	k.must(err)
	var out []string
	for _, r := range rows {
		out = append(out, r.AppID+" "+r.Event+" "+r.LSN.String())
	}
	slices.Sort(out)
	return out
}

// A reseed appends the copy after the older snapshot, in one commit that says
// what it follows, and records the new stream's row.
func TestReseed(t *testing.T) {
	k := lost(t)
	before := k.tree("bronze")
	p, err := k.build()
	k.must(err)
	if p.Reseed == nil || p.Reseed.AppID != "orders-v2" || p.Reseed.Follows.String() != lsnAt(10) || p.Target.Held == nil || p.Target.Held.LSN.String() != lsnAt(10) || p.Target.Held.Rows != 3 {
		t.Fatalf("%+v follows %+v", p.Reseed, p.Target.Held)
	}
	got, err := k.execute(p)
	k.must(err)
	if got.State != engine.Ready || got.Rows != 5 || got.L.String() != lsnAt(30) || textOf(got.Follows) != lsnAt(10) || got.FactsRow != "written" {
		t.Errorf("%+v", got)
	}
	kept(t, "reseed", before, k.tree("bronze"))
	if rows := k.snapshotRows(); len(rows) != 2 || rows[lsnAt(10)] != 3 || rows[lsnAt(30)] != 5 {
		t.Errorf("snapshot rows %v", rows)
	}
	c := k.lastCommit("bronze")
	if want := fmt.Sprintf(`{"seed": "dbo_orders", "lsn": %q, "commit_ts": "2026-10-24T12:30:00.000"}`, lsnAt(30)); c.Info.UserMetadata != want {
		t.Errorf("userMetadata %s", c.Info.UserMetadata)
	}
	if c.Info.Tags["cdcseed.reseed"] != lsnAt(10) || c.Info.Tags["cdcseed.accepted"] != "reseed,stream_must_be_stopped" || len(c.Txns) != 0 || c.Metadata != nil {
		t.Errorf("%+v", c)
	}
	if rows := strings.Join(k.events(), "; "); rows != "orders-v1 bootstrap "+lsnAt(10)+"; orders-v2 bootstrap "+lsnAt(30) {
		t.Errorf("facts rows: %s", rows)
	}
	next := strings.Join(got.Follow, "\n")
	for _, want := range []string{"Leave the stream that wrote the target before stopped, for good", "If the name is not registered yet", `app_id "orders-v2" and a new checkpoint`, "right after " + lsnAt(30), "Silver rebuilds", `on_data_loss at "fail"`} {
		if !strings.Contains(next, want) {
			t.Errorf("%s\ndoes not say %q", next, want)
		}
	}
}

// What happens to a reseed before it is asked for again.
func reseedReruns() []rerun {
	return []rerun{
		{name: "the same", notes: "names this as_of"},
		{name: "without --reseed", then: func(k *kit) { k.request.Reseed = false }, notes: "names this as_of"},
		{name: "by its LSN", then: func(k *kit) { k.request.AsOf = lsnAt(30) }, notes: "the target holds its rows"},
		{name: "after cleanup of its mapping row", then: func(k *kit) { k.cleanup(lsnAt(50)) }, notes: "names this as_of"},
		{name: "by its LSN after cleanup, with its tags gone", then: func(k *kit) {
			k.forgetCommits()
			k.cleanup(lsnAt(50))
			k.request.AsOf = lsnAt(30)
		}, notes: "the target holds its rows"},
		{name: "without --reseed after cleanup, with its tags gone", then: func(k *kit) {
			k.forgetCommits()
			k.cleanup(lsnAt(50))
			k.request.Reseed = false
		}, notes: "the target holds its rows"},
		{name: "under a newer snapshot", then: func(k *kit) { k.appendRows("bronze", snapshotRow(lsnAt(40), "null")) }, notes: "a newer snapshot of the table stands at " + lsnAt(40)},
		{name: "under a newer snapshot, by its LSN", then: func(k *kit) {
			k.appendRows("bronze", snapshotRow(lsnAt(40), "null"))
			k.request.AsOf = lsnAt(30)
		}, notes: "a newer snapshot"},
		{name: "while the new stream runs", then: func(k *kit) {
			k.commit("bronze", delta.Append{Operation: "STREAMING UPDATE", Txn: &delta.Txn{AppID: "orders-v2", Version: 0}})
		}, notes: "names this as_of"},
		{name: "while another stream has a snapshot open", then: func(k *kit) {
			k.appendRows("facts", rowOf("elsewhere", openRow(lsnAt(45), "full")))
		}, notes: "names this as_of"},
		{name: "from another copy, without --reseed", then: func(k *kit) {
			k.request.Reseed = false
			k.writeCopy("c.parquet", orders(1))
		}, notes: "not the one that the seed was made from"},
		{name: "the seed that it followed", then: func(k *kit) {
			k.request.AsOf, k.request.AppID, k.request.Reseed = "2026-10-24T12:10:30Z", "orders-v1", false
		}, notes: "a newer snapshot of the table stands at " + lsnAt(30)},
	}
}

// A reseed asked for again is found, and nothing is written.
func TestReseedsAreFoundAgain(t *testing.T) {
	for _, r := range reseedReruns() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			k := lost(t)
			k.seeded(5)
			if r.then != nil {
				r.then(k)
			}
			before := k.tree()
			p, err := k.build()
			k.must(err)
			if said := fmt.Sprint(p.Checks); p.State != engine.AlreadySeeded || len(warnings(p)) > 0 || !strings.Contains(said, r.notes) {
				t.Errorf("%s %v: %s does not say %q", p.State, warnings(p), said, r.notes)
			}
			got, err := k.execute(p)
			k.must(err)
			if got.State != engine.AlreadySeeded || got.Rows != 0 || got.FactsRow != "present" {
				t.Errorf("%+v", got)
			}
			// Of a reseed that is still the newest, the old stream is told to stay stopped, as far as tags tell.
			newer, told := strings.Contains(r.notes, "a newer snapshot"), !strings.Contains(r.name, "tags gone")
			if stays := strings.Contains(strings.Join(got.Follow, "\n"), "before the reseed stays stopped"); stays != (told && !newer) {
				t.Errorf("the old stream is told to stay stopped: %v in %q", stays, got.Follow)
			}
			if next := strings.Join(got.Follow, "\n"); strings.Contains(next, "begins at the newer snapshot") != newer {
				t.Errorf("newer: %v, and what is to be done next:\n%s", newer, next)
			}
			same(t, "rerun", before, k.tree())
		})
	}
}

// With its tags gone and its time forgotten, a reseed by time is what the
// package makes of it: there is no commit at or before as_of.
func TestAReseedByTimeThatIsForgotten(t *testing.T) {
	k := lost(t)
	k.seeded(5)
	k.forgetCommits()
	k.cleanup(lsnAt(50))
	before := k.tree()
	_, err := k.seed()
	e := verdict.As(err)
	if e == nil || e.Code != verdict.NoCommit || len(e.Hint) == 0 || !strings.Contains(e.Hint[0], "the snapshot at "+lsnAt(30)) {
		t.Errorf("%v: %v", err, e)
	}
	same(t, "rerun", before, k.tree())
	k.request.AsOf = lsnAt(30) // as the hint says
	p, err := k.build()
	k.must(err)
	if p.State != engine.AlreadySeeded {
		t.Errorf("%s", p.State)
	}
}

// A seed that was found is not the reseed that is asked for where another copy
// made it, or a stream could not start from it: the command of the first seed
// with --reseed typed behind it recovers nothing and must not use up the app id.
func TestASeedThatIsThereIsNotTheReseedAskedFor(t *testing.T) {
	const first = "2026-10-24T12:10:30Z"
	for _, c := range []struct {
		name string
		kit  func(*testing.T) *kit
		then func(*kit)
		says string
	}{
		{"the first seed's time with a new copy", lost, func(k *kit) { k.request.AsOf = first }, "made from another copy"},
		{"and without facts", lost, func(k *kit) {
			k.request.AsOf, k.request.Facts, k.request.AppID, k.request.TargetName = first, "", "", ""
		}, "made from another copy"},
		{"and with the first seed's app id", lost, func(k *kit) { k.request.AsOf, k.request.AppID = first, "orders-v1" }, "made from another copy"},
		{"its LSN", lost, func(k *kit) { k.request.AsOf = lsnAt(10) }, "made from another copy"},
		{"the first seed's copy too", func(t *testing.T) *kit {
			k := kitIn(t, scene{}).withFacts()
			k.request.AsOf = first
			k.seeded(3)
			return k
		}, func(k *kit) {
			k.cleanup(lsnAt(20))
			k.request.AppID, k.request.Reseed = "orders-v2", true
		}, "no stream can start from any more"},
		{"its copy is gone", lost, func(k *kit) {
			k.request.AsOf = first
			k.dropCopy()
		}, "not made by a reseed"},
		{"its tags are gone", lost, func(k *kit) {
			k.forgetCommits()
			k.request.AsOf = lsnAt(10)
		}, "no stream can start from any more"},
		{"an earlier reseed's time with a newer copy", func(t *testing.T) *kit {
			k := lost(t)
			k.seeded(5)
			return k
		}, func(k *kit) {
			k.writeCopy("c.parquet", orders(1))
			k.request.AppID = "orders-v3"
		}, "made from another copy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := c.kit(t)
			c.then(k)
			before := k.tree("facts")
			_, err := k.seed()
			if e := verdict.As(err); e == nil || e.Code != verdict.ReseedNotNewer || !strings.Contains(e.What, c.says) || !strings.Contains(e.Hint[0], "this copy started") {
				t.Errorf("%v, want %s", err, c.says)
			}
			same(t, "facts", before, k.tree("facts"))
		})
	}
}

// The same plan executed again finds its seed, whoever wrote it.
func TestAReseedsPlanRunsOnce(t *testing.T) {
	k := lost(t)
	p, err := k.build()
	k.must(err)
	first := k.seeded(5)
	before := k.tree()
	got, err := k.execute(p)
	k.must(err)
	if got.State != engine.AlreadySeeded || got.L != first.L || got.Rows != 0 || got.FactsRow != "present" {
		t.Errorf("%+v", got)
	}
	same(t, "second run", before, k.tree())
	again, err := k.seed()
	k.must(err)
	next := strings.Join(got.Follow, "\n")
	if next != strings.Join(again.Follow, "\n") || !strings.Contains(next, "If the stream runs from this seed already, leave it and its checkpoint alone.") || !strings.Contains(next, "stays stopped") {
		t.Errorf("the plan run again says\n%s\nand the command run again\n%s", next, strings.Join(again.Follow, "\n"))
	}
}

// Without a facts table there is no row to write, and Done says what is new.
func TestReseedWithoutFacts(t *testing.T) {
	k := kitIn(t, scene{}).toReseed()
	got := k.seeded(3)
	if next := strings.Join(got.Follow, "\n"); !strings.Contains(next, "an app id that no stream has had") || got.FactsRow != "" {
		t.Errorf("%+v", got)
	}
	if rows := k.snapshotRows(); len(rows) != 2 || rows[lsnAt(5)] != 1 || rows[lsnAt(30)] != 3 {
		t.Errorf("snapshot rows %v", rows)
	}
}

// A chunked snapshot that its facts table tells to be finished can be followed.
func TestReseedAfterAFinishedChunkedSnapshot(t *testing.T) {
	k := kitIn(t, scene{}).toReseed().recorded()
	k.appendRows("bronze", snapshotRow(lsnAt(20), "1"))
	k.appendRows("facts", rowOf("orders-v1.g1", openRow(lsnAt(20), "chunked")))
	k.appendRows("facts", rowOf("orders-v1.g1", strings.Replace(bootstrapRow(lsnAt(20)), "bootstrap", "resnapshot", 1)))
	if got := k.seeded(3); textOf(got.Follows) != lsnAt(20) {
		t.Errorf("%+v", got)
	}
}

// What speaks against a reseed is told, and stops nothing.
func TestReseedThatMayNotBeNeeded(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*kit)
		notes  []string
	}{
		"lost":                 {func(*kit) {}, []string{"newest row, at " + lsnAt(12) + ", are not all kept any more: its stream has lost them"}},
		"the stream can go on": {func(k *kit) { k.streamedTo(25) }, []string{"newest row, at " + lsnAt(25) + ", are still kept"}},
		"the stream is ahead of the copy": {func(k *kit) { k.streamedTo(35) }, []string{
			"holds changes after L, up to " + lsnAt(35), "newest row, at " + lsnAt(35) + ", are still kept",
		}},
		"another text for the target": {func(k *kit) { k.streamedTo(25); k.request.TargetName = "bronze.Orders" }, []string{`tells of no snapshot of target "bronze.Orders"`, "are still kept"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := lost(t)
			c.change(k)
			p, err := k.build()
			k.must(err)
			k.must(p.Refusal())
			said := fmt.Sprint(p.Checks)
			for _, note := range []string{"are still kept", "are not all kept any more", "holds changes after L", "tells of no snapshot"} {
				if wanted := strings.Contains(strings.Join(c.notes, " "), note); strings.Contains(said, note) != wanted {
					t.Errorf("%q: %v, want %v in %s", note, !wanted, wanted, said)
				}
			}
			for _, n := range c.notes {
				if !strings.Contains(said, n) {
					t.Errorf("%s does not say %q", said, n)
				}
			}
		})
	}
}

// streamedTo appends a change at a minute after 12:00, as the stream does.
func (k *kit) streamedTo(minute int) {
	k.t.Helper()
	k.appendRows("bronze", strings.ReplaceAll(changeRow, "0x00000000000000000020", lsnAt(minute)))
}

// The warning to accept is of one copy at one position for one app id: whoever
// accepted it is asked again when any of them changes.
func TestReseedWarningIsOfOneSeed(t *testing.T) {
	k := lost(t)
	k.request.Accept = nil
	warned := func() string {
		p, err := k.build()
		k.must(err)
		for _, c := range p.Checks {
			if c.Code == verdict.Reseed {
				return fmt.Sprint(c)
			}
		}
		t.Fatal("no warning")
		return ""
	}
	first := warned()
	seen := []string{first}
	for _, then := range []func(){
		func() { k.request.AppID = "orders-v3" },
		func() { k.request.AsOf = "2026-10-24T12:29:30Z" },
		func() {
			k.must(os.Rename(k.path("copy"), k.path("elsewhere")))
			k.request.Copy = k.path("elsewhere")
		},
	} {
		then()
		now := warned()
		if slices.Contains(seen, now) {
			t.Errorf("told in the same words: %s", now)
		}
		seen = append(seen, now)
	}
}
