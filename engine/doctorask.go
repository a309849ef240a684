package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// defaultGrace is how long a question that was broken off has to come back.
const defaultGrace = 5 * time.Second

// ask runs one question of the server within the limit. Whatever it meets comes
// back as an error: a fall, an end of its time, or that an earlier question
// never came back and holds the connection, on which one at a time is asked.
func ask[T any](ctx context.Context, d *doctor, what string, read func(context.Context) (T, error)) (T, error) {
	return bounded(ctx, d, d.options.Limit, what, read)
}

func bounded[T any](ctx context.Context, d *doctor, limit time.Duration, what string, read func(context.Context) (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	var none T
	if d.stuck != "" {
		return none, &verdict.Error{
			Code: verdict.SourceUnreachable, What: fmt.Sprintf("%s: not asked, for %s has not come back", what, d.stuck),
			Hint: []string{"Run it again."},
		}
	}
	in, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan answer, 1) // whoever comes back late finds nobody waiting and goes
	go func() {
		var a answer
		defer func() {
			if fall := recover(); fall != nil {
				a.err = fell(what, fall)
			}
			done <- a
		}()
		a.value, a.err = read(in)
	}()
	var a answer
	select {
	case a = <-done:
	case <-in.Done():
		late := time.NewTimer(cmp.Or(d.grace, defaultGrace))
		defer late.Stop()
		select {
		case a = <-done:
		case <-late.C:
			d.stuck = what
			return none, tooSlow(what, limit)
		}
	}
	if a.err != nil && in.Err() != nil && ctx.Err() == nil {
		return none, tooSlow(what, limit)
	}
	return a.value, a.err
}

func tooSlow(what string, limit time.Duration) error {
	return &verdict.Error{
		Code: verdict.SourceUnreachable, What: fmt.Sprintf("%s: no answer within %s", what, words(limit)),
		Why:  "A seed waits longer, and may wait for the same.",
		Hint: []string{"Ask the server's administrator what the session of cdcseed waits for, then run it again."},
	}
}

// fell is a check that broke. Where it did is told; of what it held, only what
// the runtime says of its own errors.
func fell(what string, fall any) error {
	facts := verdict.Facts("kind", fmt.Sprintf("%T", fall))
	var known runtime.Error
	if err, ok := fall.(error); ok && errors.As(err, &known) {
		facts = verdict.Facts("fault", known)
	}
	for line := range strings.Lines(string(debug.Stack())) {
		ours := strings.HasPrefix(line, "cdcseed/") && !strings.Contains(line, "engine.fell(") && !strings.Contains(line, "engine.bounded[")
		if at := strings.LastIndexByte(line, '('); ours && at > 0 {
			facts = append(facts, verdict.Facts("in", line[:at])...)
			break
		}
	}
	return &verdict.Error{
		Code: verdict.Unexpected, What: what + ": the check broke", Facts: facts,
		Hint: []string{"Report it with this text; the other checks do not depend on it."},
	}
}

// stops is a refusal as a finding: what a seed would be refused for.
func stops(err error) Finding {
	e := verdict.As(err)
	text := strings.TrimSuffix(e.What, ".")
	if e.Err != nil {
		text += ": " + strings.ReplaceAll(e.Err.Error(), "\n", "; ")
	}
	return Finding{
		Check: verdict.Check{Level: verdict.Stop, Text: text, Why: e.Why, Facts: e.Facts},
		Cause: e.Code, Do: e.Hint,
	}
}

// finds makes findings of checks.
func finds(checks ...verdict.Check) []Finding {
	out := make([]Finding, 0, len(checks))
	for _, c := range checks {
		f := Finding{Check: c}
		if c.Level == verdict.Warn {
			f.Do = []string{"A seed must accept it by name: --accept " + string(c.Code) + "."}
		}
		out = append(out, f)
	}
	return out
}

// advised is a check with what to do about it.
func advised(c verdict.Check, do ...string) Finding { return Finding{Check: c, Do: do} }

// optionalRead is something that a seed does not need and that tells more where
// the login may see it.
type optionalRead struct {
	name  string // sys.dm_cdc_errors
	shows string // what it tells, a noun
	grant string // T-SQL that lets the login see it: {user} is its user in the database, {login} itself, {text} the same as a string
	err   error  // nil where it was answered
}

// msdbUser gives a login the user in msdb that grants there go to. More than one
// line of advice may hold it, and both may be followed.
const msdbUser = "IF USER_ID({text}) IS NULL CREATE USER {login};"

// optional asks what a seed does not need. Whether it was answered is told among
// the permissions; without an answer, ok is false.
func optional[T any](ctx context.Context, d *doctor, o optionalRead, read func(context.Context) (T, error)) (value T, ok bool) {
	value, o.err = ask(ctx, d, o.name, read)
	d.reads = append(d.reads, o)
	return value, o.err == nil
}

// finding tells whether an optional read was answered, and what would let it be.
func (o optionalRead) finding(user, login string) Finding {
	what := fmt.Sprintf("%s (%s)", o.name, o.shows)
	switch {
	case o.err == nil:
		return Finding{Check: verdict.Okay("optional, readable: " + what)}
	case sqlserver.Denied(o.err):
		return advised(verdict.Noted("optional, denied: "+what, ""), strings.NewReplacer("{user}", bracket(user), "{login}", bracket(login), "{text}", "N'"+strings.ReplaceAll(login, "'", "''")+"'").Replace(o.grant))
	case sqlserver.Absent(o.err):
		return Finding{Check: verdict.Noted("optional, not on this server: "+what, "")}
	}
	return Finding{Check: verdict.Noted("optional, not answered: "+what, stops(o.err).Text+".")}
}

// bracket quotes a name for T-SQL.
func bracket(name string) string { return "[" + strings.ReplaceAll(name, "]", "]]") + "]" }
