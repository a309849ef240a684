package bronze

import (
	"fmt"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/clock"
	"cdcseed/engine/schema"
)

// Fact is the row that records a seed in the facts table: the one that the stream
// would have written for its first snapshot.
type Fact struct {
	Stamp
	AppID     string
	Target    string // the table as the stream's job names it: it is compared as text
	Wrote     *Wrote // nil where the seed was found and not written just now
	WrittenAt clock.Instant
}

// Wrote is what only the run that wrote the seed knows.
type Wrote struct {
	Rows      int64
	StartedAt clock.Instant
	Took      time.Duration // until the seed's commit stood
}

// TxnAppID is the application under which Delta remembers that the row was
// written: always with version 0, so that only one such row ever exists for an
// app id, whoever writes it first.
func TxnAppID(appID string) string { return appID + "#events" }

// values are the row's columns that are not NULL.
func (f Fact) values() map[string]any {
	l := f.LSN.String()
	out := map[string]any{
		"app_id": f.AppID, "min_lsn": l, "max_lsn": l, "end_lsn": l,
		"deletes": int64(0), "inserts": int64(0), "updates": int64(0),
		"event": EventBootstrap, "target": f.Target, "written_at": f.WrittenAt,
	}
	if f.Commit != nil {
		out["min_commit_ts"], out["max_commit_ts"], out["end_commit_ts"] = *f.Commit, *f.Commit, *f.Commit
	}
	if f.Wrote != nil {
		out["rows"], out["started_at"] = f.Wrote.Rows, f.Wrote.StartedAt
		out["duration_ms"] = f.Wrote.Took.Round(time.Millisecond).Milliseconds()
	}
	return out
}

// Record is the row as an Arrow record of the given columns. The caller releases it.
func (f Fact) Record(columns []Column) (arrow.Record, error) {
	values := f.values()
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		t, err := factType(c)
		if err != nil {
			return nil, err
		}
		fields[i] = arrow.Field{Name: c.Name, Type: t, Nullable: true}
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for i, c := range columns {
		if err := appendFact(b.Field(i), values[schema.Fold(c.Name)]); err != nil {
			return nil, fmt.Errorf("facts column %q: %w", c.Name, err)
		}
	}
	return b.NewRecord(), nil
}

func factType(c Column) (arrow.DataType, error) {
	switch c.Type.Kind {
	case schema.String:
		return arrow.BinaryTypes.String, nil
	case schema.Long:
		return arrow.PrimitiveTypes.Int64, nil
	case schema.Double:
		return arrow.PrimitiveTypes.Float64, nil
	case schema.TimestampNTZ:
		return &arrow.TimestampType{Unit: arrow.Microsecond}, nil
	default:
		return nil, fmt.Errorf("facts column %q cannot be of type %s", c.Name, c.Type)
	}
}

func appendFact(b array.Builder, v any) error {
	switch b := b.(type) {
	case *array.StringBuilder:
		if s, ok := v.(string); ok {
			b.Append(s)
			return nil
		}
	case *array.Int64Builder:
		if n, ok := v.(int64); ok {
			b.Append(n)
			return nil
		}
	case *array.TimestampBuilder:
		if at, ok := v.(clock.Instant); ok {
			b.Append(arrow.Timestamp(at))
			return nil
		}
	}
	if v != nil {
		return fmt.Errorf("a value of type %T", v)
	}
	b.AppendNull()
	return nil
}
