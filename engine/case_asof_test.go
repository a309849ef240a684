package engine_test

import (
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// Case 1: a copy older than the retention.
func TestCase1CopyOlderThanTheRetention(t *testing.T) {
	s := scene{
		server: serverOf("UTC", "2026-10-05T10:00:00Z"), instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-02T00:00:05", "0x0200", "2026-10-02T06:00:00", "0x0300", "2026-10-05T09:00:00"),
	}
	const copied = "2026-10-05T09:30:00Z"
	refuses(t, s,
		refusal{
			name: "run 1", arrange: lasting("2026-10-01T22:00:00Z", copied), code: verdict.NoCommit, exit: 4,
			says: []string{"older than the retention", "earliest usable time 2026-10-02T00:00:05Z", "started at or after 2026-10-02T00:00:05Z"},
		},
		refusal{
			name: "run 4", arrange: lasting(lsnText("00FE"), copied), code: verdict.RetentionPassed, exit: 4,
			says: []string{"older than the retention", "L " + lsnText("00FE"), "oldest kept " + lsnText("0100"), "started at or after 2026-10-02T00:00:05Z"},
		})
	accepts(t, s,
		accepted{name: "run 2", arrange: lasting("2026-10-02T00:00:05Z", copied), l: "0100", looked: "2026-10-02T00:00:05", commit: "2026-10-02T00:00:05Z"},
		accepted{name: "run 3", arrange: lasting(lsnText("00FF"), copied), l: "00FF"}) // the next LSN is the watermark
}

// Case 3: as_of typed in local time, or read from another clock.
func TestCase3AsOfInLocalTime(t *testing.T) {
	s := scene{
		server: serverOf("China Standard Time", "2026-10-05T04:00:00Z"), instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-04T09:00:00", "0x0200", "2026-10-04T10:00:00", "0x0300", "2026-10-04T18:00:00", "0x0400", "2026-10-05T11:59:00"),
	}
	copied := func(asOf string) func(*kit) {
		return func(k *kit) {
			k.request.AsOf = asOf
			k.dateCopy("2026-10-04T02:05:00Z")
			k.writeCopy("b.parquet", orders(0))
			k.touch("b.parquet", "2026-10-04T02:40:00Z")
		}
	}
	refuses(t, s,
		refusal{
			name: "run 1", arrange: copied("2026-10-05T10:00:00Z"), code: verdict.AsOfInFuture, exit: 3,
			says: []string{"later than the server's clock", "as_of 2026-10-05T10:00:00Z", "server clock 2026-10-05T04:00:00Z", "later by 6 h", "zone", "type 2026-10-05T10:00:00+08:00"},
		},
		refusal{
			name: "run 2", arrange: copied("2026-10-04T10:00:00Z"), code: verdict.AsOfAfterCopy, exit: 3,
			says: []string{"cannot be when the copy started", "in the copy since 2026-10-04T02:05:00Z", "China Standard Time", "it is 2026-10-04T02:00:00Z, which fits the copy: type 2026-10-04T10:00:00+08:00", "with its zone"},
		},
		refusal{
			name: "run 3", arrange: copied("2026-10-04 10:00"), code: verdict.AsOfNoZone, exit: 2,
			says: []string{"no time zone", "2026-10-04T10:00:00Z", "the server's clock (China Standard Time), type 2026-10-04T10:00:00+08:00"},
		})
	accepts(t, s, accepted{
		name: "run 4", arrange: copied("2026-10-04T10:00:00+08:00"), l: "0200", looked: "2026-10-04T10:00:00", commit: "2026-10-04T02:00:00Z",
	})
}

// Case 17: the capture job is stopped.
func TestCase17CaptureStopped(t *testing.T) {
	s := scene{
		server: serverOf("UTC", "2026-10-05T10:00:00Z"), instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-01T00:00:00", "0x0300", "2026-10-02T11:00:00"),
	}
	accepts(t, s, accepted{
		name: "stopped", l: "0300", looked: "2026-10-05T08:00:00", commit: "2026-10-02T11:00:00Z", accept: []verdict.Warning{verdict.CaptureStopped},
		arrange: func(k *kit) {
			lasting("2026-10-05T08:00:00Z", "2026-10-05T09:30:00Z")(k)
			p, err := k.build()
			k.must(err)
			if all := checkTexts(p); !strings.Contains(all, "newest captured commit is 69 h before as_of: capture job stopped?") {
				k.t.Errorf("the warning does not give the hours:\n%s", all)
			}
		},
	})
	s.mapping = none
	refuses(t, s, refusal{
		name: "the mapping is empty", arrange: at("2026-10-05T08:00:00Z"), code: verdict.NothingCaptured, exit: 3, says: []string{"no LSN captured yet", "capture job"},
	}, refusal{
		name: "the mapping is empty, an LSN", arrange: at(lsnText("0300")), code: verdict.NothingCaptured, exit: 3, says: []string{"no LSN captured yet", "capture job"},
	})
	s.server += `, "empty_max_lsn": "zeros"` // the other answer that a server may give
	refuses(t, s, refusal{
		name: "the mapping is empty, told by zeros", arrange: at("2026-10-05T08:00:00Z"), code: verdict.NothingCaptured, exit: 3, says: []string{"no LSN captured yet"},
	}, refusal{
		name: "the zero LSN itself", arrange: at(lsnText("0")), code: verdict.AsOfInvalid, exit: 2, says: []string{"the zero LSN is no position"},
	})
}

// Case 27: CDC was turned on after the copy, or the instance is newer than what
// is captured.
func TestCase27InstanceNewerThanMaxLSN(t *testing.T) {
	s := scene{
		server: serverOf("UTC", "2026-10-05T09:10:00Z"), instances: instance("dbo_new", "0x0500", "2026-10-05T09:00:00"),
		mapping: commits("0x0470", "2026-10-05T07:00:00", "0x0480", "2026-10-05T08:30:00"),
	}
	copied := func(asOf string) func(*kit) { return lasting(asOf, "2026-10-05T09:09:00Z") }
	notOn := []string{"CDC was not on yet for this table at as_of", "created 2026-10-05T09:00:00Z", "started after 2026-10-05T09:00:00Z"}
	again := []string{"capture has not passed", "newest captured " + lsnText("0480"), "start of the instance " + lsnText("0500"), "Wait until capture has passed the enable"}
	runs := []refusal{
		{name: "run 1", arrange: copied(lsnText("0480")), code: verdict.CDCNotOnYet, exit: 4, says: append([]string{"committed 2026-10-05T08:30:00Z"}, notOn...)},
		{name: "run 2", arrange: copied("2026-10-05T09:05:00Z"), code: verdict.NothingCaptured, exit: 3, says: again},
		{name: "run 3", arrange: copied("2026-10-05T08:00:00Z"), code: verdict.CDCNotOnYet, exit: 4, says: notOn},
		{name: "the instance's own start", arrange: copied(lsnText("0500")), code: verdict.LSNAboveMax, exit: 3, says: []string{"CDC was just turned on", "try again"}},
	}
	refuses(t, s, runs...)
	s.instances = instance("dbo_new", "null", "2026-10-05T09:00:00") // the server gives no start of it yet
	runs[1].says = []string{"capture has not reached the start", "dbo_new", "Try again"}
	for i := range runs {
		runs[i].name += ", no start yet"
	}
	refuses(t, s, runs[0], runs[1], runs[2])
}

// The retry of case 27's second run: once capture has passed the enable, as_of
// is before all that is captured of the table, and a later copy is accepted.
func TestCase27OnceCaptureHasPassedTheEnable(t *testing.T) {
	s := scene{
		server: serverOf("UTC", "2026-10-05T09:30:00Z"), instances: instance("dbo_orders", "0x0500", "2026-10-05T09:00:00"),
		mapping: commits("0x0470", "2026-10-05T07:00:00", "0x0480", "2026-10-05T08:30:00", "0x0500", "2026-10-05T09:06:00", "0x0510", "2026-10-05T09:20:00"),
	}
	refuses(t, s, refusal{
		name: "before the start", arrange: lasting("2026-10-05T09:05:00Z", "2026-10-05T09:25:00Z"), code: verdict.CDCNotOnYet, exit: 4,
		says: []string{"starts later", "start of the instance " + lsnText("0500"), "earliest usable time 2026-10-05T09:06:00Z"},
	})
	accepts(t, s, accepted{
		name: "at the start", arrange: lasting("2026-10-05T09:06:00Z", "2026-10-05T09:25:00Z"), l: "0500", looked: "2026-10-05T09:06:00", commit: "2026-10-05T09:06:00Z",
	})
}

// Case 44: a readable secondary that is behind its primary.
func TestCase44ReadableSecondary(t *testing.T) {
	s := scene{
		server:    serverOf("UTC", "2026-10-05T10:00:00Z", `"read_only_replica": true`),
		instances: instance("dbo_orders", "0x0100", "2026-01-01T00:00:00"),
		mapping:   commits("0x0100", "2026-10-05T09:00:00", "0x0550", "2026-10-05T09:58:00"),
	}
	const copied = "2026-10-05T09:59:30Z"
	refuses(t, s, refusal{
		name: "an LSN of the primary", arrange: lasting(lsnText("0600"), copied), code: verdict.ReplicaBehind, exit: 3,
		says: []string{"ahead of this replica (read-only secondary, behind by up to 2 m)", "newest captured " + lsnText("0550"), "Try again when the replica has caught up", "connect to the primary"},
	})
	accepts(t, s,
		accepted{name: "a time", arrange: lasting("2026-10-05T09:30:00Z", copied), l: "0100", looked: "2026-10-05T09:30:00", commit: "2026-10-05T09:00:00Z"},
		accepted{
			name: "a time that it has not reached", arrange: lasting("2026-10-05T09:59:00Z", copied), l: "0550", looked: "2026-10-05T09:59:00", commit: "2026-10-05T09:58:00Z",
			accept: []verdict.Warning{verdict.CaptureBehind},
		},
		accepted{name: "its newest LSN", arrange: lasting(lsnText("0550"), copied), l: "0550", commit: "2026-10-05T09:58:00Z"})
	s.server = serverOf("UTC", "2026-10-05T10:00:00Z") // the same on a primary is another cause
	refuses(t, s, refusal{name: "on the primary", arrange: lasting(lsnText("0600"), copied), code: verdict.LSNAboveMax, exit: 3, says: []string{"after the newest captured commit"}})
}

// Case 49: another program cleans the change tables.
func TestCase49AnotherConsumerCleans(t *testing.T) {
	s := scene{
		server: serverOf("UTC", "2026-10-02T06:10:00Z"), instances: instance("dbo_orders", "0x0200", "2026-01-01T00:00:00"),
		user:    `"roles": ["db_owner"]`,
		mapping: commits("0x0100", "2026-10-02T05:00:00", "0x0200", "2026-10-02T06:00:00"),
	}
	says := []string{
		"The watermark and the retention do not agree: cleanup keeps 3 d, the oldest commit that is kept is of 2026-10-02T06:00:00Z, 10 m ago, and as_of is only 1 h old",
		"another program cleans", "oldest kept commit 2026-10-02T06:00:00Z", "cleanup keeps 3 d", "started at or after 2026-10-02T06:00:00Z",
	}
	const copied = "2026-10-02T06:05:00Z"
	refuses(t, s, refusal{name: "its mapping rows are left", arrange: lasting("2026-10-02T05:10:00Z", copied), code: verdict.RetentionPassed, exit: 4, says: says})
	s.mapping = commits("0x0200", "2026-10-02T06:00:00")
	refuses(t, s, refusal{name: "its mapping rows are gone too", arrange: lasting("2026-10-02T05:10:00Z", copied), code: verdict.NoCommit, exit: 4, says: says})
}

// A retention that only the job's owner may read is left out, and nothing is made up.
func TestCase49WithoutTheRightToReadTheSetting(t *testing.T) {
	s := scene{
		server: serverOf("UTC", "2026-10-02T06:10:00Z"), instances: instance("dbo_orders", "0x0200", "2026-01-01T00:00:00"),
		mapping: commits("0x0100", "2026-10-02T05:00:00", "0x0200", "2026-10-02T06:00:00"),
	}
	k := kitIn(t, s)
	k.request.AsOf = "2026-10-02T05:10:00Z"
	_, err := k.build()
	e := verdict.As(err)
	if e == nil || e.Code != verdict.RetentionPassed || strings.Contains(e.Error()+e.Why, "do not agree") || strings.Contains(e.Error(), "cleanup keeps") {
		t.Errorf("%v", err)
	}
}

// `lsn --now` gives the newest captured position, as an as_of that maps to itself.
func TestNowIsTheBestAsOf(t *testing.T) {
	k := kitIn(t, scene{})
	session, _ := k.open()
	m, err := session.Now(t.Context(), engine.Request{Table: "dbo.orders"})
	k.must(err)
	if m.L != m.Max || m.L.String() != lsnAt(59) || m.CommitTS == nil || m.Record != nil {
		t.Errorf("%+v", m)
	}
	_, err = k.server.Idle("Sales")
	k.must(err)
	k.server.Advance(time.Minute)
	later, err := session.Now(t.Context(), engine.Request{Table: "dbo.orders"})
	k.must(err)
	if later.L.Compare(m.L) <= 0 {
		t.Errorf("%v after %v", later.L, m.L)
	}
}
