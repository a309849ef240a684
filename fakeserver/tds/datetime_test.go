package tds_test

import (
	"testing"
	"time"

	"cdcseed/fakeserver/tds"
)

// TestDateTimeRounding checks the table of the documentation of datetime, and
// the last moment of a day.
func TestDateTimeRounding(t *testing.T) {
	day := at(2026, 1, 1, 23, 59, 59, 0)
	for ms, want := range map[int]int{990: 990, 991: 990, 992: 993, 993: 993, 994: 993, 995: 997, 996: 997, 997: 997, 998: 997, 999: 1000} {
		got := tds.RoundDateTime(day.Add(time.Duration(ms) * time.Millisecond))
		if wanted := day.Add(time.Duration(want) * time.Millisecond); !got.Equal(wanted) {
			t.Errorf(".%d became %v", ms, got)
		}
	}
}

// TestTicks: every tick of a second survives the way there and back.
func TestTicks(t *testing.T) {
	for _, d := range []int32{-53_690, -1, 0, 2_958_463} {
		for n := range uint32(300) {
			tick := n*86_400 + n // spread over the day
			if gotDay, got := tds.Ticks(tds.FromTicks(d, tick)); gotDay != d || got != tick {
				t.Fatalf("day %d tick %d became %d, %d", d, tick, gotDay, got)
			}
			if gotDay, got := tds.Ticks(tds.RoundDateTime(tds.FromTicks(d, tick))); gotDay != d || got != tick {
				t.Fatalf("day %d tick %d, as shown, became %d, %d", d, tick, gotDay, got)
			}
		}
	}
	zone := time.FixedZone("", 5*3600)
	if d, n := tds.Ticks(time.Date(1900, 1, 2, 0, 0, 1, 0, zone)); d != 1 || n != 300 {
		t.Errorf("the wall clock counts: %d, %d", d, n)
	}
}
