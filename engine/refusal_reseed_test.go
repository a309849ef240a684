package engine_test

import (
	"fmt"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

// toReseed is a target with a snapshot at 12:05 that a stream took and went on
// from, and the request of a reseed.
func (k *kit) toReseed() *kit {
	k.t.Helper()
	k.bronzeTable(nil)
	k.appendRows("bronze", snapshotRow(lsnAt(5), "null"))
	k.commit("bronze", delta.Append{Operation: "STREAMING UPDATE", Txn: &delta.Txn{AppID: "orders-v1", Version: 4}})
	k.request.Reseed = true
	k.request.Accept = []string{"stream_must_be_stopped", "reseed"}
	return k
}

// recorded is the facts table of the stream that took that snapshot, and the
// request of a reseed for another one.
func (k *kit) recorded() *kit {
	k.t.Helper()
	k.withFacts().factsTable(nil)
	k.appendRows("facts", bootstrapRow(lsnAt(5)))
	k.commit("facts", delta.Append{Operation: "WRITE", Txn: &delta.Txn{AppID: "orders-v1#events", Version: 0}})
	k.request.AppID = "orders-v2"
	return k
}

// rowOf is a facts row of another app id.
func rowOf(appID, row string) string {
	return strings.Replace(row, `"orders-v1"`, fmt.Sprintf("%q", appID), 1)
}

// reseedRefusals are those of a reseed's own conditions.
func reseedRefusals() []refusal {
	notNew := func(name string, arrange func(*kit), says ...string) refusal {
		return refusal{
			name: name, arrange: func(k *kit) { arrange(k.toReseed().recorded()) }, code: verdict.AppIDTaken, exit: 3,
			says: append(says, "is not new", "Choose an app id that no stream has had"),
		}
	}
	return []refusal{
		{
			name: "a reseed that is older", arrange: func(k *kit) {
				k.toReseed()
				k.request.AsOf = "2026-10-24T12:04:30Z"
			}, code: verdict.ReseedNotNewer, exit: 6,
			says: []string{"held " + lsnAt(5), "committed 2026-10-24T12:05:00Z", "asked for " + lsnAt(4), "committed there 2026-10-24T12:04:00Z", "Take a new copy"},
		},
		{name: "a reseed at a chunked snapshot's position", arrange: func(k *kit) {
			k.toReseed()
			k.appendRows("bronze", snapshotRow(lsnAt(30), "3"))
		}, code: verdict.ReseedNotNewer, exit: 6, says: []string{"held " + lsnAt(30), "asked for " + lsnAt(30)}},
		{name: "a reseed before a snapshot that only the facts table tells of", arrange: func(k *kit) {
			k.toReseed().recorded()
			k.appendRows("facts", rowOf("elsewhere.g1", strings.Replace(bootstrapRow(lsnAt(40)), "bootstrap", "resnapshot", 1)))
		}, code: verdict.ReseedNotNewer, exit: 6, says: []string{"row of elsewhere.g1", "event resnapshot", "at " + lsnAt(40), "asked for " + lsnAt(30), "never used"}},
		{name: "a first seed before a snapshot that the facts table tells of", arrange: func(k *kit) {
			k.withFacts().factsTable(nil)
			k.appendRows("facts", rowOf("elsewhere", bootstrapRow(lsnAt(40))))
			k.appendRows("facts", rowOf("other", bootstrapRow(lsnAt(35))))
		}, code: verdict.ReseedNotNewer, exit: 6, says: []string{"row of elsewhere", "event bootstrap", "at " + lsnAt(40), `target "bronze.orders"`, "another --target-name"}},
		{name: "a reseed of a missing target", arrange: func(k *kit) { k.request.Reseed = true }, code: verdict.NothingToReseed, exit: 3, says: []string{"found no table", "leave --reseed out", "--target"}},
		{name: "a reseed of a target without a snapshot", arrange: func(k *kit) {
			k.bronzeTable(nil)
			k.appendRows("bronze", changeRow)
			k.request.Reseed = true
		}, code: verdict.NothingToReseed, exit: 3, says: []string{"a table at version 1, and no snapshot"}},
		notNew("a reseed under the old stream's app id", func(k *kit) { k.request.AppID = "orders-v1" }, `app id "orders-v1"`, "/bronze, transactions of orders-v1"),
		notNew("a reseed under a generation of the old app id", func(k *kit) { k.request.AppID = "orders-v1.g2" }, "transactions of orders-v1"),
		notNew("a reseed under an app id that the facts table knows", func(k *kit) {
			k.commit("facts", delta.Append{Operation: "WRITE", Txn: &delta.Txn{AppID: "orders-v2#facts", Version: 7}})
		}, "/facts, transactions of orders-v2#facts"),
		notNew("a reseed under an app id of which only a row is left", func(k *kit) {
			k.appendRows("facts", rowOf("orders-v2.g1", bootstrapRow(lsnAt(3))))
		}, "row of orders-v2.g1, event bootstrap, at "+lsnAt(3)),
		{name: "a reseed under a used app id, without a facts table", arrange: func(k *kit) { k.toReseed().request.AppID = "orders-v1" }, code: verdict.AppIDTaken, exit: 3, says: []string{"is not new"}},
		{name: "a reseed over another stream's open snapshot", arrange: func(k *kit) {
			k.toReseed().recorded()
			k.appendRows("facts", rowOf("elsewhere", openRow(lsnAt(20), "chunked")))
		}, code: verdict.SnapshotOpen, exit: 3, says: []string{"chunked snapshot", "app id elsewhere", "opened at " + lsnAt(20)}},
		{name: "a reseed over the old stream's open generation", arrange: func(k *kit) {
			k.toReseed().recorded()
			k.appendRows("facts", rowOf("orders-v1.g1", openRow(lsnAt(20), "full")))
		}, code: verdict.SnapshotOpen, exit: 3, says: []string{"full snapshot", "app id orders-v1.g1"}},
		{name: "a reseed over chunks that nothing tells of", arrange: func(k *kit) {
			k.toReseed()
			k.appendRows("bronze", snapshotRow(lsnAt(20), "3"))
		}, code: verdict.SnapshotOpen, exit: 3, says: []string{"nothing tells that it is finished", "held " + lsnAt(20), "--facts"}},
		{name: "a reseed over chunks that the facts table does not know", arrange: func(k *kit) {
			k.toReseed().recorded()
			k.appendRows("bronze", snapshotRow(lsnAt(20), "3"))
		}, code: verdict.SnapshotOpen, exit: 3, says: []string{"nothing tells that it is finished"}},
		{name: "a reseed with the copy of the newest seed", arrange: func(k *kit) {
			k.request.AsOf = "2026-10-24T12:10:30Z"
			k.seeded(3)
			k.request.AsOf, k.request.Reseed = "2026-10-24T12:30:30Z", true
		}, code: verdict.CopySameAsSeed, exit: 3, says: []string{"seeded at " + lsnAt(10), "in version 1", "Take a new copy"}},
		{name: "a reseed with the copy of an older seed", arrange: func(k *kit) {
			k.request.AsOf = "2026-10-24T12:10:30Z"
			k.seeded(3)
			k.appendRows("bronze", snapshotRow(lsnAt(20), "null"))
			k.request.AsOf, k.request.Reseed = "2026-10-24T12:30:30Z", true
		}, code: verdict.CopySameAsSeed, exit: 3, says: []string{"seeded at " + lsnAt(10)}},
		{name: "a reseed from another database", arrange: func(k *kit) {
			k.request.AsOf = "2026-10-24T12:10:30Z"
			k.seeded(3)
			k.moveTo(strings.ReplaceAll(scene{}.text(), "Sales", "Archive"))
			k.writeCopy("b.parquet", orders(4))
			k.request.AsOf, k.request.Reseed = "2026-10-24T12:30:30Z", true
		}, code: verdict.TargetHoldsSnapshot, exit: 6, says: []string{"another database", "seeded from Sales", "connected to Archive"}},
		{name: "a reseed whose changes are gone", arrange: func(k *kit) {
			k.toReseed().request.AsOf = lsnAt(30)
			k.cleanup(lsnAt(40))
		}, code: verdict.RetentionPassed, exit: 4, says: []string{"oldest kept " + lsnAt(40)}},
		{name: "a reseed by a time that is gone is no rerun of whatever is newest", arrange: func(k *kit) {
			k.toReseed()
			k.cleanup(lsnAt(40))
		}, code: verdict.NoCommit, exit: 4},
		{name: "a reseed that was not asked for", arrange: func(k *kit) {
			k.toReseed().request.Reseed = false
		}, code: verdict.TargetHoldsSnapshot, exit: 6, says: []string{"--reseed"}},
		{name: "a reseed that is not accepted", arrange: func(k *kit) {
			k.toReseed().request.Accept = []string{"stream_must_be_stopped"}
		}, code: verdict.WarningUnaccepted, exit: 3, says: []string{"--accept reseed", lsnAt(5)}},
	}
}

// staleReseeds are reseeds whose ground moves after they were planned.
func staleReseeds() []refusal {
	stale := func(name string, meanwhile func(*kit), code verdict.Code, exit int, says ...string) refusal {
		return refusal{
			name: name, arrange: func(k *kit) { k.toReseed().recorded() }, meanwhile: func(k *kit, _ *engine.Plan) { meanwhile(k) },
			code: code, exit: exit, says: says,
		}
	}
	return []refusal{
		stale("the stream took a snapshot after the reseed was planned", func(k *kit) {
			k.appendRows("bronze", snapshotRow(lsnAt(20), "null"))
		}, verdict.TargetHoldsSnapshot, 6, "planned to follow "+lsnAt(5), "held "+lsnAt(20), "L "+lsnAt(30)),
		stale("a newer seed came after the reseed was planned", func(k *kit) {
			k.appendRows("bronze", snapshotRow(lsnAt(40), "null"))
		}, verdict.TargetHoldsSnapshot, 6, "held "+lsnAt(40)),
		stale("the planned snapshot is gone", func(k *kit) {
			k.deleteAll()
		}, verdict.TargetChanged, 6, "not in the target any more", "planned "+lsnAt(5)),
		stale("the new app id wrote to the target", func(k *kit) {
			k.commit("bronze", delta.Append{Operation: "STREAMING UPDATE", Txn: &delta.Txn{AppID: "orders-v2", Version: 0}})
		}, verdict.AppIDTaken, 3, "transactions of orders-v2"),
		stale("the new app id wrote its facts row", func(k *kit) {
			k.commit("facts", delta.Append{Operation: "WRITE", Txn: &delta.Txn{AppID: "orders-v2#events", Version: 0}})
		}, verdict.AppIDTaken, 3, "transactions of orders-v2#events"),
		stale("another stream recorded a newer snapshot", func(k *kit) {
			k.appendRows("facts", rowOf("elsewhere", bootstrapRow(lsnAt(40))))
		}, verdict.ReseedNotNewer, 6, "row of elsewhere", "at "+lsnAt(40)),
		stale("another stream began a snapshot", func(k *kit) {
			k.appendRows("facts", rowOf("elsewhere", openRow(lsnAt(20), "full")))
		}, verdict.SnapshotOpen, 3, "app id elsewhere"),
	}
}

// deleteAll removes every row of the target, as DELETE FROM does.
func (k *kit) deleteAll() {
	k.t.Helper()
	_, snap := k.snapshot("bronze")
	var b strings.Builder
	b.WriteString(`{"commitInfo":{"timestamp":1792846800000,"operation":"DELETE"}}` + "\n")
	for _, f := range snap.Files {
		fmt.Fprintf(&b, `{"remove":{"path":%q,"deletionTimestamp":1792846800000,"dataChange":true}}`+"\n", f.Path)
	}
	k.place(b.String(), "bronze", "_delta_log", fmt.Sprintf("%020d.json", snap.Version+1))
}
