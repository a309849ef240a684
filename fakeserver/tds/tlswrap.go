package tds

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
)

// alpnTDS8 is the protocol name a TDS 8 client asks for.
const alpnTDS8 = "tds/8.0"

// bufferedConn reads what a bufio.Reader has already taken from its socket first.
type bufferedConn struct {
	net.Conn
	r *bufio.Reader
}

func (c *bufferedConn) Read(p []byte) (int, error) { return c.r.Read(p) }

// tlsWrapConn carries TLS records inside PRELOGIN packets during the handshake
// and passes bytes through unchanged afterwards.
type tlsWrapConn struct {
	bufferedConn
	w    *packetWriter
	raw  bool
	in   []byte // what is left of the last packet
	open bool   // a flight of ours is being filled
}

// Read sends our own flight before it waits for the client's: the TLS library
// writes records one by one and never says where a flight ends.
func (c *tlsWrapConn) Read(p []byte) (int, error) {
	if c.raw {
		return c.bufferedConn.Read(p)
	}
	if err := c.sendFlight(); err != nil {
		return 0, err
	}
	for len(c.in) == 0 {
		m, err := readMessage(c.r, maxPrelogin)
		if err != nil {
			return 0, err
		}
		if m.typ != pktPrelogin {
			return 0, fmt.Errorf("tds: packet type %d during the TLS handshake", m.typ)
		}
		c.in = m.data
	}
	n := copy(p, c.in)
	c.in = c.in[n:]
	return n, nil
}

func (c *tlsWrapConn) Write(p []byte) (int, error) {
	if c.raw {
		return c.Conn.Write(p)
	}
	if !c.open {
		c.w.begin(pktPrelogin)
		c.open = true
	}
	c.w.add(p)
	return len(p), c.w.err
}

func (c *tlsWrapConn) sendFlight() error {
	if !c.open {
		return nil
	}
	c.open = false
	return c.w.end()
}

// startTLS runs the handshake inside PRELOGIN packets; TLS then covers the
// connection until something else is put in its place.
func (c *conn) startTLS(ctx context.Context) error {
	if c.srv.cfg.TLS == nil {
		return errNoCertificate
	}
	wrap := &tlsWrapConn{
		bufferedConn: bufferedConn{c.nc, c.r},
		w:            &packetWriter{to: c.nc, size: defaultPacketSize},
	}
	cfg := c.srv.cfg.TLS.Clone()
	// TLS 1.3 sends tickets after the handshake, when records are bare again:
	// a client still unwrapping packets cannot read them.
	cfg.MaxVersion = tls.VersionTLS12
	t := tls.Server(wrap, cfg)
	if err := t.HandshakeContext(ctx); err != nil {
		return err
	}
	if err := wrap.sendFlight(); err != nil {
		return err
	}
	wrap.raw = true
	c.r, c.w.to = bufio.NewReader(t), t
	return nil
}

// startTDS8 answers a TLS hello that came before any packet.
func (c *conn) startTDS8(ctx context.Context) error {
	if c.srv.cfg.TLS == nil {
		return errNoCertificate
	}
	cfg := c.srv.cfg.TLS.Clone()
	cfg.NextProtos = []string{alpnTDS8}
	t := tls.Server(&bufferedConn{c.nc, c.r}, cfg)
	if err := t.HandshakeContext(ctx); err != nil {
		return err
	}
	c.r, c.w.to = bufio.NewReader(t), t
	return nil
}
