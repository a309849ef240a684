package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine"
)

// A snapshot that the facts table records at L or before it, for another target,
// or that is not finished in another stream, keeps no seed away.
func TestWhatTheFactsTableRecordsBeside(t *testing.T) {
	for name, row := range map[string]string{
		"at L":           bootstrapRow(lsnAt(30)),
		"before L":       bootstrapRow(lsnAt(20)),
		"another target": strings.Replace(bootstrapRow(lsnAt(40)), "bronze.orders", "bronze.Orders", 1),
		"open elsewhere": openRow(lsnAt(40), "full"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kitIn(t, scene{}).withFacts()
			k.factsTable(nil)
			k.appendRows("facts", rowOf("elsewhere", row))
			k.seeded(3)
		})
	}
}

// A seed that is in the target stays found under a newer one that only the facts
// table tells of, and that it is not used any more is told.
func TestASeedUnderANewerRecordedSnapshot(t *testing.T) {
	k := kitIn(t, scene{}).withFacts()
	k.seeded(3)
	k.appendRows("facts", rowOf("elsewhere", bootstrapRow(lsnAt(40))))
	before := k.tree()
	p, err := k.build()
	k.must(err)
	if said := fmt.Sprint(p.Checks); p.State != engine.AlreadySeeded || !strings.Contains(said, "a newer snapshot of the target stands in the facts table, at "+lsnAt(40)) {
		t.Errorf("%s: %s", p.State, said)
	}
	got, err := k.execute(p)
	k.must(err)
	if got.State != engine.AlreadySeeded || got.FactsRow != "present" {
		t.Errorf("%+v", got)
	}
	same(t, "rerun", before, k.tree())
}
