package cast

import (
	"strings"

	"cdcseed/engine/schema"
)

// similar finds the left-out column whose name is most like a missing one's,
// as a suggestion: it is never taken by itself. Empty where none is near.
func similar(name string, leftOut []string) string {
	best, found := 0.0, ""
	for _, other := range leftOut {
		if s := likeness(plain(name), plain(other)); s > best {
			best, found = s, other
		}
	}
	if best < 0.6 {
		return ""
	}
	return found
}

// plain is a name without case, blanks and joiners.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(schema.Fold(name))
}

// likeness is 1 for equal names, at least 0.6 where one holds the other, and
// else the share of letters that need no edit.
func likeness(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	longest, shortest := max(len(x), len(y)), min(len(x), len(y))
	if longest == 0 {
		return 1
	}
	share := 1 - float64(edits(x, y))/float64(longest)
	if shortest >= 3 && (strings.Contains(a, b) || strings.Contains(b, a)) {
		share = max(share, 0.6+0.4*float64(shortest)/float64(longest))
	}
	return share
}

// edits counts the insertions, deletions and replacements from a to b.
func edits(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, ra := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, rb := range b {
			cost := diagonal
			if ra != rb {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
