package cast

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cdcseed/engine/verdict"
)

// Err is the refusal that the report means: verdict.ValueRefused when a value
// of any column was neither written nor answered for, else nil.
func (r Report) Err() error {
	var bad []string
	for _, name := range slices.Sorted(maps.Keys(r.Columns)) {
		if r.Columns[name].Refused > 0 {
			bad = append(bad, name)
		}
	}
	if len(bad) == 0 {
		return nil
	}
	e := &verdict.Error{
		Code: verdict.ValueRefused,
		Why:  "A seed never writes NULL, nor another value, in silence.",
	}
	var helpless []string // columns whose values no answer helps
	for i, name := range bad {
		c := r.Columns[name]
		if i == 0 {
			e.What = fmt.Sprintf("column %q has values that cannot be written: %s of %s looked at", name, verdict.Count(c.Refused), verdict.Count(c.Values))
		}
		e.Facts = append(e.Facts, c.facts(name)...)
		hints := c.hints(name)
		if len(hints) == 0 {
			helpless = append(helpless, fmt.Sprintf("%q", name))
		}
		e.Hint = appendNew(e.Hint, hints)
	}
	last := "Or correct the copy and make a new plan."
	if len(helpless) > 0 {
		last = fmt.Sprintf("Correct the copy and make a new plan: no answer writes these values of %s.", strings.Join(helpless, ", "))
	}
	e.Hint = append(e.Hint, last)
	return e
}

// RefusalWith is the mapping's Refusal, with the values that cannot be written
// behind the questions that are open, or those values alone. Of a column whose
// cast or zone is asked about, values wait for the answer.
func (m *Mapping) RefusalWith(r Report) error {
	err := m.Refusal()
	if err == nil {
		return r.Err()
	}
	waits := map[string]bool{}
	for _, q := range m.Open() {
		waits[q.Column] = waits[q.Column] || q.Flag != FlagMissing
	}
	e := verdict.As(err)
	asksZone := slices.ContainsFunc(e.Hint, isZoneHint)
	var bad []string
	for _, name := range slices.Sorted(maps.Keys(r.Columns)) {
		if c := r.Columns[name]; !waits[name] && c.Refused > c.Effects[Missing] {
			bad = append(bad, name)
			e.Facts = append(e.Facts, c.facts(name)...)
			e.Hint = appendNew(e.Hint, slices.DeleteFunc(c.hints(name), func(h string) bool { return asksZone && isZoneHint(h) }))
		}
	}
	if len(bad) > 0 {
		e.What += "; and as things stand, values of " + strings.Join(bad, ", ") + " cannot be written"
	}
	return e
}

// isZoneHint tells the answer that the whole copy takes once, for all columns that need it.
func isZoneHint(h string) bool { return strings.HasPrefix(h, FlagZone) }

// appendNew adds the hints that are not there yet.
func appendNew(have, more []string) []string {
	for _, h := range more {
		if !slices.Contains(have, h) {
			have = append(have, h)
		}
	}
	return have
}

// facts names every reason with its count and its samples.
func (c ColumnReport) facts(name string) []verdict.Fact {
	var out []verdict.Fact
	for _, x := range effects() {
		n := c.Effects[x.Effect]
		if n == 0 || x.Effect.changes() || !x.Effect.Refuses() || x.Effect == Missing { // what is missing is asked about
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%d %s", n, x.Text)
		for i, s := range c.Samples[x.Effect] {
			sep := "; "
			if i == 0 {
				sep = ": "
			}
			b.WriteString(sep + s.place(x.Effect))
		}
		out = append(out, verdict.Fact{Name: name, Value: b.String()})
	}
	return out
}

// place is the value and where it is; of a NULL, only where.
func (s Sample) place(e Effect) string {
	if s.File == "" {
		return fmt.Sprintf("%s beside %s", s.Before, s.After)
	}
	where := s.Where()
	if e == ForbidsNull {
		return where
	}
	return fmt.Sprintf("%s (%s)", s.Before, where)
}

// Where is the place for people, "part-1.parquet row 7, OrderId 12".
func (s Spot) Where() string {
	where := fmt.Sprintf("%s row %d", s.File, s.Row)
	if key := KeyText(s.Key); key != "" {
		where += ", " + key
	}
	return where
}

func (c ColumnReport) hints(name string) []string {
	var out []string
	if c.Effects[ZoneUnknown] > 0 {
		out = append(out, FlagZone+" UTC|ZONE")
	}
	if c.Effects[NotUTF8] > 0 {
		out = append(out, typed(FlagEncoding, name, "ENCODING")+", in which the text was written, such as windows-1252")
	}
	if help := slices.DeleteFunc(slices.Clone(c.Choices), func(a Answer) bool { return !c.helps(a) }); len(help) > 0 {
		out = append(out, typed(FlagCast, name, joined(help, "|")))
	}
	if s := signedByte(c.Samples[OutOfRange]); s != "" {
		out = append(out, s)
	}
	return out
}

// helps reports whether an answer writes the values that were refused, as far as
// the samples of each reason tell: one that leaves a reason is no way on.
func (c ColumnReport) helps(a Answer) bool {
	met := false
	for _, x := range effects() {
		if !x.Effect.Refuses() || c.Effects[x.Effect] == 0 || x.Effect == Missing {
			continue
		}
		met = true
		if slices.ContainsFunc(c.Samples[x.Effect], func(s Sample) bool { return !slices.Contains(s.Helps, a) }) {
			return false
		}
	}
	return met && a != Stop
}
