package tui

import (
	"fmt"
	"slices"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// reseedField asks whether the copy becomes the next snapshot of a target that
// holds an older one. It shows only where there is one.
func (s *copyScreen) reseedField() *field {
	const yes = "yes"
	return &field{
		name:    "Reseed",
		choices: []option{{"", "no: the seed stops"}, {yes, "append as the next snapshot"}},
		shown:   func(a *answers) bool { return s.held || a.Reseed },
		get: func(a *answers) string {
			if a.Reseed {
				return yes
			}
			return ""
		},
		set: func(a *answers, v string) { a.Reseed = v == yes },
	}
}

// reseedConditions are what a reseed asks for, as far as it is known. None are
// told of other answers than those that the target was looked at with.
func (s *copyScreen) reseedConditions(d *desk) []engine.ReseedCondition {
	t := d.found.target
	if !t.good(s.targetPrint(d)) {
		return nil
	}
	var c engine.CopyView
	if k := d.found.copy; k.good(s.copyPrint(d)) {
		c = k.value
	}
	var a engine.AsOfView
	if k := d.found.asOf; k.of(d.answers.print(asOfStep)) {
		a = k.value
	}
	return s.conditions(t.value, c, a)
}

// reseedAsks is the first condition of the reseed that is asked for that is not
// met and that an answer here changes.
func (s *copyScreen) reseedAsks(d *desk) (field int, st status, asks bool) {
	if !d.answers.Reseed {
		return 0, status{}, false
	}
	if t := d.found.target; t.good(s.targetPrint(d)) && t.value.Recovery == nil {
		return fieldReseed, stopFor(verdict.NothingToReseed, "Reseed: the target holds no snapshot. Answer no."), true
	}
	for _, c := range s.reseedConditions(d) {
		if c.Met != engine.IsUnmet {
			continue
		}
		switch c.Kind {
		case engine.ReseedAnotherCopy:
			return fieldCopy, stopFor(c.Refusal.Code, "Reseed: seeded from this copy. Give a newer one."), true
		case engine.ReseedNewAppID:
			return fieldApp, stopFor(c.Refusal.Code, "Reseed: the app id is taken. Give a new one."), true
		case engine.ReseedNothingOpen:
			return fieldReseed, stopFor(c.Refusal.Code, "Reseed: a stream's snapshot is not finished there."), true
		case engine.ReseedNewer: // told by the step that asks for the moment
		}
	}
	return 0, status{}, false
}

// recoveryLines tell of a target that holds a snapshot of the table: what it
// holds, whether its stream can go on, and what a reseed asks for.
func (s *copyScreen) recoveryLines(d *desk, w int) []string {
	t := d.found.target
	if !t.good(s.targetPrint(d)) {
		return nil
	}
	if t.value.Recovery == nil {
		if !d.answers.Reseed {
			return nil
		}
		return d.finding(verdict.Check{Level: verdict.Stop, Text: "the target holds no snapshot of the table that a reseed could follow: for a first seed, answer Reseed with no"}, w)
	}
	v := *t.value.Recovery
	lines := item("Holds", heldWords(v.Newest), w)
	lines = append(lines, d.finding(goesOn(v), w)...)
	if !d.answers.Reseed && !v.Lost() {
		return lines
	}
	lines = append(lines, wrap("   ", "   ", "A reseed appends this copy as the next snapshot; all that is derived from the table is rebuilt from it. It asks that", w)...)
	conditions := s.reseedConditions(d)
	slices.SortStableFunc(conditions, func(a, b engine.ReseedCondition) int {
		weight := func(c engine.ReseedCondition) int {
			if c.Met == engine.IsUnmet {
				return 0
			}
			return 1
		}
		return weight(a) - weight(b)
	})
	for _, c := range conditions { // what is not met first
		check := conditionCheck(c)
		if !d.answers.Reseed && check.Level == verdict.Stop { // nothing stops that is not asked for
			check.Level = verdict.Note
		}
		lines = append(lines, d.finding(check, w)...)
	}
	return lines
}

// lost reports whether the stream of the target cannot go on.
func (s *copyScreen) lost(d *desk) bool {
	t := d.found.target
	return t.good(s.targetPrint(d)) && t.value.Recovery != nil && t.value.Recovery.Lost()
}

// seedKind is the kind of a snapshot that a seed made.
const seedKind = "seed"

// heldWords are a snapshot in words.
func heldWords(h engine.HeldView) string {
	kind := "a snapshot"
	switch {
	case h.Kind == seedKind:
		kind = "a seed"
	case h.Chunked:
		kind = "a snapshot taken in parts"
	}
	text := fmt.Sprintf("%s of %s at %s", kind, verdict.Plural(h.Rows, "row", "rows"), h.LSN)
	if h.Commit != nil {
		text += ", committed " + h.Commit.FloorSecond().String()
	}
	return text
}

// goesOn tells whether the stream of a target can go on.
func goesOn(v engine.RecoveryView) verdict.Check {
	kept := ""
	if !v.Oldest.IsZero() {
		kept = "; kept from " + v.Oldest.String()
		if v.Since != nil {
			kept += ", " + v.Since.FloorSecond().String()
		}
	}
	switch {
	case v.GoesOn == nil:
		return verdict.Noted("the server does not tell whether the changes after "+v.Reached.String()+", which the target's rows have reached, are kept", "")
	case *v.GoesOn:
		return verdict.Okay("the changes after " + v.Reached.String() + ", which the target's rows have reached, are kept: its stream can go on and needs no seed")
	}
	return verdict.Noted("the changes after "+v.Reached.String()+", which the target's rows have reached, are gone"+kept+": its stream cannot go on", "")
}

// conditionCheck is a condition as a finding.
func conditionCheck(c engine.ReseedCondition) verdict.Check {
	switch c.Met {
	case engine.IsMet:
		return verdict.Okay(c.Text)
	case engine.IsUnmet:
		return verdict.Check{Level: verdict.Stop, Text: "not met: " + c.Text}
	}
	return verdict.Noted("not known yet: "+c.Text, "")
}
