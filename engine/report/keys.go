package report

import (
	"fmt"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// keys tells what came of counting the copy's keys, or that they were not counted.
// Of a seed that is in the target nothing is asked, so nothing is said.
func keys(t text, p engine.Plan) {
	k := p.Keys
	switch {
	case p.State == engine.AlreadySeeded:
		return
	case k == nil && asksKeys(p):
		return // a check, or what forbids the plan, says why they were not counted
	case k == nil:
		t.line("    keys were not counted; --check keys finds those that stand twice")
		return
	case k.Sure():
		t.paragraphFirst("    ", "        ", fmt.Sprintf("keys (%s): each of %s has its own", strings.Join(k.Columns, ", "), verdict.Plural(k.Rows, "row", "rows")))
		return
	}
	t.paragraphFirst("    ", "        ", fmt.Sprintf("keys (%s) of %s:", strings.Join(k.Columns, ", "), verdict.Plural(k.Rows, "row", "rows")))
	if k.Keys > 0 {
		t.paragraphFirst("        ", "          ", fmt.Sprintf("%s more than once, %s too many",
			verdict.Plural(k.Keys, "stands", "stand"), verdict.Plural(k.Extra, "row", "rows")))
		keySamples(t, k.Samples, "row", "rows")
	}
	if k.Groups > 0 {
		t.paragraphFirst("        ", "          ", fmt.Sprintf("%s may be the same under collation %s, in %s",
			verdict.Count(k.GroupKeys+k.Groups), strings.Join(k.Collations, ", "), verdict.Plural(k.Groups, "group", "groups")))
		keySamples(t, k.Undecided, "key", "keys")
	}
}

// asksKeys reports whether the plan was asked to count keys.
func asksKeys(p engine.Plan) bool {
	var r engine.Request
	return r.SetArgs(p.Args) == nil && r.CountKeys
}

// keySamples are the worst ones. Rows of one key are told behind it, keys that are
// spelled apart each with its row.
func keySamples(t text, list []engine.KeySample, one, many string) {
	for _, s := range list {
		var parts []string
		last := ""
		for _, r := range s.Rows {
			at := fmt.Sprintf("%s row %s", r.File, verdict.Count(r.Row))
			if r.Key != last {
				at = r.Key + " in " + at
			}
			parts, last = append(parts, at), r.Key
		}
		line := verdict.Plural(s.Count, one, many) + ": " + strings.Join(parts, ", ")
		if n := s.Count - int64(len(s.Rows)); n > 0 {
			line += fmt.Sprintf(" and %s more", verdict.Count(n))
		}
		t.paragraphFirst("          ", "            ", line)
	}
}
