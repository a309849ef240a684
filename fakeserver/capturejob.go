package fakeserver

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// wakeScan notes when the capture job looks at the log next, where it does so
// only now and then.
func (d *database) wakeScan(up time.Duration) {
	if d.polling > 0 && d.nextScan == 0 {
		d.nextScan = (up/d.polling + 1) * d.polling
	}
}

// scan is one look of the capture job at the log: it sees the enables and the
// commits that wait.
func (d *database) scan() {
	d.nextScan = 0
	d.startPending()
	for _, c := range d.waiting {
		d.captureCommit(c)
	}
	d.waiting = nil
}

// Capture adds a capture instance. Its Created may be empty, which means now.
// Its Start, when nil, is a fresh LSN above all commits, which the mapping does
// not reach before the next commit or idle entry; while the capture job is
// stopped it stays NULL until StartCapture, and where the job looks at the log
// only now and then, until it does.
func (s *Server) Capture(name string, in Instance) error {
	s.lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(name)
	if err != nil {
		return err
	}
	if in.Created == "" {
		in.Created = s.host.local().Format("2006-01-02T15:04:05")
	}
	up := s.clock.uptime()
	return s.change(d, func(d *database) error {
		made, err := d.addInstance(in, "capture_instance")
		if err != nil || made.start != nil {
			return err
		}
		d.enable(made)
		switch {
		case d.captureStopped || d.polling > 0:
			d.wakeScan(up)
		default:
			d.startPending()
		}
		return nil
	})
}

// DropInstance removes a capture instance and its change table.
func (s *Server) DropInstance(name, instance string) error {
	s.lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(name)
	if err != nil {
		return err
	}
	return s.change(d, func(d *database) error { return d.drop(instance) })
}

func (d *database) drop(name string) error {
	in := d.instance(name)
	if in == nil {
		return fmt.Errorf("there is no capture instance %q", name)
	}
	d.instances = slices.DeleteFunc(slices.Clone(d.instances), func(i *instance) bool { return i == in })
	d.ddl = slices.DeleteFunc(d.ddl, func(r ddlRow) bool { return r.instance == in })
	return nil
}

// StopCapture stops the capture job: commits are made, nothing is captured.
func (s *Server) StopCapture(name string) error {
	return s.captureJob(name, func(d *database) error { d.captureStopped = true; return nil })
}

// StartCapture starts the capture job, which captures what has waited.
func (s *Server) StartCapture(name string) error {
	return s.captureJob(name, func(d *database) error {
		if s.host.settings.AgentStopped {
			return errors.New("no job can be started: the server's Agent is stopped")
		}
		d.captureStopped = false
		d.scan()
		return nil
	})
}

func (s *Server) captureJob(name string, do func(*database) error) error {
	s.lock()
	defer s.mu.Unlock()
	d, err := s.findCDC(name)
	if err != nil {
		return err
	}
	return s.change(d, do)
}
