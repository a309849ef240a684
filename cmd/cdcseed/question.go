package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// confirm has whoever runs the plan name its table: by the flag, or as a person
// who is asked. A plan that writes nothing needs no name, but takes no wrong one.
func (a *app) confirm(ctx context.Context, plan engine.Plan, given string) error {
	name := plan.Table.String()
	if given == "" && !plan.Writes() {
		return nil
	}
	if given == "" && a.terminal && !a.json {
		report.Question(a.err, plan)
		line, err := untilStopped(ctx, func() (string, error) { return bufio.NewReader(a.in).ReadString('\n') })
		if err != nil {
			return a.unanswered(ctx, "no answer was given", err)
		}
		given = strings.TrimSpace(line)
	}
	switch given {
	case name:
		return nil
	case "":
		return usageError("a seed that writes must be confirmed with the table's name",
			"Add --confirm "+name+", or --dry-run to write nothing.")
	default:
		return &verdict.Error{
			Code: verdict.Usage, What: "the confirmation names another table",
			Facts: verdict.Facts("given", given, "the plan's table", name), Hint: []string{"Add --confirm " + name + " if that is the table you mean."},
		}
	}
}

// secret finds the password: a file, the environment, the server's URL, or a
// question to a person.
func (a *app) secret(ctx context.Context, r engine.Request, file string) (string, error) {
	if p, ok, err := a.given(ctx, file); ok || err != nil {
		return p, err
	}
	user, must := r.PasswordUser()
	switch {
	case user == "":
		return "", nil
	case a.terminal:
		a.prompt("Password of %s: ", user)
		p, err := a.password(ctx)
		if err != nil {
			return "", a.unanswered(ctx, "no password was given", err)
		}
		a.prompt("\n") // the return key was not echoed
		return p, nil
	case must:
		return "", usageError("no password: set CDCSEED_PASSWORD or give --password-file",
			"There is no terminal to ask "+user+" for it at. An empty CDCSEED_PASSWORD is an empty password.")
	}
	return "", nil
}

// given finds the password in a file or in the environment. An empty one there
// is one.
func (a *app) given(ctx context.Context, file string) (password string, ok bool, err error) {
	if file == "" {
		password, ok = a.env("CDCSEED_PASSWORD")
		return password, ok, nil
	}
	password, err = passwordOf(ctx, file)
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	if err != nil {
		var at *fs.PathError // its path is not told: it may be the password itself
		if errors.As(err, &at) {
			err = at.Err
		}
		return "", false, usageError(fmt.Sprintf("the file given as --password-file cannot be read: %v", err))
	}
	return password, true, nil
}

// unanswered says why a person gave no answer. What follows begins on a line of
// its own: the cursor stands behind the question.
func (a *app) unanswered(ctx context.Context, none string, err error) error {
	a.prompt("\n")
	e := &verdict.Error{Code: verdict.Stopped, What: none, Hint: []string{"Run it again."}}
	switch {
	case ctx.Err() != nil:
		e.What = "stopped on request"
	case !errors.Is(err, io.EOF):
		e.Err = err
	}
	return e
}

// untilStopped is what read returns, or the context's error as soon as it ends.
// The reading itself cannot be broken off; it ends with the program.
func untilStopped(ctx context.Context, read func() (string, error)) (string, error) {
	type result struct {
		text string
		err  error
	}
	got := make(chan result, 1)
	go func() {
		text, err := read()
		got <- result{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case r := <-got:
		return r.text, r.err
	}
}
