package delta

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Stats is what the log tells about a file's rows. Any part may be missing.
// Values are strings, json.Number, or maps for nested columns.
type Stats struct {
	NumRecords  *int64         `json:"numRecords"` // rows in the file, deleted ones included
	Min         map[string]any `json:"minValues"`
	Max         map[string]any `json:"maxValues"`
	NullCount   map[string]any `json:"nullCount"`
	TightBounds *bool          `json:"tightBounds"`
}

// ParseStats reads the file's statistics; no statistics are the zero Stats.
func (a Add) ParseStats() (Stats, error) {
	var s Stats
	if a.Stats == "" {
		return s, nil
	}
	d := json.NewDecoder(strings.NewReader(a.Stats))
	d.UseNumber()
	if err := d.Decode(&s); err != nil {
		return Stats{}, fmt.Errorf("statistics of data file %q: %w", a.Path, err)
	}
	return s, nil
}

// Nulls is the number of rows where the column, named by its path, is null.
func (s Stats) Nulls(path ...string) (int64, bool) {
	n, ok := dig(s.NullCount, path).(json.Number)
	if !ok {
		return 0, false
	}
	count, err := n.Int64()
	return count, err == nil
}

func dig(in map[string]any, path []string) any {
	for i, name := range path {
		v, ok := in[name]
		if !ok {
			return nil
		}
		if i == len(path)-1 {
			return v
		}
		if in, ok = v.(map[string]any); !ok {
			return nil
		}
	}
	return nil
}

// Rows counts the rows that readers of the table see: what the statistics say,
// less the rows that deletion vectors hide. False where a file does not tell.
func (s *Snapshot) Rows() (int64, bool) {
	var rows int64
	for _, a := range s.Files {
		st, err := a.ParseStats()
		if err != nil || st.NumRecords == nil {
			return 0, false
		}
		rows += *st.NumRecords
		if a.DeletionVector != nil {
			rows -= a.DeletionVector.Cardinality
		}
	}
	return rows, true
}
