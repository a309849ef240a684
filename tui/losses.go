package tui

import (
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// lossSaid is a loss in a few words.
func lossSaid(p engine.Plan, l engine.Loss) string {
	text := clean(l.Column) + " " + l.Answer
	switch {
	case l.Every:
		return text + " (every row)"
	case l.Values > 0:
		return text + " (" + verdict.Plural(l.Values, "value", "values") + ")"
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
	var words []string
	for _, l := range p.Losses() {
		words = append(words, lossSaid(p, l))
	}
	if len(words) == 0 {
		return nil
	}
	const head = " Casts that lose: "
	return wrap(head, "   ", strings.Join(words, ", "), min(w, proseWidth))
}
