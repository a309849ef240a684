package engine_test

import (
	"strings"

	"cdcseed/engine/delta"
	"cdcseed/engine/verdict"
)

func writerFeatures(more ...string) func(*delta.Create) {
	return func(c *delta.Create) { c.Protocol.WriterFeatures = append(c.Protocol.WriterFeatures, more...) }
}

// withoutNTZ is the protocol of tables made before the feature was there.
func withoutNTZ(c *delta.Create) {
	c.Protocol = delta.Protocol{MinReaderVersion: 1, MinWriterVersion: 2}
}

func inSchema(old, now string) func(*delta.Create) {
	return func(c *delta.Create) {
		c.Metadata.SchemaString = strings.Replace(c.Metadata.SchemaString, old, now, 1)
	}
}

func property(key, value string) func(*delta.Create) {
	return func(c *delta.Create) { c.Metadata.Configuration[key] = value }
}

// targetRefusals are those of the table that shall be seeded.
func targetRefusals() []refusal {
	table := func(change func(*delta.Create)) func(*kit) { return func(k *kit) { k.bronzeTable(change) } }
	return []refusal{
		{
			name: "a target elsewhere", arrange: func(k *kit) { k.request.Target = "abfss://lake@account/bronze" },
			code: verdict.TargetPath, exit: 3, says: []string{"abfss://lake@account/bronze", "local"},
		},
		{
			name: "the target is a file", arrange: func(k *kit) { k.place("x", "bronze") },
			code: verdict.TargetPath, exit: 3, says: []string{"is a file"},
		},
		{
			name: "files that are no table", arrange: func(k *kit) { k.place("x", "bronze", "notes.txt") },
			code: verdict.TargetNotDelta, exit: 3, says: []string{"no Delta table", "first file notes.txt"},
		},
		{
			name: "a table of another shape", arrange: table(inSchema(`"_seqval"`, `"seq"`)),
			code: verdict.TargetNotBronze, exit: 3, says: []string{"lacks _seqval"},
		},
		{
			name: "a metadata column of another type", arrange: table(inSchema(`{"name":"_operation","type":"integer"`, `{"name":"_operation","type":"long"`)),
			code: verdict.TargetNotBronze, exit: 3, says: []string{"_operation is long, not integer"},
		},
		{
			name: "a partitioned table", arrange: table(func(c *delta.Create) { c.Metadata.PartitionColumns = []string{"name"} }),
			code: verdict.TargetNotBronze, exit: 3, says: []string{"partitioned by name"},
		},
		{
			name: "a column of another type", arrange: table(inSchema(`{"name":"amount","type":"decimal(10,2)"`, `{"name":"amount","type":"double"`)),
			code: verdict.TargetType, exit: 3, says: []string{"amount table double, stream decimal(10,2)"},
		},
		{
			name: "case 4: no TIMESTAMP_NTZ", arrange: table(withoutNTZ),
			code: verdict.TargetNeedsNTZ, exit: 3, says: []string{"protocol 1/2", "needed 3/7 [timestampNtz,invariants,appendOnly]", "--upgrade-protocol", "ALTER TABLE"},
		},
		{
			name: "a schema version that is no number", arrange: table(property("mssql_cdc.schema_version", "two")),
			code: verdict.TargetMigration, exit: 3, says: []string{`the table says "two"`, "version written here 2", "who set the property"},
		},
		{
			name: "a table for newer writers", arrange: table(property("mssql_cdc.min_version", "3")),
			code: verdict.TargetMigration, exit: 3, says: []string{"least version a writer must know 3", "newer cdcseed"},
		},
		{
			name: "case 48: a writer feature that nobody knows", arrange: table(writerFeatures("fooBar")),
			code: verdict.TargetFeature, exit: 3, says: []string{"fooBar"},
		},
		{
			name: "case 48: a table that a catalogue manages", arrange: table(writerFeatures("catalogManaged")),
			code: verdict.TargetFeature, exit: 3, says: []string{"catalogManaged"},
		},
		{name: "case 48: a check constraint", arrange: table(func(c *delta.Create) {
			writerFeatures("checkConstraints")(c)
			property("delta.constraints.positive", "amount > 0")(c)
		}), code: verdict.TargetFeature, exit: 3, says: []string{"checkConstraints", "positive", "amount > 0"}},
		{
			name: "a protocol that is too new", arrange: table(func(c *delta.Create) { c.Protocol.MinWriterVersion = 8 }),
			code: verdict.TargetFeature, exit: 3, says: []string{"8"},
		},
		{name: "a log with a hole", arrange: func(k *kit) {
			k.bronzeTable(nil)
			k.place(k.tree("bronze")["_delta_log/00000000000000000000.json"], "bronze", "_delta_log", "00000000000000000002.json")
		}, code: verdict.TargetCorrupt, exit: 3, says: []string{"1"}},
		{
			name: "another snapshot", arrange: func(k *kit) {
				k.bronzeTable(nil)
				k.appendRows("bronze", snapshotRow(lsnAt(5), "null"))
			}, code: verdict.TargetHoldsSnapshot, exit: 6,
			says: []string{"held " + lsnAt(5), "rows 1", "asked for " + lsnAt(30), "committed 2026-10-24T12:05:00Z", "--reseed", "a copy that started after 2026-10-24T12:05:00Z", "new app id", "new target"},
		},
		{name: "a newer snapshot than as_of", arrange: func(k *kit) {
			k.bronzeTable(nil)
			k.appendRows("bronze", snapshotRow(lsnAt(45), "null"))
		}, code: verdict.TargetHoldsSnapshot, exit: 6, says: []string{"held " + lsnAt(45)}},
		{name: "rows of a chunked snapshot", arrange: func(k *kit) {
			k.bronzeTable(nil)
			k.appendRows("bronze", snapshotRow(lsnAt(30), "1"))
		}, code: verdict.TargetHoldsSnapshot, exit: 6, says: []string{"chunked", "held " + lsnAt(30)}},
		{name: "an occupied target is told before L's own faults", arrange: func(k *kit) {
			k.bronzeTable(nil)
			k.appendRows("bronze", snapshotRow(lsnAt(5), "null"))
			_, err := k.server.Cleanup("Sales", parsed(k, lsnAt(40)))
			k.must(err)
			k.request.AsOf = lsnAt(30)
		}, code: verdict.TargetHoldsSnapshot, exit: 6, says: []string{"held " + lsnAt(5), "asked for " + lsnAt(30)}},
	}
}

