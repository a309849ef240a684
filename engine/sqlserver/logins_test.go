package sqlserver_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"cdcseed/engine/sqlserver"
	"cdcseed/fakeserver"
)

// loginCounter counts the logins that a fake server logs.
type loginCounter struct{ n *atomic.Int64 }

func (loginCounter) Enabled(context.Context, slog.Level) bool { return true }

func (c loginCounter) Handle(_ context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "LOGIN ") {
		c.n.Add(1)
	}
	return nil
}

func (c loginCounter) WithAttrs([]slog.Attr) slog.Handler { return c }
func (c loginCounter) WithGroup(string) slog.Handler      { return c }

// counted serves a world and counts its logins.
func counted(t *testing.T, w *fakeserver.World, encryption byte) (*fakeserver.Server, *atomic.Int64) {
	t.Helper()
	n := new(atomic.Int64)
	srv, err := fakeserver.Start(w, fakeserver.Options{Encryption: encryption, Log: slog.New(loginCounter{n})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close() })
	return srv, n
}

// One connection is open at a time, however often it is lost, also with TDS 8,
// where two at once would be a race in the driver.
func TestOneConnectionAtATime(t *testing.T) {
	srv, logins := counted(t, purgedCopy.world(t), 0)
	o := options(t, srv)
	o.Encrypt, o.CertificateFile = sqlserver.EncryptStrict, filepath.Join(t.TempDir(), "server.pem")
	if err := os.WriteFile(o.CertificateFile, srv.Certificate(), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := sqlserver.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	const drops = 5
	for range drops {
		srv.DropConnections()
		if l, err := src.MaxLSN(t.Context()); err != nil || l == nil {
			t.Error(l, err)
		}
	}
	if n := logins.Load(); n != 1+drops {
		t.Errorf("%d logins for a connection that was lost %d times", n, drops)
	}
}
