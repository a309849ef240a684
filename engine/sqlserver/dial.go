package sqlserver

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	mssql "github.com/microsoft/go-mssqldb"
)

// boundedConnector ends what go-mssqldb leaves without an end: of a login, it
// gives the context to the dialling alone, so a server that accepts and says
// nothing would hold it for ever, and a stop with it.
type boundedConnector struct {
	*mssql.Connector
	login   time.Duration // for connecting and logging in, a person included
	silence time.Duration
}

var _ driver.Connector = (*boundedConnector)(nil)

// keepAlive is between the probes that find a dead machine.
const keepAlive = 30 * time.Second

// Connect logs in. Each attempt has a connector of its own, which knows the
// sockets that this attempt opened.
func (b *boundedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	in, cancel := context.WithTimeout(ctx, b.login)
	defer cancel()
	d := &dialer{silence: b.silence}
	one := *b.Connector
	one.Dialer = d
	stop := context.AfterFunc(in, func() { _ = d.hangUp() })
	conn, err := one.Connect(in)
	if !stop() {
		return nil, &loginEndedError{cause: context.Cause(in), err: err}
	}
	own, ok := conn.(*mssql.Conn)
	if err == nil && !ok {
		err = fmt.Errorf("the driver made a %T", conn)
	}
	if err != nil {
		lost := d.lost()
		_ = d.hangUp() // whatever the driver left open
		return nil, &loginLostError{err, lost}
	}
	return &ownConn{own, d}, nil
}

// ownConn is the driver's connection with a Close of its own. The driver's
// gives the buffer to the next connection while its reader may still use it,
// which is so after a failed statement and after a stop that is not answered.
type ownConn struct {
	*mssql.Conn
	sockets *dialer
}

// Close closes the socket; the reader, if there is one, ends with it or waits
// for nobody.
func (c *ownConn) Close() error { return c.sockets.hangUp() }

// loginEndedError is a login that took too long or was stopped.
type loginEndedError struct {
	cause error // of the context
	err   error // what the driver made of it
}

func (e *loginEndedError) Error() string {
	if errors.Is(e.cause, context.DeadlineExceeded) {
		return "the server did not finish the login in time"
	}
	return "the login was stopped"
}

// Unwrap gives both: the driver's error may say who kept the login waiting.
func (e *loginEndedError) Unwrap() []error { return []error{e.cause, e.err} }

var (
	_ driver.ConnPrepareContext = (*ownConn)(nil)
	_ driver.NamedValueChecker  = (*ownConn)(nil)
	_ driver.SessionResetter    = (*ownConn)(nil)
	_ driver.Validator          = (*ownConn)(nil)
)

// loginLostError is a failed login with what ended its connection, of which the
// driver keeps only the text where it happens in a TLS handshake.
type loginLostError struct{ driver, connection error }

func (e *loginLostError) Error() string { return e.driver.Error() }

// Unwrap gives both; there is no second where the connection did not end.
func (e *loginLostError) Unwrap() []error { return []error{e.driver, e.connection} }

// dialer opens the sockets of one login: more than one where a server sends
// its clients elsewhere or a name has several addresses.
type dialer struct {
	silence time.Duration

	mu     sync.Mutex
	open   []*heardConn
	closed bool
}

var _ mssql.Dialer = (*dialer)(nil)

// DialContext opens a socket. One of UDP asks SQL Server Browser for a port,
// for which the driver has a deadline.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	nc, err := (&net.Dialer{KeepAlive: keepAlive}).DialContext(ctx, network, address)
	if err != nil || network != "tcp" {
		return nc, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errors.Join(net.ErrClosed, nc.Close())
	}
	heard := &heardConn{Conn: nc, limit: d.silence}
	d.open = append(d.open, heard)
	return heard, nil
}

// hangUp closes the sockets and ends whatever waits for them. Those that the
// driver has closed already are closed.
func (d *dialer) hangUp() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	var all error
	for _, nc := range d.open {
		if err := nc.Close(); !errors.Is(err, net.ErrClosed) {
			all = errors.Join(all, err)
		}
	}
	return all
}

// lost is what ended the connection of the login, nil where it did not end.
func (d *dialer) lost() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, nc := range d.open {
		if err := nc.lost.Load(); err != nil {
			return *err
		}
	}
	return nil
}
