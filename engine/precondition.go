package engine

// Precondition is an assertion that made the plan right. Executing checks all
// of them first, and those that time can break again right before the commit.
type Precondition struct {
	Kind     PreconditionKind `json:"kind"`
	Expected string           `json:"expected"` // the value that must still be found
	Text     string           `json:"text"`     // the assertion as a sentence without a full stop
}

// PreconditionKind names what a Precondition looks at.
type PreconditionKind string

// The preconditions, in the order in which they are checked. ChangesKept,
// SameTarget, NoOtherSnapshot or SameNewest, FactsRowFree, AppIDNew and
// NothingOpen are checked once more right before each commit attempt (decision 13).
const (
	PlanIntact      PreconditionKind = "plan_intact"       // format and digest
	SameSource      PreconditionKind = "same_source"       // server and database
	SameInstances   PreconditionKind = "same_instances"    // object ids and columns of the capture instances
	ChangesKept     PreconditionKind = "changes_kept"      // the low watermark is not past the change after L
	LSNCaptured     PreconditionKind = "lsn_captured"      // L is not after the newest captured commit
	SameCopy        PreconditionKind = "same_copy"         // Delta version, or files with sizes and times
	SameTarget      PreconditionKind = "same_target"       // table, protocol and schema
	NoOtherSnapshot PreconditionKind = "no_other_snapshot" // of the table in the target
	SameNewest      PreconditionKind = "same_newest"       // of a reseed: the newest snapshot in the target is the planned one
	SeedStands      PreconditionKind = "seed_stands"       // of a plan that writes no rows: the seed is there
	FactsRowFree    PreconditionKind = "facts_row_free"    // absent, or this seed's
	AppIDNew        PreconditionKind = "app_id_new"        // of a reseed: nothing was written under it
	NothingOpen     PreconditionKind = "nothing_open"      // of a reseed: no stream of the target has an unfinished snapshot
)
