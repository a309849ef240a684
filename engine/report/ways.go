package report

import (
	"fmt"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/splice"
	"cdcseed/engine/verdict"
)

// ways tells how the files of the target are made: which columns are copied as
// bytes, which are encoded anew and why, and which files are written anew.
func ways(t text, p engine.Plan) {
	for _, w := range p.Stage.Ways {
		t.paragraphFirst("    ", "        ", fmt.Sprintf("%s, %s", verdict.Plural(w.Files, "file", "files"), manner(w)))
		for _, reason := range recoded(w) {
			t.paragraphFirst("        ", "          ", reason)
		}
	}
}

// manner is what happens to the files of one kind.
func manner(w engine.WaysPlan) string {
	if w.Rewrite != "" {
		return Size(w.Bytes) + ": every column is encoded anew, because " + w.Rewrite
	}
	counts := map[splice.Way]int{}
	for _, c := range w.Columns {
		counts[c.Way]++
	}
	var parts []string
	for _, x := range []struct {
		n    int
		text string
	}{
		{counts[splice.Copied] + counts[splice.Annotated], "copied as bytes"},
		{counts[splice.Dictionary], "cast by dictionaries alone"},
		{counts[splice.Recoded], "encoded anew"},
		{counts[splice.Constant] + counts[splice.Null], "of one value"},
	} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", verdict.Plural(x.n, "column", "columns"), x.text))
		}
	}
	return Size(w.Bytes) + ": " + strings.Join(parts, ", ")
}

// recoded names the columns that are encoded anew, those of one reason together.
func recoded(w engine.WaysPlan) []string {
	var reasons []string
	names := map[string][]string{}
	for _, c := range w.Columns {
		if c.Way != splice.Recoded {
			continue
		}
		if names[c.Reason] == nil {
			reasons = append(reasons, c.Reason)
		}
		names[c.Reason] = append(names[c.Reason], c.Name)
	}
	for i, r := range reasons {
		reasons[i] = fmt.Sprintf("anew: %s (%s)", strings.Join(names[r], ", "), r)
	}
	return reasons
}
