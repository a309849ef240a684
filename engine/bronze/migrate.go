package bronze

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cdcseed/engine/delta"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// Migration brings a table that an older release of the stream's package made to
// the version that new tables are born with. It changes metadata and no row, in
// one commit, so that no reader ever sees it half done.
type Migration struct {
	From, To int
	Added    []string       // columns that come last and are NULL in the rows there
	Steps    []verdict.Fact // what each number changes
	Metadata delta.Metadata // of the commit

	fields []delta.Field // those of Added
}

// Commit is the migration's one commit.
func (m *Migration) Commit(c Commit) (delta.Append, error) {
	properties := map[string]string{
		"comment": m.Metadata.Description, VersionProperty: m.Metadata.Configuration[VersionProperty],
	}
	text, err := json.Marshal(properties)
	if err != nil {
		return delta.Append{}, err
	}
	parameters := []delta.Pair{{Key: "properties", Value: string(text)}}
	if len(m.fields) > 0 {
		columns, err := json.Marshal(m.fields)
		if err != nil {
			return delta.Append{}, err
		}
		parameters = append(parameters, delta.Pair{Key: "columns", Value: string(columns)})
	}
	return delta.Append{
		Operation: "SET TBLPROPERTIES", Parameters: parameters, Metadata: &m.Metadata, EngineInfo: c.Engine, TxnID: c.TxnID,
	}, nil
}

// Note tells of the migration before it is made. kind is bronze or facts.
func (m *Migration) Note(kind string) verdict.Check {
	does := "rewords comments"
	if len(m.Added) > 0 {
		does = "adds " + strings.Join(m.Added, ", ") + " and " + does
	}
	return verdict.Noted(
		fmt.Sprintf("the %s table was made by an older mssql-cdc-pyspark: a commit of its own brings its schema version from %d to %d and %s; "+
			"no row changes, and programs that read the older form go on", kind, m.From, m.To, does),
		"The package does the same before it writes. New columns are NULL in the rows there.",
		m.Steps...)
}

// kind is what a kind of the stream's tables has come to, and by which steps.
type kind struct {
	name    string
	columns []Column // that migrations speak of, as they are now
	comment string   // of the table, as it is now
	steps   []step   // step i makes version i+1
}

// step is what one migration of the package changes.
type step struct {
	adds    []string // columns
	rewords []string // comments of columns
	table   bool     // the table's comment too
}

// version is the one that new tables are born with.
func (k kind) version() int { return len(k.steps) }

func bronzeKind() kind {
	return kind{name: "bronze", columns: append(leading(), trailing()...), comment: tableComment, steps: []step{
		{rewords: []string{CaptureInstance, CommandID}, table: true},
		{adds: []string{SnapshotLSN, Chunk}, rewords: []string{StartLSN}, table: true},
	}}
}

func factsKind() kind {
	return kind{name: "facts", columns: FactsColumns(), comment: factsComment, steps: []step{
		{adds: []string{"source_rtt_ms", "read_seconds", "read_mb", "network_wait_ms"}},
		{adds: []string{"retention_watermark_ts", "retention_headroom_hours"}},
		{adds: []string{"event", "lost_from_ts", "lost_to_ts"}},
		{adds: []string{"source_max_commit_ts", "capture_lag_seconds", "ingestion_lag_seconds"}},
		{
			adds:    []string{"end_lsn", "end_commit_ts"},
			rewords: []string{"rows", "retention_headroom_hours", "ingestion_lag_seconds"}, table: true,
		},
		{adds: []string{"detail"}, rewords: []string{"batch_id", "rows", "event", "end_lsn", "end_commit_ts"}, table: true},
		{rewords: []string{"rows", "event", "detail"}, table: true},
		{rewords: []string{"event", "detail"}, table: true},
		{rewords: []string{"event"}},
		{rewords: []string{"batch_id", "event", "lost_from_ts", "lost_to_ts", "detail"}, table: true},
		{rewords: []string{"event", "lost_from_ts", "detail"}},
		{rewords: []string{"detail"}},
		{rewords: []string{"detail"}},
		{rewords: []string{"event", "detail"}},
	}}
}

// since is the version that brought a column; 0 for one that was always there.
func (k kind) since(column string) int {
	for i, s := range k.steps {
		if slices.Contains(s.adds, column) {
			return i + 1
		}
	}
	return 0
}

