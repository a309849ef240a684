package main

import (
	"context"
	"slices"
	"strings"

	"cdcseed/engine"
	"cdcseed/fakeserver"
)

// asking opens the wizard with the demo's answers, and proves what it wrote.
func (d *demo) asking(ctx context.Context, r engine.Request, began fakeserver.LSN) error {
	o, err := d.ask(ctx, r, d.world.Logins[0].Password, d.how)
	if o.Result == nil {
		return &followed{broken(o, err), d.gone() + "\nThe demo again:\n" + indented(commandLines("demo", d.args())) + "\n"}
	}
	if changed := others(r, o.Request); len(changed) > 0 {
		_ = d.tell(*o.Result)
		d.tellLost(o, d.how)
		d.say("\nIt was no longer the demo's seed that was asked for (%s), so there is nothing to prove.", strings.Join(changed, ", "))
		return nil
	}
	stores, err := engine.OpenStores(o.Request)
	if err != nil {
		return err
	}
	p, err := d.prove(ctx, *o.Plan, stores, began)
	if err != nil {
		return err
	}
	_ = d.conclude(o.Request, demoResult{Result: *o.Result, Plan: *o.Plan, Proof: p, Dir: d.dir}) // as in wizard
	d.tellLost(o, d.how)
	return nil
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
	var args []string
	if d.how == askInLines {
		args = append(args, "--plain")
	}
	if d.kept {
		args = append(args, "--dir", d.dir)
	}
	return args
}

// gone says what becomes of the command that was shown before.
func (d *demo) gone() string {
	if d.kept {
		return "\nThe demo's server is gone with it: the command above needs cdcseed fake in its place.\n"
	}
	return "\nThe demo's server and its folder are gone with it: the command above finds neither.\n"
}
