package fakeserver

import (
	"encoding/json"
	"time"
)

// World is a whole SQL Server as a JSON file describes it: what it says of
// itself, who may log in, its databases, and what goes wrong. Every key is
// explained in docs/fakeserver.md.
type World struct {
	Format    int            `json:"format"` // always 1
	Server    ServerSettings `json:"server"`
	Logins    []Login        `json:"logins"`
	Databases []Database     `json:"databases"`
	Faults    []Fault        `json:"faults,omitempty"`
}

// ServerSettings is what the server is and what its clock does.
type ServerSettings struct {
	Name           string    `json:"name,omitempty"`           // @@SERVERNAME; FAKESQL when empty
	ProductVersion string    `json:"product_version"`          // such as 16.0.4125.3
	Edition        string    `json:"edition,omitempty"`        // Developer Edition (64-bit) when empty
	EngineEdition  int       `json:"engine_edition,omitempty"` // 3 when 0; 5 is Azure SQL Database, 8 a Managed Instance
	TimeZone       string    `json:"time_zone,omitempty"`      // a Windows name; else OffsetMinutes
	OffsetMinutes  *int      `json:"offset_minutes,omitempty"` // east of UTC, for a server before 2022
	Now            time.Time `json:"now"`                      // UTC
	Clock          string    `json:"clock,omitempty"`          // frozen (when empty) or ticking
	ReadOnly       bool      `json:"read_only_replica,omitempty"`
	AgentStopped   bool      `json:"agent_stopped,omitempty"` // no job runs: every capture job stands still
	// ReplicaLag is how far a read-only replica stays behind; nil: not at all.
	ReplicaLag *ReplicaLag `json:"replica_lag,omitempty"`
	MapTime    string      `json:"map_time,omitempty"` // by_time (when empty) or by_lsn
	// What is not known of real servers either, besides MapTime.
	EmptyMaxLSN string `json:"empty_max_lsn,omitempty"` // null (when empty) or zeros
	CleanupMark string `json:"cleanup_mark,omitempty"`  // at_or_before (when empty) or at_or_after
}

// ReplicaLag is how far behind the primary a replica is: by so much time of the
// server's clock, by so many changes, or by both. It counts what happens while
// the world is served; what its file says has arrived.
type ReplicaLag struct {
	Seconds int `json:"seconds,omitempty"`
	Changes int `json:"changes,omitempty"` // commits, idle entries, clean-ups and the like
}

// Login is an account and what it may do.
type Login struct {
	Name            string `json:"name"`
	Password        string `json:"password"`
	DefaultDatabase string `json:"default_database,omitempty"`
	SysAdmin        bool   `json:"sysadmin,omitempty"`
	ServerState     bool   `json:"view_server_state,omitempty"`
	LoginError      int32  `json:"login_error,omitempty"`       // 18456, 4060 or 40613
	LoginErrorTimes int    `json:"login_error_times,omitempty"` // 0 means always
	Users           []User `json:"users,omitempty"`
}

// User is a login's account in one database.
type User struct {
	Database       string   `json:"database"`
	Roles          []string `json:"roles,omitempty"` // db_owner, db_datareader, or a gating role
	Select         []Grant  `json:"select,omitempty"`
	Deny           []Grant  `json:"deny,omitempty"`
	ViewDefinition bool     `json:"view_definition,omitempty"`
	DatabaseState  bool     `json:"view_database_state,omitempty"`
}

// Grant names what SELECT is granted or denied on: "schema.table", or
// "schema" for all of a schema; with Columns, only those columns.
type Grant struct {
	On      string   `json:"on"`
	Columns []string `json:"columns,omitempty"`
}

