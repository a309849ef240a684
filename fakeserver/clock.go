package fakeserver

import (
	"time"
)

// clock is the server's clock: frozen at an instant, or running on from it as
// a source of time does.
type clock struct {
	at     time.Time
	source func() time.Time // nil while frozen
	since  time.Time        // the source's time when the clock stood at at
	up     time.Duration    // how far time had gone on by then
}

func (c *clock) follow(source func() time.Time) {
	c.source, c.since = source, source()
}

// now is the server's time in UTC.
func (c *clock) now() time.Time {
	if c.source == nil {
		return c.at.UTC()
	}
	return c.at.Add(c.source().Sub(c.since)).UTC()
}

// set moves the clock. A step back does not undo the time that has passed.
func (c *clock) set(t time.Time) {
	now, up := c.now(), c.uptime()
	c.at, c.up = t.UTC(), up+max(0, t.Sub(now))
	if c.source != nil {
		c.since = c.source()
	}
}

// uptime is how much time has passed since the start, steps back left out: what
// jobs that sleep go by.
func (c *clock) uptime() time.Duration {
	if c.source == nil {
		return c.up
	}
	return c.up + c.source().Sub(c.since)
}

// Now is the server's time in UTC.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock.now()
}

// Advance moves the server's clock on, or back when d is negative, and
// answers the new time in UTC.
func (s *Server) Advance(d time.Duration) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.set(s.clock.now().Add(d))
	return s.clock.now()
}

// SetNow sets the server's clock.
func (s *Server) SetNow(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.set(t)
}
