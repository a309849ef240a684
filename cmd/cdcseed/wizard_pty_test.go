//go:build !windows

package main

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// The wizard opens with what flags say, asks before it leaves, and tells how to
// come back.
func TestWizardIsLeft(t *testing.T) {
	s := openTerminal(t, map[string]string{"CDCSEED_DATABASE": "Sales"}, "--table", "dbo.Orders")
	s.expect("[1 Connect]", "READ-ONLY", "Sales")
	s.press("ctrl+c").expect("Leave cdcseed?", "Stay")
	s.press("enter").gone("Leave cdcseed?")
	s.press("ctrl+c").expect("Leave cdcseed?").press("y")
	status, after := s.exit()
	wants(t, after, "STOP The wizard was left before the end. Nothing was written.", "(stopped, exit status 130)",
		"The wizard with these answers: cdcseed --database Sales --table dbo.Orders")
	if status != 130 {
		t.Errorf("status %d", status)
	}
}

func TestWizardIsTold(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		s := openTerminal(t, nil)
		s.expect("[1 Connect]").signal(sig)
		if status, after := s.exit(); status != 130 {
			t.Errorf("%v: %d, %s", sig, status, after)
		}
	}
	s := openTerminal(t, nil)
	s.expect("[1 Connect]").signal(syscall.SIGINT).expect("Leave cdcseed?").signal(syscall.SIGINT)
	if status, _ := s.exit(); status != 130 {
		t.Error(status)
	}
}

// A terminal that is gone ends the wizard.
func TestWizardLosesItsTerminal(t *testing.T) {
	s := openTerminal(t, nil)
	s.expect("[1 Connect]").hangUp()
	select {
	case <-s.ended:
	case <-time.After(patience):
		t.Fatal("it goes on without a terminal")
	}
	if status := s.child.ProcessState.ExitCode(); status != 130 {
		t.Errorf("status %d", status)
	}
}

// Only the wizard asks the terminal what it looks like: another command would
// take what was typed ahead for the answer.
func TestCommandsAskTheTerminalNothing(t *testing.T) {
	s := openTerminal(t, nil, "version")
	if status, out := s.exit(); status != 0 || !strings.HasPrefix(out, "cdcseed ") {
		t.Errorf("status %d: %q", status, out)
	}
	if strings.Contains(s.raw.String(), "\x1b") {
		t.Errorf("%q", s.raw.String())
	}
}
