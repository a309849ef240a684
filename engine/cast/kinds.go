package cast

import (
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// kinds are the file classes that a mapping was made for. People know files and
// the programs that wrote them, not our numbers for them.
type kinds []schema.FileClass

// in says which files the classes are, behind what is said of them: empty where
// they are all of the copy's.
func (k kinds) in(ids ...string) string {
	var files, all int
	var rows int64
	var writers, named []string
	theirs := 0
	for _, class := range k {
		all += class.Files
		if !slices.Contains(ids, class.ID) {
			continue
		}
		theirs++
		files += class.Files
		rows += class.Rows
		named = append(named, class.First...)
		if class.Writer != "" && !slices.Contains(writers, class.Writer) {
			writers = append(writers, class.Writer)
		}
	}
	if theirs == len(k) {
		return ""
	}
	text := fmt.Sprintf(" (%s of %s", verdict.Count(files), verdict.Plural(all, "file", "files"))
	if rows > 0 {
		text += ", " + verdict.Plural(rows, "row", "rows")
	}
	if len(writers) > 0 {
		text += ", written by " + strings.Join(writers, " and ")
	}
	if named = named[:min(len(named), schema.MostNamed)]; len(named) > 0 {
		text += ": " + strings.Join(named, ", ")
		if more := files - len(named); more > 0 {
			text += fmt.Sprintf(" and %s more", verdict.Count(more))
		}
	}
	return text + ")"
}
