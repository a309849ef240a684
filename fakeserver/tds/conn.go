package tds

import (
	"bufio"
	"context"
	"errors"
	"net"
)

// conn is one client's connection.
type conn struct {
	srv   *Server
	nc    net.Conn      // the socket itself; closing it ends everything
	r     *bufio.Reader // the client's bytes, out of TLS where there is TLS
	w     *packetWriter
	login *Login
	stmts statements
	tran  transaction
	// A reset that came with a message which the session never saw is told
	// with the next one it sees.
	reset, keepTran bool
}

// serve runs a connection from its first byte to its end.
func (c *conn) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l, err := c.handshake(ctx)
	if errors.Is(err, errOldTDS) {
		c.refuseOld(l.TDSVersion)
	}
	if err != nil {
		return err
	}
	c.login = l
	if c.srv.cfg.Trace != nil {
		c.srv.cfg.Trace("LOGIN %s", describeLogin(l))
	}
	sess, err := c.srv.cfg.Login(ctx, l)
	if err != nil {
		c.refuse(err)
		return err
	}
	defer sess.Close()
	if err := c.welcome(l); err != nil {
		return err
	}
	return c.loop(ctx, sess)
}
