package engine

import (
	"time"

	"cdcseed/engine/clock"
)

// pace lets progress be told ten times a second at most.
type pace struct{ told clock.Instant }

// due reports whether something may be told now, and counts it as told.
func (p *pace) due(now clock.Instant) bool {
	if now.Sub(p.told) < time.Second/10 {
		return false
	}
	p.told = now
	return true
}
