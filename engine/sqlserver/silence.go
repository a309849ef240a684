package sqlserver

import (
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	mssql "github.com/microsoft/go-mssqldb"
)

// silenceLimit is how long a server may send nothing while an answer is due.
// A server that only works slowly does not meet it: the largest reads are scans
// of tables that a cleanup job keeps to days, and rows that come slowly each
// begin the wait again. TCP's keepalive finds a dead machine much sooner.
const silenceLimit = 10 * time.Minute

// silentError is the end of a wait for a server that says nothing.
type silentError struct{ limit time.Duration }

func (e *silentError) Error() string {
	return fmt.Sprintf("the server has sent nothing for %v", e.limit)
}

// Timeout and Temporary make it a net.Error, after which the driver gives the
// connection up.
func (*silentError) Timeout() bool   { return true }
func (*silentError) Temporary() bool { return false }

var _ net.Error = (*silentError)(nil)

// silenceIn finds what ended a wait in a driver's error, which does not unwrap
// where the answer had begun.
func silenceIn(err error) *silentError {
	var broken mssql.StreamError
	if errors.As(err, &broken) {
		err = broken.InnerError
	}
	var silent *silentError
	if errors.As(err, &silent) {
		return silent
	}
	return nil
}

// heardConn is a socket that is closed when the other side is silent for too
// long. The driver sets no deadline of its own, and with one of its
// configuration TDS 8 would go without.
type heardConn struct {
	net.Conn
	limit  time.Duration
	silent atomic.Bool
	lost   atomic.Pointer[error] // what ended the connection, where it was not this side
}

// Read waits for the server no longer than the limit.
func (c *heardConn) Read(b []byte) (int, error) { return c.bounded(c.Conn.Read, b) }

// Write waits no longer for a server that does not take what it is sent.
func (c *heardConn) Write(b []byte) (int, error) { return c.bounded(c.Conn.Write, b) }

func (c *heardConn) bounded(move func([]byte) (int, error), b []byte) (int, error) {
	t := time.AfterFunc(c.limit, func() {
		c.silent.Store(true)
		_ = c.Close() // ends the wait; there is nobody left to tell of an error
	})
	defer t.Stop()
	n, err := move(b)
	switch {
	case err != nil && c.silent.Load():
		err = &silentError{c.limit}
	case err != nil && !errors.Is(err, net.ErrClosed):
		c.lost.CompareAndSwap(nil, &err)
	}
	return n, err
}
