package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// PlanFormat is the number of the plan's JSON form. A plan of another number is refused.
const PlanFormat = 1

// State says what executing a plan would do.
type State string

// The states of a plan.
const (
	Ready         State = "ready"          // append the copy
	Blocked       State = "blocked"        // nothing: Stops says why
	AlreadySeeded State = "already_seeded" // write no rows: the seed is in the target; a missing facts row is written
)

// Plan is a seed decided in full and not begun: what is read, what is written
// and every assertion that made it right. It is a value; executing it takes
// nothing else that could change its mind. It holds no secret.
type Plan struct {
	Format int           `json:"format"`
	Tool   string        `json:"tool"`    // program and version that made it
	MadeAt clock.Instant `json:"made_at"` // on the planning machine's clock
	Digest string        `json:"digest"`  // SHA-256, hexadecimal, over the plan without tool, made_at and digest
	State  State         `json:"state"`
	Stops  []Stop        `json:"stops,omitempty"`

	Source   SourcePlan      `json:"source"`
	Table    TablePlan       `json:"table"`
	AsOf     AsOfPlan        `json:"as_of"`
	Copy     CopyPlan        `json:"copy"`
	Target   TargetPlan      `json:"target"`
	Facts    *FactsPlan      `json:"facts,omitempty"`
	Reseed   *ReseedPlan     `json:"reseed,omitempty"` // nil for a first snapshot
	Columns  cast.Mapping    `json:"columns"`
	Preview  Preview         `json:"preview"`
	Keys     *KeysPlan       `json:"keys"` // nil where they were not counted
	Stage    StagePlan       `json:"stage"`
	Checks   []verdict.Check `json:"checks"`
	Accepted []string        `json:"accepted"` // warnings accepted by name, sorted

	Preconditions []Precondition `json:"preconditions"`
	Args          []string       `json:"args"` // the command line that asks for this plan

	// Files is the copy's file list, bound by Copy.FilesHash. It stands beside
	// the plan in a file of its own, one JSON line a file.
	Files []PlanFile `json:"-"`
}

// Stop is a reason that blocks a plan: an Error as plain data.
type Stop struct {
	Code  verdict.Code   `json:"code"`
	What  string         `json:"what"`
	Facts []verdict.Fact `json:"facts,omitempty"`
	Why   string         `json:"why,omitempty"`
	Hint  []string       `json:"hint,omitempty"`
}

// Err is the refusal that s stands for.
func (s Stop) Err() *verdict.Error {
	return &verdict.Error{Code: s.Code, What: s.What, Facts: s.Facts, Why: s.Why, Hint: s.Hint}
}

func stopOf(err error) Stop {
	e := verdict.As(err)
	what := e.What
	if e.Err != nil {
		what += ": " + e.Err.Error()
	}
	return Stop{Code: e.Code, What: what, Facts: e.Facts, Why: e.Why, Hint: e.Hint}
}

// SourcePlan is the server and database that the plan was made from.
type SourcePlan struct {
	Server     string `json:"server"` // @@SERVERNAME
	Database   string `json:"database"`
	DatabaseID int    `json:"database_id"`
	Version    string `json:"version"`   // product version
	Edition    string `json:"edition"`   // as SERVERPROPERTY tells it
	ReadOnly   bool   `json:"read_only"` // a readable secondary
	Login      string `json:"login"`
	Clock      string `json:"clock"` // the zone or offset that converts its times
}

// TablePlan is the source table and its capture instances.
type TablePlan struct {
	Schema    string         `json:"schema"`
	Name      string         `json:"name"`
	ObjectID  int64          `json:"object_id"`
	Instance  string         `json:"instance"`  // written verbatim as _capture_instance
	Instances []InstancePlan `json:"instances"` // oldest first
}

// String is schema.table, which confirms a plan.
func (t TablePlan) String() string { return t.Schema + "." + t.Name }

// InstancePlan pins a capture instance.
type InstancePlan struct {
	Name        string   `json:"name"`
	ObjectID    int64    `json:"object_id"`
	StartLSN    *lsn.LSN `json:"start_lsn,omitempty"` // when planning; cleanup moves it
	ColumnsHash string   `json:"columns_hash"`        // SHA-256 over its columns
}

// AsOfPlan is the way from what was asked to L.
type AsOfPlan struct {
	Asked     string         `json:"asked"`                // as typed
	Time      *clock.Instant `json:"time,omitempty"`       // of a time as_of
	CopyLag   time.Duration  `json:"copy_lag,omitempty"`   // nanoseconds
	LookedUp  *clock.Local   `json:"looked_up,omitempty"`  // on the server's clock
	L         lsn.LSN        `json:"lsn"`                  // the stream goes on right after it
	CommitTS  *clock.Instant `json:"commit_ts"`            // of L; null where its mapping row is gone or never was
	Record    *lsn.LSN       `json:"record_lsn,omitempty"` // the plain rule's answer, where L is earlier
	MaxLSN    lsn.LSN        `json:"max_lsn"`              // when planning
	KeptBy    string         `json:"kept_by"`              // instance whose low watermark counts
	Low       lsn.LSN        `json:"low_watermark"`        // when planning
	KeptUntil *clock.Instant `json:"kept_until,omitempty"` // estimate, where the cleanup setting is known
}

