package fakeserver

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"time"
)

// Options says how to serve a world. The zero value serves it on a free port
// of 127.0.0.1.
type Options struct {
	Listen     string           // host:port of loopback, 127.0.0.1:0 when empty
	Control    string           // host:port of loopback for control requests, none when empty
	Encryption byte             // tds.EncryptOff, EncryptOn, EncryptReq or EncryptNotSup
	Log        *slog.Logger     // nothing is logged when nil
	Clock      func() time.Time // what a ticking clock follows, time.Now when nil
}

// listenLoopback listens on addr, which must be of this machine only: the
// fake has no business on a network.
func listenLoopback(ctx context.Context, addr string) (net.Listener, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", addr, err)
	}
	if !isLoopback(host) {
		return nil, fmt.Errorf("listen on %q: the fake server listens on loopback only, such as 127.0.0.1:0", addr)
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", addr)
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
