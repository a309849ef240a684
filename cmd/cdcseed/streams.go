package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// streams is everything that a command meets of the outside, so that a test
// hands in its own.
type streams struct {
	in       io.Reader
	out      io.Writer                             // results only
	err      io.Writer                             // progress and messages
	terminal bool                                  // in and err are a person's
	screen   *screen                               // where the wizard draws; nil where in or out is no terminal
	password func(context.Context) (string, error) // read without an echo; ends at once when the context does
	now      func() time.Time
}

// screen is a terminal to draw on.
type screen struct{ in, out *os.File }

func standardStreams() streams {
	stdin, stderr := int(os.Stdin.Fd()), int(os.Stderr.Fd())
	var drawn *screen
	if term.IsTerminal(stdin) && term.IsTerminal(int(os.Stdout.Fd())) {
		drawn = &screen{os.Stdin, os.Stdout}
	}
	return streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		terminal: term.IsTerminal(stdin) && term.IsTerminal(stderr),
		screen:   drawn,
		password: func(ctx context.Context) (string, error) { return readPassword(ctx, stdin) },
		now:      time.Now,
	}
}

// readPassword reads a line from a terminal without an echo. A stop leaves the
// reading behind and gives the terminal its echo back, which the reading would
// have done at its end.
func readPassword(ctx context.Context, terminal int) (string, error) {
	before, err := term.GetState(terminal)
	if err != nil {
		return "", err
	}
	text, err := untilStopped(ctx, func() (string, error) {
		b, err := term.ReadPassword(terminal)
		return string(b), err
	})
	if ctx.Err() != nil {
		return "", errors.Join(ctx.Err(), term.Restore(terminal, before))
	}
	return text, err
}
