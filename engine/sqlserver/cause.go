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

// question is what a refusal is about: a table, an L and how it was asked for.
type question struct {
	clock asof.Clock
	table schema.Table
	input asof.Input     // the as_of; empty where only L is known
	asOf  *clock.Instant // the time that was looked up, nil for an LSN
	used  *clock.Local   // its reading, where an earlier one than as_of's own was looked up
	l     lsn.LSN        // the candidate; zero where there is none
	now   clock.Instant  // the server's clock; zero where it was not asked
}

// asked is as_of as it was given, or L.
func (q question) asked() string {
	if s := q.input.String(); s != "" {
		return s
	}
	return q.l.String()
}

// noLow is the refusal for an instance of which the server gives no oldest position.
func (s *Source) noLow(ctx context.Context, q question, in schema.Instance) error {
	if in.StartLSN != nil {
		return &verdict.Error{
			Code:  verdict.SourceDenied,
			What:  fmt.Sprintf("the server gives no oldest kept position for %q", in.Name),
			Facts: verdict.Facts("user", s.options.User, "start_lsn", *in.StartLSN),
			Why:   "It answers so where the instance is gone or the login may not use it.",
			Hint:  []string{"Grant the login SELECT on all captured columns of the table, and membership in the gating role if there is one."},
		}
	}
	if err := s.beforeCreation(ctx, q, in); err != nil {
		return err
	}
	return &verdict.Error{
		Code:  verdict.NothingCaptured,
		What:  fmt.Sprintf("capture has not reached the start of %q yet", in.Name),
		Facts: verdict.Facts("capture instance", in.Name, "created on the server's clock", in.Created),
		Why:   "Until it has, there is no position from which its changes are kept.",
		Hint:  []string{"Try again in a few minutes.", "If it stays so, see whether the capture job runs."},
	}
}

// beforeCreation refuses an as_of that is surely before the instance was created.
func (s *Source) beforeCreation(ctx context.Context, q question, in schema.Instance) error {
	created, err := q.clock.First(in.Created)
	if err != nil {
		return err
	}
	at, late, err := s.timeOf(ctx, q)
	if err != nil {
		return err
	}
	if late != nil && *late <= created {
		return notOnYet(q, in, created, at)
	}
	return nil
}

// notKept tells why the changes right after L are not there: CDC was not on
// for the table yet, capture has not passed the enable, or they were purged.
func (s *Source) notKept(ctx context.Context, q question, in schema.Instance, k Kept) error {
	if err := s.beforeCreation(ctx, q, in); err != nil {
		return err
	}
	top, err := s.MaxLSN(ctx)
	if err != nil {
		return err
	}
	if top == nil || top.Compare(k.Low) < 0 {
		return &verdict.Error{
			Code:  verdict.NothingCaptured,
			What:  fmt.Sprintf("capture has not passed the start of %q yet", in.Name),
			Facts: verdict.Facts("L", q.l, "newest captured", maxText(top), "start of the instance", k.Low, "created on the server's clock", in.Created),
			Why:   "A seed at L would miss what was committed between L and the start.",
			Hint:  []string{"Wait until capture has passed the enable, then run it again.", "If it stays so, see whether the capture job runs."},
		}
	}
	at, _, err := s.timeOf(ctx, q)
	if err != nil {
		return err
	}
	earliest, err := s.earliest(ctx, q.clock, in.Name)
	if err != nil {
		return err
	}
	created, err := q.clock.First(in.Created)
	if err != nil {
		return err
	}
	// earliest may be an hour later than the start, as the look-up goes back, so it tells nothing of cleanup.
	if at != nil && earliest != nil && *at < *earliest && k.LowTime != nil && NeverMoved(*k.LowTime, created) {
		return startsLater(q, in, created, k, *earliest)
	}
	return purged(q, k, at, earliest)
}

// startsLater is for an as_of after the instance was created and before the
// first position that capture gave it: nothing was purged, nothing was there.
func startsLater(q question, in schema.Instance, created clock.Instant, k Kept, earliest clock.Instant) error {
	return &verdict.Error{
		Code: verdict.CDCNotOnYet,
		What: fmt.Sprintf("CDC was not on yet for this table at as_of: what is captured of %q starts later", in.Name),
		Facts: verdict.Facts("as_of", q.asked(), "L", q.l, "created", created, "start of the instance", k.Low,
			"earliest usable time", earliest),
		Why:  "What was committed between L and the start is in no change table, so the stream could never replay it.",
		Hint: []string{"Use a copy that was started at or after " + earliest.String() + "."},
	}
}