// CopyPlan pins the copy.
type CopyPlan struct {
	Kind      string             `json:"kind"` // parquet or delta
	URL       string             `json:"url"`
	Version   *int64             `json:"version,omitempty"` // of a Delta table
	Files     int                `json:"files"`
	Rows      int64              `json:"rows"`
	Deleted   int64              `json:"deleted_rows,omitempty"` // rows of its files that deletion vectors hide; in no other count
	Bytes     int64              `json:"bytes"`
	Hash      string             `json:"hash"`         // over sorted (path, size, etag or time, deletion vector)
	Content   string             `json:"content_hash"` // of what the files hold, whatever they are called and whenever they were written
	FilesHash string             `json:"files_hash"`   // SHA-256 over the file list's lines
	Evidence  clock.Instant      `json:"evidence"`     // the earliest time data entered it
	Classes   []schema.FileClass `json:"classes"`
	Filter    *FilterPlan        `json:"filter,omitempty"`
	Skipped   []string           `json:"skipped,omitempty"` // files in its folder that are no part of it; the first 20
}

// FilterPlan leaves out rows that another tool flagged as deleted.
type FilterPlan struct {
	Column string            `json:"column"`
	Tool   string            `json:"tool"`
	Kind   lakecopy.MarkKind `json:"kind"` // whether it flags deletes, or tells operations, of which some are
	When   lakecopy.FlagRule `json:"when"` // which values flag a row
}

// PlanFile is one file of the copy.
type PlanFile struct {
	Key       string             `json:"key"`
	Size      int64              `json:"size"`
	ETag      string             `json:"etag,omitempty"`
	Modified  clock.Instant      `json:"modified"`
	Class     string             `json:"class"`
	Rows      int64              `json:"rows"`
	Deleted   int64              `json:"deleted,omitempty"` // rows of the file that its deletion vector hides; not among rows
	Vector    string             `json:"vector,omitempty"`  // which deletion vector, as the copy's log names it
	Partition map[string]*string `json:"partition,omitempty"`
	Ways      int                `json:"ways"` // place in the plan's stage.ways
}

// TargetPlan pins the target.
type TargetPlan struct {
	URL          string   `json:"url"`
	Name         string   `json:"name"`    // as the Python job passes it
	Version      int64    `json:"version"` // -1 where the table is missing
	TableID      string   `json:"table_id,omitempty"`
	Create       bool     `json:"create"`
	Mapping      string   `json:"column_mapping,omitempty"` // name or id, of a table that maps its columns
	AddColumns   []string `json:"add_columns,omitempty"`
	UpgradeNTZ   bool     `json:"upgrade_timestamp_ntz,omitempty"`
	SchemaHash   string   `json:"schema_hash"`             // over metaData's schemaString, of a missing or older table as the plan makes it
	LayoutHash   string   `json:"layout_hash,omitempty"`   // of a table that maps its columns: over the schema as the data commit leaves it, which names the files' columns
	MetadataHash string   `json:"metadata_hash,omitempty"` // over the whole metaData action
	ProtocolHash string   `json:"protocol_hash,omitempty"` // over the protocol action

	Migrate     *MigratePlan `json:"migrate,omitempty"`      // of a table that an older release made
	SettledHash string       `json:"settled_hash,omitempty"` // of such a table: over its metaData less what migrations change

	Uniform string `json:"uniform,omitempty"` // formats beside Delta that it is read as, by metadata of their own

	Held *HeldPlan `json:"held,omitempty"` // the newest snapshot of the table in it; nil where it holds none
}

// HeldPlan is a snapshot that the target held when it was planned.
type HeldPlan struct {
	LSN      lsn.LSN        `json:"lsn"`
	CommitTS *clock.Instant `json:"commit_ts"` // null where unknown
	Rows     int64          `json:"rows"`
	Chunked  bool           `json:"chunked,omitempty"` // taken in parts
}

// ReseedPlan is a seed that becomes, or in a seed that was found became, the next
// snapshot of a target that held an older one.
type ReseedPlan struct {
	Follows lsn.LSN `json:"follows"`          // the newest snapshot before it
	AppID   string  `json:"app_id,omitempty"` // of the stream that starts from it: new to the target and the facts table; empty where none was given
}

// FactsPlan is the facts row to write.
type FactsPlan struct {
	URL     string `json:"url"`
	AppID   string `json:"app_id"`
	Target  string `json:"target"`  // text of the row's target column
	Version int64  `json:"version"` // of the facts table; -1 where it is missing
	Present bool   `json:"present"` // a version-0 event of this app id is there: nothing to write

	Migrate *MigratePlan `json:"migrate,omitempty"` // of a table that an older release made, before the row is written
}

