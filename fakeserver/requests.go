package fakeserver

import (
	"fmt"
	"time"
)

// The bodies of control requests.
type (
	advanceRequest struct {
		By string     `json:"by"`
		To *time.Time `json:"to"`
	}
	commitRequest struct {
		Database  string   `json:"database"`
		LocalTime string   `json:"local_time"`
		Changes   []Change `json:"changes"`
	}
	databaseRequest struct {
		Database string `json:"database"`
	}
	cleanupRequest struct {
		Database  string `json:"database"`
		Instance  string `json:"instance"`
		To        *LSN   `json:"to"`
		Retention bool   `json:"retention"`
		Leftovers bool   `json:"leftovers"`
		FailAfter *int   `json:"fail_after"`
	}
	captureRequest struct {
		Database string   `json:"database"`
		Instance Instance `json:"instance"`
	}
	dropRequest struct {
		Database string `json:"database"`
		Instance string `json:"instance"`
	}
	jobRequest struct {
		Database string `json:"database"`
		Running  bool   `json:"running"`
	}
	offlineRequest struct {
		Database string `json:"database"`
		Offline  bool   `json:"offline"`
	}
	faultRequest struct {
		Faults []Fault `json:"faults"`
	}
)

func (s *Server) postAdvance(q advanceRequest) (map[string]any, error) {
	switch {
	case (q.By == "") == (q.To == nil):
		return nil, fmt.Errorf("give by, such as 1h, or to, such as 2026-10-26T09:00:00Z")
	case q.To != nil:
		s.SetNow(*q.To)
	default:
		d, err := time.ParseDuration(q.By)
		if err != nil {
			return nil, fmt.Errorf("by: %q is not a duration such as 1h30m", q.By)
		}
		s.Advance(d)
	}
	return map[string]any{"now": s.Now()}, nil
}

func (s *Server) postCommit(q commitRequest) (map[string]any, error) {
	l, err := s.CommitAt(q.Database, q.LocalTime, q.Changes...)
	return map[string]any{"lsn": l}, err
}

func (s *Server) postIdle(q databaseRequest) (map[string]any, error) {
	l, err := s.Idle(q.Database)
	return map[string]any{"lsn": l}, err
}

func (s *Server) postCleanup(q cleanupRequest) (map[string]any, error) {
	kinds := 0
	for _, given := range []bool{q.To != nil, q.Retention, q.Leftovers} {
		if given {
			kinds++
		}
	}
	switch {
	case kinds != 1 || q.Retention && q.Instance != "":
		return nil, fmt.Errorf("give to, an LSN, or retention true, or an instance and leftovers true")
	case q.Leftovers && q.Instance == "":
		return nil, fmt.Errorf("leftovers are an instance's")
	case q.FailAfter != nil && (q.To == nil || q.Instance != "" || *q.FailAfter < 0):
		return nil, fmt.Errorf("fail_after is a number of rows, and goes with to")
	case q.Retention:
		l, err := s.RunCleanup(q.Database)
		return map[string]any{"low_water_mark": l}, err
	}
	l, err := s.cleanup(q.Database, q.Instance, q.To, q.FailAfter)
	return map[string]any{"low_water_mark": l}, err
}

func (s *Server) postCapture(q captureRequest) (map[string]any, error) {
	return map[string]any{}, s.Capture(q.Database, q.Instance)
}

func (s *Server) postDropInstance(q dropRequest) (map[string]any, error) {
	return map[string]any{}, s.DropInstance(q.Database, q.Instance)
}

func (s *Server) postCaptureJob(q jobRequest) (map[string]any, error) {
	if q.Running {
		return map[string]any{}, s.StartCapture(q.Database)
	}
	return map[string]any{}, s.StopCapture(q.Database)
}

func (s *Server) postFault(q faultRequest) (map[string]any, error) {
	return map[string]any{}, s.SetFault(q.Faults...)
}

func (s *Server) postOffline(q offlineRequest) (map[string]any, error) {
	return map[string]any{}, s.SetOffline(q.Database, q.Offline)
}

func (s *Server) postDropConnections(struct{}) (map[string]any, error) {
	s.DropConnections()
	return map[string]any{}, nil
}
