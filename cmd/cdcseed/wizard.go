package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
	"cdcseed/tui"
)

// bindWizard gives the root command the flags of a seed: the answers that the
// wizard is opened with. Its help leaves them to that of seed.
func (a *app) bindWizard(root *cobra.Command) (open func(context.Context) error) {
	var r engine.Request
	var passwordFile string
	var plain bool
	complete := a.bind(root, engine.SeedFlags(), &r)
	addPasswordFile(root, &passwordFile)
	for _, f := range engine.SeedFlags() {
		root.Flags().Lookup(f.Name).Hidden = true
	}
	root.Flags().Lookup("password-file").Hidden = true
	addPlain(root, &plain)
	a.addASCII(root)
	return func(ctx context.Context) error {
		if a.json {
			return usageError("the wizard is for a person and writes no JSON", "cdcseed seed --json ...", "cdcseed --help")
		}
		if err := complete(); err != nil {
			return err
		}
		return a.wizard(ctx, r, passwordFile, plain)
	}
}

// wizard asks a person for a seed and runs it.
func (a *app) wizard(ctx context.Context, r engine.Request, passwordFile string, plain bool) error {
	if err := plausible(r); err != nil {
		return err
	}
	if abs, err := r.Absolute(); err == nil { // else the screen that asks for the path says why
		r = abs
	}
	var inURL string
	r.Server, inURL = engine.WithoutPassword(r.Server)
	how := a.manner(plain)
	if how == askNobody {
		return unasked(r)
	}
	password, given, err := a.given(ctx, passwordFile)
	if err != nil {
		return err
	}
	if !given {
		password = inURL
	}
	o, err := a.ask(ctx, r, password, how)
	if o.Result != nil {
		_ = a.tell(*o.Result) // a terminal that is gone shows nothing, and the seed stands all the same
		a.tellLost(o, how)
		return nil
	}
	return &followed{broken(o, err), a.again(o, how)}
}

// tellLost prints what the casts lost behind the result, so that it stays when
// the screen is gone. Plain lines told it where they were asked.
func (a *app) tellLost(o tui.Outcome, how manner) {
	if how == askOnScreens {
		report.Lost(a.out, *o.Plan, *o.Result)
	}
}

// plausible refuses answers that no other answer can make right, before
// anything is asked.
func plausible(r engine.Request) error {
	for _, at := range []*string{&r.Server, &r.Table, &r.Copy, &r.Target, &r.AsOf, &r.AppID, &r.TargetName} {
		if strings.TrimSpace(*at) == "" {
			*at = "given later"
		}
	}
	return r.Validate()
}

// unasked is the refusal to ask, with what seed needs to be told instead.
func unasked(r engine.Request) error {
	var missing []string
	for _, f := range engine.SeedFlags() {
		switch f.Name {
		case "server", "table", "copy", "target", "as-of":
			if len(f.Get(&r)) == 0 {
				missing = append(missing, "--"+f.Name)
			}
		}
	}
	e := &verdict.Error{Code: verdict.Usage, What: "nobody can be asked: standard input and output are not both a terminal"}
	if len(missing) > 0 {
		e.Facts = verdict.Facts("missing", strings.Join(missing, " "))
		e.Hint = append(e.Hint, "Give what is missing as flags of cdcseed seed; with --dry-run it writes nothing.")
	} else {
		e.Hint = append(e.Hint, engine.Command("seed", append(r.WithoutSecrets().Args(), "--dry-run")))
	}
	e.Hint = append(e.Hint,
		"cdcseed tables lists what can be seeded, cdcseed lsn maps --as-of to L. cdcseed demo --yes needs no server.",
		"cdcseed --plain asks all the same, in lines, and reads the answers from standard input.",
		"cdcseed --help")
	return e
}

// ask opens the wizard. Signals are its own business until it has ended: it
// never leaves a seed half written.
func (a *app) ask(ctx context.Context, r engine.Request, password string, how manner) (tui.Outcome, error) {
	stops := make(chan tui.StopAsked, 4)
	back := a.signals.divert(func(sig os.Signal) {
		select {
		case stops <- tui.StopAsked{Now: sig != syscall.SIGINT}:
		default: // those that wait say the same
		}
	})
	defer back()
	if how == askInLines {
		return a.askPlain(ctx, r, password, stops)
	}
	job := &jobControl{terminal: int(a.screen.in.Fd())}
	resumed, deaf := job.hear()
	defer deaf()
	o, err := tui.Run(ctx, tui.Options{
		Request: r, Password: password, In: a.screen.in, Out: a.screen.out, Env: a.drawnWith(), Version: buildVersion(), Tool: tool(),
		Now: a.now, Here: time.Local, Stops: stops, Suspend: job.suspend, Resumed: resumed, Log: a.log,
		Keep: func(p engine.Plan) (string, error) { return a.keepPlan(p, "") },
	})
	if errors.Is(err, tui.ErrStuck) { // whatever is written there waits for ever
		a.out, a.err = io.Discard, io.Discard
	}
	if o.Fall != nil {
		a.prompt("%s\n", o.Fall.Stack)
	}
	return o, err
}

// broken is why there is no result. A screen that ended by itself, as when its
// terminal is gone, is as if it had been left.
func broken(o tui.Outcome, screen error) error {
	e := *verdict.As(o.Err)
	if screen != nil && o.Fall == nil && e.Code == verdict.Stopped && e.Wrote == "" {
		e.What, e.Err = "the screen ended", screen
	}
	return &e
}

// followed is an error with what is told behind it.
type followed struct {
	error
	text string
}

func (f *followed) Unwrap() error { return f.error }

// again are the commands that go on where the wizard was left.
func (a *app) again(o tui.Outcome, how manner) string {
	var b strings.Builder
	r := o.Request
	if abs, err := r.Absolute(); err == nil {
		r = abs
	}
	args := r.Args()
	if how == askInLines {
		args = append([]string{"--plain"}, args...)
	}
	fmt.Fprintf(&b, "\nThe wizard with these answers:\n%s\n", indented(commandLines("", args)))
	if p := o.Plan; p != nil && o.Kept != "" && p.Refusal() == nil && p.Writes() && verdict.As(o.Err).Code == verdict.Stopped {
		fmt.Fprintf(&b, "\nThe plan as it was shown:\n%s\n", indented(commandLines("seed", []string{"--plan", p.Digest[:8], "--confirm", p.Table.String()})))
	}
	return b.String()
}
