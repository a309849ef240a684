//go:build !windows

package main

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// jobControl is how a shell stops the program and lets it go on.
type jobControl struct {
	terminal int
	away     atomic.Bool // stopped by itself: it comes back by itself
}

// suspend stops the program and whatever runs beside it for one command of a
// shell, and returns when the terminal is its own again, or when over is closed.
func (j *jobControl) suspend(over <-chan struct{}) {
	j.away.Store(true)
	defer j.away.Store(false)
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	_ = syscall.Kill(0, syscall.SIGTSTP) // one's own group is always there
	select {
	case <-resumed:
	case <-time.After(500 * time.Millisecond): // nobody could wake it, so the system did not stop it
	}
	j.awaitTerminal(over)
}

// awaitTerminal waits until the program is in the foreground. One that was sent
// to the background goes on there, and must not touch the terminal.
func (j *jobControl) awaitTerminal(over <-chan struct{}) {
	for !j.foreground() {
		select {
		case <-over:
			signal.Ignore(syscall.SIGTTOU) // to give the terminal back is no reason to be stopped
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// foreground reports whether the terminal is the program's.
func (j *jobControl) foreground() bool {
	group, err := unix.IoctlGetInt(j.terminal, unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// hear tells when the program goes on after somebody else had stopped it: the
// terminal is not as the screen left it. It ends with stop.
func (j *jobControl) hear() (resumed <-chan struct{}, stop func()) {
	heard, told, over := make(chan os.Signal, 1), make(chan struct{}, 1), make(chan struct{})
	signal.Notify(heard, syscall.SIGCONT)
	go func() {
		for {
			select {
			case <-over:
				return
			case <-heard:
			}
			if j.away.Load() {
				continue
			}
			j.awaitTerminal(over)
			select {
			case told <- struct{}{}:
			default: // one that waits says the same
			}
		}
	}()
	return told, func() {
		signal.Stop(heard)
		close(over)
	}
}
