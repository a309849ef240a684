package tui

import (
	"maps"
	"slices"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// loss is a column of a plan whose cast may lose something, as a person
// answered that it may.
type loss struct {
	column string
	answer string // round, cut, null or wall-clock
	every  bool   // the copy lacks the column: it is NULL in every row
	values int64  // looked at that were changed so
}

// lossesOf are a plan's, in the order of its columns.
func lossesOf(p engine.Plan) []loss {
	var out []loss
	for _, c := range p.Columns.Columns {
		l := loss{column: c.Target.Name}
		for _, r := range c.Rules {
			switch {
			case r.Answer == "null" && r.Code == "missing_null":
				l.answer, l.every = "null", true
			case r.Answer == "round", r.Answer == "cut", r.Answer == "null":
				l.answer = string(r.Answer)
			case r.Zone == "wall-clock" && l.answer == "":
				l.answer = r.Zone
			}
		}
		report := p.Preview.Report.Columns[c.Target.Name]
		l.values = report.ToNull
		for effect, n := range report.Effects {
			if drops(string(effect)) {
				l.values += n
			}
		}
		if l.answer != "" && (l.answer != "wall-clock" || l.values > 0) {
			out = append(out, l)
		}
	}
	return out
}

// drops reports whether an effect takes something from a value as it is written.
func drops(effect string) bool {
	return effect == "rounded" || effect == "cut" || effect == "zone_dropped"
}

// harmless reports whether an effect leaves a value what it is, spelled as the
// stream spells it, or only says something about it. All others are reasons why
// a value is not written.
func harmless(effect string) bool {
	return slices.Contains([]string{
		"sub_micro", "normalised", "padded", "rebased", "shortened", "old_time", "after_gap", "in_gap", "ambiguous", "left_short",
	}, effect)
}

// said is the loss in a few words.
func (l loss) said(p engine.Plan) string {
	text := clean(l.column) + " " + l.answer
	switch {
	case l.every:
		return text + " (every row)"
	case l.values > 0:
		return text + " (" + verdict.Plural(l.values, "value", "values") + ")"
	case p.Preview.Rows > 0:
		return text + " (changes no value that was looked at)"
	}
	return text
}

// lossLine names the casts that lose, empty where there are none.
func lossLine(p engine.Plan, w int) []string {
	if p.State == engine.AlreadySeeded {
		return nil
	}
	var said []string
	for _, l := range lossesOf(p) {
		said = append(said, l.said(p))
	}
	if len(said) == 0 {
		return nil
	}
	const head = " Casts that lose: "
	return wrap(head, "   ", strings.Join(said, ", "), min(w, proseWidth))
}

// toldEffects are what the casts of a plan did to values, a column's effect a
// line: those that lose something, and apart from them the others.
func toldEffects(p engine.Plan) (lost, others []string) {
	losses := lossesOf(p)
	for _, c := range p.Columns.Columns {
		name := c.Target.Name
		if slices.ContainsFunc(losses, func(l loss) bool { return l.every && l.column == name }) {
			lost = append(lost, clean(name)+": NULL in every row, as the copy has no such column")
		}
		for _, line := range effectLines(p, name, drops) {
			lost = append(lost, clean(name+": "+line))
		}
		reason := func(effect string) bool { return !drops(effect) && !harmless(effect) }
		for _, line := range effectLines(p, name, reason) {
			lost = append(lost, clean(name+": to NULL, "+line))
		}
		for _, line := range effectLines(p, name, harmless) {
			others = append(others, clean(name+": "+line))
		}
	}
	return lost, others
}

// effectLines are a column's effects of one kind, in the engine's words.
func effectLines(p engine.Plan, column string, kind func(effect string) bool) []string {
	report := p.Preview.Report.Columns[column]
	report.Effects = maps.Clone(report.Effects)
	for effect := range report.Effects {
		if !kind(string(effect)) {
			delete(report.Effects, effect)
		}
	}
	return engine.EffectLines(report)
}
