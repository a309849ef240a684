package cast

import (
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// The flags that answer questions, or say what a column of the copy is.
const (
	FlagCast    = "--cast"
	FlagMissing = "--missing"
	FlagZone    = "--copy-time-zone"
	FlagMap     = "--map"

	FlagEncoding = "--encoding"
)

// Question is a decision that only a person can take before anything is
// written. One column may ask twice: for a zone and for a cast.
type Question struct {
	Column  string   `json:"column"`
	Code    Code     `json:"code"`
	Classes []string `json:"classes"` // file classes that ask it
	Flag    string   `json:"flag"`    // FlagCast, FlagMissing or FlagZone
	Choices []Answer `json:"choices"` // of a zone question: UTC, ZONE and perhaps wall-clock
	Text    string   `json:"text"`    // one sentence without a full stop
	Samples []Sample `json:"samples"` // filled by a preview; empty without one

	// Suggest is which columns of the copy a missing one may be, the likest first.
	Suggest []string `json:"suggest,omitempty"`
}

// Option is what to type to answer, with the choices to pick from.
func (q Question) Option() string {
	if q.Flag == FlagZone {
		return FlagZone + " " + joined(q.Choices, "|")
	}
	if !q.answerable() {
		return "a copy that has it"
	}
	return typed(q.Flag, q.Column, joined(q.Choices, "|"))
}

// answerable is false where stopping is the only choice: a key that is missing.
func (q Question) answerable() bool {
	return slices.ContainsFunc(q.Choices, func(a Answer) bool { return a != Stop })
}

// Open lists the questions that have no answer yet, in column order.
func (m *Mapping) Open() []Question {
	out := []Question{}
	for _, p := range m.Columns {
		for _, r := range p.Rules {
			about, _ := Describe(r.Code)
			if r.Code == MissingNull && r.Answer != Null || about.Asks && r.Answer == "" {
				out = ask(out, m.castQuestion(p, r))
			}
			if r.needsZone() && r.Zone == "" {
				out = ask(out, zoneQuestion(p, r))
			}
		}
	}
	return out
}

// OpenWith is Open with the samples that a preview found of what is asked
// about. While a column's zone is open, what would be written cannot be told.
func (m *Mapping) OpenWith(r Report) []Question {
	qs := m.Open()
	for i := range qs {
		zoneOpen := slices.ContainsFunc(qs, func(q Question) bool { return q.Flag == FlagZone && q.Column == qs[i].Column })
		if qs[i].Flag != FlagCast || zoneOpen {
			continue
		}
		c := r.Columns[qs[i].Column]
		for _, x := range effects() {
			if x.Effect.Refuses() {
				qs[i].Samples = append(qs[i].Samples, c.Samples[x.Effect]...)
			}
		}
	}
	return qs
}

// ask adds a question, or the class to the one that asks the same.
func ask(qs []Question, q Question) []Question {
	for i := range qs {
		if qs[i].Column == q.Column && qs[i].Code == q.Code && qs[i].Flag == q.Flag {
			qs[i].Classes = append(qs[i].Classes, q.Classes...)
			return qs
		}
	}
	return append(qs, q)
}

func (m *Mapping) castQuestion(p ColumnPlan, r Rule) Question {
	q := Question{
		Column: p.Target.Name, Code: r.Code, Classes: []string{r.Class}, Flag: FlagCast,
		Choices: r.Choices(p.Target), Samples: []Sample{},
	}
	about, _ := Describe(r.Code)
	q.Text = fmt.Sprintf("%s is %s in the copy, %s in the target: %s", q.Column, r.FromType, p.Target.Type, about.Text)
	if r.Code == MissingNull {
		q.Flag = FlagMissing
		q.Text = fmt.Sprintf("%s is captured, but the copy has no such column", q.Column)
		switch {
		case p.Target.Key:
			q.Text += ", and it is in the key, which is never NULL: this copy cannot be used"
		case r.forbidsNull(p.Target):
			q.Text += ", and the source's is NOT NULL"
		}
		if q.Suggest = m.Suggest(p.Target); len(q.Suggest) > 0 {
			q.Text += fmt.Sprintf("; it has %s, which no captured column uses", quoted(q.Suggest))
		}
	}
	return q
}

func zoneQuestion(p ColumnPlan, r Rule) Question {
	q := Question{
		Column: p.Target.Name, Code: r.Code, Classes: []string{r.Class}, Flag: FlagZone,
		Choices: []Answer{"UTC", "ZONE"}, Samples: []Sample{},
	}
	q.Text = fmt.Sprintf("%s is %s in the copy, %s in the target: only the zone of the copy's writer joins them", q.Column, r.FromType, p.Target.Type)
	if r.takesWallClock() {
		q.Choices = append(q.Choices, WallClock)
	} else {
		q.Text += ", and " + WallClock + " names none"
	}
	return q
}

// Refusal is the refusal that open questions mean where nobody can be asked,
// or nil: ColumnMissing, CastNeedsZone or CastNeedsAnswer, naming every flag that is owed.
func (m *Mapping) Refusal() error {
	open := m.Open()
	if len(open) == 0 {
		return nil
	}
	var err *verdict.Error
	for _, kind := range []struct {
		flag string
		code verdict.Code
		what string
		why  string
	}{
		{FlagMissing, verdict.ColumnMissing, "the copy lacks captured columns", "Every row of the seed would hold NULL there until it changes."},
		{FlagZone, verdict.CastNeedsZone, "columns turn a moment into a zone-less time, or back, and the copy's zone was not named", "A wrong zone shifts every row by hours without an error."},
		{FlagCast, verdict.CastNeedsAnswer, "columns may lose something in the cast", "What may be lost is for a person to decide."},
	} {
		asked := slices.DeleteFunc(slices.Clone(open), func(q Question) bool { return q.Flag != kind.flag })
		if len(asked) == 0 {
			continue
		}
		if err == nil {
			err = &verdict.Error{Code: kind.code, What: kind.what + ": " + columnsOf(asked), Why: kind.why}
		}
		zone := zoneOption(asked)
		for _, q := range asked {
			err.Facts = append(err.Facts, verdict.Fact{Name: q.Column, Value: strings.TrimPrefix(q.Text, q.Column+" ") + kinds(m.Classes).in(q.Classes...)})
			o := q.Option()
			if q.Flag == FlagZone {
				o = zone
			}
			if !q.answerable() {
				o = fmt.Sprintf("Write the copy again with column %q: a key cannot be NULL, so no answer makes up for it.", q.Column)
			}
			for _, like := range q.Suggest {
				if m := typed(FlagMap, like, verdict.ShellWord(q.Column)) + ", if it is that column"; !slices.Contains(err.Hint, m) {
					err.Hint = append(err.Hint, m)
				}
			}
			if !slices.Contains(err.Hint, o) {
				err.Hint = append(err.Hint, o)
			}
		}
	}
	return err
}

// zoneOption is what to type for all columns that ask for a zone: the copy has one
// answer, so only what each of them takes is offered.
func zoneOption(asked []Question) string {
	choices := slices.DeleteFunc(slices.Clone(asked[0].Choices), func(a Answer) bool {
		return slices.ContainsFunc(asked, func(q Question) bool { return !slices.Contains(q.Choices, a) })
	})
	return fmt.Sprintf("%s %s, for %s", FlagZone, joined(choices, "|"), columnsOf(asked))
}

// quoted names columns one after the other: "a", "b" and "c".
func quoted(names []string) string {
	out := fmt.Sprintf("%q", names[0])
	for i, n := range names[1:] {
		sep := ", "
		if i == len(names)-2 {
			sep = " and "
		}
		out += sep + fmt.Sprintf("%q", n)
	}
	return out
}

func columnsOf(qs []Question) string {
	var out []string
	seen := make(map[string]bool, len(qs))
	for _, q := range qs {
		if name := schema.Fold(q.Column); !seen[name] {
			seen[name] = true
			out = append(out, q.Column)
		}
	}
	return strings.Join(out, ", ")
}
