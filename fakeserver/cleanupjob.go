package fakeserver

import (
	"errors"
	"fmt"
)

// Cleanup moves the low watermarks of all capture instances up to the commit
// time of mark and deletes older change rows and mapping rows. It answers the
// new watermark. A mark that is no start_lsn of the mapping is refused (22964).
func (s *Server) Cleanup(database string, mark LSN) (LSN, error) {
	return s.cleanup(database, "", &mark, nil)
}

// CleanupInstance is Cleanup for one capture instance, as sys.sp_cdc_cleanup_change_table
// does it.
func (s *Server) CleanupInstance(database, instance string, mark LSN) (LSN, error) {
	return s.cleanup(database, instance, &mark, nil)
}

// CleanupLeftovers is CleanupInstance without a mark: the watermark stays, and
// what lies below it is deleted.
func (s *Server) CleanupLeftovers(database, instance string) (LSN, error) {
	return s.cleanup(database, instance, nil, nil)
}

// CleanupFailing is a Cleanup that fails after it has deleted so many change
// rows of each instance: the watermarks stay moved, the other rows stay, and so
// does the mapping.
func (s *Server) CleanupFailing(database string, mark LSN, rows int) (LSN, error) {
	return s.cleanup(database, "", &mark, &rows)
}

func (s *Server) cleanup(name, instance string, mark *LSN, rows *int) (low LSN, err error) {
	s.lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(name)
	if err != nil {
		return LSN{}, err
	}
	if instance != "" && d.instance(instance) == nil {
		return LSN{}, fmt.Errorf("there is no capture instance %q", instance)
	}
	err = s.change(d, func(d *database) (err error) {
		low, err = d.cleanUp(mark, d.instance(instance), rows)
		return err
	})
	return low, err
}

// RunCleanup runs the cleanup job: the retention is counted back from the
// newest tran_end_time. It answers the watermark, nil when nothing was to do.
func (s *Server) RunCleanup(name string) (*LSN, error) {
	s.lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(name)
	if err != nil {
		return nil, err
	}
	switch {
	case d.cleanup == nil:
		return nil, fmt.Errorf("database %q has no cleanup job", d.name)
	case s.host.settings.AgentStopped:
		return nil, errors.New("no job can be run: the server's Agent is stopped")
	}
	mark := d.retentionMark(s.host.settings)
	if mark == nil {
		return nil, nil
	}
	var low LSN
	err = s.change(d, func(d *database) (err error) {
		low, err = d.cleanUp(mark, nil, nil)
		return err
	})
	return &low, err
}
