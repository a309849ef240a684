package cast

import (
	"maps"
	"slices"
)

// Difference is a count of a column that two reports do not agree on.
type Difference struct {
	Column string
	What   string // an effect in words, or the count's name: unchanged, changed, NULL, to NULL, refused
	Was    int64
	Is     int64
}

// Differences are the counts in which now is not what was, by column. Of a
// column that now counts for a part of the values, the rest having been copied
// byte for byte, the counts of what is changed must still agree.
func Differences(was, now Report) []Difference {
	var out []Difference
	for _, name := range slices.Sorted(maps.Keys(now.Columns)) {
		a, b := was.Columns[name], now.Columns[name]
		for _, n := range a.counts(b) {
			if n.Was != n.Is {
				n.Column = name
				out = append(out, n)
			}
		}
	}
	return out
}

func (c ColumnReport) counts(d ColumnReport) []Difference {
	var out []Difference
	for _, x := range effects() {
		out = append(out, Difference{What: x.Text, Was: c.Of(x.Effect), Is: d.Of(x.Effect)})
	}
	out = append(out, Difference{What: "changed", Was: c.Changed, Is: d.Changed}, Difference{What: "to NULL", Was: c.ToNull, Is: d.ToNull},
		Difference{What: "refused", Was: c.Refused, Is: d.Refused})
	if d.Values < c.Values {
		return out
	}
	return append(out, Difference{What: "NULL", Was: c.Nulls, Is: d.Nulls}, Difference{What: "unchanged", Was: c.Unchanged, Is: d.Unchanged})
}
