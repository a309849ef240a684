package engine_test

import (
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// A time of the server's clock with a Z behind it passes where the copy's files
// were moved since. Nothing can refuse it, so the notes have to say what it is.
func TestATimeOfTheServersClockTypedAsUTC(t *testing.T) {
	china := scene{
		server: serverOf("China Standard Time", "2026-10-05T04:00:00Z"), instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-04T09:00:00", "0x0200", "2026-10-04T10:00:00", "0x0300", "2026-10-04T18:00:00", "0x0400", "2026-10-05T11:59:00"),
	}
	k := kitIn(t, china)
	const (
		times = "file times do not contradict as_of"
		other = "2026-10-04T10:00:00 read on the server's clock (China Standard Time) would be 2026-10-04T02:00:00Z"
	)
	for _, c := range []struct {
		name, asOf, copied string
		want               []string // the notes about times, in order
		why                string   // of the last
	}{
		{
			"moved", "2026-10-04T10:00:00Z", "2026-10-04T15:30:00Z",
			[]string{times + ": the earliest is 5 h 30 m after it", other},
			"it is 8 h late, and the commits of that time are lost where the copy has not got them: type 2026-10-04T10:00:00+08:00 then.",
		},
		{"an offset of nothing", "2026-10-04T10:00:00+00:00", "2026-10-04T15:30:00Z", []string{times + ": the earliest is 5 h 30 m after it", other}, "2026-10-04T10:00:00+08:00"},
		{"with its zone", "2026-10-04T10:00:00+08:00", "2026-10-04T02:05:00Z", []string{times + ": the earliest is 5 m after it"}, "cannot show every as_of that is too late"},
		{"moved, with its zone", "2026-10-04T10:00:00+08:00", "2026-10-04T15:30:00Z", []string{times + ": the earliest is 13 h 30 m after it"}, "make sure of its zone"},
		{"the same", "2026-10-04T10:00:00+08:00", "2026-10-04T02:00:00Z", []string{times + ": the earliest is the same"}, "renew file times"},
		{"an LSN", lsnText("0200"), "2026-10-04T02:05:00Z", []string{times + ": the earliest is 5 m after it"}, "renew file times"},
	} {
		k.request.AsOf = c.asOf
		k.dateCopy(c.copied)
		p, err := k.build()
		k.must(err)
		var got []engine.Check
		for _, check := range p.Checks {
			if strings.Contains(check.Text, "file times") || strings.Contains(check.Text, "read on the server's clock") {
				got = append(got, check)
			}
		}
		var texts []string
		for _, g := range got {
			texts = append(texts, g.Text)
			if g.Level != verdict.Note {
				t.Errorf("%s: %q is %s; the copy's times prove nothing", c.name, g.Text, g.Level)
			}
		}
		if !slices.Equal(texts, c.want) || !strings.Contains(got[len(got)-1].Why, c.why) {
			t.Errorf("%s: got %v, want %q and %q", c.name, got, c.want, c.why)
		}
		again, err := k.build()
		k.must(err)
		if again.Digest != p.Digest {
			t.Errorf("%s: the same plan has another digest", c.name)
		}
	}
}

// West of UTC the mistake goes early, and a reading that the copy contradicts is none.
func TestATimeOfAWesternServersClockTypedAsUTC(t *testing.T) {
	k := kitIn(t, scene{
		server: serverOf("Eastern Standard Time", "2026-10-05T04:00:00Z"), instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-03T09:00:00", "0x0200", "2026-10-04T05:00:00", "0x0300", "2026-10-04T23:00:00"),
	})
	k.request.AsOf = "2026-10-04T10:00:00Z"
	k.dateCopy("2026-10-04T10:05:00Z")
	p, err := k.build()
	k.must(err)
	if all := checkTexts(p); strings.Contains(all, "read on the server's clock") {
		t.Errorf("14:00Z is after the copy's files, and is named:\n%s", all)
	}
	k.dateCopy("2026-10-04T15:00:00Z")
	if p, err = k.build(); err != nil {
		t.Fatal(err)
	}
	if all := checkTexts(p); !strings.Contains(all, "2026-10-04T10:00:00 read on the server's clock (Eastern Standard Time) would be 2026-10-04T14:00:00Z") {
		t.Errorf("the other reading is not named:\n%s", all)
	}
}

// Without a zone the refusal gives both passes of a repeated hour, and tells
// that a skipped one never was.
func TestATimeWithoutAZoneNamesTheServersReadings(t *testing.T) {
	k := kitIn(t, scene{
		server: serverOf("W. Europe Standard Time", "2026-10-26T09:00:00Z"), instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-24T09:00:00", "0x0200", "2026-10-26T09:00:00"),
	})
	for asOf, want := range map[string]string{
		"2026-10-25 02:40": "If it is the server's clock (W. Europe Standard Time), type 2026-10-25T02:40:00+02:00 or, for the second time that it showed this, 2026-10-25T02:40:00+01:00.",
		"2026-03-29 02:40": "The server's clock (W. Europe Standard Time) never showed it: it was set forward over it.",
		"2026-10-24 12:30": "If it is the server's clock (W. Europe Standard Time), type 2026-10-24T12:30:00+02:00.",
	} {
		k.request.AsOf = asOf
		_, err := k.build()
		e := verdict.As(err)
		if e.Code != verdict.AsOfNoZone || len(e.Hint) != 3 || e.Hint[1] != want {
			t.Errorf("%s: %s, hints %q; want %q", asOf, e.Code, e.Hint, want)
		}
		session, _ := k.open()
		_, err = session.MapAsOf(t.Context(), k.request)
		if e := verdict.As(err); e.Code != verdict.AsOfNoZone || len(e.Hint) != 3 || e.Hint[1] != want {
			t.Errorf("lsn of %s: %s, hints %q", asOf, e.Code, e.Hint)
		}
	}
}
