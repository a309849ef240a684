package cast

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
