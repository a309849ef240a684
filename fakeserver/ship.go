package fakeserver

import "time"

// shipped is a change of the primary that a replica has still to make.
type shipped struct {
	database string
	at       time.Duration // the clock's uptime when the primary made it
	do       func(*database) error
}

// lock takes the server's lock and brings everything up to date that goes by
// the clock: what a capture job sees at its next scan, and what has reached a
// replica that lags.
func (s *Server) lock() {
	s.mu.Lock()
	s.settle()
}

func (s *Server) settle() {
	up := s.clock.uptime()
	for _, d := range s.primary.databases {
		if d.nextScan > 0 && d.nextScan <= up && !d.captureStopped {
			sure(s.change(d, func(d *database) error { d.scan(); return nil }))
		}
	}
	s.redo(up)
}

// change makes a change to a database of the primary and, where there is a
// replica, has it make the same one in its turn. do sees nothing but the
// database, so that it comes to the same on both.
func (s *Server) change(d *database, do func(*database) error) error {
	if err := do(d); err != nil {
		return err
	}
	if s.primary != s.host {
		s.shipped = append(s.shipped, shipped{d.name, s.clock.uptime(), do})
		s.redo(s.clock.uptime())
	}
	return nil
}

// redo makes the changes that have reached the replica.
func (s *Server) redo(up time.Duration) {
	lag := s.host.settings.ReplicaLag
	for len(s.shipped) > 0 {
		first := s.shipped[0]
		if len(s.shipped) <= lag.Changes || up < first.at+time.Duration(lag.Seconds)*time.Second {
			return
		}
		s.shipped = s.shipped[1:]
		sure(first.do(s.host.database(first.database))) // the primary has made it of the same state
	}
}

// sure is for a change that cannot fail. If one does, primary and replica would
// tell two stories, and nothing that is said after it can be believed.
func sure(err error) {
	if err != nil {
		panic(err)
	}
}
