package tui

import (
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/verdict"
)

// failed is the sentence under a failure: the way on.
func (s *runScreen) failed(e *verdict.Error) status {
	if s.note != "" {
		return status{level: verdict.Note, text: s.note}
	}
	text := string(e.Code) + ". "
	switch to := stepFor(e.Code); {
	case e.Code == verdict.FactsFailed:
		text += "The rows are written: enter plans what is left."
	case e.Code == verdict.CommitUnknown:
		text += "enter plans again, and finds the commit if it is there."
	case e.Code == verdict.Stopped:
		return status{level: verdict.Note, text: "Stopped as you asked. enter plans again with every answer; ctrl+c quits."}
	case to < reviewStep:
		text += "Every answer is kept: enter goes to " + titleOf(to) + "."
	default:
		text += "Every answer is kept: enter plans again."
	}
	return stop(text)
}

// failureLines tell a failure in the order that people need at night. Where
// not all of it fits, what to do comes before the values.
func (s *runScreen) failureLines(d *desk, w, h int) []string {
	e := d.found.failure
	prose := min(w, 100)
	head := wrap(" ", " ", clean("STOPPED. "+e.WroteText()), prose)
	for i, l := range head {
		head[i] = d.look.stop.Render(l)
	}
	what := e.What
	if e.Err != nil && e.Code != verdict.Stopped { // a stop's cause is the person
		what += ": " + strings.ReplaceAll(e.Err.Error(), "\n", "; ")
	}
	head = append(append(head, ""), item("What", clean(what), prose)...)
	if s.cleaned(e) {
		head = append(head, item("Cleaned", "the files that this run staged were removed", prose)...)
	}
	facts := factLines(e.Facts, prose)
	var why []string
	if e.Why != "" {
		why = append([]string{""}, item("Why", clean(e.Why), prose)...)
	}
	next := nextLines(d, s.steps(e), w)
	code := append([]string{""}, item("Code", fmt.Sprintf("%s   exit %d%s", e.Code, e.Code.Exit(), s.ofPlan()), prose)...)
	if whole := tightened(slices.Concat(head, facts, why, next, code), h); len(whole) <= h {
		return whole
	}
	return slices.Concat(head, why, next, code, facts)
}

// steps are what to do next. A run that was stopped goes on from files where
// there are any: the engine's words are for a command that cannot know.
func (s *runScreen) steps(e *verdict.Error) []string {
	switch {
	case e.Code != verdict.Stopped:
		return e.Hint
	case s.cleaned(e):
		return []string{"Press enter to plan again: it starts over, as no files are left. Or ctrl+c quits."}
	case slices.ContainsFunc(e.Facts, isKept):
		return []string{"Press enter to plan again: it goes on from the files that were kept. Or ctrl+c quits."}
	}
	return []string{"Press enter to plan again. Or ctrl+c quits."}
}

// isKept tells the facts that name files which stay.
func isKept(f verdict.Fact) bool { return f.Name == "kept" }

// ofPlan names the plan that failed.
func (s *runScreen) ofPlan() string {
	if s.trip == nil {
		return ""
	}
	return "   plan " + s.trip.plan.Digest[:8]
}

// cleaned reports whether files were staged and are gone again. The engine
// names those that stay; where the commit may have happened all of them do.
func (s *runScreen) cleaned(e *verdict.Error) bool {
	if s.trip == nil || s.trip.staged == 0 || e.Code == verdict.FactsFailed || e.Code == verdict.CommitUnknown {
		return false
	}
	return !slices.ContainsFunc(e.Facts, isKept)
}

// factLines are the values, lined up behind the longest name that leaves room.
func factLines(facts []verdict.Fact, w int) []string {
	if len(facts) == 0 {
		return nil
	}
	wide := 10
	for _, f := range facts {
		wide = max(wide, min(width(clean(f.Name)), 28, w/3))
	}
	lines := []string{""}
	for _, f := range facts {
		name := clean(f.Name)
		head := "   " + name + strings.Repeat(" ", max(0, wide-width(name))) + " "
		lines = append(lines, wrap(head, strings.Repeat(" ", wide+4), clean(f.Value), w)...)
	}
	return lines
}
