package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cdcseed/engine/cast"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/schema"
)

// Flags that answer what marks of other tools ask, and what they take.
const (
	flagDeleted    = "--exclude-deleted"
	flagIgnore     = "--ignore-mark"
	excludeDeleted = "exclude-deleted"
	keepDeleted    = "keep-deleted"
)

// asks are what is or was asked of a captured column.
func (in *columnsInspection) asks(c cast.ColumnPlan, r cast.ColumnReport) []Ask {
	var out []Ask
	name := c.Target.Name
	for _, q := range in.questions[name] {
		if slices.ContainsFunc(out, func(a Ask) bool { return a.Flag == q.Flag }) {
			continue // another file class asks the same
		}
		if q.Flag == cast.FlagZone {
			out = append(out, in.zoneAsk(q.Text, in.wallClock))
			continue
		}
		out = append(out, in.columnAsk(c, q.Flag, q.Text))
	}
	if from := mappedFrom(c); from != "" && !slices.ContainsFunc(out, func(a Ask) bool { return a.Flag == cast.FlagMissing }) {
		out = append([]Ask{in.mappedAsk(c, from)}, out...)
	}
	if a, is := in.encodingAsk(c, r); is {
		out = append(out, a)
	}
	asked := func(flag string) bool { return slices.ContainsFunc(out, func(a Ask) bool { return a.Flag == flag }) }
	if r.Of(cast.ZoneUnknown) > 0 || readsZone(c) && in.request.CopyTimeZone != "" && !asked(cast.FlagZone) {
		a := in.zoneAsk(fmt.Sprintf("%s is text in the copy: only a zone tells which moment it is, or which clock it was read on", name), c.Target.Type.Kind == schema.TimestampNTZ)
		a.Open = a.Given == "" && r.Refused > 0 // another answer may have settled them
		out = append(out, a)
	}
	if !asked(cast.FlagCast) && (r.Refused > r.Of(cast.ZoneUnknown) || given(in.request.Cast, name) != "") {
		a := in.columnAsk(c, cast.FlagCast, fmt.Sprintf("%s has values that cannot be written as they are", name))
		if a.Open = r.Refused > 0 && a.Given == ""; len(a.Choices) > 0 {
			out = append(out, a)
		}
	}
	return out
}

// readsZone reports whether text is read into a time, for which a zone may be named.
func readsZone(c cast.ColumnPlan) bool {
	return slices.ContainsFunc(c.Rules, func(r cast.Rule) bool { return r.Code == cast.TextToStamp })
}

// columnAsk is a question that --cast or --missing answers for one column.
func (in *columnsInspection) columnAsk(c cast.ColumnPlan, flag, text string) Ask {
	a := Ask{Flag: flag, Column: c.Target.Name, Text: text}
	answers := in.request.Cast
	if flag == cast.FlagMissing {
		answers = in.request.Missing
		if mappedFrom(c) == "" { // in files of another kind it was found
			a.Choices = in.mayBe(c, "")
		}
	}
	a.Given = given(answers, a.Column)
	a.Open = slices.ContainsFunc(in.open[a.Column], func(q cast.Question) bool { return q.Flag == flag })
	for _, r := range c.Rules {
		if (r.Code == cast.MissingNull) != (flag == cast.FlagMissing) {
			continue
		}
		for _, x := range r.Choices(c.Target) {
			if !slices.ContainsFunc(a.Choices, func(have Choice) bool { return have.Value == string(x) }) {
				a.Choices = append(a.Choices, Choice{Value: string(x), Text: choiceText(flag, x, c.Target)})
			}
		}
	}
	return a
}

// given is the answer for a column, whose name may be in another case.
func given(answers map[string]string, column string) string {
	for _, name := range slices.Sorted(maps.Keys(answers)) {
		if schema.SameName(name, column) {
			return answers[name]
		}
	}
	return ""
}

// choiceText says what an answer does.
func choiceText(flag string, a cast.Answer, to schema.TargetColumn) string {
	if flag == cast.FlagMissing {
		if a == cast.Null {
			return "write NULL in every row"
		}
		return "stop: this copy is not seeded"
	}
	time := to.Type.Kind == schema.TimestampNTZ || to.Type.Kind == schema.Timestamp
	switch a {
	case cast.Stop:
		return "stop if any value would change or does not fit"
	case cast.Round:
		if time {
			return "round to the nearest, halves toward the future"
		}
		return "round to the nearest, halves away from zero"
	case cast.Cut:
		switch {
		case time:
			return "drop the digits that do not fit, toward the past"
		case to.Type.Kind == schema.Date:
			return "drop the time of day"
		}
		return "drop what does not fit"
	case cast.Null:
		return "write NULL for each value that does not fit"
	case cast.TextOrder:
		return "the bytes are in the order of the text"
	case cast.SQLOrder:
		return "the bytes are in SQL Server's order, the first three groups reversed"
	case cast.Pad:
		return "pad to the declared length"
	case cast.Keep:
		return "leave short values short"
	}
	return string(a)
}

