package engine

import (
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/verdict"
)

// skew notes that this machine's clock is not the server's: an as_of read here
// would be off by as much. say words the difference: a plan says atMost, a look
// at the server the difference itself.
func skew(here, server clock.Instant, say func(time.Duration) string) []verdict.Check {
	const shown = 5 * time.Second
	switch ahead := here.Sub(server); {
	case ahead > shown:
		return []verdict.Check{verdict.Noted("this machine's clock is ahead of the server's by "+say(ahead),
			"An as_of that was read on this machine needs that much subtracted; earlier is safe.")}
	case -ahead > shown:
		return []verdict.Check{verdict.Noted("this machine's clock is behind the server's by "+say(-ahead),
			"An as_of that was read on this machine is earlier than on the server, which is safe: the stream replays more.")}
	}
	return nil
}

// atMost is a round length of time that d does not exceed, in words: safe to
// subtract, and the same when a plan is made again a moment later.
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
