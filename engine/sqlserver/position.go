package sqlserver

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
)

// MaxLSN is the newest position that capture has reached, nil where it has
// reached none yet.
func (s *Source) MaxLSN(ctx context.Context) (*lsn.LSN, error) {
	var at sql.NullString
	if _, err := s.row(ctx, "max_lsn", []any{&at}); err != nil {
		return nil, err
	}
	return lsnOf(at)
}

// MinLSN is the oldest position from which an instance's changes are kept, nil
// where the server gives none: no such instance, no access to it, or capture
// has not seen it yet.
func (s *Source) MinLSN(ctx context.Context, instance string) (*lsn.LSN, error) {
	var at sql.NullString
	if _, err := s.row(ctx, "min_lsn", []any{&at}, text("instance", instance)); err != nil {
		return nil, err
	}
	return lsnOf(at)
}

// CommitTime is when the commit at l ended, as the stream's package tells it
// (contract 1.5): the server converts, and a repeated hour's second pass is
// told by the drop before it. It is nil where l has no mapping row.
func (s *Source) CommitTime(ctx context.Context, c asof.Clock, l lsn.LSN) (*clock.Instant, error) {
	if !c.IsNamed() {
		m, err := s.mapping(ctx, c, "mapping_row", text("lsn", l))
		if err != nil || m == nil {
			return nil, err
		}
		return toMillisecond(m.UTC), nil
	}
	var local, first, second time.Time
	var repeated bool
	found, err := s.row(ctx, "commit_time_zone", []any{&local, &repeated, &first, &second}, text("lsn", l), text("zone", c.Zone))
	if err != nil || !found {
		return nil, err
	}
	if !repeated {
		return toMillisecond(clock.Of(first)), nil
	}
	var drops int
	args := []any{text("lsn", l), text("zone", c.Zone), text("local", clock.WallOf(local).Time().Format("2006-01-02T15:04:05.000"))}
	if _, err := s.row(ctx, "drops", []any{&drops}, args...); err != nil {
		return nil, err
	}
	if drops > 0 {
		return toMillisecond(clock.Of(second)), nil
	}
	return toMillisecond(clock.Of(first)), nil
}

// toMillisecond is what datetime2(3) holds of a datetime: its nearest millisecond.
func toMillisecond(i clock.Instant) *clock.Instant {
	i = (i + clock.Millisecond/2) / clock.Millisecond * clock.Millisecond
	return &i
}

// timeToLSN asks for the largest position whose commit time is at most t, nil where there is none.
func (s *Source) timeToLSN(ctx context.Context, t clock.Local) (*lsn.LSN, error) {
	var at sql.NullString
	if _, err := s.row(ctx, "map_time", []any{&at}, text("local", t.FloorSecond())); err != nil {
		return nil, err
	}
	return lsnOf(at)
}

// zonedTimeToLSN lets the server convert u by the zone's rules and look up the
// earlier of its own reading and the reading an hour later less that hour.
func (s *Source) zonedTimeToLSN(ctx context.Context, c asof.Clock, u clock.Instant) (l *lsn.LSN, own, used clock.Local, err error) {
	var at sql.NullString
	var ownTime, usedTime time.Time
	args := []any{text("utc", clock.Local(u.FloorSecond())), text("zone", c.Zone)}
	if _, err = s.row(ctx, "map_time_zone", []any{&at, &ownTime, &usedTime}, args...); err != nil {
		return nil, 0, 0, err
	}
	l, err = lsnOf(at)
	return l, clock.WallOf(ownTime), clock.WallOf(usedTime), err
}

// guard runs asof.Guard over the mapping rows up to the candidate, as they come.
func (s *Source) guard(ctx context.Context, c asof.Clock, asOf clock.Instant, candidate lsn.LSN) (found asof.Finding, err error) {
	from, err := asof.From(c, asOf)
	if err != nil {
		return found, err
	}
	var at sql.NullString
	if _, err := s.row(ctx, "mapping_from", []any{&at}, text("local", from.FloorSecond())); err != nil {
		return found, err
	}
	first, err := lsnOf(at)
	if err != nil || first == nil || first.Compare(candidate) > 0 {
		return found, err
	}
	before, err := s.mapping(ctx, c, "mapping_before", text("lsn", *first))
	if err != nil {
		return found, err
	}
	err = s.read(ctx, "mapping_range", func(rows *sql.Rows) error {
		var prev *asof.MapRow
		if before != nil {
			prev = &before.MapRow
		}
		g, err := asof.NewGuard(c, asOf, prev)
		if err != nil {
			return err
		}
		for rows.Next() {
			r, err := mapRow(rows)
			if err != nil {
				return err
			}
			if g.See(r) {
				break
			}
		}
		found = g.Finding()
		return nil
	}, text("first", *first), text("last", candidate))
	return found, err
}

// mapRow reads start_lsn and tran_end_time.
func mapRow(rows *sql.Rows) (asof.MapRow, error) {
	var raw []byte
	var ended time.Time
	if err := rows.Scan(&raw, &ended); err != nil {
		return asof.MapRow{}, err
	}
	l, err := lsn.FromBytes(raw)
	if err == nil && l.IsZero() {
		err = errors.New("a mapping row at the zero LSN")
	}
	return asof.MapRow{LSN: l, Local: clock.WallOf(ended)}, err
}