// factsRefusals are those of the facts table.
func factsRefusals() []refusal {
	table := func(change func(*delta.Create)) func(*kit) {
		return func(k *kit) { k.withFacts().factsTable(change) }
	}
	open := func(l, mode string) func(*kit) {
		return func(k *kit) {
			k.withFacts().factsTable(nil)
			k.appendRows("facts", openRow(l, mode))
		}
	}
	return []refusal{
		{
			name: "an open snapshot in one piece", arrange: open(lsnAt(20), "full"),
			code: verdict.SnapshotOpen, exit: 3, says: []string{"full snapshot", "target bronze.orders", "opened at " + lsnAt(20), "app id orders-v1", "snapshot='full'"},
		},
		{
			name: "an open chunked snapshot", arrange: open(lsnAt(20), "chunked"),
			code: verdict.SnapshotOpen, exit: 3, says: []string{"chunked snapshot", "opened at " + lsnAt(20), "backfill()"},
		},
		{
			name: "an open snapshot of a mode that nobody knows", arrange: open(lsnAt(20), "later"),
			code: verdict.SnapshotOpen, exit: 3, says: []string{"chunked snapshot"},
		},
		{name: "a purged chunked snapshot is open all the same", arrange: func(k *kit) {
			open(lsnText("0001"), "chunked")(k)
		}, code: verdict.SnapshotOpen, exit: 3, says: []string{"opened at " + lsnText("0001")}},
		{name: "an open snapshot of a later generation", arrange: func(k *kit) {
			k.withFacts().factsTable(nil)
			k.appendRows("facts", strings.Replace(openRow(lsnAt(20), "full"), `"orders-v1"`, `"orders-v1.g2"`, 1))
		}, code: verdict.SnapshotOpen, exit: 3, says: []string{"app id orders-v1.g2"}},
		{name: "an app id that has recorded another snapshot", arrange: func(k *kit) {
			k.withFacts().factsTable(nil)
			k.appendRows("facts", bootstrapRow(lsnAt(1)))
			k.commit("facts", delta.Append{Operation: "WRITE", Txn: &delta.Txn{AppID: "orders-v1#events", Version: 0}})
		}, code: verdict.AppIDTaken, exit: 3, says: []string{"orders-v1", "bronze.orders", "new app id"}},
		{name: "a facts table that is none", arrange: func(k *kit) {
			k.withFacts().bronzeTable(nil)
			k.request.Facts, k.request.Target = k.path("bronze"), k.path("new")
		}, code: verdict.FactsNotFacts, exit: 3, says: []string{"no facts table", "app_id", "--facts"}},
		{
			name: "a facts column of another type", arrange: table(inSchema(`{"name":"rows","type":"long"`, `{"name":"rows","type":"string"`)),
			code: verdict.FactsNotFacts, exit: 3, says: []string{"rows is string, not long"},
		},
		{
			name: "a facts table with a feature that nobody knows", arrange: table(writerFeatures("fooBar")),
			code: verdict.FactsFeature, exit: 3, says: []string{"fooBar"},
		},
		{
			name: "a facts table for newer writers", arrange: table(property("mssql_cdc.min_version", "99")),
			code: verdict.TargetMigration, exit: 3, says: []string{"99", "newer cdcseed"},
		},
		{name: "files that are no facts table", arrange: func(k *kit) {
			k.withFacts().place("x", "facts", "notes.txt")
		}, code: verdict.TargetNotDelta, exit: 3, says: []string{"notes.txt"}},
	}
}
