package cast

import (
	"encoding/json"
	"fmt"
)

// RecordKey names the counts of the casts in the footer of a file that they made.
const RecordKey = "cdcseed.counts"

// record is a Report's counts as a file's footer holds them: no samples, and of
// a column that only passed values through its name alone.
type record struct {
	Rows    int64                   `json:"rows"`
	Columns map[string]recordColumn `json:"columns"` // those that were cast
}

type recordColumn struct {
	Nulls   int64             `json:"nulls,omitempty"`
	Changed int64             `json:"changed,omitempty"`
	ToNull  int64             `json:"to_null,omitempty"`
	Effects map[Effect]int64  `json:"effects,omitempty"`
	Longest Longest           `json:"longest,omitzero"`
	Days    map[int32]Written `json:"days,omitempty"`
}

// Record is the report's counts as text, for the footer of the file of rows that
// was made. A run that takes the file over counts it by them. A file with refused
// values is never finished, so they have no place in it.
func (r Report) Record(rows int64) (string, error) {
	out := record{Rows: rows, Columns: make(map[string]recordColumn, len(r.Columns))}
	for name, c := range r.Columns {
		if c.Values != rows || c.Refused != 0 {
			return "", fmt.Errorf("column %q has %d values, %d of them refused, in a file of %d rows", name, c.Values, c.Refused, rows)
		}
		out.Columns[name] = recordColumn{
			Nulls: c.Nulls, Changed: c.Changed, ToNull: c.ToNull, Effects: c.Effects, Longest: c.Longest, Days: c.Days,
		}
	}
	text, err := json.Marshal(out)
	return string(text), err
}

// ReadRecord reads what Record wrote for a file of rows.
func ReadRecord(text string, rows int64) (Report, error) {
	var in record
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return Report{}, fmt.Errorf("the counts of its casts are not readable: %w", err)
	}
	if in.Rows != rows || in.Columns == nil {
		return Report{}, fmt.Errorf("the counts of its casts are of %d rows, it has %d", in.Rows, rows)
	}
	out := Report{Columns: make(map[string]ColumnReport, len(in.Columns))}
	for name, c := range in.Columns {
		r := ColumnReport{
			Values: rows, Nulls: c.Nulls, Changed: c.Changed, ToNull: c.ToNull,
			Effects: c.Effects, Samples: map[Effect][]Sample{}, Longest: c.Longest, Days: c.Days,
		}
		if r.Effects == nil {
			r.Effects = map[Effect]int64{}
		}
		for day := range c.Days {
			r.Day = &day
		}
		r.Unchanged = r.rest()
		if min(r.Unchanged, r.Nulls, r.Changed, r.ToNull) < 0 || len(c.Days) > 1 {
			return Report{}, fmt.Errorf("the counts of its casts contradict themselves in column %q", name)
		}
		out.Columns[name] = r
	}
	return out, nil
}
