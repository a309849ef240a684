package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// Mapping is the way from an as_of to L, with every finding on it.
type Mapping = sqlserver.Mapping

// MapAsOf maps an as_of for a table, as planning does. Where L was found and is
// refused, the mapping holds L beside the error. Refusals: those of
// sqlserver.Source.MapAsOf and of asof.Parse.
func (s *Session) MapAsOf(ctx context.Context, r Request) (Mapping, error) {
	in, err := s.parseAsOf(ctx, r.AsOf)
	if err != nil {
		return Mapping{}, err
	}
	table, _, err := s.source.Table(ctx, r.Table)
	if err != nil {
		return Mapping{}, err
	}
	m, err := s.mapInput(ctx, table, in, r)
	if err == nil {
		m.Checks = append(m.Checks, otherClock(in, m.Clock, m.ServerNow)...)
	}
	return m, err
}

func (s *Session) mapInput(ctx context.Context, table schema.Table, in asof.Input, r Request) (Mapping, error) {
	if !in.IsTime() && r.CopyLag != 0 {
		return Mapping{}, usage("--copy-lag goes with a time: it cannot be subtracted from an LSN",
			"Give as_of as the time at which the copy started, or the LSN that the copy's source had reached then, and leave --copy-lag out.")
	}
	now, err := s.source.Clock(ctx, s.zone)
	if err != nil {
		return Mapping{}, err
	}
	m, err := s.source.MapAsOf(ctx, now.Clock, table, in, sqlserver.MapOptions{CopyLag: r.CopyLag})
	var refusal *verdict.Error
	if errors.As(err, &refusal) && refusal.Code == verdict.AsOfInFuture {
		e := *refusal
		e.Hint = append(likeliest(in, now.Clock, now.UTC, "which has been"), refusal.Hint...)
		return m, &e
	}
	return m, err
}

// Now is the LSN to write down before a new copy is taken: the newest captured
// position, mapped as an as_of would be.
func (s *Session) Now(ctx context.Context, r Request) (Mapping, error) {
	top, err := s.source.MaxLSN(ctx)
	if err != nil {
		return Mapping{}, err
	}
	if top == nil {
		return Mapping{}, &verdict.Error{
			Code: verdict.NothingCaptured, What: "no LSN captured yet",
			Why:  "Capture has not run since CDC was turned on in this database.",
			Hint: []string{"Try again in a few minutes; if it stays so, see whether the capture job runs."},
		}
	}
	r.AsOf = top.String()
	return s.MapAsOf(ctx, r)
}

// kept says whether the changes right after l are kept.
type kept struct {
	sqlserver.Kept
	Holds bool
	Asked clock.Instant // when, on the server's clock
}

// kept asks whether the changes right after l are kept. That they are not is
// an answer here; every other refusal is an error.
func (s *Session) kept(ctx context.Context, t schema.Table, l lsn.LSN) (kept, error) {
	now, err := s.source.Clock(ctx, s.zone)
	if err != nil {
		return kept{}, err
	}
	k, err := s.source.CheckKept(ctx, now.Clock, t, l)
	if errors.Is(err, verdict.RetentionPassed) || errors.Is(err, verdict.CDCNotOnYet) {
		return kept{Kept: k, Asked: now.UTC}, nil
	}
	return kept{Kept: k, Holds: err == nil, Asked: now.UTC}, err
}

