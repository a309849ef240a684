package sqlserver

import (
	"fmt"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// MapOptions are what the user adds to an as_of.
type MapOptions struct {
	CopyLag time.Duration // how far behind the server the copy's source was; not below 0
}

// Mapping is an as_of mapped to a safe position of the log, and everything that
// a person or a plan should know of how.
type Mapping struct {
	Input asof.Input `json:"input"`
	Clock asof.Clock `json:"clock"`

	Asked      *clock.Instant `json:"asked,omitempty"`       // a time as_of as typed; nil for an LSN
	AskedLocal *clock.Local   `json:"asked_local,omitempty"` // what the server's clock showed then, less the copy's lag
	Used       *clock.Instant `json:"used,omitempty"`        // the time looked up, in UTC: to the second, less lag and safety hour
	UsedLocal  *clock.Local   `json:"used_local,omitempty"`  // the reading of the server's clock looked up

	L           lsn.LSN        `json:"lsn"`
	CommitTS    *clock.Instant `json:"commit_ts,omitempty"`    // of the commit at L, to the millisecond; nil where L has no mapping row
	CommitLocal *clock.Local   `json:"commit_local,omitempty"` // the same on the server's clock
	Below       *Commit        `json:"below,omitempty"`        // the newest commit before L, where L is none itself and its time is known
	Record      *lsn.LSN       `json:"record,omitempty"`       // what the stream's package maps as_of to, where that is not L
	Distance    *time.Duration `json:"distance_ns,omitempty"`  // from the commit at L to as_of: what the stream replays at least

	FellBack       bool `json:"fell_back,omitempty"`
	Stepped        bool `json:"stepped,omitempty"`
	NoZone         bool `json:"no_zone,omitempty"`
	CaptureBehind  bool `json:"capture_behind,omitempty"`
	CaptureStopped bool `json:"capture_stopped,omitempty"`

	Max       lsn.LSN         `json:"max"`              // the newest position that capture has reached
	Newest    *Commit         `json:"newest,omitempty"` // the newest captured commit or idle entry
	ServerNow clock.Instant   `json:"server_now"`       // the server's clock when as_of was mapped
	Kept      Kept            `json:"kept"`
	Checks    []verdict.Check `json:"checks"`
}

// stoppedAfter is how long before as_of the newest captured commit may be on a
// server whose capture job runs: idle entries come about every five minutes.
const stoppedAfter = time.Hour

// lookUp notes how a time was looked up.
func (m *Mapping) lookUp(ch asof.Choice) {
	used := ch.Instant
	if ch.FellBack {
		used = used.Add(ch.Local.Sub(ch.Own))
	}
	m.Asked, m.AskedLocal, m.Used, m.UsedLocal = &ch.Asked, &ch.Own, &used, &ch.Local
	m.FellBack, m.NoZone = ch.FellBack, ch.NoZone
	if ch.FellBack {
		m.Checks = append(m.Checks, verdict.Warned(verdict.FellBack,
			"looked up an hour earlier: the server's clock showed this time twice",
			"A plain look-up could pick a commit up to an hour too late. An hour earlier is always safe; the stream replays that hour.",
			verdict.Facts("server clock at as_of", ch.Own, "looked up", ch.Local, "zone", m.Clock)...))
	}
	if ch.NoZone {
		m.Checks = append(m.Checks, verdict.Warned(verdict.NoZone,
			"looked up 60 minutes earlier: the server tells only today's offset from UTC",
			"Across a clock change today's offset is an hour wrong, so an hour is always allowed for and the stream replays it. --time-zone with the server's Windows zone makes it exact.",
			verdict.Facts("offset", m.Clock, "looked up", ch.Local)...))
	}
}

// step notes what the guard found.
func (m *Mapping) step(f asof.Finding, plain lsn.LSN) {
	m.Stepped = true
	facts := verdict.Facts("plain look-up", plain, "L", m.L, "row before", f.Before.LSN, "at", f.Before.Local)
	if f.Reason == asof.SetBack {
		facts = append(facts, verdict.Facts("row after", f.After.LSN, "at", f.After.Local, "set back by at least", clock.Words(f.Step))...)
	}
	m.Checks = append(m.Checks, verdict.Warned(verdict.ClockStepped,
		"commit times run backwards near as_of: L is the last commit before they do",
		"The server's clock was set back, so as_of may have been read before or after that. Only what was committed before it is surely in the copy.",
		facts...))
}

// capture notes how far capture has come past the time looked up. What is noted
// is of the log and of as_of, never of the moment: a plan holds it, and a plan
// that is made again must be the same.
func (m *Mapping) capture(asOf clock.Instant) {
	if m.Newest == nil || m.Newest.UTC > asOf {
		return
	}
	behind := asOf.Sub(m.Newest.UTC)
	facts := verdict.Facts("newest captured commit", m.Newest.UTC, "looked up", asOf)
	if behind > stoppedAfter {
		m.CaptureStopped = true
		m.Checks = append(m.Checks, verdict.Warned(verdict.CaptureStopped,
			fmt.Sprintf("newest captured commit is %d h before as_of: capture job stopped?", int(behind.Hours())),
			"L is safe, but the stream gets no changes until capture runs again, and then more of them than usual.", facts...))
		return
	}
	m.CaptureBehind = true
	m.Checks = append(m.Checks, verdict.Warned(verdict.CaptureBehind,
		"no captured commit after as_of yet",
		"L is safe; the same as_of will map to a later commit once capture has caught up, so a rerun by time could find another L.", facts...))
}

// captureStands notes, for an LSN as_of, that capture has not written for long.
func (m *Mapping) captureStands() {
	if m.Newest == nil || m.ServerNow.Sub(m.Newest.UTC) <= stoppedAfter {
		return
	}
	m.CaptureStopped = true
	m.Checks = append(m.Checks, verdict.Warned(verdict.CaptureStopped,
		"nothing was captured after "+m.Newest.UTC.FloorSecond().String()+": capture job stopped?",
		"L is safe, but the stream gets no changes until capture runs again, and cleanup may follow soon after that.",
		verdict.Facts("newest captured commit", m.Newest.UTC)...))
}

// readable estimates how long L stays readable.
func (m *Mapping) readable(t schema.Table) error {
	for _, in := range t.Instances {
		if in.Name == m.Kept.Instance {
			created, err := m.Clock.First(in.Created)
			if err != nil {
				return err
			}
			m.Kept.estimate(m.ServerNow, created, m.CommitTS)
		}
	}
	return nil
}

// KeptUntil is the moment about which cleanup passes L, to the second; nil where
// it is unknown.
func (m Mapping) KeptUntil() *clock.Instant { return m.Kept.until(m.CommitTS) }

// KeptNote tells until when L stays readable. It names the moment and not how
// long that is from now, so that a plan made a minute later says the same.
func (m Mapping) KeptNote() verdict.Check {
	until := m.KeptUntil()
	switch {
	case until == nil && m.CommitTS == nil:
		return verdict.Noted("how long L stays readable is not known: its commit time is not", "")
	case until == nil:
		return verdict.Noted("how long L stays readable is not known: cleanup may pass it at any time",
			"This login may not read the cleanup job's setting, and changes younger than the three days of the default are gone already.")
	}
	why := "An estimate, by the cleanup job's setting."
	if m.Kept.RetentionAssumed {
		why = "An estimate: the cleanup job's setting is not readable by this login, so its default of three days is assumed."
	}
	if *until <= m.ServerNow {
		return verdict.Noted("cleanup may pass L at any time", why)
	}
	return verdict.Noted("L stays readable until about "+until.String(), why)
}

// judged adds the checks that hold.
func (m *Mapping) judged() {
	facts := verdict.Facts("oldest kept", m.Kept.Low, "L", m.L)
	if m.Kept.LowTime != nil {
		facts = append(facts, verdict.Facts("oldest kept commit", *m.Kept.LowTime)...)
	}
	m.Checks = append(m.Checks,
		verdict.Okay("the changes right after L are kept", facts...),
		verdict.Okay("L is not after the newest captured commit", verdict.Facts("newest captured", m.Max)...))
	switch {
	case m.Below != nil:
		m.Checks = append(m.Checks, verdict.Warned(verdict.LSNNoCommit,
			"no commit has this LSN: a typing error looks like this",
			"The stream goes on right after it all the same, and _commit_ts will be NULL. An LSN that is too late loses commits; the one of the commit before it is safe.",
			verdict.Facts("L", m.L, "commit before it", m.Below.LSN, "committed", m.Below.UTC)...))
	case m.CommitTS == nil:
		m.Checks = append(m.Checks, verdict.Noted("the commit time of L is not known",
			"Cleanup has removed the times of L and of what came before it; _commit_ts will be NULL."))
	}
	if m.Input.Exclusive {
		m.Checks = append(m.Checks, verdict.Noted("the number is taken as the first record that is not in the copy",
			"A backup's last LSN is the record after the backup, so L is the last commit before it.",
			verdict.Facts("as_of", *m.Input.LSN, "L", m.L)...))
	}
}
