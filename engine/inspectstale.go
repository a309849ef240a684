package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"cdcseed/engine/cast"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// DropStale takes out of r the answers that nothing takes any more since the
// table, the copy or the target changed, and says which: of columns that are
// gone, and of casts that are others now. All other answers stay.
func DropStale(r Request, c CopyView, t TargetView) (Request, []string) {
	if c.copy == nil {
		return r, nil
	}
	captured := c.captured
	if t.URL != "" && t.asked == c.asked {
		captured = t.captured
	}
	var gone []string
	r.Map, gone = standingMap(captured, c.copy.Classes, r.Map)
	m, err := cast.Match(captured, c.copy.Classes, cast.Answers{Map: r.Map})
	if err != nil { // columns that match in no way are told when they are inspected
		m = nil
	}
	drop := func(flag, column, answer string) {
		gone = append(gone, fmt.Sprintf("%s %s=%s", flag, column, answer))
	}
	cut := func(flag string, answers map[string]string) map[string]string {
		for _, column := range slices.Sorted(maps.Keys(answers)) {
			if !taken(captured, m, flag, column, cast.Answer(answers[column])) {
				drop(flag, column, answers[column])
				answers = answered(answers, column, "")
			}
		}
		return answers
	}
	r.Cast, r.Missing = cut(cast.FlagCast, r.Cast), cut(cast.FlagMissing, r.Missing)
	for _, column := range slices.Sorted(maps.Keys(r.Encoding)) {
		of := map[string]string{column: r.Encoding[column]}
		if _, err := cast.Match(captured, c.copy.Classes, cast.Answers{Map: r.Map, Encoding: of}); m != nil && err != nil {
			drop(cast.FlagEncoding, column, of[column])
			r.Encoding = answered(r.Encoding, column, "")
		}
	}
	return dropMarks(r, c.copy.Marks, gone)
}

// standingMap is what --map still says of the copy and the table, and what it
// says no more.
func standingMap(captured []schema.TargetColumn, classes []schema.FileClass, given []string) (stands, gone []string) {
	stood := func(list []string) bool { return cast.CheckMap(list, captured, classes) == nil }
	without := func(i int) []string { return slices.Delete(slices.Clone(stands), i, i+1) }
	for _, text := range given {
		if errors.Is(cast.CheckMap([]string{text}, captured, classes), verdict.AnswerUnknown) {
			gone = append(gone, cast.FlagMap+" "+text) // its columns are not there
			continue
		}
		stands = append(stands, text)
	}
	for len(stands) > 0 && !stood(stands) { // two may only be right together
		drop := len(stands) - 1
		for i := range stands {
			if stood(without(i)) {
				drop = i
				break
			}
		}
		gone, stands = append(gone, cast.FlagMap+" "+stands[drop]), without(drop)
	}
	return stands, gone
}

// taken reports whether a column is there and takes the answer. m is nil where
// only its being there can be told.
func taken(captured []schema.TargetColumn, m *cast.Mapping, flag, column string, a cast.Answer) bool {
	i := slices.IndexFunc(captured, func(c schema.TargetColumn) bool { return schema.SameName(c.Name, column) })
	if i < 0 || m == nil {
		return i >= 0
	}
	p := m.Columns[i]
	return slices.ContainsFunc(p.Rules, func(r cast.Rule) bool {
		return (r.Code == cast.MissingNull) == (flag == cast.FlagMissing) && slices.Contains(r.Choices(p.Target), a)
	})
}

// dropMarks takes out answers for marks of other tools that the copy has not.
func dropMarks(r Request, marks []lakecopy.Mark, gone []string) (Request, []string) {
	deleted := slices.ContainsFunc(marks, func(m lakecopy.Mark) bool { return m.Kind == lakecopy.SoftDelete })
	if r.ExcludeDeleted && !slices.ContainsFunc(marks, lakecopy.Mark.Flags) {
		r.ExcludeDeleted, gone = false, append(gone, "--"+excludeDeleted)
	}
	if r.KeepDeleted && !deleted {
		r.KeepDeleted, gone = false, append(gone, "--"+keepDeleted)
	}
	for _, column := range r.IgnoreMark {
		if !slices.ContainsFunc(marks, func(m lakecopy.Mark) bool { return schema.SameName(m.Name(), column) }) {
			gone = append(gone, flagIgnore+" "+column)
			Ask{Flag: flagIgnore, Column: column}.Answer(&r, "")
		}
	}
	return r, gone
}
