package clock_test

import (
	"testing"
	"time"

	"cdcseed/engine/clock"
)

func TestFloorSecondGoesEarlier(t *testing.T) {
	for _, c := range []struct{ in, want clock.Instant }{
		{0, 0},
		{999_999, 0},
		{1_000_000, 1_000_000},
		{-1, -1_000_000},
		{-1_000_000, -1_000_000},
		{-1_000_001, -2_000_000},
	} {
		if got := c.in.FloorSecond(); got != c.want {
			t.Errorf("floor of %d is %d, want %d", c.in, got, c.want)
		}
	}
}

func TestTexts(t *testing.T) {
	at := clock.Of(time.Date(2026, 9, 28, 10, 54, 0, 123_999_000, time.FixedZone("", -3*3600)))
	if got := at.String(); got != "2026-09-28T13:54:00.123999Z" {
		t.Error(got)
	}
	if got := at.CommitText(); got != "2026-09-28T13:54:00.123" {
		t.Error(got)
	}
	var back clock.Instant
	if err := back.UnmarshalText([]byte("2026-09-28T10:54:00.123999-03:00")); err != nil || back != at {
		t.Error(back, err)
	}
	wall := clock.WallOf(time.Date(2026, 9, 28, 10, 54, 0, 0, time.FixedZone("", -3*3600)))
	if got := wall.String(); got != "2026-09-28T10:54:00" {
		t.Error(got)
	}
}

func TestWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		26*time.Hour + 30*time.Minute: "1 d 2 h 30 m",
		42 * time.Second:              "42 s",
		-time.Hour:                    "minus 1 h",
		250 * time.Millisecond:        "250 ms",
		0:                             "0 ms",
	} {
		if got := clock.Words(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
