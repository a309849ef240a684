package engine_test

import (
	"slices"
	"testing"
	"time"

	"cdcseed/engine"
)

// A look at every value tells how many rows it has seen: it may take hours. A
// sample takes seconds and tells nothing.
func TestALookAtEveryValueIsCounted(t *testing.T) {
	k := newKit(t)
	k.writeCopy("a.parquet", orders(20_000))
	k.writeCopy("b.parquet", orders(5))
	// Every look at this machine's clock is a second later, so that each batch is told.
	now := time.Date(2026, 10, 24, 13, 0, 0, 0, time.UTC)
	session, err := engine.Open(t.Context(), k.request, "s3cret", func() time.Time { now = now.Add(time.Second); return now }, nil)
	k.must(err)
	defer session.Close()
	c, err := engine.InspectCopy(t.Context(), session, k.request, nil)
	k.must(err)
	const total = 20_005
	for _, check := range []string{"all", "sample"} {
		k.request.Check = check
		var seen []int64
		v, err := engine.InspectColumns(t.Context(), session, k.request, c, engine.TargetView{}, true, func(done, of int64) {
			seen = append(seen, done)
			if of != total {
				t.Errorf("%d of %d", done, of)
			}
		})
		k.must(err)
		if told := len(seen) > 2 && slices.IsSorted(seen) && seen[len(seen)-1] == total; told != (check == "all") || check != "all" && seen != nil || v.Rows != total {
			t.Errorf("%s: told %v; looked at %d", check, seen, v.Rows)
		}
		var planned []int64
		stores, err := engine.OpenStores(k.request)
		k.must(err)
		_, err = engine.Build(t.Context(), session, stores.Readers(), k.request, engine.BuildOptions{Tool: "test", Notify: func(e engine.Event) {
			if p, ok := e.(engine.Progress); ok {
				planned = append(planned, p.Done)
				if p.Phase != engine.Recheck || p.Total != total || p.Unit != "rows" {
					t.Errorf("%+v", p)
				}
			}
		}})
		k.must(err)
		// The files are looked at side by side, so that the steps may differ.
		if (planned == nil) != (seen == nil) || planned != nil && (len(planned) < 3 || !slices.IsSorted(planned) || planned[len(planned)-1] != total) {
			t.Errorf("planning with --check %s told %v, an inspection %v", check, planned, seen)
		}
	}
}
