package main

import (
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// streams is everything that a command meets of the outside, so that a test
// hands in its own.
type streams struct {
	in       io.Reader
	out      io.Writer // results only
	err      io.Writer // progress and messages
	terminal bool      // in and err are a person's
	password func() (string, error)
	now      func() time.Time
}

func standardStreams() streams {
	stdin, stderr := int(os.Stdin.Fd()), int(os.Stderr.Fd())
	return streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		terminal: term.IsTerminal(stdin) && term.IsTerminal(stderr),
		password: func() (string, error) {
			b, err := term.ReadPassword(stdin)
			return string(b), err
		},
		now: time.Now,
	}
}
