package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// signals hears whoever wants the program to end, for as long as it runs, and
// passes it to the one whose turn it is.
type signals struct {
	mu sync.Mutex
	to func(os.Signal)
}

// hearSignals passes signals to the one that is given, until stop.
func hearSignals(to func(os.Signal)) (s *signals, stop func()) {
	s = &signals{to: to}
	heard, over := make(chan os.Signal, 4), make(chan struct{})
	signal.Notify(heard, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		for {
			select {
			case sig := <-heard:
				s.pass(sig)
			case <-over:
				return
			}
		}
	}()
	return s, func() {
		signal.Stop(heard)
		close(over)
	}
}

func (s *signals) pass(sig os.Signal) {
	s.mu.Lock()
	to := s.to
	s.mu.Unlock()
	to(sig)
}

// divert passes signals elsewhere, until back.
func (s *signals) divert(to func(os.Signal)) (back func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.to
	s.to = to
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.to = before
	}
}
