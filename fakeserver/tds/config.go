package tds

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

// Config says how a Server behaves.
type Config struct {
	// Encryption is one of the Encrypt constants. EncryptOff still encrypts
	// the login when TLS is set; without TLS it is EncryptNotSup.
	Encryption byte
	// TLS holds the certificate. Without it no client can encrypt.
	TLS *tls.Config
	// ServerName stands in every message; FAKESQL when empty.
	ServerName string
	// Version is the product version told to clients; 16.0.1000 when zero.
	Version Version
	// Login, which must be set, checks a login and opens its session; an *Error, or several joined, refuses it, any
	// other error closes the socket. It may fill in what the client left open,
	// such as l.Database. ctx ends with the connection.
	Login func(ctx context.Context, l *Login) (Session, error)
	// Accept, when set, may wrap a new connection or, with nil, take it away
	// from the server; closing it is then Accept's affair (fault injection).
	Accept func(net.Conn) net.Conn
	// Trace, when set, is told of logins, requests and broken connections. It
	// is called from many goroutines. It never sees a password.
	Trace func(format string, a ...any)
	// MaxMessage is the largest request in bytes; 64 MiB when zero. A longer
	// one ends the connection.
	MaxMessage int
	// LoginTimeout is the time from accept to login; 30 seconds when zero.
	LoginTimeout time.Duration
}

// Version is a product version, such as 16.0.1000.
type Version struct {
	Major, Minor byte
	Build        uint16
}

const defaultLoginTimeout = 30 * time.Second

// withDefaults fills what was left zero.
func (c Config) withDefaults() Config {
	if c.ServerName == "" {
		c.ServerName = "FAKESQL"
	}
	if c.Version == (Version{}) {
		c.Version = Version{Major: 16, Build: 1000}
	}
	if c.MaxMessage <= 0 {
		c.MaxMessage = defaultMaxMessage
	}
	if c.LoginTimeout <= 0 {
		c.LoginTimeout = defaultLoginTimeout
	}
	if c.TLS == nil && c.Encryption == EncryptOff {
		c.Encryption = EncryptNotSup
	}
	return c
}

func (c *Config) trace(format string, a ...any) {
	if c.Trace != nil {
		c.Trace(format, a...)
	}
}
