package sqlserver

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"github.com/microsoft/go-mssqldb/msdsn"

	"cdcseed/engine/verdict"
)

// Source is one connection to a database. Its methods may be called from one
// goroutine at a time; they read, one statement at a time, and cancelling their
// context stops the statement on the server.
type Source struct {
	db      *sql.DB
	options Options
	opened  bool // it was reached once
	azure   bool // it is Azure SQL Database or Managed Instance
}

// Open connects and logs in. Refusals: verdict.Usage, verdict.LoginFailed,
// verdict.SourceUnreachable, verdict.Stopped.
func Open(ctx context.Context, o Options) (*Source, error) {
	to, err := o.withDefaults().connector(nil)
	if err != nil {
		return nil, err
	}
	return open(ctx, o.withDefaults(), to)
}

func open(ctx context.Context, o Options, to driver.Connector) (*Source, error) {
	s := &Source{db: sql.OpenDB(to), options: o}
	s.db.SetMaxOpenConns(1)
	s.db.SetMaxIdleConns(1)
	if err := s.connect(ctx); err != nil {
		return nil, joinClose(err, s.db)
	}
	return s, nil
}

// joinClose closes what is of no more use; the error that made it useless is the one to tell.
func joinClose(err error, db *sql.DB) error {
	_ = db.Close() // nothing is open that a failed close could lose
	return err
}

// connect tries to log in, again after transient errors, within the connect
// timeout and the time that a person may take.
func (s *Source) connect(ctx context.Context) error {
	in, cancel := context.WithTimeout(ctx, s.options.loginLimit())
	defer cancel()
	var edition int
	err := s.retry(in, func() error {
		return s.ask(in, "engine_edition", func(rows *sql.Rows) error {
			_, err := onlyRow(rows, &edition)
			return err
		})
	})
	if err != nil {
		return s.refusal(ctx, "connect to "+s.options.Server, err)
	}
	s.opened = true
	s.azure = edition == editionAzureDatabase || edition == editionManagedInstance
	return nil
}

// The editions that SERVERPROPERTY('EngineEdition') calls Azure's.
const (
	editionAzureDatabase   = 5
	editionManagedInstance = 8
)

// Close ends the connection.
func (s *Source) Close() error { return s.db.Close() }

// sendable refuses names and passwords with characters beyond the basic plane:
// go-mssqldb 1.11.2 counts their lengths in runes where the protocol counts
// UTF-16 units (MS-TDS 2.2.6.4), so the server would see the last one cut off,
// and take a password for another.
func (o Options) sendable() error {
	sent := []struct{ what, value string }{{"database", o.Database}}
	if o.SignIn == "" {
		sent = append(sent, struct{ what, value string }{"user", o.User}, struct{ what, value string }{"password", o.Password})
	}
	for _, f := range sent {
		if strings.ContainsFunc(f.value, func(r rune) bool { return r > 0xFFFF }) {
			return &verdict.Error{
				Code: verdict.Usage, What: fmt.Sprintf("the %s holds a character that the driver cannot send in a login", f.what),
				Why:  "Characters beyond U+FFFF, emoji among them, would arrive cut off.",
				Hint: []string{"Give the login a name and a password without such characters."},
			}
		}
	}
	return nil
}

// config is the driver's configuration. It is made of values, never of a
// connection string, so that nothing must be escaped and no error can quote it.
func (o Options) config() (msdsn.Config, error) {
	a, err := parseServer(o.Server)
	if err != nil {
		return msdsn.Config{}, err
	}
	if o.ReadOnlyIntent && o.Database == "" {
		return msdsn.Config{}, &verdict.Error{
			Code: verdict.Usage,
			What: "a read-only intent needs the name of the database",
			Hint: []string{"Add --database NAME."},
		}
	}
	if err := o.sendable(); err != nil {
		return msdsn.Config{}, err
	}
	c := msdsn.Config{
		Host:                a.host,
		Port:                a.port,
		Instance:            a.instance,
		Database:            o.Database,
		User:                o.User,
		Password:            o.Password,
		AppName:             o.AppName,
		ReadOnlyIntent:      o.ReadOnlyIntent,
		DialTimeout:         o.ConnectTimeout,
		KeepAlive:           keepAlive,
		MultiSubnetFailover: true,
		Protocols:           []string{"tcp"},
		ProtocolParameters:  map[string]any{},
		Parameters:          map[string]string{},
		BrowserMessage:      msdsn.BrowserAllInstances,
		Encoding:            msdsn.EncodeParameters{Timezone: time.UTC},
	}
	return c, o.encryption(&c, a)
}

// encryption fills in how c is encrypted.
func (o Options) encryption(c *msdsn.Config, a address) (err error) {
	refuse := func(what, hint string) error {
		return &verdict.Error{Code: verdict.Usage, What: what, Hint: []string{hint}}
	}
	pin := ""
	c.Encryption = msdsn.EncryptionRequired
	switch o.Encrypt {
	case EncryptVerify:
	case EncryptTrust:
		c.TrustServerCertificate = true
	case EncryptStrict:
		c.Encryption = msdsn.EncryptionStrict
		pin = o.CertificateFile
	case EncryptPinned:
		pin = o.CertificateFile
		if pin == "" {
			return refuse("a pinned certificate needs its file", "Name the server's certificate in PEM form: --encrypt pin:server.pem.")
		}
	case encryptNone:
		if !a.onLoopback() {
			return refuse(fmt.Sprintf("a connection to %q without encryption is not offered", a.host), "Only a server on this machine is read without encryption.")
		}
		c.Encryption = msdsn.EncryptionDisabled
		return nil
	default:
		return refuse(fmt.Sprintf("%q is no way to encrypt", o.Encrypt), "Use verify, strict, pin:FILE or trust; none on this machine's loopback.")
	}
	c.TLSConfig, err = msdsn.SetupTLS("", pin, c.TrustServerCertificate, a.host, "1.2")
	if err != nil {
		return &verdict.Error{
			Code: verdict.Usage, What: fmt.Sprintf("the certificate file %q cannot be used", pin), Err: err,
			Hint: []string{"Name a file with the server's certificate in PEM form."},
		}
	}
	if c.TLSConfig.MinVersion < tls.VersionTLS12 {
		c.TLSConfig.MinVersion = tls.VersionTLS12
	}
	return nil
}
