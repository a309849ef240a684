package engine

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/schema"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// Names of the engine's parts that callers need, so that they import nothing below it.
type (
	Error    = verdict.Error
	Check    = verdict.Check
	Table    = schema.Table
	Identity = sqlserver.Identity
)

// Session is an open connection to the source, and who it reached. One
// goroutine at a time may use it.
type Session struct {
	source   *sqlserver.Source
	identity sqlserver.Identity
	zone     string // the request's time zone override
	trusted  bool   // the server's certificate was not checked
	now      func() clock.Instant
}

// Open connects to the server that r names. The password travels beside r; one
// in a sqlserver:// URL is used where it is empty. prompt tells a person what to
// do elsewhere to sign in, such as a device code; it may be nil. Refusals: verdict.Usage,
// LoginFailed, SourceUnreachable.
func Open(ctx context.Context, r Request, password string, now func() time.Time, prompt func(string)) (*Session, error) {
	o, err := options(r, password)
	if err != nil {
		return nil, err
	}
	o.Prompt = prompt
	source, err := sqlserver.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &Session{
		source: source, zone: r.TimeZone, trusted: o.Encrypt == sqlserver.EncryptTrust,
		now: func() clock.Instant { return clock.Of(now()) },
	}
	if s.identity, err = source.Identity(ctx); err != nil {
		_ = source.Close() // the identity's error is the one to tell
		return nil, err
	}
	return s, nil
}

func options(r Request, password string) (sqlserver.Options, error) {
	o := sqlserver.Options{Server: r.Server}
	if strings.Contains(r.Server, "://") {
		var err error
		if o, err = sqlserver.ParseURL(r.Server); err != nil {
			return o, err
		}
	}
	if r.Database != "" {
		o.Database = r.Database
	}
	if r.User != "" {
		o.User = r.User
	}
	if password != "" {
		o.Password = password
	}
	if r.SignIn != "" {
		o.SignIn = sqlserver.SignIn(r.SignIn)
	}
	switch how, file, _ := strings.Cut(r.Encrypt, ":"); {
	case r.Encrypt == "":
	case how == "pin" && file != "":
		o.Encrypt, o.CertificateFile = sqlserver.EncryptPinned, file
	case slices.Contains([]string{"verify", "strict", "trust", "none"}, r.Encrypt):
		o.Encrypt = sqlserver.Encrypt(r.Encrypt)
	default:
		return o, usage(fmt.Sprintf("--encrypt %q is no choice", r.Encrypt),
			"Give verify, strict, pin:FILE with the server's certificate, trust (unsafe), or none for a server on this machine.")
	}
	o.AppName = "cdcseed"
	return o, nil
}

// WithoutPassword is a server's URL without its password, and that password.
// Anything but a URL is returned as it is.
func WithoutPassword(server string) (clean, password string) {
	u, err := url.Parse(server)
	if err != nil || u.User == nil {
		return server, ""
	}
	password, _ = u.User.Password()
	u.User = url.User(u.User.Username())
	return u.String(), password
}

// Identity is which server and database were reached, and as whom.
func (s *Session) Identity() Identity { return s.identity }

// Tables lists the captured tables that the login may read.
func (s *Session) Tables(ctx context.Context) ([]Table, error) { return s.source.Tables(ctx) }

// Close ends the connection. What it answers matters to nobody: everything was read.
func (s *Session) Close() { _ = s.source.Close() }
