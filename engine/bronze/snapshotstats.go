package bronze

import (
	"encoding/json"
	"unicode/utf8"

	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
)

// key is what tells sets of snapshot rows apart, as the table has it.
type key struct {
	instance, start, snapshot string // an empty snapshot is NULL
	chunked                   bool
	timed                     bool // commit is known
	commit                    clock.Instant
}

// told is what a file's statistics say about its snapshot rows.
type told struct {
	none    bool     // there are none
	rows    int64    // of the file, where every column is known
	key     key      // what all of the file's rows share, as far as it is known
	unknown []string // columns whose values must be read
}

// tell asks a file's statistics. A row whose _operation is NULL is no snapshot's.
func tell(snap *delta.Snapshot, file delta.Add) (told, error) {
	parsed, err := file.ParseStats()
	if err != nil {
		return told{}, err
	}
	s := named{parsed, snap}
	operation := snap.Physical(Operation)
	low, lowOK := number(s.Min[operation])
	high, highOK := number(s.Max[operation])
	if (lowOK && low > OperationSnapshot) || (highOK && high < OperationSnapshot) {
		return told{none: true}, nil
	}
	if s.NumRecords == nil {
		return told{unknown: []string{Operation, CaptureInstance, StartLSN, SnapshotLSN, Chunk, CommitTS}}, nil
	}
	rows := *s.NumRecords
	nulls, counted := s.nulls(Operation)
	if rows == 0 || (counted && nulls == rows) {
		return told{none: true}, nil
	}
	t := told{rows: rows}
	if !counted || nulls != 0 || !lowOK || !highOK || low != high {
		t.unknown = append(t.unknown, Operation)
	}
	t.shared(s)
	return t, nil
}

// named are a file's statistics by the table's names of its columns.
type named struct {
	delta.Stats
	snap *delta.Snapshot
}

// nulls counts a column's NULLs. One that the table does not have is NULL in
// every row: older tables lack _snapshot and _chunk.
func (n named) nulls(column string) (int64, bool) {
	if _, has := n.snap.Schema.Field(column); !has && n.NumRecords != nil {
		return *n.NumRecords, true
	}
	return n.Nulls(n.snap.Physical(column))
}

// shared takes over what all of a file's rows have in common.
func (t *told) shared(s named) {
	for _, c := range []struct {
		column string
		to     *string
		null   bool // may be NULL
	}{{CaptureInstance, &t.key.instance, false}, {StartLSN, &t.key.start, false}, {SnapshotLSN, &t.key.snapshot, true}} {
		if v := constant(s, t.rows, c.column); v.ok && (c.null || !v.null) {
			*c.to = v.text
		} else {
			t.unknown = append(t.unknown, c.column)
		}
	}
	switch nulls, counted := s.nulls(Chunk); {
	case counted && (nulls == t.rows || nulls == 0):
		t.key.chunked = nulls == 0
	default:
		t.unknown = append(t.unknown, Chunk)
	}
	// Statistics hold milliseconds, and so do the commit times of snapshots.
	var wall clock.Local
	switch v := constant(s, t.rows, CommitTS); {
	case v.ok && v.null:
	case v.ok && wall.UnmarshalText([]byte(v.text)) == nil:
		t.key.timed, t.key.commit = true, clock.Instant(wall)
	default:
		t.unknown = append(t.unknown, CommitTS)
	}
}

// value is a text that all rows of a file share, or NULL in all of them.
type value struct {
	text     string
	null, ok bool
}

// cutAt is the length from which on statistics may hold only the beginning of a text.
const cutAt = 32

func constant(s named, rows int64, column string) value {
	nulls, counted := s.nulls(column)
	if !counted {
		return value{}
	}
	if nulls == rows {
		return value{null: true, ok: true}
	}
	physical := s.snap.Physical(column)
	low, lowOK := s.Min[physical].(string)
	high, highOK := s.Max[physical].(string)
	if nulls != 0 || !lowOK || !highOK || low != high || utf8.RuneCountInString(low) >= cutAt {
		return value{}
	}
	return value{text: low, ok: true}
}

func number(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil
}
