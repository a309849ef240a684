package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// parseAsOf reads as_of. A time without a zone is refused with what it would be
// on the server's clock, ready to type, as far as the server says what its clock is.
func (s *Session) parseAsOf(ctx context.Context, text string) (asof.Input, error) {
	in, err := asof.Parse(text)
	var refusal *verdict.Error
	if !errors.As(err, &refusal) || refusal.Code != verdict.AsOfNoZone {
		return in, err
	}
	c, wrong := s.source.Clock(ctx, s.zone)
	if wrong != nil || c.Disagrees != nil || c.Clock.IsUTC() {
		return in, err // UTC is among the hints already
	}
	read, wrong := onServer(strings.TrimSpace(text), c.Clock)
	if wrong != nil {
		return in, err
	}
	e, other := *refusal, len(refusal.Hint)-1
	e.Hint = append(e.Hint[:other:other], read.hint())
	e.Hint = append(e.Hint, refusal.Hint[other])
	return in, &e
}

// serverReading is what digits mean when a person read them on the server's clock.
type serverReading struct {
	digits  string
	clock   asof.Clock
	rules   *time.Location
	moments []clock.Instant // one; two where the clock showed the digits twice; none where it skipped them
}

func onServer(digits string, c asof.Clock) (serverReading, error) {
	rules, err := c.Location()
	if err != nil {
		return serverReading{}, err
	}
	found, err := asof.Readings(digits, []asof.Zone{{Rules: rules}})
	if err != nil {
		return serverReading{}, err
	}
	return serverReading{digits: found[0].Local.String(), clock: c, rules: rules, moments: found[0].Instants}, nil
}

// typed is the i-th moment as a person would type it: the digits with their offset.
func (r serverReading) typed(i int) string {
	return withOffset(r.moments[i], r.rules)
}

func (r serverReading) hint() string {
	if len(r.moments) == 0 {
		return fmt.Sprintf("The server's clock (%s) never showed it: it was set forward over it.", r.clock)
	}
	text := fmt.Sprintf("If it is the server's clock (%s), type %s", r.clock, r.typed(0))
	if len(r.moments) > 1 {
		text += fmt.Sprintf(" or, for the second time that it showed this, %s", r.typed(1))
	}
	return text + "."
}

// asTyped is the other reading of an as_of that was typed in UTC; false where
// there is none, as the server's clock shows the same or as_of is no such time.
func asTyped(in asof.Input, c asof.Clock) (serverReading, bool) {
	if !in.TypedInUTC() {
		return serverReading{}, false
	}
	r, err := onServer(strings.TrimSuffix(in.Instant.String(), "Z"), c)
	return r, err == nil && len(r.moments) > 0 && r.moments[0] != *in.Instant
}

// otherClock notes what an as_of typed in UTC would be on the server's clock:
// who reads a clock on the wall and adds a Z is hours off, and only the copy's
// times may tell. latest is the latest that as_of could be.
func otherClock(in asof.Input, c asof.Clock, latest clock.Instant) []verdict.Check {
	r, differs := asTyped(in, c)
	if !differs || r.moments[0] > latest {
		return nil
	}
	cost := fmt.Sprintf("%s early, which is safe: the stream replays more", words(r.moments[0].Sub(*in.Instant)))
	if r.moments[0] < *in.Instant {
		cost = fmt.Sprintf("%s late, and the commits of that time are lost where the copy has not got them", words(in.Instant.Sub(r.moments[0])))
	}
	return []verdict.Check{verdict.Noted(
		fmt.Sprintf("%s read on the server's clock (%s) would be %s", r.digits, c, r.moments[0]),
		fmt.Sprintf("as_of is taken as UTC, as typed. If it was read on that clock, it is %s: type %s then.", cost, r.typed(0)))}
}

// likeliest is the cause of an as_of that is too late to look at first: the
// server's clock typed as UTC. It is empty where that is after latest too; fits
// says why it is not.
func likeliest(in asof.Input, c asof.Clock, latest clock.Instant, fits string) []string {
	r, differs := asTyped(in, c)
	if !differs || r.moments[0] > latest {
		return nil
	}
	return []string{fmt.Sprintf("Was it read on the server's clock (%s)? Then it is %s, %s: type %s.", c, r.moments[0], fits, r.typed(0))}
}
