package main

import (
	"os"
	"path/filepath"
	"testing"
)

// --plan-out must not cost a file that is no plan, nor one of the tables'.
func TestPlanOutOverwritesPlansOnly(t *testing.T) {
	c := newConsole(t)
	dir := filepath.Join(t.TempDir(), "demo")
	c.want(0, "demo", "--dir", dir, "--json")
	kept, err := filepath.Glob(filepath.Join(dir, "state", "*"+planSuffix))
	if err != nil || len(kept) != 1 {
		t.Fatal(kept, err)
	}
	plan, err := (&app{env: func(string) (string, bool) { return "", false }}).loadPlan(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	note := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(note, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "p.plan.json")
	if err := os.WriteFile(filesOf(other), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "bronze", "orders", "_delta_log", "00000000000000000001.json")
	for _, path := range []string{note, other, log, filepath.Join(dir, "copy", "new.plan.json"), filepath.Join(dir, "ops", "facts", "p.json"), t.TempDir()} {
		if err := planPlace(plan, path); err == nil {
			t.Errorf("%s would be overwritten", path)
		}
	}
	for _, path := range []string{kept[0], filepath.Join(t.TempDir(), "new.plan.json")} {
		if err := planPlace(plan, path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
