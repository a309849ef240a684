package bronze

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// The table property by which the stream's package knows how far a table is
// migrated, and the numbers that new tables are born with (release 0.8.0).
const (
	VersionProperty    = "mssql_cdc.schema_version"
	MinVersionProperty = "mssql_cdc.min_version"
	Version            = 2
	FactsVersion       = 14
)

// Commit names a commit of ours: the program, an id that no other commit has,
// and the time.
type Commit struct {
	Engine string // cdcseed/<version>
	TxnID  string
	At     clock.Instant
}

// NewTable is the first commit of a missing bronze table. tableID is a new UUID.
// A captured name that Delta cannot hold is refused as verdict.ColumnName.
func NewTable(captured []schema.TargetColumn, commandID bool, tableID string, c Commit) (delta.Create, error) {
	columns := Columns(captured, commandID)
	if err := CheckNames(columns); err != nil {
		return delta.Create{}, err
	}
	return create(columns, tableComment, Version, tableID, c)
}

// NewFacts is the first commit of a missing facts table. tableID is a new UUID.
func NewFacts(tableID string, c Commit) (delta.Create, error) {
	return create(FactsColumns(), factsComment, FactsVersion, tableID, c)
}

func create(columns []Column, comment string, version int, tableID string, c Commit) (delta.Create, error) {
	var s delta.Schema
	for _, col := range columns {
		f, err := delta.NewField(col.Name, col.Type.Delta(), col.Comment)
		if err != nil {
			return delta.Create{}, fmt.Errorf("column %q: %w", col.Name, err)
		}
		s.Fields = append(s.Fields, f)
	}
	properties := map[string]string{VersionProperty: strconv.Itoa(version)}
	propertyText, err := json.Marshal(properties)
	if err != nil {
		return delta.Create{}, err
	}
	return delta.Create{
		Append: delta.Append{
			Operation: "CREATE TABLE",
			Parameters: []delta.Pair{
				{Key: "partitionBy", Value: "[]"},
				{Key: "clusterBy", Value: "[]"},
				{Key: "description", Value: comment},
				{Key: "isManaged", Value: "false"},
				{Key: "properties", Value: string(propertyText)},
			},
			EngineInfo: c.Engine, TxnID: c.TxnID,
		},
		Protocol: delta.NTZProtocol(), // _commit_ts is a TIMESTAMP_NTZ in every bronze table
		Metadata: delta.Metadata{
			ID: tableID, Description: comment, SchemaString: s.String(), Configuration: properties,
			CreatedTime: int64(c.At) / clock.Millisecond,
		},
	}, nil
}

// SeedCommit is the one commit that adds a seed's files to a table that Fit has
// looked at. bytes and rows are the files' sums.
func SeedCommit(fit *Fit, s Stamp, adds []delta.Add, rows, bytes int64, tags map[string]string, c Commit) delta.Append {
	return delta.Append{
		Operation: "WRITE",
		Parameters: []delta.Pair{
			{Key: "mode", Value: "Append"}, {Key: "partitionBy", Value: "[]"}, {Key: "canMergeSchema", Value: true},
		},
		Metrics: []delta.Pair{
			{Key: "numFiles", Value: len(adds)}, {Key: "numOutputRows", Value: rows}, {Key: "numOutputBytes", Value: bytes},
		},
		Adds: adds, Metadata: fit.Metadata, Protocol: fit.Protocol,
		UserMetadata: s.UserMetadata(), Tags: tags, EngineInfo: c.Engine, TxnID: c.TxnID,
	}
}

// refusedMarks are the characters that Delta takes in a column's name only under column mapping.
const refusedMarks = " ,;{}()\n\t="

// CheckNames refuses, all at once, names that a table without column mapping cannot have.
func CheckNames(columns []Column) error {
	var bad []string
	for _, c := range columns {
		if strings.ContainsAny(c.Name, refusedMarks) {
			bad = append(bad, strconv.Quote(c.Name))
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return &verdict.Error{
		Code:  verdict.ColumnName,
		What:  fmt.Sprintf("Delta takes these column names only with column mapping: %s", strings.Join(bad, ", ")),
		Facts: verdict.Facts("characters that it refuses", "blank , ; { } ( ) = newline tab"),
		Why:   "The stream would create such a table with column mapping, which a seed does not write.",
		Hint:  []string{"Rename the columns in the source and capture the table again, or take the first snapshot with the stream itself."},
	}
}

// Constant is the value that a seed's rows have in a metadata column: a string,
// an int32, a clock.Instant, or nil for NULL.
func (s Stamp) Constant(column string) any {
	switch schema.Fold(column) { // a table may spell it otherwise
	case CaptureInstance:
		return s.Instance
	case StartLSN, SnapshotLSN:
		return s.LSN.String()
	case Operation:
		return int32(OperationSnapshot)
	case CommitTS:
		if s.Commit != nil {
			return *s.Commit
		}
	}
	return nil
}
