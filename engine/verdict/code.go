// Package verdict holds what the engine says about what it found: refusals
// (Error) and findings that let a person go on (Check), each with a code from
// one closed list that the plan, the JSON output, the exit status and the
// wizard share.
package verdict

// Code names a cause. It is an error itself, so errors.Is(err, verdict.RetentionPassed)
// asks for the cause wherever in the chain the Error stands.
type Code string

func (c Code) Error() string { return string(c) }

// The causes of a refusal. Each has an exit status in exits; docs/exit-codes.md is made from both.
const (
	Unexpected Code = "unexpected" // a fault of ours or of a library

	Usage           Code = "usage"            // flags that do not go together, or a value that is none
	AsOfNoZone      Code = "as_of_no_zone"    // a time without a zone
	AsOfInvalid     Code = "as_of_invalid"    // neither a time nor an LSN, or a notation with two readings
	AcceptUnknown   Code = "accept_unknown"   // --accept names a warning that does not occur
	FactsIncomplete Code = "facts_incomplete" // a facts table without app id or target name
	AnswerUnknown   Code = "answer_unknown"   // --cast or --missing for a column that needs no answer

	WarningUnaccepted Code = "warning_unaccepted" // a warning that was not accepted by name
	AsOfInFuture      Code = "as_of_in_future"    // later than the server's clock
	AsOfAfterCopy     Code = "as_of_after_copy"   // later than the earliest time data entered the copy
	ClockDisagrees    Code = "clock_disagrees"    // GETDATE, SYSUTCDATETIME, the zone and the newest commit contradict
	ZoneUnknown       Code = "zone_unknown"       // a time zone name that this program or the server does not know
	LSNAboveMax       Code = "lsn_above_max"      // after sys.fn_cdc_get_max_lsn()
	ReplicaBehind     Code = "replica_behind"     // above max LSN on a read-only replica
	NothingCaptured   Code = "nothing_captured"   // CDC has no LSN yet: capture has not run
	NoInstance        Code = "no_instance"        // no such capture instance, or no access to it
	InstanceAmbiguous Code = "instance_ambiguous" // two instances differ only by case
	CDCOff            Code = "cdc_off"            // CDC is not on in the database
	SourceDenied      Code = "source_denied"      // a permission that the seed needs is missing

	CopyNotFound   Code = "copy_not_found"    // no such path
	CopyNotACopy   Code = "copy_not_a_copy"   // no data files, another format, inside a Delta table
	CopyUnreadable Code = "copy_unreadable"   // a file that is not whole or not Parquet
	CopyFeature    Code = "copy_feature"      // a Delta reader feature that is not supported
	CopyEmpty      Code = "copy_empty"        // no rows
	CopyMarks      Code = "copy_marks"        // another tool's bookkeeping needs an answer
	CopySameAsSeed Code = "copy_same_as_seed" // a reseed with a copy that a seed in the target was made from

	ColumnMissing   Code = "column_missing"    // a captured column that the copy lacks
	ColumnAmbiguous Code = "column_ambiguous"  // two columns differ only by case
	ColumnName      Code = "column_name"       // a name that Delta refuses without column mapping
	ColumnReserved  Code = "column_reserved"   // a source column named like a metadata column
	ColumnUnmapped  Code = "column_unmapped"   // a SQL type that has no stream type
	ColumnsDiffer   Code = "columns_differ"    // instances of the table type a column incompatibly
	CastImpossible  Code = "cast_impossible"   // no cast leads from the copy's type to the target's
	CastNeedsAnswer Code = "cast_needs_answer" // a cast that may lose something and has no answer
	CastNeedsZone   Code = "cast_needs_zone"   // a cast between an instant and a zone-less time
	ValueRefused    Code = "value_refused"     // values that do not fit, parse, or may not change
	NoKey           Code = "no_key"            // keys are to be counted of a capture instance without a unique index

	TargetNotDelta  Code = "target_not_delta"  // a folder with files that is no Delta table
	TargetNotBronze Code = "target_not_bronze" // a Delta table of another shape
	TargetFeature   Code = "target_feature"    // a table feature that a seed cannot honour
	TargetNeedsNTZ  Code = "target_needs_ntz"  // TIMESTAMP_NTZ without the feature
	TargetType      Code = "target_type"       // an existing column of another type
	TargetMigration Code = "target_migration"  // a schema version that is none, or one for newer writers
	TargetCorrupt   Code = "target_corrupt"    // a Delta log that contradicts itself
	TargetPath      Code = "target_path"       // a place where a seed must not write
	SnapshotOpen    Code = "snapshot_open"     // the stream has an unfinished snapshot
	FactsNotFacts   Code = "facts_not_facts"   // the facts path holds another table
	FactsFeature    Code = "facts_feature"     // a table feature that a facts row cannot honour
	AppIDTaken      Code = "app_id_taken"      // the app id has recorded another snapshot, or a reseed's has been used
	NothingToReseed Code = "nothing_to_reseed" // a reseed of a target that holds no snapshot of the table

	RetentionPassed Code = "retention_passed" // the changes right after L are gone
	NoCommit        Code = "no_commit"        // no commit at or before as_of
	CDCNotOnYet     Code = "cdc_not_on_yet"   // CDC was not on for the table at as_of

	PlanStale   Code = "plan_stale"   // what the plan was made from has changed
	PlanInvalid Code = "plan_invalid" // not a plan, another format, or edited
	CopyChanged Code = "copy_changed" // the copy is not the one that was planned

	CountsDiffer Code = "counts_differ" // the casts did other things to the values than the plan saw in all of them

	TargetHoldsSnapshot Code = "target_holds_snapshot" // another snapshot of the table
	ReseedNotNewer      Code = "reseed_not_newer"      // a reseed whose L is not after the newest snapshot's, or any seed before one that the facts table records
	TargetChanged       Code = "target_changed"        // somebody changed the target under us

	SourceUnreachable Code = "source_unreachable" // no connection, or it broke
	LoginFailed       Code = "login_failed"       // the server refused the login or the database
	StoreUnreachable  Code = "store_unreachable"  // a read or write that the store did not do
	StoreDenied       Code = "store_denied"       // no permission there
	StoreFull         Code = "store_full"         // no space there
	CommitUnknown     Code = "commit_unknown"     // whether the commit happened could not be read back

	FactsFailed Code = "facts_failed" // the seed is committed, its facts row is not

	Stopped Code = "stopped" // the user stopped it
)