// MigratePlan brings a table to the newest schema version, in a commit of its
// own that changes no row.
type MigratePlan struct {
	From       int      `json:"from"`
	To         int      `json:"to"`
	AddColumns []string `json:"add_columns,omitempty"`
}

// Preview is what the casts did to values before anything was written.
type Preview struct {
	Depth  string      `json:"depth"` // footers, sample or all
	Rows   int64       `json:"rows"`  // looked at
	Files  int         `json:"files"` // that they are in
	Report cast.Report `json:"report"`
}

// Writes reports whether running the plan changes anything: rows, or the facts
// row of a seed that is in the target already.
func (p Plan) Writes() bool {
	return p.State != AlreadySeeded || p.Facts != nil && !p.Facts.Present
}

// Unaccepted lists the warnings that were not accepted by name.
func (p *Plan) Unaccepted() []verdict.Check {
	var out []verdict.Check
	for _, c := range p.Checks {
		if c.Level == verdict.Warn && !slices.Contains(p.Accepted, string(c.Code)) {
			out = append(out, c)
		}
	}
	return out
}

// Refusal is why the plan cannot be executed: its first stop, or its
// unaccepted warnings. It is nil for a plan that can.
func (p *Plan) Refusal() error {
	open := p.Unaccepted()
	var names []string // each once: one that is told of several columns is accepted by one name
	facts := make([]verdict.Fact, len(open))
	for i, c := range open {
		facts[i] = verdict.Fact{Name: string(c.Code), Value: c.Text}
		if !slices.Contains(names, string(c.Code)) {
			names = append(names, string(c.Code))
		}
	}
	if len(p.Stops) > 0 {
		return p.stopped(names)
	}
	if len(open) == 0 {
		return nil
	}
	return &verdict.Error{
		Code:  verdict.WarningUnaccepted,
		What:  verdict.Plural(len(open), "of the plan's warnings is not accepted", "of the plan's warnings are not accepted"),
		Facts: facts,
		Why:   "Each costs something that only you can weigh.",
		Hint:  []string{"Read them, then add: --accept " + strings.Join(names, ",")},
	}
}

// stopped is the first stop, with what the others and the open warnings ask
// for, so that one more try can answer everything.
func (p *Plan) stopped(open []string) *verdict.Error {
	e := p.Stops[0].Err()
	for _, s := range p.Stops[1:] {
		e.Hint = append(e.Hint, "Also: "+s.What+".")
		e.Hint = append(e.Hint, s.Hint...)
	}
	if len(open) > 0 {
		e.Hint = append(e.Hint, "Warnings are open too. Read them in the plan, then add: --accept "+strings.Join(open, ","))
	}
	return e
}

// digest is the plan's digest over everything but tool, made_at and itself.
func (p Plan) digest() (string, error) {
	p.Tool, p.MadeAt, p.Digest = "", 0, ""
	text, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	return sha(text), nil
}

// FileLines is the file list as its file holds it.
func (p Plan) FileLines() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, f := range p.Files {
		if err := enc.Encode(f); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// Verify checks that the plan is of this format and that neither it nor its
// file list was changed since it was made. The error is verdict.PlanInvalid.
func (p Plan) Verify() error {
	bad := func(what string, facts ...verdict.Fact) error {
		return &verdict.Error{
			Code: verdict.PlanInvalid, What: what, Facts: facts,
			Why: "Only what was shown may be executed.", Hint: []string{"Make the plan again."},
		}
	}
	if p.Format != PlanFormat {
		return bad("the plan has another format", verdict.Facts("format", p.Format, "this program reads", PlanFormat)...)
	}
	digest, err := p.digest()
	if err != nil {
		return err
	}
	if digest != p.Digest {
		return bad("the plan was changed after it was made", verdict.Facts("digest", digest, "recorded", p.Digest)...)
	}
	lines, err := p.FileLines()
	if err != nil {
		return err
	}
	if got := sha(lines); got != p.Copy.FilesHash {
		return bad("the plan's file list is not the one that belongs to it", verdict.Facts("hash", got, "recorded", p.Copy.FilesHash)...)
	}
	return nil
}

// ReadPlan reads a plan and its file list, and verifies both.
func ReadPlan(plan, files []byte) (Plan, error) {
	var p Plan
	dec := json.NewDecoder(bytes.NewReader(plan))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return p, unreadablePlan("the file is no plan", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return p, unreadablePlan("the file goes on behind its plan", err)
	}
	lines := json.NewDecoder(bytes.NewReader(files))
	lines.DisallowUnknownFields()
	for {
		var f PlanFile
		err := lines.Decode(&f)
		if errors.Is(err, io.EOF) {
			return p, p.Verify()
		}
		if err != nil {
			return p, unreadablePlan("the plan's file list is not readable", err)
		}
		p.Files = append(p.Files, f)
	}
}

func unreadablePlan(what string, err error) error {
	return &verdict.Error{Code: verdict.PlanInvalid, What: what, Err: err, Hint: []string{"Make the plan again."}}
}

func sha(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func hashOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // values of this package's own types
	}
	return sha(text)
}
