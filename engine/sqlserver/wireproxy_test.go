package sqlserver_test

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cdcseed/engine/sqlserver"
	"cdcseed/fakeserver"
)

// proxy stands between the package and a server. It passes a number of the
// server's frames, which are TDS packets or TLS records, and then either keeps
// the rest for itself or cuts the connection.
type proxy struct {
	listener net.Listener
	server   string
	cut      bool         // at the end, instead of silence
	left     atomic.Int64 // frames that may pass
	hit      atomic.Bool  // a frame did not

	mu    sync.Mutex
	conns []net.Conn
}

const endless = 1 << 40

// before starts a proxy in front of srv that passes frames, and gives o its address.
func before(t *testing.T, srv *fakeserver.Server, o *sqlserver.Options, frames int64, cut bool) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, server: srv.Addr(), cut: cut}
	p.left.Store(frames)
	var all sync.WaitGroup
	all.Go(func() { p.accept(&all) })
	t.Cleanup(func() {
		l.Close()
		p.dropAll()
		all.Wait()
	})
	o.Server = strings.Replace(l.Addr().String(), ":", ",", 1)
	return p
}

func (p *proxy) accept(all *sync.WaitGroup) {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.server)
		if err != nil {
			client.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, client, server)
		p.mu.Unlock()
		all.Go(func() {
			io.Copy(server, client)
			server.Close()
		})
		all.Go(func() {
			p.pass(client, server)
			client.Close()
			server.Close()
		})
	}
}

func (p *proxy) dropAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
}

// pass copies frames from the server until one may not pass.
func (p *proxy) pass(client, server net.Conn) {
	for {
		frame, err := readFrame(server)
		if err != nil {
			return
		}
		if p.left.Add(-1) < 0 {
			p.hit.Store(true)
			if p.cut {
				p.left.Store(endless) // the next connection works
				return
			}
			io.Copy(io.Discard, server) // until the client hangs up
			return
		}
		if _, err := client.Write(frame); err != nil {
			return
		}
	}
}

// readFrame reads one TLS record or one TDS packet.
func readFrame(r io.Reader) ([]byte, error) {
	head := make([]byte, 5, 8)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	body := 0
	switch {
	case head[0] >= 0x14 && head[0] <= 0x17:
		body = int(binary.BigEndian.Uint16(head[3:]))
	case head[0] == 4 || head[0] == 18:
		body = int(binary.BigEndian.Uint16(head[2:])) - len(head)
	}
	if body <= 0 {
		return nil, errors.New("neither a TDS packet nor a TLS record")
	}
	frame := append(head, make([]byte, body)...)
	_, err := io.ReadFull(r, frame[len(head):])
	return frame, err
}
