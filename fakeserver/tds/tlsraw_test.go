package tds_test

import (
	"crypto/tls"
	"io"
	"net"
	"testing"
	"time"
)

// handshakeConn is the client's side of TLS inside PRELOGIN packets.
type handshakeConn struct {
	net.Conn
	bare bool // the handshake is over: records go as they are
	in   []byte
}

func (c *handshakeConn) Write(b []byte) (int, error) {
	if c.bare {
		return c.Conn.Write(b)
	}
	h := []byte{pktPrelogin, eom, byte((8 + len(b)) >> 8), byte(8 + len(b)), 0, 0, 1, 0}
	_, err := c.Conn.Write(append(h, b...))
	return len(b), err
}

func (c *handshakeConn) Read(b []byte) (int, error) {
	if c.bare {
		return c.Conn.Read(b)
	}
	if len(c.in) == 0 {
		var h [8]byte
		if _, err := io.ReadFull(c.Conn, h[:]); err != nil {
			return 0, err
		}
		c.in = make([]byte, int(h[2])<<8|int(h[3])-8)
		if _, err := io.ReadFull(c.Conn, c.in); err != nil {
			return 0, err
		}
	}
	n := copy(b, c.in)
	c.in = c.in[n:]
	return n, nil
}

// preloginAsking sends PRELOGIN with an ENCRYPTION byte and returns the server's.
func (c *raw) preloginAsking(encryption byte) byte {
	c.t.Helper()
	c.send(pktPrelogin, eom, []byte{0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 1, 2, 3, 4, 0, 0, encryption})
	answer := c.message()
	for at := 0; answer[at] != 0xff; at += 5 {
		if answer[at] == 1 {
			return answer[int(answer[at+1])<<8|int(answer[at+2])]
		}
	}
	c.t.Fatalf("no ENCRYPTION in % x", answer)
	return 0
}

// secure runs the handshake and returns the client inside TLS.
func (c *raw) secure() (*raw, tls.ConnectionState) {
	c.t.Helper()
	wrap := &handshakeConn{Conn: c.nc}
	inside := tls.Client(wrap, &tls.Config{InsecureSkipVerify: true})
	if err := inside.Handshake(); err != nil {
		c.t.Fatal(err)
	}
	wrap.bare = true
	return &raw{c.t, inside}, inside.ConnectionState()
}

// strictRaw is a client inside TLS that came before any packet.
func strictRaw(t testing.TB, addr string) (*raw, tls.ConnectionState) {
	t.Helper()
	c := dialRaw(t, addr)
	inside := tls.Client(c.nc, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"tds/8.0"}})
	inside.SetDeadline(time.Now().Add(hang))
	if err := inside.Handshake(); err != nil {
		t.Fatal(err)
	}
	return &raw{t, inside}, inside.ConnectionState()
}
