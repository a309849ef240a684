package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// errNoFile is why a pipe, a device or a folder is not read: it may have no end,
// or nothing to say until somebody writes to it.
var errNoFile = errors.New("it is no regular file")

// mostNamedFile bounds a file that a person names, such as a plan, in bytes.
const mostNamedFile = 1 << 30

// readRegular reads a regular file whole.
func readRegular(path string) ([]byte, error) {
	at, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !at.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w", path, errNoFile)
	case at.Size() > mostNamedFile:
		return nil, fmt.Errorf("%s holds %d bytes, more than any file of ours", path, at.Size())
	}
	return os.ReadFile(path)
}

// mostPassword bounds a password and the line's end behind it, in bytes.
const mostPassword = 64 << 10

// passwordOf reads a password from a file or from a pipe, as a shell's <(...)
// gives one. A stop does not wait for whoever should write to the pipe.
func passwordOf(ctx context.Context, path string) (string, error) {
	return untilStopped(ctx, func() (string, error) {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		b, err := io.ReadAll(io.LimitReader(f, mostPassword+1))
		if err = errors.Join(err, f.Close()); err == nil && len(b) > mostPassword {
			err = errors.New("it is longer than any password")
		}
		return string(bytes.TrimRight(b, "\r\n")), err
	})
}
