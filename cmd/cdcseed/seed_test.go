package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Only a plan that would change something tells how to run it, and only one
// that is not run is headed as such.
func TestPlansAreHeadedByWhatBecomesOfThem(t *testing.T) {
	c := newConsole(t)
	dir := c.kept(t)
	out, _ := c.want(0, "seed", "--dry-run")
	wants(t, out, "(not run). Nothing was written.", "Run it: cdcseed seed --plan", "--confirm dbo.Orders")
	narrow(t, strings.ReplaceAll(out, dir, ""))
	_, run, _ := strings.Cut(out, "Run it:  cdcseed ")
	out, _ = c.want(0, strings.Fields(run)...)
	wants(t, out, "Seeded. 3,001 rows")
	out, _ = c.want(0, "seed", "--dry-run")
	if !strings.Contains(out, "no rows: the seed is in the target already") || strings.Contains(out, "Run it") || strings.Contains(out, "answer with") {
		t.Error(out)
	}
	c.env["CDCSEED_TARGET"] = filepath.Join(dir, "third")
	out, messages := c.want(0, "seed", "--confirm", "dbo.Orders")
	if !strings.Contains("\n"+messages, "\nPlan ") || strings.Contains(messages, "not run") || strings.Contains(messages, "Nothing was written") {
		t.Error(messages)
	}
	wants(t, out, "Seeded. 3,001 rows")
}

// A seed prints its plan as JSON also where it stops for want of the name that
// confirms it: the plan is kept, and runs by its digest.
func TestSeedAsJSON(t *testing.T) {
	c := newConsole(t)
	c.kept(t)
	c.terminal = true // asks nothing all the same
	out, messages := c.want(2, "seed", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) < 2 || messages != "" {
		t.Fatalf("%d lines, %q:\n%s", len(lines), messages, out)
	}
	plan, stop := lastLine(t, lines[len(lines)-2]), lastLine(t, out)
	digest, _ := at(t, plan, "plan", "digest").(string)
	if plan["type"] != "plan" || plan["file"] != filepath.Join(c.env["CDCSEED_STATE"], digest+planSuffix) || stop["type"] != "error" || stop["code"] != "usage" {
		t.Errorf("got %s", out)
	}
	out, _ = c.want(0, "seed", "--json", "--plan", digest[:8], "--confirm", "dbo.Orders")
	if last := lastLine(t, out); last["type"] != "result" || last["plan"] != digest || strings.Contains(out, `"type":"plan"`) {
		t.Errorf("got %s", out)
	}
	out, _ = c.want(0, "seed", "--json", "--dry-run")
	if last := lastLine(t, out); last["type"] != "plan" || at(t, last, "plan", "state") != "already_seeded" {
		t.Errorf("got %s", out)
	}
	c.env["CDCSEED_ACCEPT"] = ""
	c.env["CDCSEED_TARGET"] += "-more"
	out, _ = c.want(3, "seed", "--json", "--confirm", "dbo.Orders")
	if last := lastLine(t, out); last["type"] != "error" || last["code"] != "warning_unaccepted" || strings.Count(out, `{"type":"plan",`) != 1 {
		t.Errorf("got %s", out)
	}
}
