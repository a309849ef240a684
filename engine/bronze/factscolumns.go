package bronze

import "cdcseed/engine/schema"

// factsComment describes a facts table to whoever opens its schema.
const factsComment = "What the stream did, a row for each micro-batch, whether it found changes or not, " +
	"and a row with event set for each snapshot, seed, schema change or gap: how much was written, from where to where " +
	"in the source's log, and how long it took. Rows of several streams and targets may share the table: app_id and target tell them apart."

// FactsColumns are the columns of a new facts table, in order.
func FactsColumns() []Column {
	text, long := schema.Type{Kind: schema.String}, schema.Type{Kind: schema.Long}
	wall, double := schema.Type{Kind: schema.TimestampNTZ}, schema.Type{Kind: schema.Double}
	return []Column{
		{"app_id", text, "The stream that wrote the row, by the name it gives Delta for its transactions; a later generation of it ends in .g and a number."},
		{"batch_id", long, "Number of the micro-batch. NULL for snapshots and seeds, which belong to none."},
		{"rows", long, "Rows written to the target; for a snapshot or a seed, all of its rows, where the writer knew."},
		{"min_lsn", text, "Smallest commit position among the rows written; for a snapshot or a seed, its position."},
		{"max_lsn", text, "Largest commit position among the rows written; for a snapshot or a seed, its position."},
		{"min_commit_ts", wall, "Earliest commit time among the rows written, in UTC."},
		{"max_commit_ts", wall, "Latest commit time among the rows written, in UTC."},
		{"deletes", long, "Rows written with _operation 1."},
		{"inserts", long, "Rows written with _operation 2."},
		{"updates", long, "Updates written: rows with _operation 4. Their rows before the update are not counted."},
		{"started_at", wall, "When the work on the row's batch, snapshot or seed began, in UTC."},
		{"duration_ms", long, "Milliseconds from started_at until the target's commit stood."},
		{"source_rtt_ms", double, "Typical round trip to the server during the batch, in milliseconds. Only where the stream measures it."},
		{"read_seconds", double, "Seconds spent reading from the server, added up over parallel readers. Only where the stream measures it."},
		{"read_mb", double, "Megabytes read from the server. Only where the stream measures it."},
		{"network_wait_ms", long, "Milliseconds that the server waited for readers to take rows. Only where the stream measures it."},
		{"retention_watermark_ts", wall, "Commit time, in UTC, up to which CDC's cleanup had deleted. Only where the stream measures it."},
		{"retention_headroom_hours", double, "Hours between what cleanup had deleted and where the stream stood: at zero, changes are lost unread."},
		{"event", text, "NULL for a micro-batch. bootstrap: the first snapshot of the target, or a seed in its place; resnapshot: a later one; others open snapshots and tell of changes of the source."},
		{"lost_from_ts", wall, "Where changes were lost, the commit time of the last one read, in UTC."},
		{"lost_to_ts", wall, "Where changes were lost, the commit time from which they are kept again, in UTC."},
		{"source_max_commit_ts", wall, "Commit time of the newest change that CDC had captured, in UTC. Only where the stream measures it."},
		{"capture_lag_seconds", double, "Seconds by which CDC's capture was behind the clock. Only where the stream measures it."},
		{"ingestion_lag_seconds", double, "Seconds by which the stream was behind CDC's capture. Only where the stream measures it."},
		{"end_lsn", text, "Position that the stream had reached, or from which it starts after a snapshot or a seed."},
		{"end_commit_ts", wall, "Commit time at end_lsn, in UTC."},
		{"detail", text, "More about an event, or a batch's warnings, as JSON."},
		{"target", text, "The table written to, spelled as the stream's job names it."},
		{"written_at", wall, "When the row was written, in UTC."},
	}
}
