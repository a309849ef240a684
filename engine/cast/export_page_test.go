package cast

import "cdcseed/engine/schema"

// Effects is the closed list of effects, in the order of reports.
func Effects() []Effect {
	var out []Effect
	for _, e := range effects() {
		out = append(out, e.Effect)
	}
	return out
}

// Changes reports whether an effect's value is written changed.
func Changes(e Effect) bool { return e.changes() }

// PassageOf is how a copy's column gets to a target's.
func PassageOf(from schema.CopyColumn, to schema.TargetColumn) Passage {
	code, ok := pair(from, to)
	if !ok {
		return Impossible
	}
	return Rule{Code: code, Source: &from}.Passage(to)
}