// Exit statuses of the program (decision 27).
const (
	ExitDone        = 0
	ExitUnexpected  = 1
	ExitUsage       = 2
	ExitRefused     = 3
	ExitNotKept     = 4
	ExitStale       = 5
	ExitForeign     = 6
	ExitUnreachable = 7
	ExitFactsFailed = 8
	ExitStopped     = 130
)

// Exit is the program's exit status for c: never 0. What is listed nowhere is a refusal by a check.
func (c Code) Exit() int {
	switch c {
	case Unexpected:
		return ExitUnexpected
	case Usage, AsOfNoZone, AsOfInvalid, AcceptUnknown, FactsIncomplete, AnswerUnknown:
		return ExitUsage
	case RetentionPassed, NoCommit, CDCNotOnYet:
		return ExitNotKept
	case PlanStale, PlanInvalid, CopyChanged, CountsDiffer:
		return ExitStale
	case TargetHoldsSnapshot, ReseedNotNewer, TargetChanged:
		return ExitForeign
	case SourceUnreachable, LoginFailed, StoreUnreachable, StoreDenied, StoreFull, CommitUnknown:
		return ExitUnreachable
	case FactsFailed:
		return ExitFactsFailed
	case Stopped:
		return ExitStopped
	default:
		return ExitRefused
	}
}

