package sqlserver

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// Retention is how long the cleanup job keeps changes, nil where this login
// may not know or there is no such job. Nothing depends on it but estimates.
func (s *Source) Retention(ctx context.Context) (*time.Duration, error) {
	minutes, err := s.helpJobs(ctx)
	if err == nil && minutes == nil {
		minutes, err = s.msdbJobs(ctx)
	}
	if err != nil || minutes == nil {
		return nil, err
	}
	d := time.Duration(*minutes) * time.Minute
	return &d, nil
}

// helpJobs asks the procedure that only owners may call.
func (s *Source) helpJobs(ctx context.Context) (minutes *int64, err error) {
	err = s.read(ctx, "help_jobs", func(rows *sql.Rows) error {
		minutes = nil
		scan, err := newNamedScan(rows)
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := scan.next(rows); err != nil {
				return err
			}
			if n := scan.integer("retention"); scan.text("job_type") == "cleanup" {
				minutes = &n
			}
		}
		return nil
	})
	return minutes, optional(err)
}

func (s *Source) msdbJobs(ctx context.Context) (*int64, error) {
	var n sql.NullInt64
	found, err := s.row(ctx, "msdb_jobs", []any{&n})
	if err != nil || !found || !n.Valid {
		return nil, optional(err)
	}
	return &n.Int64, nil
}

// optional lets pass that the server refused an answer that is not needed. A
// server that cannot be reached, or a stop, is still an error.
func optional(err error) error {
	if err == nil || errors.Is(err, verdict.SourceUnreachable) || errors.Is(err, verdict.Stopped) {
		return err
	}
	return nil
}

// Kept is what CDC still holds of a table's changes, seen from an L.
type Kept struct {
	Instance         string         `json:"instance"`                    // the one that the stream reads first after L
	Low              lsn.LSN        `json:"low"`                         // its oldest kept position
	LowTime          *clock.Instant `json:"low_time,omitempty"`          // of the commit there; nil where unknown
	Retention        *time.Duration `json:"retention_ns,omitempty"`      // what the cleanup job keeps; nil where unknown
	RetentionAssumed bool           `json:"retention_assumed,omitempty"` // Retention is unknown: Headroom goes by the default of three days
	Headroom         *time.Duration `json:"headroom_ns,omitempty"`       // how long L stays readable, at a guess; nil where unknown
}

// NextInstance is the instance that the stream reads first after l: the newest
// one that starts at or before the next position, else the oldest (contract 1.6).
func NextInstance(t schema.Table, l lsn.LSN) (schema.Instance, error) {
	if len(t.Instances) == 0 {
		return schema.Instance{}, noInstance(t.String(), nil)
	}
	next := l.Next()
	out := t.Instances[0]
	for _, in := range t.Instances[1:] {
		if in.StartLSN != nil && in.StartLSN.Compare(next) <= 0 {
			out = in
		}
	}
	return out, nil
}

// CheckKept tests that the changes right after l are still kept, for the
// table's instances as they are now. It is run when mapping, when executing and
// right before the commit. Refusals: verdict.RetentionPassed,
// verdict.CDCNotOnYet, verdict.NothingCaptured, verdict.SourceDenied,
// verdict.NoInstance.
func (s *Source) CheckKept(ctx context.Context, c asof.Clock, t schema.Table, l lsn.LSN) (Kept, error) {
	q := question{clock: c, table: t, l: l}
	return s.checkKept(ctx, q)
}

func (s *Source) checkKept(ctx context.Context, q question) (Kept, error) {
	now, err := s.instancesOf(ctx, q.table)
	if err != nil {
		return Kept{}, err
	}
	in, err := NextInstance(now, q.l)
	if err != nil {
		return Kept{}, err
	}
	low, err := s.MinLSN(ctx, in.Name)
	if err != nil {
		return Kept{}, err
	}
	if low == nil {
		return Kept{}, s.noLow(ctx, q, in)
	}
	k := Kept{Instance: in.Name, Low: *low}
	if k.LowTime, err = s.CommitTime(ctx, q.clock, *low); err != nil {
		return Kept{}, err
	}
	if k.Retention, err = s.Retention(ctx); err != nil {
		return Kept{}, err
	}
	if q.l.Next().Compare(*low) < 0 {
		return k, s.notKept(ctx, q, in, k)
	}
	return k, nil
}

// OldestKept is the oldest position from which an instance's changes are kept
// and the time of the commit there, each nil where unknown.
func (s *Source) OldestKept(ctx context.Context, c asof.Clock, instance string) (*lsn.LSN, *clock.Instant, error) {
	low, err := s.MinLSN(ctx, instance)
	if err != nil || low == nil {
		return nil, nil, err
	}
	at, err := s.CommitTime(ctx, c, *low)
	return low, at, err
}

// instancesOf reads again which instances a table has.
func (s *Source) instancesOf(ctx context.Context, t schema.Table) (schema.Table, error) {
	all, err := s.instances(ctx)
	if err != nil {
		return schema.Table{}, err
	}
	for _, now := range all {
		if now.Schema == t.Schema && now.Name == t.Name {
			return now, nil
		}
	}
	return schema.Table{}, s.unresolved(ctx, t.String(), noInstance(t.String(), all))
}

// defaultRetention is what a cleanup job keeps unless it was changed: 4,320 minutes.
const defaultRetention = 72 * time.Hour

// firstPass is how long after the creation of an instance capture may take to
// give it a start.
const firstPass = time.Hour

// NeverMoved reports whether an instance's low watermark, by the time of the
// commit there, is still the start that capture gave it: no cleanup has moved it.
func NeverMoved(low, created clock.Instant) bool { return low.Sub(created) <= firstPass }

// estimate says how long l stays readable, going by the time of its commit.
// Where the setting is unknown, the default is assumed unless something younger
// than that is gone already; then nothing is.
func (k *Kept) estimate(now, created clock.Instant, commit *clock.Instant) {
	if k.Retention == nil && k.LowTime != nil {
		k.RetentionAssumed = now.Sub(*k.LowTime) >= defaultRetention || NeverMoved(*k.LowTime, created)
	}
	if until := k.until(commit); until != nil {
		left := max(0, until.Sub(now))
		k.Headroom = &left
	}
}

// until is the moment about which cleanup passes the commit of L, nil where it
// is unknown. It does not depend on when it is asked for.
func (k Kept) until(commit *clock.Instant) *clock.Instant {
	if commit == nil || k.Retention == nil && !k.RetentionAssumed {
		return nil
	}
	keep := defaultRetention
	if k.Retention != nil {
		keep = *k.Retention
	}
	at := commit.Add(keep).FloorSecond()
	return &at
}
