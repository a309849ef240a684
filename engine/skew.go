package engine

import (
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// skew notes that this machine's clock is not the server's: an as_of read here
// would be off by as much. The difference is given as a round upper bound, which
// is safe to subtract and which planning again a moment later finds again.
func skew(here, server clock.Instant) []verdict.Check {
	const shown = 5 * time.Second
	switch ahead := here.Sub(server); {
	case ahead > shown:
		return []verdict.Check{verdict.Noted("this machine's clock is ahead of the server's by "+atMost(ahead),
			"An as_of that was read on this machine needs that much subtracted; earlier is safe.")}
	case -ahead > shown:
		return []verdict.Check{verdict.Noted("this machine's clock is behind the server's by "+atMost(-ahead),
			"An as_of that was read on this machine is earlier than on the server, which is safe: the stream replays more.")}
	}
	return nil
}

// atMost is the round length of time that d does not exceed, in words.
func atMost(d time.Duration) string {
	for _, bound := range []time.Duration{
		10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute,
		time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 24 * time.Hour,
	} {
		if d <= bound {
			return "up to " + clock.Words(bound)
		}
	}
	return "more than a day"
}
