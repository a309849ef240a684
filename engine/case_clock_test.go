package engine_test

import (
	"strings"
	"testing"

	"cdcseed/engine/verdict"
)

// Case 25: the hour that a clock shows twice.
func TestCase25FallBackHour(t *testing.T) {
	s := scene{
		server: serverOf("Eastern Standard Time", "2026-11-02T12:00:00Z"), instances: instance("dbo_orders", "0x0010", "2026-01-01T00:00:00"),
		mapping: commits("0x10", "2026-11-01T00:20:00", "0x20", "2026-11-01T00:50:00", "0x30", "2026-11-01T01:10:00", "0x40", "2026-11-01T01:40:00",
			"0x50", "2026-11-01T01:05:00", "0x60", "2026-11-01T01:20:00", "0x70", "2026-11-01T01:50:00", "0x80", "2026-11-01T02:10:00"),
	}
	copied := func(asOf string) func(*kit) { return lasting(asOf, "2026-11-01T12:00:00Z") }
	accepts(t, s,
		accepted{
			name: "05:30Z, the first pass", arrange: copied("2026-11-01T05:30:00Z"), l: "10", looked: "2026-11-01T00:30:00", commit: "2026-11-01T04:20:00Z",
			accept: []verdict.Warning{verdict.FellBack},
		},
		accepted{name: "06:30Z, the second pass", arrange: copied("2026-11-01T06:30:00Z"), l: "60", looked: "2026-11-01T01:30:00", commit: "2026-11-01T06:20:00Z"},
		accepted{name: "07:05Z, after it", arrange: copied("2026-11-01T07:05:00Z"), l: "70", looked: "2026-11-01T02:05:00", commit: "2026-11-01T06:50:00Z"},
		accepted{name: "04:55Z, before it", arrange: copied("2026-11-01T04:55:00Z"), l: "20", looked: "2026-11-01T00:55:00", commit: "2026-11-01T04:50:00Z"},
	)
}

// Case 25, the warning on the screen: what the clock showed, and what was looked
// up instead of it.
func TestCase25WarningSaysWhatWasLookedUp(t *testing.T) {
	k := kitIn(t, fallBackScene)
	inRepeatedHour("2026-11-01T05:30:00Z")(k)
	p, err := k.build()
	k.must(err)
	for _, c := range p.Checks {
		if c.Code != verdict.FellBack {
			continue
		}
		facts := ""
		for _, f := range c.Facts {
			facts += f.Name + " " + f.Value + "; "
		}
		if !strings.Contains(c.Text, "an hour earlier") || facts != "server clock at as_of 2026-11-01T01:30:00; looked up 2026-11-01T00:30:00; zone Eastern Standard Time; " {
			t.Errorf("%s: %s", c.Text, facts)
		}
		return
	}
	t.Error("no warning")
}

// Case 25, an entry in the server's zone: a time that does not exist, and one
// that there was twice.
func TestCase25EntryInTheServersZone(t *testing.T) {
	k := kitIn(t, fallBackScene)
	session, _ := k.open()
	for text, want := range map[string][]string{
		"2026-03-08 02:30": {" does not exist there"},
		"2026-11-01 01:30": {"2026-11-01T05:30:00Z the first of two times", "2026-11-01T06:30:00Z the second of two times"},
		"2026-11-01 00:30": {"2026-11-01T04:30:00Z "},
	} {
		views, err := session.Readings(t.Context(), text, nil)
		k.must(err)
		var got []string
		for _, v := range views {
			if strings.Contains(v.Zone, "server") {
				at := v.At.String()
				if v.Value == "" {
					at = ""
				}
				got = append(got, at+" "+v.Note)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %q, want %q", text, got, want)
			continue
		}
		for i := range want {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("%s: %q, want %q", text, got[i], want[i])
			}
		}
	}
}

// Case 50: the server's clock was stepped back by 40 s after ..20.
func TestCase50ClockSteppedBack(t *testing.T) {
	s := scene{
		server: serverOf("UTC", "2026-10-05T13:00:00Z"), instances: instance("dbo_orders", "0x10", "2026-01-01T00:00:00"),
		mapping: commits("0x10", "2026-10-05T12:00:00", "0x20", "2026-10-05T12:00:50", "0x30", "2026-10-05T12:00:20",
			"0x40", "2026-10-05T12:00:40", "0x50", "2026-10-05T12:01:30"),
	}
	accepts(t, s,
		accepted{
			name: "12:00:45Z", l: "10", looked: "2026-10-05T12:00:45", commit: "2026-10-05T12:00:00Z", record: "40", accept: []verdict.Warning{verdict.ClockStepped},
			arrange: func(k *kit) {
				lasting("2026-10-05T12:00:45Z", "2026-10-05T12:30:00Z")(k)
				p, err := k.build()
				k.must(err)
				if all := checkTexts(p); !strings.Contains(all, "commit times run backwards near as_of") {
					k.t.Errorf("%s", all)
				}
			},
		},
		// Within the hour after ..20, as_of may have been read before the step.
		accepted{
			name: "13:00:00Z", arrange: lasting("2026-10-05T13:00:00Z", "2026-10-05T13:00:00Z"), l: "20", looked: "2026-10-05T13:00:00", commit: "2026-10-05T12:00:50Z",
			record: "50", accept: []verdict.Warning{verdict.ClockStepped, verdict.CaptureBehind},
		},
		accepted{name: "before the step", arrange: lasting("2026-10-05T12:00:19Z", "2026-10-05T12:30:00Z"), l: "10", looked: "2026-10-05T12:00:19", commit: "2026-10-05T12:00:00Z"},
	)
}

// Case 47: a rerun after cleanup of the log and of CDC, and one with another copy.
func TestCase47RerunAfterCleanup(t *testing.T) {
	for _, c := range []struct {
		name  string
		copy  int  // rows of the copy given at the rerun
		known bool // the seed's commit is left in the log
		says  string
	}{
		{"the same", 3, false, "whether the seed was made from this copy is not recorded"},
		{"another copy", 7, false, "whether the seed was made from this copy is not recorded"},
		{"the same, its record left", 3, true, "the seed was made from this copy"},
		{"another copy, its record left", 7, true, "the copy given now is not the one that the seed was made from"},
	} {
		bothReadings(t, c.name, scene{}, func(k *kit) {
			first := k.seeded(3)
			for range 47 {
				k.appendRows("bronze", changeRow) // the stream
			}
			if c.known {
				k.appendRows("bronze", changeRow)
			} else {
				k.forgetCommits() // after three commits more: a checkpoint, and no JSON of the seed's commit
			}
			k.cleanup(lsnAt(50)) // past as_of
			if c.copy != 3 {
				k.writeCopy("a.parquet", orders(c.copy))
			}
			before := k.tree()
			got, err := k.seed()
			k.must(err)
			if got.State != "already_seeded" || got.L != first.L || got.Rows != 0 {
				k.t.Errorf("%+v", got)
			}
			same(k.t, "rerun", before, k.tree())
			p, err := k.build()
			k.must(err)
			if all := checkTexts(p); !strings.Contains(all, c.says) {
				k.t.Errorf("does not say %q:\n%s", c.says, all)
			}
		})
	}
}
