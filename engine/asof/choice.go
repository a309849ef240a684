package asof

import (
	"time"

	"cdcseed/engine/clock"
)

// Choice is how a time as_of is looked up: which reading of the server's clock
// is asked for, and why it is not simply the reading at as_of.
type Choice struct {
	Asked    clock.Instant // as typed
	Instant  clock.Instant // what the look-up is safe for: less the copy's lag, and less the safety hour where NoZone
	Own      clock.Local   // what the server's clock showed at Asked less the lag, to the second
	Local    clock.Local   // the reading looked up; never after Own
	FellBack bool          // Own comes again an hour later, so an hour earlier is asked for
	NoZone   bool          // only today's offset is known, so an hour earlier is asked for
}

// safetyHour is the largest difference that a clock change makes to an offset.
const safetyHour = time.Hour

// Choose floors to the second and applies the record's rule: the earlier of
// the reading at as_of and the reading an hour later less that hour. In the
// first pass of a repeated hour that is an hour before, in all else the reading
// itself. A clock of which only today's offset is known goes an hour back
// always, since the offset may have been an hour less at as_of. lag is how far
// behind the server the copy's source was.
func Choose(c Clock, asked clock.Instant, lag time.Duration) (Choice, error) {
	w, err := newWall(c)
	if err != nil {
		return Choice{}, err
	}
	return w.choose(c, asked, lag), nil
}

func (w *wall) choose(c Clock, asked clock.Instant, lag time.Duration) Choice {
	u := asked.Add(-lag).FloorSecond()
	ch := Choice{Asked: asked, Instant: u, Own: w.local(u)}
	switch {
	case c.IsOffset():
		ch.NoZone = true
		ch.Instant = u.Add(-safetyHour)
		ch.Local = ch.Own.Add(-safetyHour)
	default:
		ch.Local = min(ch.Own, w.local(u.Add(time.Hour)).Add(-time.Hour))
		ch.FellBack = ch.Local < ch.Own
	}
	return ch
}

// RecordLocal is the reading that the stream's package itself would look up for
// asked on this clock: no lag, and for an offset no safety hour.
func RecordLocal(c Clock, asked clock.Instant) (clock.Local, error) {
	ch, err := Choose(c, asked, 0)
	if err != nil {
		return 0, err
	}
	if ch.NoZone {
		return ch.Own, nil
	}
	return ch.Local, nil
}
