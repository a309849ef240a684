package main

import (
	"context"
	"fmt"
	"slices"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// asking opens the wizard with the demo's answers, and proves what it wrote.
func (d *demo) asking(ctx context.Context, r engine.Request, began fakeserver.LSN) error {
	o, err := d.ask(ctx, r, d.world.Logins[0].Password)
	if o.Result == nil {
		text := ""
		if o.Fall != nil {
			text = "\n" + o.Fall.Stack
		}
		return &followed{broken(o, err), text + "\nThe demo again:\n" + indented(commandLines("demo", d.args())) + "\n"}
	}
	if changed := others(r, o.Request); len(changed) > 0 {
		if err := d.tell(*o.Result); err != nil {
			return err
		}
		return d.write(fmt.Sprintf("\nIt was no longer the demo's seed that was asked for (%v), so there is nothing to prove.\n", changed))
	}
	stores, err := engine.OpenStores(o.Request)
	if err != nil {
		return err
	}
	p, err := d.prove(ctx, *o.Plan, stores, began)
	if err != nil {
		return err
	}
	return d.concluded(o.Request, demoResult{Result: *o.Result, Plan: *o.Plan, Proof: p, Dir: d.dir})
}

// others are the flags whose answers decide what the proof is about, and differ.
func others(demo, asked engine.Request) []string {
	var out []string
	for _, f := range engine.SeedFlags() {
		switch f.Name {
		case "server", "database", "table", "copy", "target", "target-name", "facts", "app-id":
			if !slices.Equal(f.Get(&demo), f.Get(&asked)) {
				out = append(out, "--"+f.Name)
			}
		}
	}
	return out
}

// args are the demo's own.
func (d *demo) args() []string {
	if d.kept {
		return []string{"--dir", d.dir}
	}
	return nil
}

// concluded is conclude; what stands is said where it could not be printed.
func (d *demo) concluded(r engine.Request, res demoResult) error {
	err := d.conclude(r, res)
	if err == nil {
		return nil
	}
	return &verdict.Error{Code: verdict.Unexpected, What: "the result could not be printed", Wrote: "The seed is in the target.", Err: err}
}