// mapAsOf finds L, and whether the target has this seed already: first by the
// tags of a seed commit still in the log, then by rows at L, then by the
// record's rule for a time whose commit is gone (decision 9, contract 7).
func (b *builder) mapAsOf(ctx context.Context) error {
	b.tell("looking as_of up in the source")
	in, err := b.session.parseAsOf(ctx, b.request.AsOf)
	if err != nil {
		return err
	}
	b.plan.AsOf.Asked, b.plan.AsOf.Time, b.plan.AsOf.CopyLag = b.request.AsOf, in.Instant, b.request.CopyLag
	seed, err := b.taggedSeed(ctx, in)
	if err != nil {
		return err
	}
	if seed != nil {
		b.alreadySeeded(ctx, *seed, "its commit in the target's log names this as_of")
		return b.clock(ctx)
	}
	m, refusal := b.session.mapInput(ctx, b.table, in, b.request)
	b.mapping = m
	b.plan.Source.Clock = m.Clock.String()
	if seed := b.seedAt(in, m, refusal); seed != nil {
		recorded, err := b.recorded(ctx, *seed)
		if err != nil {
			return err
		}
		if err := b.thisReseed(ctx, *seed, recorded); err != nil {
			return err
		}
		b.sameCopy(recorded)
		b.alreadySeeded(ctx, *seed, "the target holds its rows")
		return nil
	}
	if b.noCopy != nil {
		return b.noCopy
	}
	if m.L.IsZero() && refusal != nil {
		return b.mayBeThere(in, refusal)
	}
	// The order of the package: an occupied target is told before L's own faults.
	if err := b.place(m.L); err != nil {
		return err
	}
	if refusal != nil {
		return refusal
	}
	if f := b.plan.Facts; f != nil && f.Present && !b.request.Reseed {
		return appIDTaken(*f)
	}
	if err := b.reseed(ctx); err != nil {
		return err
	}
	b.mapped(m)
	return b.evidence(in, m)
}

// clock notes the server's clock where nothing was mapped.
func (b *builder) clock(ctx context.Context) error {
	now, err := b.session.source.Clock(ctx, b.session.zone)
	b.plan.Source.Clock = now.Clock.String()
	return err
}

// seedAt is the seed that the target holds for as_of, or nil.
func (b *builder) seedAt(in asof.Input, m Mapping, refusal error) *bronze.Snapshot {
	if in.LSN != nil && !in.Exclusive {
		return b.held.At(*in.LSN)
	}
	if !m.L.IsZero() {
		return b.held.At(m.L)
	}
	// As in the package, a reseed is not taken for whatever snapshot is the newest by then.
	if in.IsTime() && !b.request.Reseed && (errors.Is(refusal, verdict.NoCommit) || errors.Is(refusal, verdict.CDCNotOnYet)) {
		return b.held.NewestBy(in.Instant.Add(-b.request.CopyLag))
	}
	return nil
}

// mayBeThere adds to the refusal of a reseed's time that CDC has forgotten which
// snapshot the target holds from that time or before: a rerun after both logs
// were cleaned up looks like this, and must not end in a second reseed.
func (b *builder) mayBeThere(in asof.Input, refusal error) error {
	if !b.request.Reseed || !in.IsTime() || !errors.Is(refusal, verdict.NoCommit) && !errors.Is(refusal, verdict.CDCNotOnYet) {
		return refusal
	}
	held := b.held.NewestBy(in.Instant.Add(-b.request.CopyLag))
	if held == nil {
		return refusal
	}
	e := *verdict.As(refusal)
	e.Hint = append([]string{fmt.Sprintf("If this reseed was done before, it is the snapshot at %s: give that LSN as --as-of, and nothing is written.", held.LSN)}, e.Hint...)
	return &e
}

func (b *builder) alreadySeeded(ctx context.Context, seed bronze.Snapshot, why string) {
	p := &b.plan
	p.State, p.Stops = AlreadySeeded, nil
	p.AsOf.L, p.AsOf.CommitTS = seed.LSN, seed.Commit
	b.check(verdict.Okay(fmt.Sprintf("already seeded: %s, and nothing is written again", why), verdict.Facts("L", seed.LSN, "rows", seed.Rows)...))
	if k, err := b.session.kept(ctx, b.table, seed.LSN); err == nil && !k.Holds { // a rerun after cleanup stays right, whatever the answer
		b.check(verdict.Noted("the changes right after L are not kept any more", "A stream that has not started from this seed cannot any more; one that runs from it needs nothing."))
	}
	if newest := b.held.Newest(); newest != nil && newest.LSN.Compare(seed.LSN) > 0 {
		b.check(verdict.Noted(fmt.Sprintf("a newer snapshot of the table stands at %s", newest.LSN), "It is the one that a stream starts from and everything downstream rebuilds from, not this seed."))
	}
	if r := newestRecorded(b.events); r != nil && r.LSN.Compare(seed.LSN) > 0 && (b.held.Newest() == nil || r.LSN.Compare(b.held.Newest().LSN) > 0) {
		b.check(verdict.Noted(fmt.Sprintf("a newer snapshot of the target stands in the facts table, at %s", r.LSN),
			"Silver rebuilds from the newest that the facts table or the target tells of, not from this seed.", verdict.Facts("row of", r.AppID, "event", r.Event)...))
	}
	if c := secondRow(p.Facts, b.events, seed.LSN); c != nil {
		b.check(*c)
	}
	// Warnings ask about rows to be written.
	kept := p.Checks[:0]
	for _, c := range p.Checks {
		if c.Level != verdict.Warn {
			kept = append(kept, c)
		}
	}
	p.Checks = kept
}