// timeOf is when as_of was: the time itself, else the time of L's commit, else
// nil; late is a bound that it surely does not exceed, nil where there is none.
func (s *Source) timeOf(ctx context.Context, q question) (at, late *clock.Instant, err error) {
	if q.asOf != nil {
		return q.asOf, q.asOf, nil
	}
	if at, err = s.CommitTime(ctx, q.clock, q.l); err != nil || at != nil {
		return at, at, err
	}
	after, err := s.mapping(ctx, q.clock, "mapping_after", text("lsn", q.l))
	if err != nil || after == nil {
		return nil, nil, err
	}
	return nil, &after.UTC, nil
}

func notOnYet(q question, in schema.Instance, created clock.Instant, at *clock.Instant) error {
	facts := verdict.Facts("as_of", q.asked())
	from := roundUp(created)
	switch {
	case q.asOf == nil && at != nil:
		facts = append(facts, verdict.Facts("committed", *at)...)
	case q.asOf != nil && q.input.IsTime() && *q.asOf != q.input.Instant.FloorSecond(): // a lag, or the safety hour
		facts = append(facts, verdict.Facts("looked up", *q.asOf)...)
		from += q.input.Instant.FloorSecond() - *q.asOf
	}
	return &verdict.Error{
		Code:  verdict.CDCNotOnYet,
		What:  fmt.Sprintf("CDC was not on yet for this table at as_of: %q was created later", in.Name),
		Facts: append(facts, verdict.Facts("created", created, "created on the server's clock", in.Created)...),
		Why:   "What was committed between as_of and the creation is in no change table, so the stream could never replay it.",
		Hint:  []string{"Use a copy that was started after " + from.String() + "."},
	}
}

// purged says that cleanup has passed L, and whether that agrees with what the
// cleanup job keeps.
func purged(q question, k Kept, at, earliest *clock.Instant) error {
	facts := verdict.Facts("as_of", q.asked(), "L", q.l, "oldest kept", k.Low)
	e := &verdict.Error{
		Code: verdict.RetentionPassed,
		What: "the changes right after L are no longer kept: the copy is older than the retention",
		Why:  "A seed here would leave a hole that no later run can fill.",
		Hint: []string{"Use a copy that was started later, and soon: the edge moves."},
	}
	if k.LowTime != nil {
		facts = append(facts, verdict.Facts("oldest kept commit", *k.LowTime)...)
	}
	if earliest != nil {
		e.Hint = []string{"Use a copy that was started at or after " + earliest.String() + ", and soon: the edge moves."}
	}
	facts = append(facts, q.disagreement(e, k, at)...)
	e.Facts = facts
	return e
}

// disagreement completes the refusal of an as_of that cleanup has passed: what
// the cleanup job keeps stands beside what is kept, and where as_of is younger
// than the job's setting, somebody else cleans.
func (q question) disagreement(e *verdict.Error, k Kept, at *clock.Instant) []verdict.Fact {
	if k.Retention == nil {
		return nil
	}
	if at != nil && q.now != 0 && q.now.Sub(*at) < *k.Retention {
		kept := ""
		if k.LowTime != nil {
			kept = fmt.Sprintf(", the oldest commit that is kept is of %s, %s ago,", *k.LowTime, clock.Words(q.now.Sub(*k.LowTime)))
		}
		e.Why = fmt.Sprintf("The watermark and the retention do not agree: cleanup keeps %s%s and as_of is only %s old, so another program cleans the change tables. %s",
			clock.Words(*k.Retention), kept, clock.Words(q.now.Sub(*at)), e.Why)
	}
	return verdict.Facts("cleanup keeps", clock.Words(*k.Retention))
}

// instanceBy is the table's first instance, refused where it was created after
// the time that is asked for.
func instanceBy(q question) (schema.Instance, error) {
	in, err := NextInstance(q.table, lsn.LSN{})
	if err != nil {
		return in, err
	}
	created, err := q.clock.First(in.Created)
	if err == nil && *q.asOf < created {
		err = notOnYet(q, in, created, q.asOf)
	}
	return in, err
}

