package bronze

import (
	"slices"

	"cdcseed/engine/schema"
)

// Names of the metadata columns, which stand around the captured ones.
const (
	CaptureInstance = "_capture_instance"
	StartLSN        = "_start_lsn"
	Seqval          = "_seqval"
	Operation       = "_operation"
	CommandID       = "_command_id"
	CommitTS        = "_commit_ts"
	BatchID         = "_batch_id"
	SnapshotLSN     = "_snapshot"
	Chunk           = "_chunk"
)

// OperationSnapshot is the operation of a row that a snapshot or a seed wrote;
// changes carry SQL Server's 1 to 4.
const OperationSnapshot = 0

// Column is a column of a bronze or facts table. Every one is nullable.
type Column struct {
	Name    string
	Type    schema.Type
	Comment string // documentation in the table's schema; captured columns have none
}

func leading() []Column {
	text, number := schema.Type{Kind: schema.String}, schema.Type{Kind: schema.Integer}
	return []Column{
		{CaptureInstance, text, "The CDC capture instance that the row was read through. A snapshot's rows name the instance that the snapshot was made for."},
		{StartLSN, text, "Position of the commit in the source's log: 0x and 20 upper-case hexadecimal digits, so that text order is log order. A snapshot's row is no older than this position."},
		{Seqval, text, "Position of the single change in the log, in the same form. It orders changes only where _command_id does not. NULL for a snapshot."},
		{Operation, number, "0: row of a snapshot; 1: deleted; 2: inserted; 3: before an update; 4: after an update."},
		{CommandID, number, "Place of the statement inside its transaction, counted for each capture instance by itself. NULL for a snapshot."},
		{CommitTS, schema.Type{Kind: schema.TimestampNTZ}, "When the source committed the transaction, in UTC; for a snapshot, the time of the commit at _start_lsn. NULL where the source no longer knew it."},
	}
}

func trailing() []Column {
	text, number := schema.Type{Kind: schema.String}, schema.Type{Kind: schema.Integer}
	return []Column{
		{BatchID, number, "The stream's micro-batch that wrote the row, as the facts table counts them. NULL for a snapshot."},
		{SnapshotLSN, text, "The snapshot that the row belongs to, by the position where it began. NULL for a change."},
		{Chunk, number, "The part of a snapshot taken in parts that the row came with. NULL for a change and for a snapshot taken at once."},
	}
}

// tableComment describes a bronze table to whoever opens its schema.
const tableComment = "Changes of one SQL Server table as CDC captured them, only ever appended to. " +
	"An update takes two rows, the row before (_operation 3) and the row after (4). " +
	"The order of changes is _start_lsn, _command_id, _seqval, _operation. " +
	"Rows with _operation 0 are copies of whole rows, a snapshot; _snapshot says of which one: " +
	"its rows and the changes with a larger _start_lsn make up the table. " +
	"A column that the source table gains is added at the end and is NULL in older rows; one that it loses stays and is NULL from then on."

// Columns are the columns of a new bronze table in order: metadata around the
// captured ones. A computed column is left out: CDC records no value for it, and
// the stream's own schema leaves it out too. commandID false is a stream that was
// told to leave out _command_id.
func Columns(captured []schema.TargetColumn, commandID bool) []Column {
	out := leading()
	if !commandID {
		out = slices.DeleteFunc(out, func(c Column) bool { return c.Name == CommandID })
	}
	for _, c := range captured {
		if !c.Computed {
			out = append(out, Column{Name: c.Name, Type: c.Type})
		}
	}
	return append(out, trailing()...)
}