// Database is one user database.
type Database struct {
	Name               string       `json:"name"`
	CompatibilityLevel int          `json:"compatibility_level,omitempty"` // the version's own when 0
	Collation          string       `json:"collation,omitempty"`           // SQL_Latin1_General_CP1_CI_AS when empty
	Snapshot           bool         `json:"allow_snapshot_isolation,omitempty"`
	CDC                bool         `json:"cdc,omitempty"`
	Offline            bool         `json:"offline,omitempty"`
	CaptureStopped     bool         `json:"capture_stopped,omitempty"`
	PollingSeconds     int          `json:"capture_polling_seconds,omitempty"` // 0: every commit is captured at once
	CleanedUpTo        *LSN         `json:"cleaned_up_to,omitempty"`           // older mapping and change rows are gone
	Cleanup            *CleanupJob  `json:"cleanup,omitempty"`                 // nil: there is no cleanup job
	Roles              []string     `json:"roles,omitempty"`                   // roles that no capture instance names
	Types              []AliasType  `json:"types,omitempty"`
	Tables             []Table      `json:"tables,omitempty"`
	Instances          []Instance   `json:"capture_instances,omitempty"`
	Mapping            []MappingRow `json:"lsn_time_mapping,omitempty"`
	Commits            []Commit     `json:"commits,omitempty"`
	DDL                []DDLCommand `json:"ddl_history,omitempty"`
	// CaptureErrors are what sys.dm_cdc_errors shows.
	CaptureErrors []CaptureError `json:"capture_errors,omitempty"`
}

// CaptureError is an error that the capture job met while it read the log.
type CaptureError struct {
	LocalTime string `json:"local_time"` // on the server's clock
	Number    int32  `json:"number"`
	Message   string `json:"message"`
	Phase     int    `json:"phase,omitempty"` // of the scan, 0 to 8
}

// CleanupJob is what sys.sp_cdc_help_jobs shows of the cleanup job.
type CleanupJob struct {
	RetentionMinutes int64 `json:"retention_minutes"`
	Threshold        int64 `json:"threshold,omitempty"` // 5000 when 0
}

// Table is a user table. Its rows are those that stood before the first of
// the database's Commits; the commits are applied to them in LSN order.
type Table struct {
	Schema     string            `json:"schema,omitempty"` // dbo when empty
	Name       string            `json:"name"`
	Columns    []Column          `json:"columns"`
	PrimaryKey []string          `json:"primary_key,omitempty"`
	Rows       []json.RawMessage `json:"rows,omitempty"` // each an array in column order, or an object
	Generate   *RowRule          `json:"generate,omitempty"`
}

// AliasType is a name for a system type that columns may have instead. Nullable
// is what sys.types says of it; each column has its own.
type AliasType struct {
	Schema   string `json:"schema,omitempty"` // dbo when empty
	Name     string `json:"name"`
	Type     string `json:"type"`
	Nullable bool   `json:"nullable,omitempty"`
}

// Column is a table's column. Type is SQL text such as decimal(18,2), or the
// name of an alias type.
type Column struct {
	Name       string `json:"name"`
	Type       string `json:"type"`
	ID         int    `json:"column_id,omitempty"` // the position when 0
	Nullable   bool   `json:"nullable,omitempty"`
	Identity   bool   `json:"identity,omitempty"`
	Computed   string `json:"computed,omitempty"`    // an expression over the other columns
	AnsiPadded *bool  `json:"ansi_padded,omitempty"` // true when left out
}

// Instance is a capture instance.
type Instance struct {
	Name       string   `json:"name"`
	Table      string   `json:"table"`             // schema.name
	Columns    []string `json:"columns,omitempty"` // all when empty
	Start      *LSN     `json:"start_lsn"`         // null until capture has seen the enable
	Created    string   `json:"created"`           // server-local time
	Role       string   `json:"role,omitempty"`
	NetChanges bool     `json:"supports_net_changes,omitempty"`
}

// MappingRow is a row of cdc.lsn_time_mapping without changes of its own: an
// idle entry, or a transaction whose changes do not matter. With Repeat it
// stands for a run of rows.
type MappingRow struct {
	LSN       LSN        `json:"lsn"`
	LocalTime string     `json:"local_time"` // tran_end_time, on the server's clock
	Idle      bool       `json:"idle,omitempty"`
	Repeat    *RepeatRow `json:"repeat,omitempty"`
}

