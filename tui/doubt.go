package tui

import (
	"fmt"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// doubt is something that is allowed here and most often a mistake: a later step
// would stop for it. It asks and decides nothing.
type doubt struct {
	short string // as the status tells it
	text  string // as the page does
}

// doubtLines draws doubts, as notes: what is a warning is accepted by its code.
func doubtLines(d *desk, doubts []doubt, w int) []string {
	var out []string
	for _, x := range doubts {
		out = append(out, wrap("  "+d.look.word(verdict.Note), "        ", clean(x.text), w)...)
	}
	return out
}

// copyDoubts ask whether a copy is one of the table at all: few of its columns
// match, or the key is not in it.
func (s *copyScreen) copyDoubts(d *desk) []doubt {
	k := d.found.copy
	if !k.good(s.copyPrint(d)) {
		return nil
	}
	v, name := k.value, d.answers.Table
	var keys []string
	if t := d.found.table; t.good(d.answers.print(tableStep)) {
		name = t.value.Table.String()
		keys = among(v.Missing, keyNames(t.value))
	}
	captured := v.Matched + len(v.Missing)
	switch {
	case v.Matched*2 < captured:
		return []doubt{{
			short: fmt.Sprintf("Copy: %d of %d columns match. Is it of %s?", v.Matched, captured, name),
			text:  fmt.Sprintf("it has %d of %s of %s by name: is it a copy of that table?", v.Matched, verdict.Plural(captured, "captured column", "captured columns"), name),
		}}
	case len(keys) > 0:
		return []doubt{{
			short: fmt.Sprintf("Copy: it lacks %s of the key. Is it of %s?", few(keys), name),
			text:  fmt.Sprintf("it lacks %s of the key: is it a copy of %s?", few(keys), name),
		}}
	}
	return nil
}

// keyNames are the key's columns of the capture instance that is seeded, or
// where that is gone of the newest.
func keyNames(v engine.TableView) []string {
	var key []string
	for _, in := range v.Table.Instances {
		if key = in.Key; strings.EqualFold(in.Name, v.Instance) {
			break
		}
	}
	return key
}

// among are those of some names that are in others, whatever their case.
func among(names, others []string) []string {
	var out []string
	for _, n := range names {
		for _, o := range others {
			if strings.EqualFold(n, o) {
				out = append(out, n)
			}
		}
	}
	return out
}

// targetDoubts ask about an app id that has recorded a snapshot: it is right for
// the seed that it recorded, found again, and for no other.
func (s *copyScreen) targetDoubts(d *desk) []doubt {
	k := d.found.target
	if !k.good(s.targetPrint(d)) || k.value.Facts == nil || !k.value.Facts.Present {
		return nil
	}
	if d.answers.Reseed || s.lost(d) { // it is one of the conditions that are told
		return nil
	}
	id := k.value.Facts.AppID
	if len(k.value.Held) == 0 {
		return []doubt{{
			short: "App id: it is taken. Give a new one.",
			text:  fmt.Sprintf("app id %q has recorded a snapshot that is not in this target: As of will stop. Give a new App id", id),
		}}
	}
	return []doubt{{
		short: "App id: it is taken. Right only for that same seed.",
		text:  fmt.Sprintf("app id %q has recorded a snapshot: with the as_of of that seed it is found again, with any other As of will stop. For a new seed, give a new App id", id),
	}}
}
