package engine

import (
	"fmt"
	"slices"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// mappedAsk is the question about a column that the copy has under another name,
// as was answered.
func (in *columnsInspection) mappedAsk(c cast.ColumnPlan, from string) Ask {
	a := Ask{
		Flag: cast.FlagMissing, Column: c.Target.Name, Given: from, Choices: in.mayBe(c, from),
		Text: fmt.Sprintf("%s is captured, but the copy has no such column", c.Target.Name),
	}
	for _, x := range (cast.Rule{Code: cast.MissingNull}).Choices(c.Target) {
		a.Choices = append(a.Choices, Choice{Value: string(x), Text: choiceText(a.Flag, x, c.Target)})
	}
	return a
}

// mayBe are the columns of the copy that a missing one may be, as choices: the
// one that it was taken from, if any, and those of like names. One that is called
// as another answer is can be named by --map alone.
func (in *columnsInspection) mayBe(c cast.ColumnPlan, from string) []Choice {
	var out []Choice
	types, names := in.typesOfCopy(), in.plan.Columns.Suggest(c.Target)
	if from != "" {
		names = append([]string{from}, names...)
	}
	for _, name := range names {
		if name != string(cast.Null) && name != string(cast.Stop) {
			out = append(out, Choice{Value: name, Text: "that column of the copy is it: " + types[name], Map: true})
		}
	}
	return out
}

// mappedFrom is the copy's column of another name that a captured one is made
// from, empty where there is none.
func mappedFrom(c cast.ColumnPlan) string {
	for _, r := range c.Rules {
		if r.From != "" && !schema.SameName(r.From, c.Target.Name) {
			return r.From
		}
	}
	return ""
}

// answerMissing puts into r what becomes of a column that the copy lacks: it is
// another one of the copy, or NULL.
func (a Ask) answerMissing(r *Request, value string) {
	is := func(text string) func(Choice) bool {
		return func(c Choice) bool { return c.Map && schema.SameName(text, c.Value+"="+a.Column) }
	}
	r.Map = slices.DeleteFunc(slices.Clone(r.Map), func(text string) bool { return slices.ContainsFunc(a.Choices, is(text)) })
	if slices.ContainsFunc(a.Choices, func(c Choice) bool { return c.Map && c.Value == value }) {
		r.Map, value = append(r.Map, value+"="+a.Column), ""
	}
	if len(r.Map) == 0 {
		r.Map = nil
	}
	r.Missing = answered(r.Missing, a.Column, value)
}
