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
	lookedUp(&v, "2026-10-25T12:30:00Z", "2026-10-25T12:30:00Z", "2026-10-25T13:30:00Z")
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

// lookedUp sets what was asked, what was looked up for it, and what the
// server's clock showed at the first (both without the lag).
func lookedUp(v *engine.AsOfView, asked, used, own string) {
	v.Input.Text, v.Input.Instant = asked, atp(asked)
	v.Asked, v.Used = atp(asked), atp(used)
	shown := clock.WallOf(at(own).Time())
	v.AskedLocal = &shown
	there := shown.Add(v.Used.Sub(*v.Asked))
	v.UsedLocal = &there
}

func readableFor(v *engine.AsOfView, d time.Duration) {
	v.Kept.Headroom = &d
	until := v.ServerNow.Add(d)
	v.Until = &until
	v.Checks = []verdict.Check{verdict.Noted("L stays readable for about "+clock.Words(d), "An estimate.")}
}

// fellBackView is the story: 02:40 came twice, and an hour earlier was looked up.
func fellBackView() engine.AsOfView {
	v := mappedView()
	v.Clock.Zone = "W. Europe Standard Time"
	lookedUp(&v, "2026-10-25T00:40:00Z", "2026-10-24T23:40:00Z", "2026-10-25T02:40:00Z")
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
	lookedUp(&v, "2026-10-23T18:00:00Z", "2026-10-23T17:00:00Z", "2026-10-23T19:00:00Z")
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
