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

// ColumnReport counts what happened to one column's values. Each value counts
// once: Values is the sum of Unchanged, Changed, Nulls, ToNull and Refused.
type ColumnReport struct {
	Values    int64               `json:"values"`    // rows seen, NULLs included
	Unchanged int64               `json:"unchanged"` // written as the copy has them
	Changed   int64               `json:"changed"`   // written otherwise
	Nulls     int64               `json:"nulls"`     // NULL in the copy or without a value in the stream, and written NULL
	ToNull    int64               `json:"to_null"`   // written NULL by an answer
	Refused   int64               `json:"refused"`   // more than 0 refuses the seed
	Effects   map[Effect]int64    `json:"effects"`   // a value may meet several
	Samples   map[Effect][]Sample `json:"samples"`
	Longest   Longest             `json:"longest,omitzero"`
	LongestAt []Spot              `json:"longest_at,omitempty"` // the first values of that length
	Day       *int32              `json:"day,omitempty"`        // of a time column made from timestamps: days since 1970
	Shown     *Sample             `json:"shown,omitempty"`      // of a cast by a zone or an order of bytes: a value before and after
	Answer    Answer              `json:"answer,omitempty"`
	Choices   []Answer            `json:"choices,omitempty"` // answers that the column takes

	Days map[int32]Written `json:"-"` // of such a time column: values by the date that they had
}

// Written counts values that are written.
type Written struct{ Unchanged, Changed int64 }

// Spot is where a value is found.
type Spot struct {
	File string     `json:"file"`
	Row  int64      `json:"row"`           // in the file, counted from 1
	Key  []KeyValue `json:"key,omitempty"` // of the row, where the capture instance has a unique index and the copy its columns
}

// KeyValue is one column of a row's key, with the copy's value as text, whole.
type KeyValue struct {
	Column string `json:"column"` // as captured
	Value  string `json:"value"`  // NULL for none
}

// Sample is one value before and after, as text.
type Sample struct {
	Spot

	Before string  `json:"before"`
	After  string  `json:"after"`          // of a refused value, what each answer would write
	Loss   float64 `json:"loss,omitempty"` // how much a number changed; samples with the most are kept

	Helps []Answer `json:"helps,omitempty"` // of a value that is not written: the answers that write it, or NULL for it
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

// rest is how many values met nothing that any other count tells.
func (c ColumnReport) rest() int64 { return c.Values - c.Changed - c.Nulls - c.ToNull - c.Refused }

// Unsampled is the counts alone.
func (r Report) Unsampled() Report {
	out := Report{Columns: make(map[string]ColumnReport, len(r.Columns))}
	for name, c := range r.Columns {
		c.Samples, c.LongestAt, c.Shown = map[Effect][]Sample{}, nil, nil
		out.Columns[name] = c
	}
	return out
}

// Merge adds reports up. The samples kept are again the worst. The order of the
// reports makes no difference, so that files may be cast in any.
func Merge(reports ...Report) Report {
	out := Report{Columns: map[string]ColumnReport{}}
	for _, r := range reports {
		out.Add(r)
	}
	return out
}

// Add adds another report to r, which Merge or Add made. It keeps no hold on it.
func (r *Report) Add(other Report) {
	if r.Columns == nil {
		r.Columns = make(map[string]ColumnReport, len(other.Columns))
	}
	for name, c := range other.Columns {
		if have, ok := r.Columns[name]; ok {
			c = have.plus(c)
		} else {
			c.Effects, c.Samples, c.Days = maps.Clone(c.Effects), cloneSamples(c.Samples), maps.Clone(c.Days)
			c.LongestAt = slices.Clone(c.LongestAt)
		}
		r.Columns[name] = c
	}
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
	switch {
	case d.Longest.Length > c.Longest.Length:
		c.LongestAt = slices.Clone(d.LongestAt)
	case d.Longest.Length == c.Longest.Length:
		c.LongestAt = first(append(c.LongestAt, d.LongestAt...))
	}
	c.Longest = c.Longest.plus(d.Longest)
	c.Shown = earlier(c.Shown, d.Shown)
	c.joinDays(d)
	if c.Answer == "" || d.Answer != "" && d.Answer < c.Answer {
		c.Answer = d.Answer
	}
	for _, a := range d.Choices {
		if !slices.Contains(c.Choices, a) {
			c.Choices = append(slices.Clone(c.Choices), a)
			slices.SortFunc(c.Choices, func(a, b Answer) int {
				return cmp.Compare(slices.Index(choiceOrder(), a), slices.Index(choiceOrder(), b))
			})
		}
	}
	c.Unchanged = c.rest()
	return c
}

// choiceOrder is the order in which a column's answers are told.
func choiceOrder() []Answer {
	return []Answer{TextOrder, SQLOrder, Pad, Keep, Stop, Round, Cut, Null}
}

// joinDays refuses the values of a time column whose dates are not all the same:
// each file had one date only, but not all of them the same one. Those of the
// earliest date are taken for right.
func (c *ColumnReport) joinDays(d ColumnReport) {
	if d.Day == nil {
		return
	}
	if c.Day == nil {
		c.Day, c.Days = d.Day, maps.Clone(d.Days)
		return
	}
	was, had := apart(c.Days), apart(d.Days)
	all := maps.Clone(c.Days)
	for day, w := range d.Days {
		have := all[day]
		all[day] = Written{have.Unchanged + w.Unchanged, have.Changed + w.Changed}
	}
	dates := slices.Sorted(maps.Keys(all))
	c.Days, c.Day = all, &dates[0]
	now := apart(all)
	changed := now.Changed - was.Changed - had.Changed
	more := now.Unchanged - was.Unchanged - had.Unchanged + changed
	c.Changed -= changed
	c.Refused += more
	if len(dates) == 1 {
		return
	}
	c.Effects[DatesDiffer] += more
	kept := slices.DeleteFunc(c.Samples[DatesDiffer], func(s Sample) bool { return s.File == "" })
	c.Samples[DatesDiffer] = worst(append(kept, Sample{Before: dayText(dates[len(dates)-1]), After: dayText(dates[0])}))
}

// apart are the values of another date than the earliest.
func apart(days map[int32]Written) (out Written) {
	if len(days) < 2 {
		return out
	}
	earliest := slices.Min(slices.Collect(maps.Keys(days)))
	for day, w := range days {
		if day != earliest {
			out.Unchanged += w.Unchanged
			out.Changed += w.Changed
		}
	}
	return out
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

// worst keeps the samples with the greatest loss, of equals the first by place.
func worst(in []Sample) []Sample {
	slices.SortStableFunc(in, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(b.Loss, a.Loss), a.compare(b.Spot))
	})
	return in[:min(len(in), samplesKept)]
}

// first keeps the places that come first.
func first(in []Spot) []Spot {
	slices.SortStableFunc(in, Spot.compare)
	return in[:min(len(in), samplesKept)]
}

func (s Spot) compare(o Spot) int {
	return cmp.Or(cmp.Compare(s.File, o.File), cmp.Compare(s.Row, o.Row))
}
