package engine

import (
	"context"
	"time"

	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// The views below are what a person sees of a seed before it is planned, one
// for each question that is asked. They are read for people: Build reads
// everything again and plans from no view.

// SourceView is the server and database, for whoever is about to name a table.
type SourceView struct {
	Identity  Identity
	Clock     string         // the zone or offset that converts its times
	Now       clock.Instant  // the server's clock when asked
	Ahead     time.Duration  // the server's clock less this machine's
	Oldest    *clock.Instant // of the commits that CDC keeps in the database; nil where unknown
	Newest    *clock.Instant // captured commit or idle entry; nil where nothing is captured
	Retention *time.Duration // what the cleanup job keeps; nil where the login may not know
	Checks    []verdict.Check
}

// TableView is a table with what a person should know before seeding it.
type TableView struct {
	Table    Table    // with its columns' types
	Instance string   // the capture instance that the stream is configured with
	Key      []string // "OrderId bigint", the columns of the unique index
	Checks   []verdict.Check
}

// CopyView is what lies at the copy's path, compared with the table.
type CopyView struct {
	Kind    string // parquet or delta
	URL     string
	Version *int64 // of a Delta table
	Files   int
	Rows    int64
	Bytes   int64

	First, Last clock.Instant // oldest and newest time of its files
	Evidence    clock.Instant // the earliest time data entered it: as_of cannot be later
	SeenIn      string        // what shows it

	Columns int      // of the copy
	Matched int      // captured columns that every file has by name
	Missing []string // captured columns that a file lacks
	Extra   []string // columns that nothing captures
	Checks  []verdict.Check

	asked    string // the table's name that the copy was compared with
	copy     *lakecopy.Copy
	table    schema.Table
	instance string
	captured []schema.TargetColumn
	zone     string // of the server, as --copy-time-zone takes it; empty where it has no name
}

// TargetView is what lies at the target's and the facts table's places.
type TargetView struct {
	TargetPlan
	Protocol string     // "3/7 (timestampNtz)"; empty where the table is missing
	Files    int        // of the target now
	Held     []HeldView // snapshots of the table in the target, newest first
	Facts    *FactsPlan // nil where no facts row is wanted
	Free     *int64     // bytes free on the target's disk; nil where unknown
	Checks   []verdict.Check
	NeedsNTZ *verdict.Error // set where only --upgrade-protocol is missing: the question to ask
	Recovery *RecoveryView  // nil where the target holds no snapshot of the table

	asked    string                // the table's name that the target was looked at for
	appID    string                // the request's
	captured []schema.TargetColumn // as the target spells and orders them
	target   *delta.Snapshot       // nil where it is missing
	held     *bronze.Snapshots
	reader   store.Reader
	facts    *delta.Snapshot // nil where it is missing or not wanted
	events   []bronze.Event
	reseed   reseedFindings
}

// HeldView is a snapshot that the target holds.
type HeldView struct {
	LSN    lsn.LSN
	Commit *clock.Instant // nil where unknown
	Rows   int64

	Chunked bool // taken in parts: no seed is found in it

	Kind string         // bronze.KindSeed, or KindSnapshot of the stream's own; empty where the log does not tell any more
	Made *clock.Instant // when it was committed to the target; nil where the log does not tell any more
}

// AsOfView is the way from an as_of to L. Beside a refusal it holds what was
// found before it.
type AsOfView struct {
	Mapping
	Until  *clock.Instant // L stays readable until then, at a guess; nil where unknown
	Seeded bool           // the target holds this seed: nothing would be written
	Checks []verdict.Check
	here   clock.Instant // this machine's clock when as_of was mapped
}

// ReadingView is one meaning of a time that was typed without a zone.
type ReadingView struct {
	Zone  string        // "UTC", "the server's zone (W. Europe Standard Time)", "this machine's zone (CET)"
	At    clock.Instant // earliest first, where a clock showed the time twice
	Note  string        // "the first of two times that the clock showed this", or empty
	Value string        // what to put for as_of: the clock in the zone with its offset, RFC 3339
}

// ColumnsView is how each column of the copy becomes one of the stream's.
type ColumnsView struct {
	Lines  []ColumnLine
	Open   int    // questions without an answer
	Rows   int64  // looked at
	Files  int    // that they are in
	Depth  string // footers, sample or all
	Checks []verdict.Check
	Stop   *verdict.Error // what forbids to go on: open questions or values that are refused; nil for none

	took time.Duration // to look at Rows rows
	seen clock.Instant // this machine's clock then
}

// Mark says how much a column's cast weighs.
type Mark string

// The marks, lightest first.
const (
	MarkSame    Mark = "="
	MarkChecked Mark = "~" // cast, and every value checked
	MarkLoses   Mark = "!" // may lose something, or needs an answer
	MarkLeftOut Mark = "x" // a column of the copy that nothing captures
)

// ColumnLine is one captured column, or one column of the copy that is left out.
type ColumnLine struct {
	Copy, CopyType     string // empty where the copy lacks it
	Target, TargetType string // empty where it is left out
	Mark               Mark
	Cast               string   // in a few words
	Why                string   // the casts in full, or empty
	Notes              []string // what a person should know about them
	Key                bool
	Asks               []Ask // what is or was asked of it, answered or not
	Effects            []string
	Samples            []SampleView
	Counts             string // in words; empty where no value was looked at
	Values             int64  // looked at
	Changed            int64
	Refused            int64
}

// Ask is a decision about a column that only a person can take.
type Ask struct {
	Flag    string // --cast, --missing, --copy-time-zone, --exclude-deleted or --ignore-mark: what answers it on the command line
	Column  string // as the flag takes it; empty where one answer holds for the whole copy
	Text    string // one sentence without a full stop
	Choices []Choice
	Given   string // a Choice's Value, or a zone's name; empty while there is none
	Zone    bool   // any zone's name is an answer too
	Open    bool   // the seed waits for it
}

// Choice is one way to answer.
type Choice struct {
	Value  string
	Text   string // what it does, in a few words
	Sample string // what it makes of a value of the copy: "00:40:12 -> 02:40:12"; empty where nothing was looked at
	Map    bool   // the value is a column of the copy, which is the missing one under another name
}

// SampleView is a value before and after its cast.
type SampleView struct {
	Before, After string
	Effect        string // in words; empty for a value that stays what it is
	File          string
	Row           int64  // in the file; 0 where unknown
	Key           string // of the row, for people; empty where unknown
}

// unasked stands in a request for an answer that is not asked for yet.
const unasked = "-"

// inspection is a builder that one inspection uses: the same checks as
// planning's, made from the part of the answers that it is about.
func (s *Session) inspection(part Request) *builder {
	b := &builder{session: s, request: part, started: s.now(), held: &bronze.Snapshots{}}
	b.plan.Source = sourcePlan(s.identity)
	return b
}

// stoppedInspecting gives a cancellation its name.
func stoppedInspecting(ctx context.Context, err error) error {
	return stoppedWhile(ctx, err, "things were looked at", "Look again: it changes nothing.")
}
