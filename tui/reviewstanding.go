package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// planStanding is how far the plan is from being run.
type planStanding int

const (
	planAwaited   planStanding = iota // it is being made
	planMissing                       // there is none for these answers
	planRefused                       // none could be made
	planBlocked                       // something has to change first
	planOpen                          // warnings are open
	planUnnamed                       // the table's name is not typed yet, was right now, or is another
	planConfirmed                     // enter runs it
	planIdle                          // it writes nothing: enter runs it, without a name
)

func (s *reviewScreen) stands(d *desk) planStanding {
	k := d.found.plan
	switch {
	case s.build.running():
		return planAwaited
	case !k.of(s.print(d)):
		return planMissing
	case k.err != nil:
		return planRefused
	case len(k.value.Stops) > 0:
		return planBlocked
	case len(d.answers.open(k.value.Checks)) > 0:
		return planOpen
	case !k.value.Writes():
		return planIdle
	case s.names(k.value) && !s.fresh:
		return planConfirmed
	default:
		return planUnnamed
	}
}

// names reports whether the plan's table was typed, case included. Blanks
// around it come along with a paste.
func (s *reviewScreen) names(p engine.Plan) bool {
	typed, name := s.name.input.Value(), p.Table.String()
	return typed == name || strings.TrimSpace(typed) == name
}

// stops are what has to change, in the order of the steps.
func (s *reviewScreen) stops(d *desk) []engine.Stop {
	out := slices.Clone(d.found.plan.value.Stops)
	slices.SortStableFunc(out, func(a, b engine.Stop) int { return cmp.Compare(stepFor(a.Code), stepFor(b.Code)) })
	return out
}

// mustChange is the first step on the way whose answer has to change.
func (s *reviewScreen) mustChange(d *desk) stepID {
	k := d.found.plan
	if k.err != nil {
		return stepFor(verdict.As(k.err).Code)
	}
	return stepFor(s.stops(d)[0].Code)
}

func (s *reviewScreen) keys(d *desk) []key.Binding {
	if s.sheet {
		return []key.Binding{bind("esc", "close", "esc"), keyCopy}
	}
	does := "(off)"
	switch s.stands(d) {
	case planMissing:
		does = "plan"
	case planRefused, planBlocked:
		does = "plan again"
		if to := s.mustChange(d); to < reviewStep {
			does = "to " + titleOf(to)
		}
	case planOpen:
		does = "name it"
		if d.accepts.names(d.answers.open(d.found.plan.value.Checks)) {
			does = "accept"
		}
	case planConfirmed:
		does = "WRITE"
	case planIdle:
		does = "finish"
	}
	out := []key.Binding{bind("enter", does, "enter")}
	if s.settled(d) {
		out = append(out, keySave)
	}
	switch {
	case s.countable(d) && d.answers.CountKeys:
		out = append(out, keyUncount)
	case s.countable(d):
		out = append(out, keyCount)
	}
	return append(out, keyReplan)
}

// countable reports whether the copy's keys can still be counted: of a seed that is
// in the target they are what they are.
func (s *reviewScreen) countable(d *desk) bool {
	k := d.found.plan
	return d.answers.CountKeys || k.set && k.err == nil && k.value.State != engine.AlreadySeeded
}

// settled reports whether the plan can run as it stands.
func (s *reviewScreen) settled(d *desk) bool { return s.stands(d) >= planUnnamed }

func (s *reviewScreen) ready(d *desk) status {
	k := d.found.plan
	switch s.stands(d) {
	case planAwaited:
		return await(capital(s.build.what) + ". The table's name is asked when the plan is there.")
	case planMissing:
		return await("There is no plan for these answers. ctrl+r makes it.")
	case planRefused:
		return stop(string(verdict.As(k.err).Code) + ": " + s.wayOut(d))
	case planBlocked:
		return stop(string(s.stops(d)[0].Code) + ": " + s.wayOut(d))
	case planOpen:
		st, _ := d.accepts.status(d.answers, k.value.Checks)
		return st
	case planUnnamed:
		return s.unnamed(k.value)
	case planIdle:
		return fine("Nothing is left to write, so no name is asked. enter goes to the end.")
	default:
		return fine("enter writes " + stake(k.value) + ".")
	}
}

func (s *reviewScreen) waiting() string {
	if s.told == "" {
		return "Planning the seed"
	}
	return "Planning the seed: " + s.told
}

func (s *reviewScreen) wayOut(d *desk) string {
	if to := s.mustChange(d); to < reviewStep {
		return "enter goes to " + titleOf(to) + ". Every answer is kept."
	}
	if k := d.found.plan; k.err == nil && s.stops(d)[0].Code == verdict.NoKey {
		return "ctrl+k plans without counting keys."
	}
	return "enter plans again; esc goes back to change an answer."
}

// unnamed tells what to type: that it is another name only once it cannot
// become the right one any more.
func (s *reviewScreen) unnamed(p engine.Plan) status {
	name, typed := p.Table.String(), strings.TrimSpace(s.name.input.Value())
	switch {
	case strings.HasPrefix(name, typed):
		return await("Type " + name + " to enable enter. esc goes back and keeps everything.")
	case strings.EqualFold(name, typed):
		return status{level: verdict.Warn, wait: true, text: fmt.Sprintf("You typed %s, the table is %s: case counts.", typed, name)}
	default:
		return status{level: verdict.Warn, wait: true, text: fmt.Sprintf("You typed %s, the plan's table is %s.", typed, name)}
	}
}

// stake is what running the plan writes.
func stake(p engine.Plan) string {
	if p.State == engine.AlreadySeeded {
		return "the facts row of app id " + p.Facts.AppID
	}
	rows := verdict.Plural(p.Copy.Rows, "row", "rows")
	if p.Copy.Filter != nil {
		rows = "at most " + rows
	}
	return rows + " to " + p.Target.URL
}
