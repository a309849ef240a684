package sqlserver_test

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	mssql "github.com/microsoft/go-mssqldb"
	"github.com/microsoft/go-mssqldb/msdsn"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
	"cdcseed/fakeserver/tds"
)

// These tests hold the driver to the faults that the package works around. One
// that fails says that a release has mended its fault: then see whether the
// work-around may go.

// pool is the bare driver with one connection.
func pool(t *testing.T, srv *fakeserver.Server, parameters ...string) *sql.DB {
	t.Helper()
	dsn := srv.URL()
	for _, p := range parameters {
		dsn += "&" + p
	}
	db, err := sql.Open("sqlserver", dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// A failed statement with more than five tokens behind it: the rest of the
// answer stays unread, and the next use of the connection waits for ever, its
// context notwithstanding (go-mssqldb issue 407).
func TestDriverHangsAfterAFailedStatement(t *testing.T) {
	srv := serve(t, purgedCopy.world(t))
	c, err := pool(t, srv).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := c.QueryContext(t.Context(), "RAISERROR('first', 16, 1); SELECT start_lsn FROM cdc.lsn_time_mapping CROSS JOIN (VALUES (1), (2), (3)) AS v (n)")
	var e mssql.Error
	if !errors.As(err, &e) || e.Number != 50000 {
		if err == nil {
			rows.Close()
		}
		t.Fatal("the reproducer has other rows than it needs:", err)
	}
	ended := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		_, err := c.ExecContext(ctx, "SELECT 1;")
		ended <- err
	}()
	select {
	case err := <-ended:
		t.Errorf("this release of the driver does not hang: %v", err)
	case <-time.After(time.Second):
	}
}

// failing is a server whose every statement but the engine's first fails and
// is followed by rows, as a procedure may go on after an error.
type failing struct{}

func (failing) Close() {}

func (failing) Run(_ context.Context, q *tds.Request, w *tds.Reply) error {
	if strings.Contains(q.SQL, "engine_edition") {
		w.Columns([]tds.Column{{Name: "n", Type: tds.Int}})
		return w.Row(int64(3))
	}
	w.Message(&tds.Error{Number: 229, Class: 14, State: 5, Message: "The SELECT permission was denied."})
	w.StatementError()
	w.Columns([]tds.Column{{Name: "n", Type: tds.Int}})
	for n := range int64(20) {
		if err := w.Row(n); err != nil {
			return err
		}
	}
	return nil
}

func TestNoHangAfterAFailedStatement(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := tds.ServeContext(t.Context(), ln, tds.Config{Login: func(context.Context, *tds.Login) (tds.Session, error) {
		return failing{}, nil
	}})
	defer srv.Close()
	src, err := sqlserver.Open(t.Context(), sqlserver.Options{Server: strings.Replace(ln.Addr().String(), ":", ",", 1), Encrypt: "none", User: "u", Password: "p"})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for range 3 {
		done := make(chan error, 1)
		go func() {
			_, err := src.Tables(t.Context())
			done <- err
		}()
		select {
		case err := <-done:
			refused(t, err, verdict.SourceDenied)
		case <-time.After(hang):
			t.Fatal("it hangs")
		}
	}
}

// A connection that the server closed while it was idle fails its next use,
// a ping too, and the pool does not try again.
func TestDriverDoesNotRetryIdleConnections(t *testing.T) {
	srv := serve(t, purgedCopy.world(t))
	db := pool(t, srv)
	if err := db.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	srv.DropConnections()
	if err := db.PingContext(t.Context()); err == nil {
		t.Error("this release of the driver makes a new connection")
	}
	src := connect(t, srv)
	for range 5 {
		srv.DropConnections()
		if l, err := src.MaxLSN(t.Context()); err != nil || l == nil {
			t.Error(l, err)
		}
	}
}

// A deadline costs the connection, a cancel does not. The package reads under
// cancels only: TestCancelKeepsTheConnection.
func TestDriverDropsTheConnectionAtADeadline(t *testing.T) {
	w := purgedCopy.world(t)
	w.Faults = []fakeserver.Fault{{Match: "wait", Delay: "1h"}}
	srv, logins := counted(t, w, 0)
	db := pool(t, srv)
	if err := db.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, end := range []func() (context.Context, context.CancelFunc){
		func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			return ctx, cancel
		},
		func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(t.Context(), 50*time.Millisecond)
		},
	} {
		ctx, cancel := end()
		if _, err := db.ExecContext(ctx, "SELECT 1 -- wait\n;"); err == nil {
			t.Error("it did not wait")
		}
		cancel()
		if err := db.PingContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := logins.Load(); n != int64(i+1) {
			t.Errorf("way %d: %d logins, want %d", i, n, i+1)
		}
	}
}

