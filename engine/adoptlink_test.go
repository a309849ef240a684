package engine_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"cdcseed/engine/rewrite"
	"cdcseed/engine/store/storetest"
)

// TestAdoptingTakesNoSpace counts what a rerun does with the files of an earlier
// try: where the store has links it writes none of them again, whatever becomes
// of the first names, unless the store cannot link just these.
func TestAdoptingTakesNoSpace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		links        bool
		fault        error
		gone         bool // the earlier try removes its file right before
		link, create int32
	}{
		{name: "links", links: true, link: 2},
		{name: "no links", link: 2, create: 2},
		{name: "not these", links: true, fault: errors.ErrUnsupported, link: 2, create: 2},
		{name: "gone from under it", links: true, gone: true, link: 2, create: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			onTarget(t, faultTargets[1], func(t *testing.T, b *faultBench) {
				b.links = c.links
				s, target, facts := b.places(t)
				left := b.leave(t, s, target)
				var link, create atomic.Int32
				s.Target = storetest.Intercept(target, func(op storetest.Op) storetest.Fault {
					_, staged := rewrite.ParseStageName(op.Key)
					if staged && op.Name == "Create" {
						create.Add(1)
					}
					if op.Name != "Link" {
						return storetest.Fault{}
					}
					link.Add(1)
					for _, key := range left {
						if c.gone {
							if err := target.Remove(t.Context(), key); err != nil {
								t.Error(err)
							}
						}
					}
					return storetest.Fault{Err: c.fault}
				})
				got, err := b.try(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				b.whole(t, target, facts)
				if now := standsIn(t, target); len(now.beside) > 0 {
					t.Errorf("beside the table lie %v", now.beside)
				}
				if !c.gone && (got.Adopted != 2 || link.Load() != c.link || create.Load() != c.create) {
					t.Errorf("%d adopted, %d links, %d files written; want 2, %d, %d", got.Adopted, link.Load(), create.Load(), c.link, c.create)
				}
			})
		})
	}
}
