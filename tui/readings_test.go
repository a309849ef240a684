package tui

import (
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// A time without a zone waits for a person: nothing is chosen before, enter is
// off, and the reading that is taken becomes the answer.
func TestAReadingIsChosenByAPerson(t *testing.T) {
	s := noZoneScene("2026-10-24 02:40", plainReadings()...)
	p := atAsOf(t, s, "2026-10-24 02:40").lacks("(o)").shows("STOP  Which clock", "enter (off)").press("enter")
	if p.at != asOfStep || p.answers.AsOf != "2026-10-24 02:40" {
		t.Fatalf("step %d, as_of %q", p.at, p.answers.AsOf)
	}
	p.press("down").shows("> ( ) 2026-10-24T02:40:00Z").press("down").golden("asof-choosing").shows("> ( ) 2026-10-24T00:40:00Z", "   As of      2026-10-24 02:40")
	s.asOf, s.asOfErr = mappedView(), nil
	p.press(" ").shows("L = 0x0000003200000A280001", "> As of      2026-10-24T00:40:00Z",
		"Typed      2026-10-24 02:40, taken as the server's zone (W. Europe Standard Time)")
	if got := s.asked[len(s.asked)-1].AsOf; got != "2026-10-24T00:40:00Z" {
		t.Errorf("mapped %q", got)
	}
	p.press("backspace").lacks("taken as")
}

// The cursor goes from the form to the readings and back at both ends, and never
// to a moment that there was none of.
func TestTheCursorOnReadings(t *testing.T) {
	s := noZoneScene("2026-03-29 02:40",
		reading("UTC", "2026-03-29T02:40:00Z", ""),
		reading(serversZone, "", "2026-03-29T02:40:00 does not exist there"),
		reading("this machine's zone (CET)", "2026-03-29T01:40:00Z", ""))
	p := atAsOf(t, s, "2026-03-29 02:40")
	for _, c := range []struct{ key, shows string }{
		{"up", "> ( ) 2026-03-29T01:40:00Z"},
		{"up", "> ( ) 2026-03-29T02:40:00Z"},
		{"up", "> Copy lag"},
		{"down", "> ( ) 2026-03-29T02:40:00Z"},
		{"down", "> ( ) 2026-03-29T01:40:00Z"},
		{"down", "> As of"},
		{"shift+tab", "> ( ) 2026-03-29T01:40:00Z"},
		{"tab", "> As of"},
		{"up", "> ( ) 2026-03-29T01:40:00Z"},
		{"shift+tab", "> Copy lag"},
		{"tab", "> ( ) 2026-03-29T02:40:00Z"},
	} {
		p.press(c.key).shows(c.shows)
		if n := strings.Count(p.see(120, 60), " > "); n != 1 {
			t.Errorf("after %s there are %d cursors", c.key, n)
		}
	}
	p.press("enter")
	if p.answers.AsOf != "2026-03-29T02:40:00Z" {
		t.Errorf("enter took %q", p.answers.AsOf)
	}
}

// Where every clock skipped the time there is nothing to choose, and no list to
// get lost in.
func TestNoReadingIsAMoment(t *testing.T) {
	s := noZoneScene("2026-03-29 02:40", reading(serversZone, "", "does not exist there"))
	atAsOf(t, s, "2026-03-29 02:40").press("tab", "tab").shows("> As of", "As of: add the zone, such as Z for UTC. (as_of_no_zone)")
}

// Where the zones cannot be asked, that is said, and how to go on without.
func TestReadingsThatFail(t *testing.T) {
	s := noZoneScene("2026-10-24 02:40")
	s.readErr = &verdict.Error{Code: verdict.SourceUnreachable, What: "read now: no answer from the server"}
	atAsOf(t, s, "2026-10-24 02:40").shows("no answer from the server", "If it is UTC, type")
}

// What comes to the same moment is told once, under all its names; what is said
// of it otherwise is kept apart.
func TestEqualReadingsAreToldOnce(t *testing.T) {
	const first, second = "the first of two", "the second of two"
	got := merged([]engine.ReadingView{
		reading("UTC", "2026-10-25T02:40:00Z", ""),
		reading("the server's zone (UTC)", "2026-10-25T02:40:00Z", ""),
		reading("this machine's zone (UTC)", "2026-10-25T02:40:00Z", ""),
		reading("the server's zone (Y)", "2026-10-25T00:40:00Z", first), reading("the server's zone (Y)", "2026-10-25T01:40:00Z", second),
		reading("this machine's zone (Z)", "2026-10-25T00:40:00Z", first), reading("this machine's zone (Z)", "2026-10-25T01:40:00Z", ""),
	})
	want := []string{
		"02:40 UTC, also the server's zone and this machine's zone",
		"00:40 the server's zone (Y), also this machine's zone (Z)", "01:40 the server's zone (Y)", "01:40 this machine's zone (Z)",
	}
	for i, v := range got {
		if i >= len(want) || v.Value[11:16]+" "+v.Zone != want[i] {
			t.Errorf("%d: %s %s", i, v.Value, v.Zone)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d readings, want %d", len(got), len(want))
	}
	s := noZoneScene("2026-10-24 02:40", reading("UTC", "2026-10-24T02:40:00Z", ""), reading("this machine's zone (UTC)", "2026-10-24T02:40:00Z", ""))
	p := atAsOf(t, s, "2026-10-24 02:40").shows("2026-10-24T02:40:00Z  UTC, also this machine's zone")
	if got := len(p.steps[asOfStep-1].(*asOfScreen).readings.known.value); got != 1 {
		t.Errorf("%d readings", got)
	}
}
