package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine"
)

// A seed of which rows are gone is found, and how many stand is told, by whichever
// way it is found.
func TestAFoundSeedThatLacksRows(t *testing.T) {
	for _, asOf := range []string{"", lsnAt(30)} {
		k := kitIn(t, scene{})
		k.writeCopy("b.parquet", []order{{9, "nine", 900}})
		k.seeded(4)
		if asOf != "" {
			k.request.AsOf = asOf
		}
		const says = "the target holds 3 rows of the seed, and its commit wrote 4"
		p, err := k.build()
		k.must(err)
		if said := fmt.Sprint(p.Checks); strings.Contains(said, "its commit wrote") {
			t.Errorf("all rows stand: %s", said)
		}
		_, snap := k.snapshot("bronze")
		for _, f := range snap.Files {
			if s, err := f.ParseStats(); err != nil || s.NumRecords == nil || *s.NumRecords != 1 {
				continue
			}
			k.place(`{"commitInfo":{"timestamp":1792846800000,"operation":"DELETE"}}`+"\n"+
				fmt.Sprintf(`{"remove":{"path":%q,"deletionTimestamp":1792846800000,"dataChange":true}}`+"\n", f.Path),
				"bronze", "_delta_log", fmt.Sprintf("%020d.json", snap.Version+1))
		}
		p, err = k.build()
		k.must(err)
		if said := fmt.Sprint(p.Checks); p.State != engine.AlreadySeeded || !strings.Contains(said, says) {
			t.Errorf("%s: %s does not say %q", p.State, said, says)
		}
	}
}
