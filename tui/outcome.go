package tui

import (
	"slices"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// Outcome is what the wizard came to. It outlives the screen: whoever opened it
// prints it.
type Outcome struct {
	Request engine.Request // the answers as they stood; its Accept holds what flags accepted
	Plan    *engine.Plan   // that was run, or else the one of these answers; nil for none
	Kept    string         // where Plan is kept; empty where it is not
	Result  *engine.Result // of a seed that was written or found; nil for none
	Err     error          // nil with a result; else the last seed's failure, or verdict.Stopped where the person left before the end
	Fall    *Fall          // the wizard broke; nil where it did not
}

// ran is what became of the last seed that was started.
type ran struct {
	plan   engine.Plan
	result engine.Result
	err    error
}

// outcome gathers what is to be told on the normal screen.
func outcome(w *wizard, r *ran, fall *Fall) Outcome {
	o := Outcome{Request: w.answers.told(), Fall: fall}
	made := w.found.plan
	current := made.set && made.err == nil && planned(w.answers, made.value)
	switch {
	case r != nil:
		o.Plan = &r.plan
	case current:
		o.Plan = &made.value
	}
	if current && o.Plan.Digest == made.value.Digest {
		o.Kept = w.found.kept
	}
	switch {
	case r != nil && r.err == nil:
		o.Result = &r.result
	case r != nil && (w.found.running || w.found.failure != nil):
		o.Err = r.err
	case fall != nil:
		o.Err = &verdict.Error{Code: verdict.Unexpected, What: "the wizard broke off: " + fall.Cause, Hint: []string{"Please report this with what is printed above."}}
	default:
		e := &verdict.Error{Code: verdict.Stopped, What: "the wizard was left before the end"}
		if r != nil { // a seed was tried before, and may have left something
			e.Wrote = verdict.As(r.err).WroteText()
		}
		o.Err = e
	}
	return o
}

// planned reports whether a plan is of the answers as they stand.
func planned(a *answers, p engine.Plan) bool {
	r, err := a.asked().Absolute()
	if err != nil {
		return false
	}
	r.Accept = p.Accepted
	return slices.Equal(r.Args(), p.Args)
}