func TestCancelKeepsTheConnection(t *testing.T) {
	w := purgedCopy.world(t)
	w.Faults = []fakeserver.Fault{{Match: "cdcseed: max_lsn", Delay: "1h"}}
	srv, logins := counted(t, w, 0)
	src := connect(t, srv)
	for range 3 {
		srv.ForgetStatements()
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			for deadline := time.Now().Add(hang); asked(srv, "max_lsn") == 0 && time.Now().Before(deadline); {
				time.Sleep(time.Millisecond)
			}
			stop()
		}()
		_, err := src.MaxLSN(ctx)
		refused(t, err, verdict.Stopped)
	}
	if _, err := src.TimeZones(t.Context()); err != nil {
		t.Error(err)
	}
	if n := logins.Load(); n != 1 {
		t.Errorf("%d logins: a cancel cost the connection", n)
	}
}

// Connections of TDS 8 write to the tls.Config that they were all given, which
// is a race where two are opened at once; the package opens one at a time.
func TestDriverWritesToTheTLSConfig(t *testing.T) {
	srv := serve(t, purgedCopy.world(t))
	u, err := url.Parse(srv.URL())
	if err != nil {
		t.Fatal(err)
	}
	config, err := msdsn.Parse(srv.URL())
	if err != nil {
		t.Fatal(err)
	}
	config.Encryption = msdsn.EncryptionStrict
	if config.TLSConfig, err = msdsn.SetupTLS("", "", true, u.Hostname(), "1.2"); err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(mssql.NewConnectorConfig(config))
	defer db.Close()
	if err := db.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(config.TLSConfig.NextProtos) == 0 {
		t.Error("this release of the driver leaves the configuration alone")
	}
}

// With the smallest packets the TLS handshake does not fit the driver's
// buffer. No option of the package asks for a packet size.
func TestDriverFailsWithSmallPacketsInTLS(t *testing.T) {
	srv, err := fakeserver.Start(purgedCopy.world(t), fakeserver.Options{Encryption: tds.EncryptReq})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	if err := pool(t, srv, "packet+size=512").PingContext(t.Context()); err == nil {
		t.Error("this release of the driver can do it")
	}
	if err := pool(t, srv).PingContext(t.Context()); err != nil {
		t.Error(err)
	}
	_, err = sqlserver.ParseURL(srv.URL() + "&packet+size=512")
	refused(t, err, verdict.Usage, "packet size")
}

// A text of one name is sent as the call of a procedure. The package's texts
// begin with a comment and end with a semicolon: see TestServerSeesTheseStatementsOnly.
func TestDriverCallsABareWord(t *testing.T) {
	srv := serve(t, purgedCopy.world(t))
	db := pool(t, srv)
	for text, call := range map[string]bool{
		"sys.sp_cdc_help_change_data_capture": true, "sys.sp_cdc_help_change_data_capture;": false, "/* tag */\nsys.sp_cdc_help_change_data_capture": false,
	} {
		srv.ForgetStatements()
		_, _ = db.ExecContext(t.Context(), text)
		if s := srv.Statements(); len(s) != 1 || s[0].Procedure != call {
			t.Errorf("%q: %+v", text, s)
		}
	}
}

// With timezone= the driver makes an instant of a local time, and where the
// clock goes back the choice is Go's. The package has times as they stand.
func TestDriverChoosesTheHourWithATimeZone(t *testing.T) {
	srv := serve(t, purgedCopy.world(t))
	const twice = "SELECT CONVERT(datetime2(0), '2026-10-25T02:30:00');"
	var bare, zoned time.Time
	if err := pool(t, srv).QueryRowContext(t.Context(), twice).Scan(&bare); err != nil {
		t.Fatal(err)
	}
	if err := pool(t, srv, "timezone=Europe/Berlin").QueryRowContext(t.Context(), twice).Scan(&zoned); err != nil {
		t.Fatal(err)
	}
	if bare.Location() != time.UTC || bare.Hour() != 2 || bare.Equal(zoned) {
		t.Errorf("%v without a zone, %v with one", bare, zoned)
	}
	_, err := sqlserver.ParseURL(srv.URL() + "&timezone=Europe/Berlin")
	refused(t, err, verdict.Usage, "timezone")
}