// RepeatRow repeats a mapping row, each later by a step in LSN and local time.
type RepeatRow struct {
	Count        int   `json:"count"` // rows in all
	EverySeconds int   `json:"every_seconds"`
	LSNStep      int64 `json:"lsn_step"`
}

// Commit is a transaction with its changes.
type Commit struct {
	LSN       LSN      `json:"lsn"`
	BeginTime string   `json:"begin_local_time,omitempty"` // LocalTime when empty
	LocalTime string   `json:"local_time"`
	Changes   []Change `json:"changes"`
}

// Change is one row changed by a commit. An insert has Row; an update has Row,
// an object of the key and the columns that change, or of these alone beside a
// Key; a delete has Key.
type Change struct {
	Table string          `json:"table"`
	Op    string          `json:"op"` // insert, update or delete
	Row   json.RawMessage `json:"row,omitempty"`
	Key   json.RawMessage `json:"key,omitempty"`
}

// DDLCommand is a row of cdc.ddl_history.
type DDLCommand struct {
	Instance  string `json:"capture_instance"`
	LSN       LSN    `json:"lsn"`
	LocalTime string `json:"local_time"`
	Command   string `json:"command"`
	Required  bool   `json:"required_column_update,omitempty"`
}

// Fault is something that goes wrong with a statement: a clock that is set, a
// delay, and then an error or a dropped connection or neither. Each counts the statements that it
// matches; of several that strike one, the first in the list does.
type Fault struct {
	Match string `json:"match,omitempty"` // part of the statement's text; any when empty
	Login string `json:"login,omitempty"`
	Nth   int    `json:"nth,omitempty"`   // the first matching statement that it hits; 1 when 0
	Times int    `json:"times,omitempty"` // how many from there on; 0 means all
	After bool   `json:"after,omitempty"` // after the statement's rows, not before
	// AfterRows is how many of the statement's rows are sent before the error or
	// the drop; a statement with fewer is left alone. 0 means before the first.
	AfterRows int64 `json:"after_rows,omitempty"`
	// AfterPackets is how many packets of the answer are sent before the drop; an
	// answer that has no more is left alone. 0 means before the first.
	AfterPackets int         `json:"after_packets,omitempty"`
	Delay        string      `json:"delay,omitempty"` // such as 250ms, always before the statement
	Error        *FaultError `json:"error,omitempty"`
	Drop         bool        `json:"drop,omitempty"`  // close the connection without a word
	Clock        string      `json:"clock,omitempty"` // such as -1h: the server's clock is set by so much, before the statement
}

// FaultError is the error that a fault sends.
type FaultError struct {
	Number  int32  `json:"number"`
	Class   byte   `json:"class,omitempty"`   // the number's own when 0, else 16
	State   byte   `json:"state,omitempty"`   // 1 when 0
	Message string `json:"message,omitempty"` // the number's own when empty
}

// RowRule makes rows instead of listing them. Columns has an entry for every
// column that is neither computed nor a rowversion.
type RowRule struct {
	Rows    int                   `json:"rows"`
	Seed    uint64                `json:"seed"`
	Columns map[string]ColumnRule `json:"columns"`
}

// ColumnRule makes one column's values. Exactly one of From, Pick, Between,
// Text and Hash is set.
type ColumnRule struct {
	From    *int64            `json:"from,omitempty"` // From + row * Step
	Step    int64             `json:"step,omitempty"`
	Pick    []json.RawMessage `json:"pick,omitempty"`
	Between []json.RawMessage `json:"between,omitempty"` // lowest and highest
	Text    string            `json:"text,omitempty"`    // {n} is the row number from 1, {h} eight hash digits
	Hash    int               `json:"hash,omitempty"`    // this many bytes of hash (16 for a uniqueidentifier)
	NullIn  uint64            `json:"null_in,omitempty"` // about one row in so many is NULL
}