// Codes is the closed list of refusals.
func Codes() []Code {
	return []Code{
		Unexpected,
		Usage, AsOfNoZone, AsOfInvalid, AcceptUnknown, FactsIncomplete, AnswerUnknown,
		WarningUnaccepted, AsOfInFuture, AsOfAfterCopy, ClockDisagrees, ZoneUnknown, LSNAboveMax, ReplicaBehind,
		NothingCaptured, NoInstance, InstanceAmbiguous, CDCOff, SourceDenied,
		CopyNotFound, CopyNotACopy, CopyUnreadable, CopyFeature, CopyEmpty, CopyMarks, CopySameAsSeed,
		ColumnMissing, ColumnAmbiguous, ColumnName, ColumnReserved, ColumnUnmapped, ColumnsDiffer,
		CastImpossible, CastNeedsAnswer, CastNeedsZone, ValueRefused, NoKey,
		TargetNotDelta, TargetNotBronze, TargetFeature, TargetNeedsNTZ, TargetType, TargetMigration, TargetCorrupt,
		TargetPath, SnapshotOpen, FactsNotFacts, FactsFeature, AppIDTaken, NothingToReseed,
		RetentionPassed, NoCommit, CDCNotOnYet,
		PlanStale, PlanInvalid, CopyChanged, CountsDiffer,
		TargetHoldsSnapshot, ReseedNotNewer, TargetChanged,
		SourceUnreachable, LoginFailed, StoreUnreachable, StoreDenied, StoreFull, CommitUnknown,
		FactsFailed, Stopped,
	}
}

// Warning names a finding that must be accepted by name before anything is written.
type Warning string

// The warnings (decision 26).
const (
	FellBack         Warning = "fell_back"              // the look-up went an hour back: the server's clock repeated it
	ClockStepped     Warning = "clock_stepped"          // commit times run backwards near as_of
	NoZone           Warning = "no_zone"                // the server cannot name its zone: looked up 60 minutes earlier
	CaptureBehind    Warning = "capture_behind"         // no captured commit after as_of yet
	CaptureStopped   Warning = "capture_stopped"        // the newest captured commit is long before as_of
	LSNNoCommit      Warning = "lsn_no_commit"          // no commit has the LSN: a typing error looks like this
	RowsDiffer       Warning = "rows_differ"            // the copy's rows and the server's estimate are far apart
	AfterCopyAllowed Warning = "as_of_after_copy"       // an as_of after the copy's evidence was allowed
	RetentionTight   Warning = "retention_tight"        // writing may take more than half of the time that L has left
	StreamStopped    Warning = "stream_must_be_stopped" // the stream must not write the target until the seed commits
	FlaggedKept      Warning = "flagged_rows_kept"      // rows that another tool flagged as deleted are kept
	UniformStale     Warning = "uniform_stale"          // the target's Iceberg or Hudi metadata will lag
	FactsTxnExpires  Warning = "facts_txn_expires"      // the facts table forgets who wrote it
	TrustsAnyServer  Warning = "trusts_any_server"      // the server's certificate was not checked
	Reseed           Warning = "reseed"                 // everything downstream rebuilds from the new snapshot
	SameContent      Warning = "same_content"           // a reseed's copy holds byte for byte what the target was seeded from
	CutOffText       Warning = "cut_off_text"           // many values end at exactly the same power of two
	DuplicateKeys    Warning = "duplicate_keys"         // keys of the copy stand in more than one row, or may
	DigitsDoubtful   Warning = "digits_doubtful"        // whole numbers of the copy are so large that its type skips some
	KeyChanged       Warning = "key_changed"            // keys are rounded or cut as answered
	EncodingDoubtful Warning = "encoding_doubtful"      // text is decoded as answered, and all of it is UTF-8 as it stands
	ValuesUnseen     Warning = "values_unseen"          // columns are copied as bytes, and not every value was looked at
)

// Warnings is the closed list of warnings.
func Warnings() []Warning {
	return []Warning{
		FellBack, ClockStepped, NoZone, CaptureBehind, CaptureStopped, LSNNoCommit, RowsDiffer, AfterCopyAllowed, RetentionTight,
		StreamStopped, Reseed, SameContent, FlaggedKept, UniformStale, FactsTxnExpires, TrustsAnyServer, CutOffText, DuplicateKeys, DigitsDoubtful, KeyChanged,
		ValuesUnseen, EncodingDoubtful,
	}
}
