package cast

import (
	"cmp"
	"maps"
	"slices"
)

// samplesKept is how many samples of an effect a report keeps: the worst ones.
const samplesKept = 5

// Report is what happened to the values of a copy, column by column. Reports
// of several casters merge into one.
type Report struct {
	Columns map[string]ColumnReport `json:"columns"` // by the target's spelling
}

// ColumnReport counts what happened to one column's values.
type ColumnReport struct {
	Values  int64               `json:"values"` // rows seen, NULLs included
	Nulls   int64               `json:"nulls"`  // NULL in the copy, and some of them perhaps refused for it
	Changed int64               `json:"changed"`
	ToNull  int64               `json:"to_null"` // written NULL by an answer
	Refused int64               `json:"refused"` // more than 0 refuses the seed
	Effects map[Effect]int64    `json:"effects"`
	Samples map[Effect][]Sample `json:"samples"`
	Longest Longest             `json:"longest,omitzero"`
	Day     *int32              `json:"day,omitempty"` // of a time column made from timestamps: days since 1970
	Answer  Answer              `json:"answer,omitempty"`
	Choices []Answer            `json:"choices,omitempty"` // answers that the column takes
}

// Sample is one value before and after, as text.
type Sample struct {
	File   string  `json:"file"`
	Row    int64   `json:"row"` // as the caller counts, see Place
	Kept   bool    `json:"-"`   // the row's number leaves out rows that the seed leaves out
	Before string  `json:"before"`
	After  string  `json:"after"`          // of a refused value, what each answer would write
	Loss   float64 `json:"loss,omitempty"` // how much a number changed; samples with the most are kept
}

// Longest is the greatest length met in a column without declared length, and
// how many values have exactly it: a copying tool that cuts values shows here.
type Longest struct {
	Length int64 `json:"length"` // UTF-16 units of text, bytes of binary values
	Count  int64 `json:"count"`
}

// Suspicious reports whether the longest values look cut: several of them end
// at one and the same power of two.
func (l Longest) Suspicious() bool {
	return l.Count > 1 && l.Length >= 256 && l.Length&(l.Length-1) == 0
}

// Of is the count of one effect.
func (c ColumnReport) Of(e Effect) int64 { return c.Effects[e] }

// Merge adds reports up. The samples kept are again the worst; the order of
// the reports decides between equals.
func Merge(reports ...Report) Report {
	out := Report{Columns: map[string]ColumnReport{}}
	for _, r := range reports {
		for name, c := range r.Columns {
			if have, ok := out.Columns[name]; ok {
				c = have.plus(c)
			} else {
				c.Effects, c.Samples = maps.Clone(c.Effects), cloneSamples(c.Samples)
			}
			out.Columns[name] = c
		}
	}
	return out
}

func (c ColumnReport) plus(d ColumnReport) ColumnReport {
	c.Values += d.Values
	c.Nulls += d.Nulls
	c.Changed += d.Changed
	c.ToNull += d.ToNull
	c.Refused += d.Refused
	for e, n := range d.Effects {
		c.Effects[e] += n
	}
	for e, s := range d.Samples {
		c.Samples[e] = worst(append(c.Samples[e], s...))
	}
	c.Longest = c.Longest.plus(d.Longest)
	switch {
	case c.Day == nil:
		c.Day = d.Day
	case d.Day != nil && *c.Day != *d.Day:
		// Each file had one date only, but not the same one: its rows cannot
		// be named any more, so one refusal stands for them.
		c.Refused++
		c.Effects[DatesDiffer]++
		c.Samples[DatesDiffer] = worst(append(c.Samples[DatesDiffer], Sample{Before: dayText(*d.Day), After: dayText(*c.Day)}))
	}
	for _, a := range d.Choices {
		if !slices.Contains(c.Choices, a) {
			c.Choices = append(slices.Clone(c.Choices), a)
		}
	}
	return c
}

func (l Longest) plus(m Longest) Longest {
	switch {
	case m.Length > l.Length:
		return m
	case m.Length == l.Length:
		l.Count += m.Count
	}
	return l
}

func cloneSamples(in map[Effect][]Sample) map[Effect][]Sample {
	out := make(map[Effect][]Sample, len(in))
	for e, s := range in {
		out[e] = slices.Clone(s)
	}
	return out
}

// worst keeps the samples with the greatest loss, the earlier of equals.
func worst(in []Sample) []Sample {
	slices.SortStableFunc(in, func(a, b Sample) int { return cmp.Compare(b.Loss, a.Loss) })
	return in[:min(len(in), samplesKept)]
}
