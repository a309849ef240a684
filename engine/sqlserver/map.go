package sqlserver

import (
	"context"
	"fmt"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// MapAsOf maps an as_of to a position of the log that is safe for table: every
// commit at or before it ended before the moment as_of was read. A position is
// never later than what capture has reached, and its changes are still kept.
// Beside a refusal the mapping holds what was found before it; where there is no
// L its L is zero.
// Refusals, each for a cause of its own: verdict.ClockDisagrees, AsOfInFuture,
// NothingCaptured, NoCommit, CDCNotOnYet, RetentionPassed, LSNAboveMax,
// ReplicaBehind, NoInstance, SourceDenied, CDCOff, ZoneUnknown.
func (s *Source) MapAsOf(ctx context.Context, c asof.Clock, table schema.Table, in asof.Input, o MapOptions) (Mapping, error) {
	if in.Instant == nil && in.LSN == nil || o.CopyLag < 0 {
		return Mapping{}, &verdict.Error{Code: verdict.Usage, What: "an as_of and a copy lag of 0 or more are needed", Hint: []string{"Add --as-of."}}
	}
	if err := s.CheckCDC(ctx); err != nil {
		return Mapping{}, err
	}
	now, err := s.now(ctx, c)
	if err != nil {
		return Mapping{}, err
	}
	m := Mapping{Input: in, Clock: c, Newest: now.Newest, ServerNow: now.UTC}
	top, err := s.MaxLSN(ctx)
	if err != nil {
		return m, err
	}
	if top == nil {
		return m, nothingCaptured(in)
	}
	m.Max = *top
	q := question{clock: c, table: table, input: in, now: now.UTC}
	if in.IsTime() {
		err = s.mapTime(ctx, &m, &q, now, o)
	} else {
		err = s.mapLSN(ctx, &m, q)
	}
	if err != nil {
		m.L = lsn.LSN{} // what was found of it is no L
		return m, err
	}
	return m, s.finish(ctx, &m, q)
}

// mapTime looks the time up and lets the guard go before a stepped clock.
func (s *Source) mapTime(ctx context.Context, m *Mapping, q *question, now ServerClock, o MapOptions) error {
	asked := *m.Input.Instant
	if now.Disagrees != nil {
		return now.Disagrees
	}
	if asked > now.UTC {
		return inFuture(asked, now)
	}
	ch, err := asof.Choose(m.Clock, asked, o.CopyLag)
	if err != nil {
		return err
	}
	plain, err := s.lookUp(ctx, m.Clock, ch)
	if err != nil {
		return err
	}
	q.asOf = &ch.Instant
	if ch.Local < ch.Own {
		q.used = &ch.Local
	}
	m.lookUp(ch)
	if plain == nil {
		return s.noCommit(ctx, *q)
	}
	m.L = *plain
	found, err := s.guard(ctx, m.Clock, ch.Instant, *plain)
	if err != nil {
		return err
	}
	if found.Reason != asof.NoStep {
		if found.Safe == nil {
			return noneSafe(*q, found, *plain)
		}
		m.L = found.Safe.LSN
		m.step(found, *plain)
	}
	if m.Record, err = s.record(ctx, m, ch, *plain, o); err != nil {
		return err
	}
	m.capture(ch.Instant)
	return nil
}

// lookUp asks for the largest commit at or before the chosen reading. The
// server converts by its own rules; where they are not the rules known here,
// the guard would convert commit times wrong, so no time can be mapped.
func (s *Source) lookUp(ctx context.Context, c asof.Clock, ch asof.Choice) (*lsn.LSN, error) {
	if !c.IsNamed() {
		return s.timeToLSN(ctx, ch.Local)
	}
	l, own, used, err := s.zonedTimeToLSN(ctx, c, ch.Instant)
	if err != nil {
		return nil, err
	}
	if own != ch.Own || used != ch.Local {
		return nil, &verdict.Error{
			Code:  verdict.ClockDisagrees,
			What:  fmt.Sprintf("the server's rules for %q are not the ones known here", c.Zone),
			Facts: verdict.Facts("as_of on the server's clock", own, "by the rules known here", ch.Own),
			Why:   "Commit times near as_of could be read an hour wrong.",
			Hint:  []string{"Give as_of as an LSN that was noted before the copy began."},
		}
	}
	return l, nil
}

// record is what the stream's package would map the same as_of to on this
// server, nil where that is L: its rerun by time would look for a seed there.
func (s *Source) record(ctx context.Context, m *Mapping, ch asof.Choice, plain lsn.LSN, o MapOptions) (*lsn.LSN, error) {
	theirs := &plain
	if ch.NoZone || o.CopyLag > 0 {
		local, err := asof.RecordLocal(m.Clock, ch.Asked)
		if err != nil {
			return nil, err
		}
		if theirs, err = s.timeToLSN(ctx, local); err != nil || theirs == nil {
			return nil, err
		}
	}
	if *theirs == m.L {
		return nil, nil
	}
	return theirs, nil
}

// mapLSN takes an LSN as it is, or, where it is exclusive, the last commit before it.
func (s *Source) mapLSN(ctx context.Context, m *Mapping, q question) error {
	m.L = *m.Input.LSN
	if m.L.Compare(m.Max) > 0 {
		return s.aboveMax(ctx, m, q)
	}
	if !m.Input.Exclusive {
		return nil
	}
	before, err := s.mapping(ctx, m.Clock, "mapping_before", text("lsn", m.L))
	if err != nil {
		return err
	}
	if before == nil {
		q.l = m.L
		return s.noCommitBefore(ctx, q)
	}
	m.L = before.LSN
	return nil
}

// finish tests that L can be read on from, and completes what is said of it.
func (s *Source) finish(ctx context.Context, m *Mapping, q question) error {
	q.l = m.L
	if m.L.Compare(m.Max) > 0 {
		return s.aboveMax(ctx, m, q)
	}
	var err error
	if m.CommitTS, err = s.CommitTime(ctx, m.Clock, m.L); err != nil {
		return err
	}
	if m.CommitTS != nil && m.Asked != nil {
		d := m.Asked.Sub(*m.CommitTS)
		m.Distance = &d
	}
	if m.Kept, err = s.checkKept(ctx, q); err != nil {
		return err
	}
	row, err := s.mapping(ctx, m.Clock, "mapping_row", text("lsn", m.L))
	if err != nil {
		return err
	}
	if row != nil {
		m.CommitLocal = &row.Local
	} else if m.Below, err = s.mapping(ctx, m.Clock, "mapping_before", text("lsn", m.L)); err != nil {
		return err
	}
	if !m.Input.IsTime() {
		m.captureStands()
	}
	m.judged()
	return m.readable(q.table)
}

// aboveMax is the refusal for an LSN that capture has not reached, told apart
// by whether this server is a copy that lags behind another.
func (s *Source) aboveMax(ctx context.Context, m *Mapping, q question) error {
	id, err := s.Identity(ctx)
	if err != nil {
		return err
	}
	facts := verdict.Facts("as_of", q.asked(), "newest captured", m.Max, "server clock", m.ServerNow)
	behind := ""
	if m.Newest != nil {
		age := clock.Words(max(0, m.ServerNow.Sub(m.Newest.UTC)))
		behind = ", behind by up to " + age
		facts = append(facts, verdict.Facts("newest captured commit", m.Newest.UTC, "behind its clock by", age)...)
	}
	if id.ReadOnly {
		return &verdict.Error{
			Code:  verdict.ReplicaBehind,
			What:  "the LSN is ahead of this replica (read-only secondary" + behind + ")",
			Facts: facts,
			Why:   "A replica shows what was captured on the primary only after it has redone it.",
			Hint:  []string{"Try again when the replica has caught up.", "Or connect to the primary."},
		}
	}
	return &verdict.Error{
		Code:  verdict.LSNAboveMax,
		What:  "the LSN is after the newest captured commit",
		Facts: facts,
		Why:   "Nothing says yet what lies between, so the stream could not start there.",
		Hint: []string{
			"If it was noted a moment ago or CDC was just turned on, wait until capture has passed it and try again.",
			"Otherwise see whether it is from this database: cdcseed lsn --now prints the newest one.",
		},
	}
}

func inFuture(asked clock.Instant, now ServerClock) error {
	return &verdict.Error{
		Code:  verdict.AsOfInFuture,
		What:  "as_of is later than the server's clock",
		Facts: verdict.Facts("as_of", asked, "server clock", now.UTC, "later by", clock.Words(asked.Sub(now.UTC))),
		Why:   "No copy can have started then; a time in the wrong zone looks like this.",
		Hint:  []string{"Check the zone of the time: its offset from UTC belongs behind it, such as 2026-10-25T02:40:00+02:00."},
	}
}

func nothingCaptured(in asof.Input) error {
	return &verdict.Error{
		Code:  verdict.NothingCaptured,
		What:  "no LSN captured yet",
		Facts: verdict.Facts("as_of", in.String()),
		Why:   "Capture has not run since CDC was turned on in this database, so there is no position to start from.",
		Hint:  []string{"Try again in a few minutes.", "If it stays so, see whether the capture job (SQL Server Agent) runs."},
	}
}
