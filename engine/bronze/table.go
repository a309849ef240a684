package bronze

import (
	"fmt"
	"strconv"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/schema"
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
// A captured name that Delta takes only with column mapping makes a table that
// maps its columns, as the stream makes it.
func NewTable(captured []schema.TargetColumn, commandID bool, tableID string, c Commit) (delta.Create, error) {
	return create(Columns(captured, commandID), tableComment, Version, tableID, c)
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
	m := delta.Metadata{
		ID: tableID, Description: comment, Configuration: map[string]string{VersionProperty: strconv.Itoa(version)},
		CreatedTime: int64(c.At) / clock.Millisecond,
	}
	protocol := delta.NTZProtocol() // _commit_ts is a TIMESTAMP_NTZ in every bronze table
	if len(mappedOnly(columns)) > 0 {
		m, protocol = m.WithProperty(delta.MappingMode, string(delta.ByName)), delta.MappedProtocol()
	}
	m = m.WithSchema(s)
	properties, err := propertyText(m)
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
				{Key: "properties", Value: properties},
			},
			EngineInfo: c.Engine, TxnID: c.TxnID,
		},
		Protocol: protocol,
		Metadata: m,
	}, nil
}

// propertyText is a new table's properties as its first commit tells them.
func propertyText(m delta.Metadata) (string, error) {
	var o delta.Object
	for _, key := range []string{VersionProperty, delta.MappingMode, delta.MaxColumnID} {
		if v, ok := m.Configuration[key]; ok {
			if err := o.Set(key, v); err != nil {
				return "", err
			}
		}
	}
	text, err := o.MarshalJSON()
	return string(text), err
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