// zoneAsk is the question for the copy's zone: one answer holds for the whole copy.
func (in *columnsInspection) zoneAsk(text string, wallClock bool) Ask {
	a := Ask{Flag: cast.FlagZone, Text: text, Zone: true, Given: in.request.CopyTimeZone}
	a.Choices = append(a.Choices, Choice{Value: "UTC", Text: "the times are those of a clock on UTC"})
	if in.zone != "" && !strings.EqualFold(in.zone, "UTC") {
		a.Choices = append(a.Choices, Choice{Value: in.zone, Text: "the times are those of the server's clock"})
	}
	if wallClock {
		a.Choices = append(a.Choices, Choice{Value: cast.WallClock, Text: "the digits are the source's, whatever the copy's type says"})
	}
	given := func(c Choice) bool { return strings.EqualFold(c.Value, a.Given) }
	if a.Given != "" && !in.zoneOpen && !slices.ContainsFunc(a.Choices, given) { // one that was typed
		a.Choices = append(a.Choices, Choice{Value: a.Given, Text: "the times are those of a clock there"})
	}
	a.Open = in.zoneOpen
	return a
}

// markAsks are what another tool's mark on a column that is left out asks.
func (in *columnsInspection) markAsks(name string) []Ask {
	i := slices.IndexFunc(in.marks, func(m settledMark) bool { return m.asked && schema.SameName(m.Column, name) })
	if i < 0 {
		return nil
	}
	m := in.marks[i]
	ignored := slices.ContainsFunc(in.request.IgnoreMark, func(c string) bool { return schema.SameName(c, name) })
	ignore := Ask{
		Flag: flagIgnore, Column: m.Column, Text: m.open,
		Choices: []Choice{{Value: m.Column, Text: "leave it out like any other column: the copy holds each row of the table once"}},
	}
	if ignored {
		ignore.Given = m.Column
	}
	if m.Kind != lakecopy.SoftDelete {
		ignore.Open = !ignored && !m.filters
		ignore.Text = fmt.Sprintf("%q is a column by which %s tells changes, not rows", m.Column, m.Tool)
		if !m.Flags() || m.open == "" && !m.filters && !ignored {
			return []Ask{ignore}
		}
		return []Ask{in.operationAsk(m, ignored), ignore}
	}
	deleted := in.deletedAsk(m, ignored)
	if !ignored && in.softDeletes() < 2 {
		return []Ask{deleted}
	}
	ignore.Text = fmt.Sprintf("%q flags deleted rows, and only one column may", m.Column)
	ignore.Open = !ignored && in.request.ExcludeDeleted && m.open != ""
	deleted.Open = deleted.Open && !ignored
	return []Ask{deleted, ignore}
}

// deletedAsk is the question what becomes of rows that are flagged as deleted.
func (in *columnsInspection) deletedAsk(m settledMark, ignored bool) Ask {
	a := Ask{
		Flag: flagDeleted, Text: fmt.Sprintf("%s flags deleted rows in %q", m.Tool, m.Column),
		Choices: []Choice{
			{Value: excludeDeleted, Text: "leave flagged rows out: they are deleted in the source"},
			{Value: keepDeleted, Text: "keep flagged rows: no change will ever delete them"},
		},
		Open: !ignored && !in.request.ExcludeDeleted && !in.request.KeepDeleted,
	}
	switch {
	case in.request.ExcludeDeleted:
		a.Given = excludeDeleted
	case in.request.KeepDeleted:
		a.Given = keepDeleted
	}
	return a
}

// operationAsk is the question what becomes of rows whose operation is a delete.
func (in *columnsInspection) operationAsk(m settledMark, ignored bool) Ask {
	a := Ask{
		Flag: flagDeleted, Text: fmt.Sprintf("%s tells in %q which rows were deleted", m.Tool, m.Column),
		Choices: []Choice{{Value: excludeDeleted, Text: "the copy holds each row of the table once: leave out those that were deleted"}},
		Open:    !ignored && !m.filters,
	}
	if in.request.ExcludeDeleted {
		a.Given = excludeDeleted
	}
	return a
}

// softDeletes counts the marks that flag deleted rows.
func (in *columnsInspection) softDeletes() int {
	n := 0
	for _, m := range in.marks {
		if m.asked && m.Kind == lakecopy.SoftDelete {
			n++
		}
	}
	return n
}

// Answer puts a value into r as the ask's flag does; an empty one takes the
// answer back. Values that r shares with a copy of it stay as they are.
func (a Ask) Answer(r *Request, value string) {
	switch a.Flag {
	case cast.FlagCast:
		r.Cast = answered(r.Cast, a.Column, value)
	case cast.FlagMissing:
		a.answerMissing(r, value)
	case cast.FlagEncoding:
		r.Encoding = answered(r.Encoding, a.Column, value)
	case cast.FlagZone:
		r.CopyTimeZone = value
	case flagDeleted:
		r.ExcludeDeleted, r.KeepDeleted = value == excludeDeleted, value == keepDeleted
	case flagIgnore:
		r.IgnoreMark = slices.DeleteFunc(slices.Clone(r.IgnoreMark), func(c string) bool { return schema.SameName(c, a.Column) })
		if value != "" {
			r.IgnoreMark = append(r.IgnoreMark, a.Column)
		}
		if len(r.IgnoreMark) == 0 {
			r.IgnoreMark = nil
		}
	}
}

// answered is a copy of the answers with that of one column changed; nil where
// none is left.
func answered(answers map[string]string, column, value string) map[string]string {
	out := map[string]string{}
	for name, answer := range answers {
		if !schema.SameName(name, column) {
			out[name] = answer
		}
	}
	if value != "" {
		out[column] = value
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
