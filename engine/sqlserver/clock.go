package sqlserver

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// ServerClock is what the server's clock says and how it is read.
type ServerClock struct {
	Clock     asof.Clock     // how its wall time turns into UTC
	Named     bool           // the server named the zone itself; else an override or an offset
	UTC       clock.Instant  // SYSUTCDATETIME when asked
	Wall      clock.Local    // GETDATE when asked
	Newest    *Commit        // the newest captured commit or idle entry, nil where there is none
	Disagrees *verdict.Error // why no time as_of can be mapped on this clock; nil where it holds
}

// Commit is a row of cdc.lsn_time_mapping with its time in both forms.
type Commit struct {
	asof.MapRow
	UTC clock.Instant `json:"utc"` // with the offset before a clock change where the hour is repeated
}

// tolerance is how far GETDATE, SYSUTCDATETIME and commit times may be apart.
const tolerance = time.Minute

// zoneText is what the stream's package takes for a zone name.
var zoneText = regexp.MustCompile(`^[A-Za-z0-9 ._+\-/()]+$`)

// Clock asks the server for its time zone, unless override (a Windows name, an
// IANA name with a Windows name, or UTC) settles it, and checks that what it
// says of the time holds together. A clock that contradicts itself is no
// refusal by itself: it only rules out a time as_of (ServerClock.Disagrees).
// Refusal: verdict.ZoneUnknown.
func (s *Source) Clock(ctx context.Context, override string) (ServerClock, error) {
	id, err := s.Identity(ctx)
	if err != nil {
		return ServerClock{}, err
	}
	c, err := s.zone(ctx, id, override)
	if err != nil {
		return ServerClock{}, err
	}
	out, err := s.now(ctx, c)
	out.Named = override == "" && !c.IsOffset()
	return out, err
}

func (s *Source) zone(ctx context.Context, id Identity, override string) (asof.Clock, error) {
	switch {
	case override != "":
		c, err := asof.InZone(override)
		if err == nil && c.IsNamed() && !id.convertsZones() {
			err = &verdict.Error{
				Code:  verdict.ZoneUnknown,
				What:  "this server cannot convert times by a zone's name",
				Facts: verdict.Facts("version", id.ProductVersion, "zone", override),
				Why:   "AT TIME ZONE came with SQL Server 2016, and the stream's package needs it for sourceTimeZone too.",
				Hint:  []string{"Leave --time-zone out; cdcseed then looks up an hour earlier.", "Or give as_of as an LSN."},
			}
		}
		return c, err
	case id.NamesZone():
		var name sql.NullString
		if _, err := s.row(ctx, "zone_named", []any{&name}); err != nil {
			return asof.Clock{}, err
		}
		if !zoneText.MatchString(name.String) {
			return asof.Clock{}, &verdict.Error{
				Code: verdict.ZoneUnknown, What: fmt.Sprintf("the server names its time zone %q", name.String),
				Hint: []string{"Name it with --time-zone."},
			}
		}
		return asof.InZone(name.String)
	default:
		var minutes int
		_, err := s.row(ctx, "zone_offset", []any{&minutes})
		return asof.AtOffset(minutes), err
	}
}

// now reads the server's clock and compares it with UTC in c, and with the newest commit.
func (s *Source) now(ctx context.Context, c asof.Clock) (ServerClock, error) {
	var utc, wall, inZone time.Time
	name, dest, args := "now", []any{&utc, &wall}, []any(nil)
	if c.IsNamed() {
		name, dest, args = "now_zone", append(dest, &inZone), append(args, text("zone", c.Zone))
	}
	if _, err := s.row(ctx, name, dest, args...); err != nil {
		return ServerClock{}, err
	}
	out := ServerClock{Clock: c, UTC: clock.Of(utc), Wall: clock.WallOf(wall)}
	want, err := c.Wall(out.UTC)
	if err != nil {
		return ServerClock{}, err
	}
	out.compare(want, "")
	if c.IsNamed() {
		out.compare(clock.WallOf(inZone), " by its own rules")
	}
	newest, err := s.newest(ctx, c)
	if err != nil {
		return ServerClock{}, err
	}
	out.Newest = newest
	if newest != nil && newest.UTC.Sub(out.UTC) > tolerance {
		out.disagree("the newest captured commit is later than the server's clock",
			verdict.Facts("newest commit", newest.UTC, "server clock", out.UTC, "zone", c))
	}
	return out, nil
}

// compare notes that GETDATE is not what SYSUTCDATETIME is in the zone.
func (out *ServerClock) compare(want clock.Local, by string) {
	if out.Wall.Sub(want).Abs() > tolerance {
		out.disagree("the server's clock is not UTC in the time zone used",
			verdict.Facts("GETDATE", out.Wall, "UTC in the zone"+by, want, "zone", out.Clock))
	}
}

// disagree keeps the first contradiction.
func (out *ServerClock) disagree(what string, facts []verdict.Fact) {
	if out.Disagrees != nil {
		return
	}
	out.Disagrees = &verdict.Error{
		Code:  verdict.ClockDisagrees,
		What:  what,
		Facts: facts,
		Why:   "A time looked up on a clock that is read wrong can be hours late, and a late as_of loses changes.",
		Hint: []string{
			"Give as_of as an LSN that was noted before the copy began.",
			"Or name the Windows zone that the server's clock really runs in as --time-zone: it is not the one above.",
		},
	}
}

// newest is the last row of cdc.lsn_time_mapping in the log, nil where it is empty.
func (s *Source) newest(ctx context.Context, c asof.Clock) (*Commit, error) {
	return s.mapping(ctx, c, "mapping_newest")
}

// Oldest is when the oldest commit ended, or idle entry, of which CDC still keeps
// the time in this database; nil where it keeps none.
func (s *Source) Oldest(ctx context.Context, c asof.Clock) (*clock.Instant, error) {
	first, err := s.mapping(ctx, c, "mapping_after", text("lsn", lsn.LSN{}))
	if err != nil || first == nil {
		return nil, err
	}
	return &first.UTC, nil
}

// mapping reads one mapping row by a statement that gives one or none.
func (s *Source) mapping(ctx context.Context, c asof.Clock, name string, args ...any) (*Commit, error) {
	var at sql.NullString
	var ended time.Time
	found, err := s.row(ctx, name, []any{&at, &ended}, args...)
	if err != nil || !found {
		return nil, err
	}
	l, err := lsnOf(at)
	if err != nil || l == nil {
		return nil, err
	}
	out := Commit{MapRow: asof.MapRow{LSN: *l, Local: clock.WallOf(ended)}}
	out.UTC, err = c.First(out.Local)
	return &out, err
}

// TimeZones lists the zone names that the server itself knows, nil before SQL
// Server 2016, which has no such list.
func (s *Source) TimeZones(ctx context.Context) (names []string, err error) {
	id, err := s.Identity(ctx)
	if err != nil || !id.convertsZones() {
		return nil, err
	}
	err = s.read(ctx, "time_zones", func(rows *sql.Rows) error {
		names = nil
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			names = append(names, name)
		}
		return nil
	})
	return names, err
}
