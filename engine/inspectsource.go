package engine

import (
	"context"
	"fmt"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// Inspect looks at the server and database that the session reached. Refusals:
// verdict.CDCOff, SourceDenied, ZoneUnknown, SourceUnreachable, Stopped.
func (s *Session) Inspect(ctx context.Context) (SourceView, error) {
	v, err := s.inspect(ctx)
	return v, stoppedInspecting(ctx, err)
}

func (s *Session) inspect(ctx context.Context) (SourceView, error) {
	v := SourceView{Identity: s.identity, Checks: []verdict.Check{}}
	if err := s.source.CheckCDC(ctx); err != nil {
		return v, err
	}
	c, err := s.source.Clock(ctx, s.zone)
	if err != nil {
		return v, err
	}
	here := s.now()
	v.Clock, v.Now, v.Ahead = c.Clock.String(), c.UTC, c.UTC.Sub(here)
	if c.Newest != nil {
		v.Newest = &c.Newest.UTC
	}
	if v.Oldest, err = s.source.Oldest(ctx, c.Clock); err != nil {
		return v, err
	}
	if v.Retention, err = s.source.Retention(ctx); err != nil {
		return v, err
	}
	v.Checks = append(v.Checks, s.reached())
	v.Checks = append(v.Checks, s.onReplica()...)
	v.Checks = append(v.Checks, v.captures())
	v.Checks = append(v.Checks, clockChecks(v, c, here)...)
	v.Checks = append(v.Checks, verdict.Okay("this login can read cdc.lsn_time_mapping"), v.keeps())
	v.Checks = append(v.Checks, s.onTrust()...)
	return v, nil
}

// captureLate is how old the newest captured commit is where capture may have
// stopped: idle entries come about every five minutes.
const captureLate = 10 * time.Minute

// captures says how far capture has come.
func (v SourceView) captures() verdict.Check {
	on := "CDC is on for " + v.Identity.Database
	const why = "Nothing can be seeded before capture has passed the time at which the copy started, and the stream gets no changes without it."
	if v.Newest == nil {
		return verdict.Noted(on+"; nothing is captured yet: is the capture job running?", why)
	}
	age := v.Now.Sub(*v.Newest)
	text := fmt.Sprintf("%s; newest captured commit is %s old", on, words(max(0, age)))
	if age < -time.Second { // what that means is told of the clock
		text = fmt.Sprintf("%s; newest captured commit is %s ahead of its clock", on, words(-age))
	}
	if age > captureLate {
		return verdict.Noted(text+": is the capture job running?", why, verdict.Facts("newest captured commit", *v.Newest, "server clock", v.Now)...)
	}
	return verdict.Okay(text, verdict.Facts("newest captured commit", *v.Newest)...)
}

// clockChecks say how the server's clock is read, and what is wrong with it.
func clockChecks(v SourceView, c sqlserver.ServerClock, here clock.Instant) []verdict.Check {
	name := c.Clock.Zone
	switch {
	case c.Clock.IsOffset():
		name = "no zone"
	case !c.Named:
		name += " (by --time-zone)"
	}
	if !c.Clock.IsUTC() {
		name += ", now " + offsetOf(c)
	}
	text := "clock: " + name
	out := skew(here, c.UTC, words)
	if len(out) == 0 { // else the difference is told by itself
		text += fmt.Sprintf(", %s off this machine", words(v.Ahead.Abs()))
	}
	out = append([]verdict.Check{verdict.Okay(text, verdict.Facts("server clock", v.Now, "here", here)...)}, out...)
	if c.Clock.IsOffset() {
		out = append(out, verdict.Noted("the server cannot name its time zone, so a time is looked up 60 minutes earlier than today's offset says",
			"Across a clock change today's offset is an hour wrong, so an hour is always allowed for and the stream replays it. --time-zone with the server's Windows zone makes it exact.",
			verdict.Facts("version", v.Identity.ProductVersion, "offset today", offsetOf(c))...))
	}
	if c.Disagrees != nil {
		out = append(out, verdict.Noted(c.Disagrees.What+": only an LSN will be taken for as_of", c.Disagrees.Why, c.Disagrees.Facts...))
	}
	return out
}

// offsetOf is the clock's distance from UTC now, to the minute: UTC+01:00.
func offsetOf(c sqlserver.ServerClock) string {
	east := time.Duration(int64(c.Wall)-int64(c.UTC)) * time.Microsecond
	zone := time.FixedZone("", int(east.Round(time.Minute).Seconds()))
	return c.UTC.Time().In(zone).Format("UTC-07:00")
}

// keeps says how long the cleanup job keeps changes, or what suggests it.
func (v SourceView) keeps() verdict.Check {
	switch {
	case v.Retention != nil:
		return verdict.Okay("CDC keeps changes for " + clock.Words(*v.Retention))
	case v.Oldest == nil:
		return verdict.Noted("cleanup setting not readable by this login", "How long an L stays readable is a guess then.")
	}
	return verdict.Noted(fmt.Sprintf("cleanup setting not readable by this login; oldest kept commit is %s old (%s)", words(v.Now.Sub(*v.Oldest)), v.Oldest.FloorSecond()),
		"How long an L stays readable is a guess then: the default of three days, unless something younger than that is gone already.")
}

// words is a length of time as people say it, no finer than it matters.
func words(d time.Duration) string {
	if d >= time.Second {
		d = d.Truncate(time.Second)
	}
	return clock.Words(d)
}
