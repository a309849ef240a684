package fakeserver

import (
	"fmt"
	"slices"
	"time"
)

// find is a user database by name, for the methods that change the world.
func (s *Server) find(name string) (*database, error) {
	d := s.host.database(name)
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
func (s *Server) CommitAt(database, local string, changes ...Change) (LSN, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.find(database)
	if err != nil {
		return LSN{}, err
	}
	end := s.host.local()
	if local != "" {
		if end, err = localTime(local); err != nil {
			return LSN{}, err
		}
	}
	edits, err := d.applyAll(changes, "changes")
	if err != nil {
		return LSN{}, err
	}
	e := d.nextEntry(end)
	c := commit{e, edits}
	d.history = append(d.history, c)
	switch {
	case !d.cdc:
	case d.captureStopped:
		d.waiting = append(d.waiting, c)
	default:
		d.captureCommit(c)
	}
	return e.lsn, nil
}

// Idle adds the entry that capture writes every few minutes when nothing
// happens, and answers its LSN. A stopped capture job writes none: an error.
func (s *Server) Idle(database string) (LSN, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(database)
	if err != nil {
		return LSN{}, err
	}
	if d.captureStopped {
		return LSN{}, fmt.Errorf("capture of database %q is stopped", d.name)
	}
	e := d.nextEntry(s.host.local())
	e.idle = true
	d.startPending()
	d.mapping = append(d.mapping, e)
	return e.lsn, nil
}

// MaxLSN is what sys.fn_cdc_get_max_lsn answers, nil when nothing is captured.
func (s *Server) MaxLSN(database string) (*LSN, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(database)
	if err != nil {
		return nil, err
	}
	return d.maxLSN(), nil
}

// Cleanup moves the low watermarks of all capture instances up to the commit
// time of mark and deletes older change rows and mapping rows. It answers the
// new watermark. A mark that is no start_lsn of the mapping is refused (22964).
func (s *Server) Cleanup(database string, mark LSN) (LSN, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(database)
	if err != nil {
		return LSN{}, err
	}
	return d.cleanUp(mark, nil)
}

// CleanupInstance is Cleanup for one capture instance, as sys.sp_cdc_cleanup_change_table
// does it.
func (s *Server) CleanupInstance(database, instance string, mark LSN) (LSN, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(database)
	if err != nil {
		return LSN{}, err
	}
	in := d.instance(instance)
	if in == nil {
		return LSN{}, fmt.Errorf("there is no capture instance %q", instance)
	}
	return d.cleanUp(mark, in)
}

// RunCleanup runs the cleanup job: the retention is counted back from the
// newest tran_end_time. It answers the watermark, nil when nothing was to do.
func (s *Server) RunCleanup(database string) (*LSN, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(database)
	if err != nil {
		return nil, err
	}
	if d.cleanup == nil {
		return nil, fmt.Errorf("database %q has no cleanup job", d.name)
	}
	mark := d.retentionMark(s.host.settings.MapTime == "by_lsn")
	if mark == nil {
		return nil, nil
	}
	low, err := d.cleanUp(*mark, nil)
	return &low, err
}

// Capture adds a capture instance. Its Created may be empty, which means now.
// Its Start, when nil, is a fresh LSN above all commits, which the mapping does
// not reach before the next commit or idle entry; while the capture job is
// stopped it stays NULL until StartCapture.
func (s *Server) Capture(database string, in Instance) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(database)
	if err != nil {
		return err
	}
	if in.Created == "" {
		in.Created = s.host.local().Format("2006-01-02T15:04:05")
	}
	made, err := d.addInstance(in, "capture_instance")
	if err != nil || made.start != nil {
		return err
	}
	d.enable(made)
	if !d.captureStopped {
		d.startPending()
	}
	return nil
}

// DropInstance removes a capture instance and its change table.
func (s *Server) DropInstance(database, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(database)
	if err != nil {
		return err
	}
	in := d.instance(name)
	if in == nil {
		return fmt.Errorf("there is no capture instance %q", name)
	}
	var kept []*instance
	for _, i := range d.instances {
		if i != in {
			kept = append(kept, i)
		}
	}
	d.instances = kept
	d.ddl = slices.DeleteFunc(d.ddl, func(r ddlRow) bool { return r.instance == in })
	return nil
}

// StopCapture stops the capture job: commits are made, nothing is captured.
func (s *Server) StopCapture(database string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(database)
	if err == nil {
		d.captureStopped = true
	}
	return err
}

// StartCapture starts the capture job, which captures what has waited.
func (s *Server) StartCapture(database string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(database)
	if err != nil {
		return err
	}
	d.captureStopped = false
	d.startPending()
	d.catchUp()
	return nil
}

// SetOffline takes a database off line, or back. Sessions in it get 942.
func (s *Server) SetOffline(database string, offline bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.find(database)
	if err == nil {
		d.offline = offline
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
