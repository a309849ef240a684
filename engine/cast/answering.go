package cast

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// answer writes the answers into the rules that take them. An answer that no
// rule of its column takes is refused: it would look obeyed and change nothing.
func (m *Mapping) answer(a Answers) error {
	for _, name := range slices.Sorted(maps.Keys(a.Cast)) {
		if err := m.set(FlagCast, name, a.Cast[name], func(r Rule) bool { return r.Code != MissingNull }); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Missing)) {
		if err := m.set(FlagMissing, name, a.Missing[name], func(r Rule) bool { return r.Code == MissingNull }); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Encoding)) {
		if err := m.setEncoding(name, a.Encoding[name]); err != nil {
			return err
		}
	}
	for i := range m.Columns {
		for j := range m.Columns[i].Rules {
			m.Columns[i].Rules[j].setZone(a.Zone)
		}
	}
	return nil
}

func (r *Rule) setZone(zone string) {
	switch {
	case zone == "":
	case r.needsZone() && (zone != WallClock || r.takesWallClock()):
		r.Zone = zone
	case r.Code == TextToStamp:
		r.Zone = zone
	}
}

func (m *Mapping) set(flag, name string, ans Answer, applies func(Rule) bool) error {
	for i := range m.Columns {
		p := &m.Columns[i]
		if !schema.SameName(p.Target.Name, name) {
			continue
		}
		var choices []Answer
		taken := false
		for j := range p.Rules {
			r := &p.Rules[j]
			if !applies(*r) {
				continue
			}
			c := r.Choices(p.Target)
			choices = append(choices, c...)
			if slices.Contains(c, ans) {
				r.Answer, taken = ans, true
			}
		}
		if taken {
			return nil
		}
		return needless(flag, p.Target.Name, ans, choices)
	}
	return &verdict.Error{
		Code: verdict.AnswerUnknown, What: fmt.Sprintf("%s names %q, which is no captured column", flag, name),
		Facts: verdict.Facts("captured columns", strings.Join(m.targets(), ", ")),
		Hint:  []string{fmt.Sprintf("Leave %s out, or name a captured column.", typed(flag, name, string(ans)))},
	}
}

func needless(flag, name string, ans Answer, choices []Answer) error {
	e := &verdict.Error{
		Code: verdict.AnswerUnknown, What: fmt.Sprintf("column %q takes no answer from %s", name, flag),
		Hint: []string{fmt.Sprintf("Leave %s out.", typed(flag, name, string(ans)))},
	}
	if len(choices) > 0 {
		e.What = fmt.Sprintf("column %q does not take the answer %q", name, ans)
		e.Facts = verdict.Facts("answers that it takes", joined(choices, ", "))
		e.Hint = []string{typed(flag, name, joined(choices, "|"))}
	}
	return e
}

func (m *Mapping) targets() []string {
	out := make([]string, len(m.Columns))
	for i, c := range m.Columns {
		out[i] = c.Target.Name
	}
	return out
}

// typed is an answer about a column as one types it in a shell.
func typed(flag, column, answer string) string {
	return flag + " " + verdict.ShellWord(column) + "=" + answer
}

func joined(answers []Answer, sep string) string {
	var parts []string
	for _, a := range answers {
		if !slices.Contains(parts, string(a)) {
			parts = append(parts, string(a))
		}
	}
	return strings.Join(parts, sep)
}
