package tds_test

import (
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"cdcseed/fakeserver/tds"
)

// pipes is a listener whose connections cost no socket.
type pipes struct {
	waiting chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.waiting:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// toldConn tells when the server has closed it.
type toldConn struct {
	net.Conn
	once sync.Once
	told chan struct{}
}

func (c *toldConn) Close() error {
	c.once.Do(func() { close(c.told) })
	return c.Conn.Close()
}

// packet is a message of one packet, for the sessions that a fuzzer begins with.
func packet(typ, status byte, data []byte) []byte {
	n := 8 + len(data)
	return append([]byte{typ, status, byte(n >> 8), byte(n), 0, 0, 1, 0}, data...)
}

// sessions are what real clients send, after the login and with it.
func sessions() (whole, after [][]byte) {
	hello := packet(pktPrelogin, eom, []byte{0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 1, 2, 3, 4, 0, 0, 2})
	login := packet(pktLogin7, eom, login7(0x74000004, 4096, 0))
	after = [][]byte{
		packet(pktBatch, eom, batch("rows 3")),
		packet(pktBatch, eom|reset, batch("types")),
		slices.Concat(packet(pktBatch, 0, batch("go")), packet(pktBatch, eom|ignore, nil), packet(pktAttention, eom, nil)),
		slices.Concat(packet(pktBatch, eom, batch("wait for ever")), packet(pktAttention, eom, nil), packet(pktBatch, eom, batch("go on"))),
		packet(pktRPC, eom, headers(call(procExecuteSQL, text("echo"), text("@p1 int"), number(5, false), text("é😀"))...)),
		packet(pktRPC, eom, headers(slices.Concat(call(procPrepExec, number(0, true), text(""), text("echo")), []byte{0xff}, callNamed("sp_unprepare", number(1, false)))...)),
		slices.Concat(packet(pktTransMgr, eom, tm(tmBegin, []byte{5}, name("a"))), packet(pktTransMgr, eom, tm(tmCommit, name("a"), []byte{1}, []byte{0}, name("b")))),
	}
	for _, a := range after {
		whole = append(whole, slices.Concat(hello, login, a))
	}
	return append(whole, hello, login, []byte{0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0}), after
}

// FuzzWire sends bytes to a server, as a stranger or as a client that is
// logged in. The server never panics, and lets the connection go with the client.
func FuzzWire(f *testing.F) {
	whole, after := sessions()
	for _, b := range whole {
		f.Add(false, b)
	}
	for _, b := range after {
		f.Add(true, b)
	}
	ln := &pipes{waiting: make(chan net.Conn), closed: make(chan struct{})}
	cert, _ := oneCertificate()
	r := &rig{}
	srv := tds.ServeContext(f.Context(), ln, tds.Config{TLS: tlsWith(cert), Login: r.login, MaxMessage: 1 << 20})
	f.Cleanup(srv.Close)
	f.Fuzz(func(t *testing.T, loggedIn bool, data []byte) {
		near, far := net.Pipe()
		server := &toldConn{Conn: far, told: make(chan struct{})}
		ln.waiting <- server
		if near.SetDeadline(time.Now().Add(hang)); loggedIn {
			c := &raw{t, near}
			c.prelogin()
			c.welcomed(0x74000004, 4096)
		}
		heard := make(chan struct{})
		go func() {
			defer close(heard)
			io.Copy(io.Discard, near)
		}()
		near.Write(data)
		near.Close()
		<-heard
		select {
		case <-server.told:
		case <-time.After(hang):
			t.Error("the server keeps a connection without a client")
		}
		r.mu.Lock()
		r.requests = nil
		r.mu.Unlock()
	})
}
