package tui

import (
	"maps"
	"slices"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// answers is everything a person has said: the only state that outlives a
// step. It is plain data.
type answers struct {
	engine.Request // its Accept holds only what flags accepted beforehand

	password string
	accepted map[string]bool // warnings that were accepted, as they were told
}

func newAnswers(r engine.Request, password string) *answers {
	clean, inURL := engine.WithoutPassword(r.Server)
	if r.Server = clean; password == "" {
		password = inURL
	}
	r.Cast, r.Missing = maps.Clone(r.Cast), maps.Clone(r.Missing)
	return &answers{Request: r, password: password, accepted: map[string]bool{}}
}

// accept records that a person accepted a warning as it stands. Told with
// other words or values, it is another one and is asked again.
func (a *answers) accept(c verdict.Check) { a.accepted[told(c)] = true }

// has reports whether a warning is accepted as it stands, here or by a flag.
func (a *answers) has(c verdict.Check) bool {
	return a.accepted[told(c)] || slices.Contains(a.Accept, string(c.Code))
}

// open are the warnings among the checks that are not accepted.
func (a *answers) open(checks []verdict.Check) []verdict.Check {
	var out []verdict.Check
	for _, c := range checks {
		if c.Level == verdict.Warn && !a.has(c) {
			out = append(out, c)
		}
	}
	return out
}

// codes are the warnings among the checks that are accepted, all of a code: the
// value of --accept that asks for the same.
func (a *answers) codes(checks []verdict.Check) []string {
	open := a.open(checks)
	var out []string
	for _, c := range checks {
		waits := slices.ContainsFunc(open, func(o verdict.Check) bool { return o.Code == c.Code })
		if c.Level == verdict.Warn && !waits && !slices.Contains(out, string(c.Code)) {
			out = append(out, string(c.Code))
		}
	}
	slices.Sort(out)
	return out
}

// told is a warning's text with its values.
func told(c verdict.Check) string {
	var b strings.Builder
	b.WriteString(string(c.Code) + ": " + c.Text)
	for _, f := range c.Facts {
		b.WriteString("\n" + f.Name + " " + f.Value)
	}
	return b.String()
}

// asked is the request without warnings: those are accepted on the plan.
func (a *answers) asked() engine.Request {
	r := a.Request
	r.Accept = nil
	return r
}

// askedUpTo is the request as the steps up to one ask for it. Keys are counted by
// Review, though their flag is one that another step asks for: what that step found
// holds either way.
func (a *answers) askedUpTo(step stepID) engine.Request {
	r := a.asked()
	r.CountKeys = r.CountKeys && step >= reviewStep
	return r
}

// print is a step's answers and those of all steps before it, as one text: two
// prints differ when an answer differs.
func (a *answers) print(upTo stepID) string {
	var b strings.Builder
	r := a.askedUpTo(upTo)
	for _, f := range engine.SeedFlags() {
		if stepOf(f.Name) > upTo {
			continue
		}
		for _, v := range f.Get(&r) {
			b.WriteString(f.Name + "\x00" + v + "\x00")
		}
	}
	if upTo >= connectStep {
		b.WriteString(a.password)
	}
	return b.String()
}

// printWith is the print of the steps up to one, and some more flags: what an
// answer depends on that does not depend on all of its step.
func (a *answers) printWith(upTo stepID, flags ...string) string {
	var b strings.Builder
	b.WriteString(a.print(upTo))
	r := a.askedUpTo(upTo)
	for _, f := range engine.SeedFlags() {
		if slices.Contains(flags, f.Name) {
			b.WriteString(f.Name + "\x00" + strings.Join(f.Get(&r), "\x00") + "\x00")
		}
	}
	return b.String()
}

// flagsOf are the flags that a step's screen asks for.
func flagsOf(step stepID) []string {
	var out []string
	for _, f := range engine.SeedFlags() {
		if stepOf(f.Name) == step {
			out = append(out, f.Name)
		}
	}
	return out
}

// stepOf is the step whose screen asks for a flag.
func stepOf(flag string) stepID {
	switch flag {
	case "server", "database", "user", "sign-in", "encrypt", "time-zone":
		return connectStep
	case "table":
		return tableStep
	case "copy", "target", "target-name", "facts", "app-id", "upgrade-protocol", "reseed":
		return copyStep
	case "as-of", "copy-lag", "allow-as-of-after-copy":
		return asOfStep
	case "cast", "missing", "copy-time-zone", "exclude-deleted", "keep-deleted", "ignore-mark", "check":
		return columnsStep
	}
	return reviewStep // on-stop, accept
}
