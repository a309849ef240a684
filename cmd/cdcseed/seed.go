package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
	"cdcseed/tui"
)

// seedOptions are the flags of seed that are no part of a Request.
type seedOptions struct {
	dryRun       bool
	planOut      string
	plan         string
	confirm      string
	passwordFile string
}

func (a *app) seed() *cobra.Command {
	var r engine.Request
	var o seedOptions
	c := &cobra.Command{
		Use:   "seed",
		Short: "Append a copy to the target as the table's snapshot",
		Long: `Plans a seed, prints the plan and, confirmed with the table's name, runs it.
With --dry-run nothing is written; the plan is kept, and printed with the
command that runs exactly it. With --reseed the copy becomes the next snapshot
of a target whose stream lost changes.`,
		Example: `  cdcseed seed --server sql01 --database Sales --user svc --table dbo.Orders \
    --copy /lake/orders --target /lake/bronze/orders \
    --as-of 2026-10-25T00:40:00Z --dry-run`,
		Args: noArgs,
	}
	complete := a.bind(c, engine.SeedFlags(), &r)
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "plan, print and keep the plan, write nothing to the target")
	c.Flags().StringVar(&o.planOut, "plan-out", "", "also save the plan in `FILE`, and its file list beside it")
	c.Flags().StringVar(&o.plan, "plan", "", "run this plan: a `FILE`, or the first digits of a kept plan's digest")
	c.Flags().StringVar(&o.confirm, "confirm", "", "`SCHEMA.TABLE` of the plan, to run it without a question")
	c.Flags().StringVar(&o.passwordFile, "password-file", "", "`FILE` that holds the password [CDCSEED_PASSWORD holds it itself]")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if c.Flags().Changed("plan") {
			return a.runPlan(c, o)
		}
		if err := complete(); err != nil {
			return err
		}
		return a.planAndRun(c.Context(), r, o)
	}
	return c
}

// planAndRun is seed without --plan.
func (a *app) planAndRun(ctx context.Context, r engine.Request, o seedOptions) error {
	r, err := r.Absolute()
	if err != nil {
		return err
	}
	if err := r.Validate(); err != nil {
		return err
	}
	session, stores, err := a.connect(ctx, r, o.passwordFile)
	if err != nil {
		return err
	}
	defer session.Close()
	plan, err := engine.Build(ctx, session, stores.Readers(), r, a.buildOptions())
	if err != nil {
		return err
	}
	kept, err := a.keepPlan(plan, o.planOut)
	if err != nil {
		return err
	}
	if o.dryRun || plan.Refusal() != nil {
		return a.showPlan(plan, kept)
	}
	if err := a.announce(plan, kept); err != nil {
		return err
	}
	if err := a.confirm(ctx, plan, o.confirm); err != nil {
		return err
	}
	return a.execute(ctx, plan, session, stores)
}

// planLine is a plan as JSON tells it.
type planLine struct {
	Plan engine.Plan `json:"plan"`
	File string      `json:"file"` // where it is kept
}

// announce prints a plan that goes on to run once it is confirmed. As JSON it
// is a result: whoever does not confirm it can still run it by its digest.
func (a *app) announce(plan engine.Plan, kept string) error {
	if a.json {
		a.lines().put("plan", planLine{plan, kept})
		return a.lines().err
	}
	report.Plan(a.err, plan)
	return nil
}

// showPlan prints a plan that is not run, and refuses where it could not be.
func (a *app) showPlan(plan engine.Plan, kept string) error {
	if a.json {
		a.lines().put("plan", planLine{plan, kept})
		if a.lines().err != nil {
			return a.lines().err
		}
	} else {
		report.PlanNotRun(a.out, plan)
	}
	if err := plan.Refusal(); err != nil {
		return err
	}
	if !a.json && plan.Writes() {
		_, err := fmt.Fprintf(a.out, "\nRun it:  cdcseed seed --plan %s --confirm %s\n", plan.Digest[:8], plan.Table)
		return err
	}
	return nil
}

// runPlan is seed --plan: exactly that plan, with nothing merged into it.
func (a *app) runPlan(c *cobra.Command, o seedOptions) error {
	for _, f := range engine.SeedFlags() {
		if c.Flags().Changed(f.Name) {
			return usageError(fmt.Sprintf("--%s would change the plan", f.Name), "A plan runs as it was shown: leave the flag out, or make a new plan with it.")
		}
	}
	plan, err := a.loadPlan(o.plan)
	if err != nil {
		return err
	}
	var r engine.Request
	if err := r.SetArgs(plan.Args); err != nil {
		return err
	}
	if o.dryRun {
		return a.showPlan(plan, o.plan)
	}
	if err := a.confirm(c.Context(), plan, o.confirm); err != nil {
		return err
	}
	ctx := c.Context()
	session, stores, err := a.connect(ctx, r, o.passwordFile)
	if err != nil {
		return err
	}
	defer session.Close()
	return a.execute(ctx, plan, session, stores)
}

// connect opens the source and the stores that r names.
func (a *app) connect(ctx context.Context, r engine.Request, passwordFile string) (*engine.Session, engine.Stores, error) {
	stores, err := engine.OpenStores(r)
	if err != nil {
		return nil, stores, err
	}
	session, err := a.open(ctx, r, passwordFile)
	return session, stores, err
}

func (a *app) open(ctx context.Context, r engine.Request, passwordFile string) (*engine.Session, error) {
	password, err := a.secret(ctx, r, passwordFile)
	if err != nil {
		return nil, err
	}
	return engine.Open(ctx, r, password, a.now, func(text string) { a.prompt("%s\n", text) })
}

func (a *app) buildOptions() engine.BuildOptions {
	return engine.BuildOptions{Tool: tool(), Notify: a.event()}
}

// execute runs the plan and tells what came of it.
func (a *app) execute(ctx context.Context, plan engine.Plan, session *engine.Session, stores engine.Stores) error {
	result, err := engine.Execute(ctx, plan, session, stores, a.event())
	if err != nil {
		return err
	}
	if err := a.tell(result); err != nil || a.json {
		return err
	}
	report.Lost(a.out, plan, result)
	return nil
}

func (a *app) tell(result engine.Result) error {
	if a.log != nil {
		a.log.Info("result", tui.LogResult(result)...)
	}
	if a.json {
		a.lines().put("result", result)
		return a.untold(result, a.lines().err)
	}
	var text bytes.Buffer
	report.Result(&text, result)
	_, err := a.out.Write(text.Bytes())
	return a.untold(result, err)
}

// untold is the error for a result that could not be printed: the seed stands.
func (a *app) untold(result engine.Result, err error) error {
	if err == nil {
		return nil
	}
	return &verdict.Error{
		Code: verdict.Unexpected, What: "the result could not be printed", Err: err,
		Wrote: fmt.Sprintf("The seed is in %q at version %d, L is %s.", result.Target, result.Version, result.L),
		Hint:  []string{"Run the same command again: it prints the result and writes no rows."},
	}
}

// event passes a running seed's events to whoever listens.
func (a *app) event() func(engine.Event) {
	if a.json {
		return a.logged(a.lines().event)
	}
	printer := report.NewProgress(a.err, a.now)
	return a.logged(printer.Event)
}

// readFile is readRegular with our words.
func readFile(path string) ([]byte, error) {
	b, err := readRegular(path)
	if err != nil {
		return nil, usageError(err.Error(), "Give a plan's file, or the first digits of its digest.")
	}
	return b, nil
}
