package tui

import (
	"fmt"
	"strings"
)

// mark is how far a step is.
type mark int

const (
	notYet   mark = iota
	answered      // as the answers stand
	doubtful      // answered, but an earlier answer changed since
	blocked       // what has to change for the seed to go on
)

// rail draws the steps in one line: where the person is, what is answered. here
// stands for the title of the step that is shown, where it is not empty.
func rail(titles []string, marks []mark, at int, here, done string, w int) string {
	parts := make([]string, len(titles))
	for i, title := range titles {
		switch {
		case i == at:
			if here != "" {
				title = here
			}
			parts[i] = fmt.Sprintf("[%d %s]", i+1, title)
		case marks[i] == answered:
			parts[i] = done + " " + title
		case marks[i] == doubtful:
			parts[i] = "? " + title
		case marks[i] == blocked:
			parts[i] = "! " + title
		default:
			parts[i] = fmt.Sprintf("%d %s", i+1, title)
		}
	}
	return cut(" "+strings.Join(parts, "  "), w)
}

// railShort is the rail where there is no room for it.
func railShort(titles []string, here int, w int) string {
	return cut(fmt.Sprintf(" Step %d of %d: %s", here+1, len(titles), titles[here]), w)
}
