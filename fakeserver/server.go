package fakeserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"cdcseed/fakeserver/tds"
)

// Server is a running world. All methods may be called at any time from any
// goroutine.
type Server struct {
	mu         sync.Mutex
	host       *host // what clients see
	primary    *host // what the methods change: the same one, but for a replica that lags
	shipped    []shipped
	clock      clock
	faults     []*fault
	statements []Statement
	work       work

	options Options
	wire    *tds.Server
	control *http.Server
	served  chan struct{} // closed when the control listener has stopped
	address string
	listens string // the control address, empty without one
	pem     []byte
}

// Start serves w until Close; a caller that has a context uses Serve.
func Start(w *World, o Options) (*Server, error) { return Serve(context.Background(), w, o) }

// Serve serves w until Close; when ctx ends it stops serving, and Close still
// waits for what is left. The world is read once: what happens to the server
// does not change w.
func Serve(ctx context.Context, w *World, o Options) (*Server, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	s := &Server{options: o, clock: clock{at: w.Server.Now}}
	if w.Server.Clock == "ticking" {
		s.clock.follow(o.Clock)
	}
	h, err := w.build(s.clock.now)
	if err != nil {
		return nil, err
	}
	s.host, s.primary = h, h
	if w.Server.ReplicaLag != nil {
		if s.primary, err = w.build(s.clock.now); err != nil {
			return nil, err
		}
	}
	if err := s.SetFault(w.Faults...); err != nil {
		return nil, err
	}
	cert, pem, err := tds.SelfSigned(false)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	s.pem = pem
	ln, err := listenLoopback(ctx, o.Listen)
	if err != nil {
		return nil, err
	}
	if err := s.startControl(ctx); err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	s.address = ln.Addr().String()
	s.wire = tds.ServeContext(ctx, ln, tds.Config{
		Encryption: o.Encryption,
		TLS:        &tls.Config{Certificates: []tls.Certificate{cert}, SessionTicketsDisabled: true, MinVersion: tls.VersionTLS12},
		ServerName: h.settings.Name,
		Version:    wireVersion(h.settings.ProductVersion),
		Login:      s.logIn,
		Trace:      s.trace(),
	})
	return s, nil
}

// wireVersion is a product version as it stands in the login's answer. Numbers
// that are missing or too large for their place are 0 there.
func wireVersion(product string) tds.Version {
	var n [3]uint64
	for i, p := range strings.SplitN(product, ".", 4) {
		bits := 8
		if i == 2 {
			bits = 16
		}
		if x, err := strconv.ParseUint(p, 10, bits); err == nil && i < len(n) {
			n[i] = x
		}
	}
	return tds.Version{Major: byte(n[0]), Minor: byte(n[1]), Build: uint16(n[2])}
}

// trace writes the wire's notes to the log.
func (s *Server) trace() func(string, ...any) {
	if s.options.Log == nil {
		return nil
	}
	return func(format string, a ...any) { s.options.Log.Debug(fmt.Sprintf(format, a...)) }
}

// Addr is the host and port that clients connect to.
func (s *Server) Addr() string { return s.address }

// ControlURL is where control requests go, empty when there is no control.
func (s *Server) ControlURL() string {
	if s.listens == "" {
		return ""
	}
	return "http://" + s.listens
}

// Certificate is the server's certificate in PEM form.
func (s *Server) Certificate() []byte { return append([]byte{}, s.pem...) }

// URL is a connection string for the first login and the first user database
// that is on line, usable as it stands.
func (s *Server) URL() string {
	q := url.Values{"encrypt": {"disable"}}
	if s.options.Encryption == tds.EncryptOn || s.options.Encryption == tds.EncryptReq {
		q = url.Values{"encrypt": {"true"}, "TrustServerCertificate": {"true"}}
	}
	for _, d := range s.host.databases {
		if !d.system && !d.offline {
			q.Set("database", d.name)
			break
		}
	}
	l := s.host.logins[0]
	u := url.URL{Scheme: "sqlserver", User: url.UserPassword(l.Name, l.Password), Host: s.address, RawQuery: q.Encode()}
	return u.String()
}

// Close ends every connection and frees the ports.
func (s *Server) Close() error {
	s.wire.Close()
	if s.control == nil {
		return nil
	}
	err := s.control.Close()
	<-s.served
	return err
}

// DropConnections cuts every open connection without a word.
func (s *Server) DropConnections() { s.wire.DropConnections() }

// logIn is asked by the wire for every login.
func (s *Server) logIn(_ context.Context, l *tds.Login) (tds.Session, error) {
	s.lock()
	defer s.mu.Unlock()
	return s.openSession(l)
}
