package cast

import (
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// renames is which column of the copy is which captured one where their names
// do not say so. Names are folded.
type renames struct {
	from map[string]string // captured column: the copy's
	away map[string]bool   // the copy's columns that are not matched by their own name
}

// CheckMap tells why what --map says cannot be followed, nil where it can.
func CheckMap(given []string, cols []schema.TargetColumn, classes []schema.FileClass) error {
	_, err := renamesOf(given, cols, classes)
	return err
}

// renamesOf reads what --map says: COPY=CAPTURED, or COPY= for a column that is
// left out. Refusals: AnswerUnknown, ColumnAmbiguous.
func renamesOf(given []string, cols []schema.TargetColumn, classes []schema.FileClass) (renames, error) {
	out := renames{from: map[string]string{}, away: map[string]bool{}}
	for _, text := range given {
		from, to, err := renameOf(text, cols, classes)
		if err != nil {
			return out, err
		}
		if out.away[from] {
			return out, mapTwice(text, fmt.Sprintf("the copy's column %q", from), given)
		}
		out.away[from] = true
		if to == "" {
			continue
		}
		if _, taken := out.from[to]; taken {
			return out, mapTwice(text, fmt.Sprintf("captured column %q", to), given)
		}
		out.from[to] = from
	}
	return out, out.clash(cols, classes)
}

// renameOf finds the two names. Either may hold a "=": of the places where the
// text can be cut, the one counts that leaves a column of the copy and a captured one.
func renameOf(text string, cols []schema.TargetColumn, classes []schema.FileClass) (from, to string, err error) {
	var found [][2]string
	for i := range len(text) {
		if text[i] != '=' {
			continue
		}
		a, b := schema.Fold(text[:i]), schema.Fold(text[i+1:])
		if has(classes, a) && (b == "" || captures(cols, b)) {
			found = append(found, [2]string{a, b})
		}
	}
	switch len(found) {
	case 0:
		return "", "", unknownNames(text, cols, classes)
	case 1:
	default:
		return "", "", &verdict.Error{
			Code: verdict.ColumnAmbiguous, What: fmt.Sprintf("%s %s can be read in two ways", FlagMap, text),
			Facts: verdict.Facts("one way", strings.Join(found[0][:], " is "), "another", strings.Join(found[1][:], " is ")),
			Why:   "Names that hold a = leave open where the copy's name ends.",
			Hint:  []string{"Write the copy again with another name for that column."},
		}
	}
	from, to = found[0][0], found[0][1]
	i := slices.IndexFunc(cols, func(c schema.TargetColumn) bool { return schema.Fold(c.Name) == to })
	switch {
	case i >= 0 && cols[i].Computed:
		return "", "", &verdict.Error{
			Code: verdict.AnswerUnknown, What: fmt.Sprintf("%s names %q, which is a computed column", FlagMap, cols[i].Name),
			Why:  "CDC writes NULL for it in every change row, and so does the seed, whatever the copy holds.",
			Hint: []string{fmt.Sprintf("Leave %s %s out.", FlagMap, text)},
		}
	case i >= 0 && slices.Contains(schema.Reserved(), from):
		return "", "", &verdict.Error{
			Code: verdict.AnswerUnknown, What: fmt.Sprintf("%s names %q, which is a metadata column of the stream", FlagMap, from),
			Why:  "It tells where a change row stands in the log; no column of the source has such values.",
			Hint: []string{fmt.Sprintf("Leave %s %s out.", FlagMap, text)},
		}
	}
	return from, to, nil
}

// clash refuses files that hold a column for a captured one in two ways: the one
// that --map names and one of its own name.
func (r renames) clash(cols []schema.TargetColumn, classes []schema.FileClass) error {
	for _, c := range cols {
		name := schema.Fold(c.Name)
		from, mapped := r.from[name]
		if !mapped || from == name || r.away[name] {
			continue
		}
		for _, class := range classes {
			by := index(class)
			if len(by[name]) == 0 || len(by[from]) == 0 {
				continue
			}
			return &verdict.Error{
				Code:  verdict.ColumnAmbiguous,
				What:  fmt.Sprintf("%s takes %q from %q, and the copy has a column %q too", FlagMap, c.Name, by[from][0].Name, by[name][0].Name),
				Facts: verdict.Facts("by name", by[name][0].Name+kinds(classes).in(class.ID), "mapped", by[from][0].Name),
				Why:   "One of the two would be left out without a word.",
				Hint: []string{
					fmt.Sprintf("Add %s to leave out the column of that name.", typed(FlagMap, by[name][0].Name, "")),
					fmt.Sprintf("Or leave %s out.", typed(FlagMap, by[from][0].Name, verdict.ShellWord(c.Name))),
				},
			}
		}
	}
	return nil
}

// of is the columns of a class, by folded name, that are the captured column's.
func (r renames) of(captured string, byName map[string][]schema.CopyColumn) []schema.CopyColumn {
	name := schema.Fold(captured)
	if from, mapped := r.from[name]; mapped && len(byName[from]) > 0 {
		return byName[from]
	}
	if r.away[name] {
		return nil
	}
	return byName[name]
}

func has(classes []schema.FileClass, folded string) bool {
	return slices.ContainsFunc(classes, func(class schema.FileClass) bool {
		return slices.ContainsFunc(class.Columns, func(c schema.CopyColumn) bool { return schema.Fold(c.Name) == folded })
	})
}

func captures(cols []schema.TargetColumn, folded string) bool {
	return slices.ContainsFunc(cols, func(c schema.TargetColumn) bool { return schema.Fold(c.Name) == folded })
}

func unknownNames(text string, cols []schema.TargetColumn, classes []schema.FileClass) error {
	captured := make([]string, len(cols))
	for i, c := range cols {
		captured[i] = c.Name
	}
	var there []string
	for _, class := range classes {
		for _, name := range names(class.Columns) {
			if !slices.Contains(there, name) {
				there = append(there, name)
			}
		}
	}
	from, to, _ := strings.Cut(text, "=")
	what := fmt.Sprintf("%s %s names %q, which is no captured column", FlagMap, text, to)
	if !has(classes, schema.Fold(from)) {
		what = fmt.Sprintf("%s %s names %q, which is no column of the copy", FlagMap, text, from)
	}
	return &verdict.Error{
		Code: verdict.AnswerUnknown, What: what,
		Facts: verdict.Facts("columns of the copy", strings.Join(there, ", "), "captured columns", strings.Join(captured, ", ")),
		Hint:  []string{fmt.Sprintf("%s COPY=CAPTURED, each as it is spelled above", FlagMap)},
	}
}

func mapTwice(text, what string, given []string) error {
	return &verdict.Error{
		Code: verdict.AnswerUnknown, What: fmt.Sprintf("%s names %s twice", FlagMap, what),
		Facts: verdict.Facts("given", strings.Join(given, ", ")),
		Why:   "A captured column has one column of the copy, and that is no other's.",
		Hint:  []string{fmt.Sprintf("Leave %s %s out, or the other one.", FlagMap, text)},
	}
}
