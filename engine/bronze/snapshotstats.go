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

// told is what a file's statistics say about its snapshot rows: that there are
// none, that all of its rows are of one set, or neither, where the file must be read.
type told struct {
	none, all bool
	rows      int64
	key       key
}

// tell asks a file's statistics. A row whose _operation is NULL is no snapshot's.
func tell(file delta.Add) (told, error) {
	s, err := file.ParseStats()
	if err != nil {
		return told{}, err
	}
	low, lowOK := number(s.Min[Operation])
	high, highOK := number(s.Max[Operation])
	if (lowOK && low > OperationSnapshot) || (highOK && high < OperationSnapshot) {
		return told{none: true}, nil
	}
	if s.NumRecords == nil {
		return told{}, nil
	}
	rows := *s.NumRecords
	nulls, counted := s.Nulls(Operation)
	if rows == 0 || (counted && nulls == rows) {
		return told{none: true}, nil
	}
	if !counted || nulls != 0 || !lowOK || !highOK || low != high {
		return told{}, nil
	}
	k, all := oneKey(s, rows)
	return told{all: all, rows: rows, key: k}, nil
}

// oneKey is the key that all of a file's rows share, if the statistics tell it.
func oneKey(s delta.Stats, rows int64) (k key, ok bool) {
	instance := constant(s, rows, CaptureInstance)
	start := constant(s, rows, StartLSN)
	snapshot := constant(s, rows, SnapshotLSN)
	commit := constant(s, rows, CommitTS)
	if !instance.ok || instance.null || !start.ok || start.null || !snapshot.ok || !commit.ok {
		return key{}, false
	}
	k = key{instance: instance.text, start: start.text, snapshot: snapshot.text}
	if !commit.null {
		// Statistics hold milliseconds, and so do the commit times of snapshots.
		var wall clock.Local
		if wall.UnmarshalText([]byte(commit.text)) != nil {
			return key{}, false
		}
		k.timed, k.commit = true, clock.Instant(wall)
	}
	switch nulls, counted := s.Nulls(Chunk); {
	case counted && nulls == rows:
		return k, true
	case counted && nulls == 0:
		k.chunked = true
		return k, true
	default:
		return key{}, false
	}
}

// value is a text that all rows of a file share, or NULL in all of them.
type value struct {
	text     string
	null, ok bool
}

// cutAt is the length from which on statistics may hold only the beginning of a text.
const cutAt = 32

func constant(s delta.Stats, rows int64, column string) value {
	nulls, counted := s.Nulls(column)
	if !counted {
		return value{}
	}
	if nulls == rows {
		return value{null: true, ok: true}
	}
	low, lowOK := s.Min[column].(string)
	high, highOK := s.Max[column].(string)
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
