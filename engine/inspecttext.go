package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// HowMade says how a column is made, over all file classes; plain means that
// every file has it as it is. Where classes differ in it, both texts tell them in
// the same order.
func HowMade(c cast.ColumnPlan) (from, how string, plain bool) {
	type way struct{ from, how string }
	var ways []way
	plain = true
	for _, r := range c.Rules {
		source := r.FromType
		if r.From == "" {
			source = "(not in the copy)"
		}
		if w := (way{source, howRule(c, r)}); !slices.Contains(ways, w) {
			ways = append(ways, w)
		}
		plain = plain && r.Code == cast.Same && r.From == c.Target.Name && r.Encoding == ""
	}
	slices.SortFunc(ways, func(a, b way) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.how, b.how)) })
	var froms, hows []string
	for _, w := range ways {
		froms, hows = append(froms, w.from), append(hows, w.how)
	}
	oneOf := func(list []string) bool {
		return !slices.ContainsFunc(list, func(s string) bool { return s != list[0] })
	}
	if oneOf(froms) || oneOf(hows) { // nothing to tell which belongs to which
		froms, hows = slices.Compact(froms), slices.Compact(hows)
	}
	return strings.Join(froms, "; "), strings.Join(hows, "; "), plain
}

// howRule is how one class's values are made.
func howRule(c cast.ColumnPlan, r cast.Rule) string {
	word := madeHow(r, c.Target.Name)
	switch r.Answer {
	case "":
	case cast.Stop:
		word += "; a value that would change refuses the seed (stop)"
	default:
		word += " (" + string(r.Answer) + ")"
	}
	if r.Zone != "" {
		word += ", zone " + r.Zone
	}
	return word
}

// madeHow says which column of the copy a rule takes, where it is not the one of
// the captured name, and what it does.
func madeHow(r cast.Rule, captured string) string {
	about, _ := cast.Describe(r.Code)
	word := about.Text
	switch {
	case r.Encoding != "" && r.Code == cast.Same:
		word = "decoded from " + r.Encoding
	case r.Encoding != "":
		word += ", decoded from " + r.Encoding
	}
	switch {
	case r.From == "" || r.From == captured:
	case !schema.SameName(r.From, captured):
		word = "the copy's " + r.From + ", " + word
	case r.Code == cast.Same && r.Encoding == "":
		word = "spelled " + r.From + " in the copy"
	}
	return word
}

// CountLine says what became of a column's values, each counted once: "20 values:
// 12 unchanged, 5 changed, 3 NULL". It is empty where none was looked at.
func CountLine(r cast.ColumnReport) string {
	if r.Values == 0 {
		return ""
	}
	out := verdict.Plural(r.Values, "value", "values")
	sep := ": "
	for _, n := range []struct {
		count int64
		what  string
	}{{r.Unchanged, "unchanged"}, {r.Changed, "changed"}, {r.Nulls, "NULL"}, {r.ToNull, "to NULL"}, {r.Refused, "refused"}} {
		if n.count > 0 {
			out += sep + verdict.Count(n.count) + " " + n.what
			sep = ", "
		}
	}
	return out
}

// EffectLines say what the casts did to a column's values, an effect a line, each
// with the value that it did most to.
func EffectLines(r cast.ColumnReport) []string {
	out := []string{}
	for _, e := range effectsOf(r.Effects) {
		line := fmt.Sprintf("%s %s", verdict.Count(r.Of(e)), e.Text())
		if s := r.Samples[e]; len(s) > 0 {
			line += fmt.Sprintf(", such as %s%s%s", s[0].Before, becomes(e, s[0].After), s[0].After)
			if s[0].File != "" {
				line += fmt.Sprintf(" (%s)", s[0].Where())
			}
		}
		out = append(out, line)
	}
	return out
}

// ShownLine is a value before and after a cast that follows a zone or an order of
// bytes, for a person to look at; empty where there is none.
func ShownLine(r cast.ColumnReport) string {
	if r.Shown == nil {
		return ""
	}
	return fmt.Sprintf("for example %s -> %s (%s): is it right?", r.Shown.Before, r.Shown.After, r.Shown.Where())
}

// becomes stands between a value and what it becomes or, where it is refused, what
// answers would make of it.
func becomes(e cast.Effect, after string) string {
	if e.Refuses() && strings.HasSuffix(after, ")") {
		return ", which would be "
	}
	return " -> "
}

// effectsOf are the effects that occurred, in a fixed order.
func effectsOf(counts map[cast.Effect]int64) []cast.Effect {
	var out []cast.Effect
	for e := range counts {
		out = append(out, e)
	}
	slices.Sort(out)
	return out
}

// Changes says what the data commit does to the table beside adding rows.
func (t TargetPlan) Changes() []string {
	var out []string
	if len(t.AddColumns) > 0 {
		out = append(out, "the commit adds columns, which are NULL in the rows there: "+strings.Join(t.AddColumns, ", "))
	}
	if t.UpgradeNTZ {
		out = append(out, "the commit enables timestampNtz: protocol 3/7, which older readers can no longer read")
	}
	return out
}