// due tells whether a table of a version below the column's may still lack it.
func (k kind) due(snap *delta.Snapshot, column string) bool {
	return schemaVersion(snap, VersionProperty) < k.since(column)
}

// migrate is what an older table still lacks, and the table as it is with that;
// no migration and the table itself where there is nothing to do.
func (k kind) migrate(snap *delta.Snapshot) (*Migration, *delta.Snapshot, error) {
	from := schemaVersion(snap, VersionProperty)
	if from >= k.version() {
		return nil, snap, nil
	}
	after := *snap
	after.Schema.Fields = slices.Clone(snap.Schema.Fields)
	m := &Migration{From: from, To: k.version()}
	for i, s := range k.steps[from:] {
		added, err := k.apply(s, &after)
		if err != nil {
			return nil, nil, err
		}
		m.Added = append(m.Added, names(added)...)
		m.Steps = append(m.Steps, verdict.Facts(fmt.Sprintf("to version %d", from+i+1), s.text(names(added)))...)
	}
	after.Metadata = after.Metadata.WithSchema(after.Schema).WithProperty(VersionProperty, strconv.Itoa(m.To))
	m.Metadata = after.Metadata
	m.fields = after.Schema.Fields[len(snap.Schema.Fields):]
	return m, &after, nil
}

// apply makes one step on a table that nobody has seen yet, and answers the
// columns that it lacked. One that is there already is left as it is.
func (k kind) apply(s step, after *delta.Snapshot) (added []Column, err error) {
	for _, c := range k.columns {
		if _, have := after.Schema.Field(c.Name); !have && slices.Contains(s.adds, c.Name) {
			added = append(added, c)
		}
	}
	if err := addColumns(after, added); err != nil {
		return nil, err
	}
	for _, c := range k.columns {
		if slices.Contains(s.rewords, c.Name) {
			if err := reword(after.Schema.Fields, c); err != nil {
				return nil, err
			}
		}
	}
	if s.table {
		after.Metadata.Description = k.comment
	}
	return added, nil
}

// reword gives a column its comment, if the table has it.
func reword(fields []delta.Field, c Column) error {
	for i, f := range fields {
		if schema.SameName(f.Name, c.Name) {
			return fields[i].Metadata.Set("comment", c.Comment)
		}
	}
	return nil
}

func names(columns []Column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.Name
	}
	return out
}

func (s step) text(added []string) string {
	var parts []string
	if len(added) > 0 {
		parts = append(parts, "adds "+strings.Join(added, ", "))
	}
	comments := slices.Clone(s.rewords)
	if s.table {
		comments = append(comments, "the table")
	}
	if len(comments) > 0 {
		parts = append(parts, "rewords the comment of "+strings.Join(comments, ", "))
	}
	if len(parts) == 0 {
		return "nothing: its columns are there"
	}
	return strings.Join(parts, "; ")
}

// Settled is a bronze table's metadata as text, without what its migrations
// change: it is the same before and after them, whoever makes them.
func Settled(snap *delta.Snapshot) (string, error) {
	k := bronzeKind()
	var fields []delta.Field
	for _, f := range snap.Schema.Fields {
		i := slices.IndexFunc(k.columns, func(c Column) bool { return schema.SameName(c.Name, f.Name) })
		if i >= 0 && k.columns[i].Name == f.Name && k.since(f.Name) > 0 {
			continue
		}
		var rest []delta.Pair
		for _, key := range slices.Sorted(slices.Values(f.Metadata.Keys())) { // other writers have their own order
			if value, _ := f.Metadata.Get(key); i < 0 || key != "comment" {
				rest = append(rest, delta.Pair{Key: key, Value: value})
			}
		}
		var err error
		if f.Metadata, err = delta.ObjectOf(rest...); err != nil {
			return "", err
		}
		fields = append(fields, f)
	}
	m := snap.Metadata.WithSchema(delta.Schema{Fields: fields})
	m.Description, m.Configuration = "", maps.Clone(m.Configuration)
	delete(m.Configuration, VersionProperty)
	delete(m.Configuration, delta.MaxColumnID) // counts the columns of a table that maps them
	text, err := json.Marshal(m)
	return string(text), err
}
