package engine_test

import (
	"testing"

	"cdcseed/engine"
)

func TestFirstSeedThenRerun(t *testing.T) {
	k := newKit(t).withFacts()
	k.writeCopy("a.parquet", orders(1000))
	k.writeCopy("b.parquet", orders(500))
	got, err := k.seed()
	if err != nil {
		t.Fatal(err)
	}
	if got.State != engine.Ready || got.Rows != 1500 || got.L.String() != lsnAt(30) || got.Version != 1 || got.FactsRow != "written" {
		t.Errorf("%+v", got)
	}
	before, facts := k.tree("bronze"), k.tree("facts")
	again, err := k.seed()
	if err != nil {
		t.Fatal(err)
	}
	if again.State != engine.AlreadySeeded || again.L != got.L || again.FactsRow != "present" {
		t.Errorf("%+v", again)
	}
	same(t, "target", before, k.tree("bronze"))
	same(t, "facts", facts, k.tree("facts"))
}

// same fails where two trees differ, naming what changed.
func same(t *testing.T, what string, before, after map[string]string) {
	t.Helper()
	for path, b := range before {
		if a, ok := after[path]; !ok {
			t.Errorf("%s: %s is gone", what, path)
		} else if a != b {
			t.Errorf("%s: %s changed", what, path)
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			t.Errorf("%s: %s is new", what, path)
		}
	}
}
