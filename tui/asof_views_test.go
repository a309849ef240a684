package tui

import (
	"fmt"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// The scenes of the as of screen.

// mappedView is as_of mapped on the server of the story, with nothing to
// accept: L was committed 12 s before as_of.
func mappedView() engine.AsOfView {
	var v engine.AsOfView
	v.Clock.Zone = "W. Europe Standard Time"
	v.ServerNow = at("2026-10-26T21:14:30Z")
	v.Max = position("0x00000034000003E80001")
	lookedUp(&v, "2026-10-25T12:30:00Z", "2026-10-25T13:30:00Z", "2026-10-25T12:30:00Z", "2026-10-25T13:30:00Z")
	v.L = position("0x0000003200000A280001")
	v.CommitTS = atp("2026-10-25T12:29:48Z")
	v.Distance = ptr(12 * time.Second)
	v.Kept.Instance, v.Kept.Low = "dbo_Orders", position("0x0000002A000003E80001")
	v.Kept.LowTime, v.Kept.RetentionAssumed = atp("2026-10-23T21:10:07Z"), true
	readableFor(&v, 39*time.Hour+15*time.Minute+18*time.Second)
	v.Checks = append(v.Checks,
		verdict.Okay("the changes right after L are kept"),
		verdict.Okay("L is not after the newest captured commit"),
		verdict.Okay("file times do not contradict as_of"))
	return v
}

// lookedUp sets what was asked and what was looked up for it, each with what the
// server's clock showed, at the first less the copy's lag.
func lookedUp(v *engine.AsOfView, asked, own, used, there string) {
	face := func(text string) *clock.Local {
		l := clock.WallOf(at(text).Time())
		return &l
	}
	v.Input.Text, v.Input.Instant, v.Asked, v.Used = asked, atp(asked), atp(asked), atp(used)
	v.AskedLocal, v.UsedLocal = face(own), face(there)
}

func readableFor(v *engine.AsOfView, d time.Duration) {
	v.Kept.Headroom = &d
	until := v.ServerNow.Add(d)
	v.Until = &until
	v.Checks = []verdict.Check{v.KeptNote()}
}

// fellBackView is the story: 02:40 came twice, and an hour earlier was looked up.
func fellBackView() engine.AsOfView {
	v := mappedView()
	lookedUp(&v, "2026-10-25T00:40:00Z", "2026-10-25T02:40:00Z", "2026-10-24T23:40:00Z", "2026-10-25T01:40:00Z")
	v.L, v.CommitTS, v.Distance = position("0x0000003100000A280001"), atp("2026-10-24T23:39:58Z"), ptr(time.Hour+2*time.Second)
	v.FellBack = true
	rest := v.Checks[1:]
	readableFor(&v, 26*time.Hour+25*time.Minute+28*time.Second)
	v.Checks = append(v.Checks, verdict.Warned(verdict.FellBack, "looked up an hour earlier: the server's clock showed this time twice",
		"A plain look-up could pick a commit up to an hour too late. An hour earlier is always safe; the stream replays that hour.",
		verdict.Facts("server clock at as_of", *v.AskedLocal, "looked up", *v.UsedLocal, "zone", v.Clock)...))
	v.Checks = append(v.Checks, rest...)
	return v
}

// refusedAsOf scripts a refusal beside what was found before it.
func refusedAsOf(s *script, v engine.AsOfView, e *verdict.Error) {
	v.Checks = nil
	s.asOf, s.asOfErr = v, e
}

// purgedScene is a copy older than what CDC keeps, on a server that tells only
// its offset.
func purgedScene() *script {
	s := orders()
	v := mappedView()
	v.Clock.Zone, v.Clock.OffsetMinutes = "", 60
	lookedUp(&v, "2026-10-23T18:00:00Z", "2026-10-23T19:00:00Z", "2026-10-23T17:00:00Z", "2026-10-23T18:00:00Z")
	v.NoZone = true
	v.L, v.CommitTS, v.Distance = position("0x0000002A000001F40003"), atp("2026-10-23T16:59:41.043Z"), ptr(time.Hour+19*time.Second)
	v.Kept.Retention, v.Kept.Headroom, v.Until = ptr(72*time.Hour), nil, nil
	refusedAsOf(s, v, &verdict.Error{
		Code: verdict.RetentionPassed,
		What: "the changes right after L are no longer kept: the copy is older than the retention",
		Facts: verdict.Facts("as_of", "2026-10-23T18:00:00Z", "L", v.L, "oldest kept", v.Kept.Low,
			"oldest kept commit", *v.Kept.LowTime, "cleanup keeps", "3 d"),
		Why:  "A seed here would leave a hole that no later run can fill.",
		Hint: []string{"Use a copy that was started at or after 2026-10-23T22:10:07Z, and soon: the edge moves."},
	})
	return s
}

func noZoneScene(text string, readings ...engine.ReadingView) *script {
	s := orders()
	s.readings = readings
	refusedAsOf(s, engine.AsOfView{}, &verdict.Error{
		Code: verdict.AsOfNoZone, What: fmt.Sprintf("%q has no time zone", text), Facts: verdict.Facts("as_of", text),
		Why:  "Read in the wrong zone it would be hours late, and a late as_of loses changes.",
		Hint: []string{"If it is UTC, type " + text + "Z.", "If it is another zone, add its offset, such as " + text + "+02:00."},
	})
	return s
}

func reading(zone, value, note string) engine.ReadingView {
	v := engine.ReadingView{Zone: zone, Note: note, Value: value}
	if value != "" {
		v.At = at(value)
	}
	return v
}

const serversZone = "the server's zone (W. Europe Standard Time)"

// plainReadings are those of a time that every clock shows once.
func plainReadings() []engine.ReadingView {
	return []engine.ReadingView{
		reading("UTC", "2026-10-24T02:40:00Z", ""),
		reading(serversZone, "2026-10-24T00:40:00Z", ""),
		reading("this machine's zone (America/Sao_Paulo)", "2026-10-24T05:40:00Z", ""),
	}
}

func futureScene() *script {
	s := orders()
	var v engine.AsOfView
	v.Clock.Zone = "W. Europe Standard Time"
	v.ServerNow, v.Input.Instant = at("2026-10-26T21:14:30Z"), atp("2026-10-27T05:00:00Z")
	refusedAsOf(s, v, &verdict.Error{
		Code: verdict.AsOfInFuture, What: "as_of is later than the server's clock",
		Facts: verdict.Facts("as_of", *v.Input.Instant, "server clock", v.ServerNow, "later by", "7 h 45 m 30 s"),
		Why:   "No copy can have started then; a time in the wrong zone looks like this.",
		Hint:  []string{"Check the zone of the time: its offset from UTC belongs behind it, such as 2026-10-25T02:40:00+02:00."},
	})
	return s
}

func aboveMaxScene() *script {
	s := orders()
	var v engine.AsOfView
	v.Clock.Zone = "W. Europe Standard Time"
	v.ServerNow, v.Max = at("2026-10-26T21:14:30Z"), position("0x00000034000003E80001")
	v.Input.Text, v.Input.LSN = "0x00000035000003E80001", ptr(position("0x00000035000003E80001"))
	refusedAsOf(s, v, &verdict.Error{
		Code: verdict.LSNAboveMax, What: "the LSN is after the newest captured commit",
		Facts: verdict.Facts("as_of", v.Input.LSN, "newest captured", v.Max, "server clock", v.ServerNow,
			"newest captured commit", "2026-10-26T21:14:26Z", "behind its clock by", "4 s"),
		Why: "Nothing says yet what lies between, so the stream could not start there.",
		Hint: []string{
			"If it was noted a moment ago or CDC was just turned on, wait until capture has passed it and try again.",
			"Otherwise see whether it is from this database: cdcseed lsn --now prints the newest one.",
		},
	})
	return s
}

func emptyScene() *script {
	s := orders()
	s.copy = engine.CopyView{Kind: "delta", Evidence: at("2026-10-25T00:52:10Z"), SeenIn: "the commit time of version 0"}
	return s
}

// afterCopyScene is an as_of later than what the copy's files show.
func afterCopyScene() *script {
	s := orders()
	refusedAsOf(s, mappedView(), &verdict.Error{
		Code: verdict.AsOfAfterCopy, What: "as_of is later than the earliest data of the copy, so it cannot be when the copy started",
		Facts: verdict.Facts("as_of", "2026-10-25T12:30:00Z", "in the copy since", "2026-10-25T00:52:10Z", "seen in", "the commit time of version 0"),
		Why:   "Commits between the copy's true start and as_of may be missing from it, and the stream would not bring them.",
		Hint: []string{
			"Give the time at which the copy started, with its zone; earlier is safe.",
			"If the copy is refreshed in place and as_of is the start of its last refresh, add --allow-as-of-after-copy.",
		},
	})
	return s
}

// lsnView is the number of a backup's header: L is the commit before it.
func lsnView() engine.AsOfView {
	v := mappedView()
	v.Input.Text, v.Input.Instant = "3400000100000100001", nil
	v.Input.LSN, v.Input.Exclusive, v.Input.Notation = ptr(position("0x00000022000003E803E9")), true, "decimal number, as backup headers print it"
	v.Asked, v.AskedLocal, v.Used, v.UsedLocal, v.Distance = nil, nil, nil, nil, nil
	v.L = position("0x00000022000003E80003")
	v.Checks = append(v.Checks, verdict.Noted("the number is taken as the first record that is not in the copy",
		"A backup's last LSN is the record after the backup, so L is the last commit before it."))
	return v
}

// noCommitView is an LSN that no commit has, whose time is not known.
func noCommitView() engine.AsOfView {
	v := mappedView()
	v.Input.Text, v.Input.Instant, v.Input.LSN = "0x0000003200000A290000", nil, ptr(position("0x0000003200000A290000"))
	v.Asked, v.AskedLocal, v.Used, v.UsedLocal, v.Distance = nil, nil, nil, nil, nil
	v.L, v.CommitTS, v.Kept.Headroom, v.Until = *v.Input.LSN, nil, nil, nil
	v.Below = fresh(v.Below)
	v.Below.LSN, v.Below.UTC = position("0x0000003200000A280001"), at("2026-10-25T12:29:48Z")
	v.Checks = append(v.Checks[1:], verdict.Warned(verdict.LSNNoCommit, "no commit has this LSN: a typing error looks like this",
		"The stream goes on right after it all the same, and _commit_ts will be NULL. An LSN that is too late loses commits; the one of the commit before it is safe."))
	return v
}

func seededView() engine.AsOfView {
	var v engine.AsOfView
	v.Input.Instant = atp("2026-10-25T00:40:00Z")
	v.L, v.CommitTS, v.Seeded = position("0x0000003100000A280001"), atp("2026-10-24T23:39:58Z"), true
	v.Checks = []verdict.Check{
		verdict.Okay("already seeded: its commit in the target's log names this as_of, and nothing is written again"),
		verdict.Okay("the seed was made from this copy"),
	}
	return v
}

func skewedView() engine.AsOfView {
	v := mappedView()
	v.Checks = append(v.Checks, verdict.Noted("this machine's clock and the server's differ by 3 m 12 s",
		"An as_of that was read on another clock needs the difference subtracted; earlier is safe."))
	return v
}

// oldServerView is a server that tells only its offset, a lag besides, and
// capture that has not come past as_of.
func oldServerView() engine.AsOfView {
	v := mappedView()
	v.Clock.Zone, v.Clock.OffsetMinutes = "", 60
	lookedUp(&v, "2026-10-25T12:30:00Z", "2026-10-25T13:30:00Z", "2026-10-25T11:30:00Z", "2026-10-25T12:30:00Z")
	v.CommitTS, v.Distance, v.NoZone = atp("2026-10-25T11:29:48Z"), ptr(time.Hour+12*time.Second), true
	readableFor(&v, 38*time.Hour+15*time.Minute+18*time.Second)
	v.Record = ptr(position("0x0000003200000A290003"))
	v.Checks = append([]verdict.Check{
		verdict.Warned(verdict.NoZone, "looked up 60 minutes earlier: the server tells only today's offset from UTC",
			"Across a clock change today's offset is an hour wrong, so an hour is always allowed for and the stream replays it. --time-zone with the server's Windows zone makes it exact."),
	}, v.Checks...)
	return v
}

// fresh is a value of a type that has no name here.
func fresh[T any](*T) *T { return new(T) }