// mapped records the mapping in the plan.
func (b *builder) mapped(m Mapping) {
	a := &b.plan.AsOf
	a.LookedUp, a.L, a.CommitTS, a.Record, a.MaxLSN = m.UsedLocal, m.L, m.CommitTS, m.Record, m.Max
	a.KeptBy, a.Low = m.Kept.Instance, m.Kept.Low
	b.ahead = m.ServerNow - b.session.now()
	a.KeptUntil = m.KeptUntil()
	b.check(m.KeptNote())
	b.check(m.Checks...)
	b.check(skew(b.session.now(), m.ServerNow, atMost)...)
}

// evidence compares as_of with the earliest time data entered the copy
// (decision 4), where the copy was looked at.
func (b *builder) evidence(in asof.Input, m Mapping) error {
	if b.copy == nil {
		b.check(otherClock(in, m.Clock, m.ServerNow)...)
		return nil
	}
	began := in.Instant
	if began == nil {
		began = m.CommitTS
	}
	if began == nil && m.Below != nil {
		began = &m.Below.UTC // L is not before that
	}
	e := b.copy.Evidence
	if began == nil || *began <= e.Earliest {
		b.check(fileTimes(began, e))
		b.check(otherClock(in, m.Clock, e.Earliest)...)
		return nil
	}
	facts := verdict.Facts("as_of", *began, "in the copy since", e.Earliest, "seen in", e.What)
	if b.request.AllowAsOfAfterCopy {
		b.check(verdict.Warned(verdict.AfterCopyAllowed, "as_of is later than the earliest data of the copy, as you allowed",
			"Right only for a copy that is refreshed in place, where as_of is the start of its last refresh.", facts...))
		return nil
	}
	return &verdict.Error{
		Code: verdict.AsOfAfterCopy, What: "as_of is later than the earliest data of the copy, so it cannot be when the copy started", Facts: facts,
		Why: "Commits between the copy's true start and as_of may be missing from it, and the stream would not bring them.",
		Hint: append(likeliest(in, m.Clock, e.Earliest, "which fits the copy"),
			"Give the time at which the copy started, with its zone; earlier is safe.",
			"If the copy is refreshed in place and as_of is the start of its last refresh, add --allow-as-of-after-copy."),
	}
}

// soonAfter is how long after its start a copy's first file is nothing to wonder about.
const soonAfter = time.Hour

// fileTimes tells that the copy's times are not before as_of. That is never
// called right, as copying and optimising renew them (decision 4). began is nil
// where as_of is an LSN whose time is not known.
func fileTimes(began *clock.Instant, e lakecopy.Evidence) verdict.Check {
	const text = "file times do not contradict as_of"
	facts := verdict.Facts("earliest", e.Earliest, "seen in", e.What)
	why := "Copying, moving and optimising renew file times, so they cannot show every as_of that is too late."
	if began == nil {
		return verdict.Noted(text, why, facts...)
	}
	after := e.Earliest.Sub(*began)
	if after < time.Second {
		return verdict.Noted(text+": the earliest is the same", why, facts...)
	}
	if after > soonAfter {
		why = "Files that were moved or optimised since look like this, and then an as_of that is too late shows nowhere else: make sure of its zone."
	}
	return verdict.Noted(fmt.Sprintf("%s: the earliest is %s after it", text, words(after)), why, facts...)
}
