package fakeserver

import (
	"fmt"
	"time"
)

// find is a user database of the primary by name, for the methods that change
// the world.
func (s *Server) find(name string) (*database, error) {
	d := s.primary.database(name)
	if d == nil || d.system {
		return nil, fmt.Errorf("there is no database %q", name)
	}
	return d, nil
}

func (s *Server) findCDC(name string) (*database, error) {
	d, err := s.find(name)
	if err == nil && !d.cdc {
		err = fmt.Errorf("database %q has no CDC", d.name)
	}
	return d, err
}

// nextEntry is a new mapping row above all others.
func (d *database) nextEntry(end time.Time) entry {
	d.lastLSN = d.lastLSN.nextCommit()
	return entry{lsn: d.lastLSN, begin: end, end: end}
}

// Commit makes changes in one transaction that ends now on the server's clock,
// and answers its LSN. All changes are made or, with an error, none.
func (s *Server) Commit(database string, changes ...Change) (LSN, error) {
	return s.CommitAt(database, "", changes...)
}

// CommitAt is Commit with a tran_end_time of its own, in server-local time
// such as 2026-10-25T02:30:00.
func (s *Server) CommitAt(name, local string, changes ...Change) (LSN, error) {
	s.lock()
	defer s.mu.Unlock()
	d, err := s.find(name)
	if err != nil {
		return LSN{}, err
	}
	end := s.host.local()
	if local != "" {
		if end, err = localTime(local); err != nil {
			return LSN{}, err
		}
	}
	up := s.clock.uptime()
	if err := s.change(d, func(d *database) error { return d.commit(end, up, changes) }); err != nil {
		return LSN{}, err
	}
	return d.lastLSN, nil
}

// commit makes changes in one transaction and hands it to capture.
func (d *database) commit(end time.Time, up time.Duration, changes []Change) error {
	edits, err := d.applyAll(changes, "changes")
	if err != nil {
		return err
	}
	c := commit{d.nextEntry(end), edits}
	d.history = append(d.history, c)
	switch {
	case !d.cdc:
	case d.captureStopped || d.polling > 0:
		d.waiting = append(d.waiting, c)
		d.wakeScan(up)
	default:
		d.captureCommit(c)
	}
	return nil
}

// Idle adds the entry that capture writes every few minutes when nothing
// happens, and answers its LSN. A stopped capture job writes none: an error.
func (s *Server) Idle(name string) (LSN, error) {
	s.lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(name)
	if err != nil {
		return LSN{}, err
	}
	if d.captureStopped {
		return LSN{}, fmt.Errorf("capture of database %q is stopped", d.name)
	}
	end := s.host.local()
	err = s.change(d, func(d *database) error { d.idle(end); return nil })
	return d.lastLSN, err
}

// idle is a scan that writes an entry of its own.
func (d *database) idle(end time.Time) {
	d.scan()
	e := d.nextEntry(end)
	e.idle = true
	d.mapping = append(d.mapping, e)
}

// MaxLSN is what sys.fn_cdc_get_max_lsn answers, nil when nothing is captured.
func (s *Server) MaxLSN(database string) (*LSN, error) {
	s.lock()
	defer s.mu.Unlock()
	if _, err := s.findCDC(database); err != nil {
		return nil, err
	}
	return s.host.database(database).maxLSN(), nil
}

// SetOffline takes a database off line, or back. Sessions in it get 942.
func (s *Server) SetOffline(database string, offline bool) error {
	s.lock()
	defer s.mu.Unlock()
	d, err := s.find(database)
	if err == nil {
		d.offline = offline
		s.host.database(database).offline = offline
	}
	return err
}

// SetFault replaces the faults that are in force; without arguments there are
// none.
func (s *Server) SetFault(faults ...Fault) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*fault
	for i, w := range faults {
		f, err := newFault(w, fmt.Sprintf("faults[%d]", i))
		if err != nil {
			return err
		}
		list = append(list, f)
	}
	s.faults = list
	return nil
}
