package asof

import (
	"fmt"
	"testing"
	"time"

	"cdcseed/engine/clock"
)

// The years whose clock changes are looked at.
var (
	firstYearStarts = clock.Of(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	lastYearEnds    = clock.Of(time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC))
)

// A change is a moment at which a zone's offset changes, and the offsets.
type change struct {
	at            clock.Instant
	before, after time.Duration
}

func (c change) by() time.Duration { return c.after - c.before }

// A zoneGroup is all Windows zones whose clocks show the same in these years.
type zoneGroup struct {
	names   []string
	clock   Clock // of the first
	changes []change
}

// zoneGroups groups every Windows zone, in the order of the table.
func zoneGroups(t testing.TB) []zoneGroup {
	t.Helper()
	var out []zoneGroup
	found := map[string]int{}
	for _, name := range ZoneNames() {
		c, err := InZone(name)
		if err != nil {
			t.Fatal(err)
		}
		w := wallOf(t, c)
		all := changesIn(w)
		key := fmt.Sprint(w.offsetAt(firstYearStarts), all)
		i, known := found[key]
		if !known {
			i = len(out)
			found[key] = i
			out = append(out, zoneGroup{clock: c, changes: all})
		}
		out[i].names = append(out[i].names, name)
	}
	return out
}

// changesIn lists a zone's changes in these years and the days beside them.
func changesIn(w *wall) (out []change) {
	at := firstYearStarts.Add(-48 * time.Hour)
	for {
		_, end := at.Time().In(w.loc).ZoneBounds()
		if end.IsZero() || clock.Of(end) > lastYearEnds.Add(48*time.Hour) {
			return out
		}
		at = clock.Of(end)
		if before, after := w.offsetAt(at-1), w.offsetAt(at); before != after {
			out = append(out, change{at, before, after})
		}
	}
}

// Grouping loses nothing: every zone is in one group, and shows what the first
// of its group shows at every change of any zone.
func TestEveryZoneIsInAGroup(t *testing.T) {
	groups := zoneGroups(t)
	var moments []clock.Instant
	for _, g := range groups {
		for _, c := range g.changes {
			moments = append(moments, c.at-1, c.at)
		}
	}
	zones, changing := 0, 0
	for _, g := range groups {
		first := wallOf(t, g.clock)
		zones += len(g.names)
		if len(g.changes) > 0 {
			changing++
		}
		for _, name := range g.names {
			c, err := InZone(name)
			if err != nil {
				t.Fatal(err)
			}
			w := wallOf(t, c)
			for _, at := range moments {
				if w.local(at) != first.local(at) {
					t.Errorf("%s is not %s at %v", name, g.names[0], at)
				}
			}
		}
	}
	t.Logf("%d zones in %d groups, %d of them with clock changes", zones, len(groups), changing)
	if zones != len(ZoneNames()) || changing < 20 {
		t.Error("the zones with clock changes are not all there")
	}
}