// noCommit is the refusal for a time at or before which no commit is known.
func (s *Source) noCommit(ctx context.Context, q question) error {
	in, err := instanceBy(q)
	if err != nil {
		return err
	}
	return s.tooOld(ctx, q, in.Name, "no commit at or before as_of is known any more: the copy is older than the retention")
}

// noneSafe is the refusal for a time near which commit times run backwards, with
// nothing kept from before they do.
func noneSafe(q question, found asof.Finding, plain lsn.LSN) error {
	if _, err := instanceBy(q); err != nil {
		return err
	}
	ended, err := q.clock.First(found.Before.Local)
	if err != nil {
		return err
	}
	facts := verdict.Facts("as_of", q.asked(), "plain look-up", plain, "row before", found.Before.LSN, "at", found.Before.Local)
	if found.Reason == asof.SetBack {
		facts = append(facts, verdict.Facts("row after", found.After.LSN, "at", found.After.Local, "set back by at least", clock.Words(found.Step))...)
	}
	return &verdict.Error{
		Code:  verdict.NoCommit,
		What:  "no commit is surely before as_of: commit times run backwards near it, and no row from before they do is kept",
		Facts: facts,
		Why:   "The server's clock was set back, so as_of may have been read before all that is kept, and a later L loses commits.",
		Hint: []string{
			"Give as_of as an LSN that was noted before the copy began.",
			"Or use a copy that was started more than an hour after " + roundUp(ended).String() + ".",
		},
	}
}

// noCommitBefore is the refusal for an exclusive LSN that no known commit precedes.
func (s *Source) noCommitBefore(ctx context.Context, q question) error {
	in, err := NextInstance(q.table, q.l)
	if err != nil {
		return err
	}
	return s.tooOld(ctx, q, in.Name, "no commit before as_of is known any more: the copy is older than the retention")
}

func (s *Source) tooOld(ctx context.Context, q question, instance, what string) error {
	earliest, err := s.earliest(ctx, q.clock, instance)
	if err != nil {
		return err
	}
	e := &verdict.Error{
		Code:  verdict.NoCommit,
		What:  what,
		Facts: verdict.Facts("as_of", q.asked()),
		Why:   "The changes since then are gone from CDC, and a seed would leave a hole that no later run can fill.",
		Hint:  []string{"Use a copy that was started later."},
	}
	if q.used != nil {
		e.Facts = append(e.Facts, verdict.Facts("looked up on the server's clock", *q.used)...)
	}
	if earliest != nil {
		e.Facts = append(e.Facts, verdict.Facts("earliest usable time", *earliest)...)
		e.Hint = []string{"Use a copy that was started at or after " + earliest.String() + ", and soon: the edge moves."}
	}
	k := Kept{Instance: instance}
	if _, k.LowTime, err = s.OldestKept(ctx, q.clock, instance); err != nil {
		return err
	}
	if k.Retention, err = s.Retention(ctx); err != nil {
		return err
	}
	if k.Retention != nil && k.LowTime != nil { // two values to compare; else it is the earliest usable time once more
		e.Facts = append(e.Facts, verdict.Facts("oldest kept commit", *k.LowTime)...)
	}
	e.Facts = append(e.Facts, q.disagreement(e, k, q.asOf)...)
	return e
}

// earliest is the first time, to the second, that maps to a position whose
// changes an instance still keeps; nil where it cannot be told.
func (s *Source) earliest(ctx context.Context, c asof.Clock, instance string) (*clock.Instant, error) {
	low, at, err := s.OldestKept(ctx, c, instance)
	if err != nil {
		return nil, err
	}
	if low == nil {
		low = &lsn.LSN{}
	}
	if at == nil {
		first, err := s.mapping(ctx, c, "mapping_after", text("lsn", *low))
		if err != nil || first == nil {
			return nil, err
		}
		at = &first.UTC
	}
	out := roundUp(*at)
	ch, err := asof.Choose(c, out, 0)
	if err != nil {
		return nil, err
	}
	out = out.Add(ch.Own.Sub(ch.Local)) // as far as the look-up goes back there
	return &out, nil
}

// roundUp is the first whole second at or after i: as_of is cut to the second.
func roundUp(i clock.Instant) clock.Instant { return (i + clock.Second - 1).FloorSecond() }

func maxText(l *lsn.LSN) string {
	if l == nil {
		return "none"
	}
	return l.String()
}
