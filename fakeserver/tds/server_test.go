package tds_test

import (
	"context"
	"crypto/tls"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/microsoft/go-mssqldb"

	"cdcseed/fakeserver/tds"
)

// rig is a server with a scripted session behind it.
type rig struct {
	*tds.Server
	addr string
	cert string // path of the certificate, PEM

	seen func(*tds.Login) // told of each login, if set

	mu       sync.Mutex
	trace    []string
	requests []tds.Request
	opened   int
	closed   int
}

// oneCertificate is made once: keys are slow.
var oneCertificate = sync.OnceValues(func() (tls.Certificate, []byte) {
	cert, pem, err := tds.SelfSigned(false)
	if err != nil {
		panic(err)
	}
	return cert, pem
})

// noTLS asks start for a server without a certificate.
var noTLS = &tls.Config{}

func tlsWith(cert tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{cert}}
}

// start serves scripted sessions until the test ends, and then checks that the
// server has closed each session and left no goroutine.
func start(t testing.TB, cfg tds.Config) *rig {
	t.Helper()
	cert, pem := oneCertificate()
	r := &rig{cert: filepath.Join(t.TempDir(), "cert.pem")}
	if err := os.WriteFile(r.cert, pem, 0o600); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if cfg.TLS == nil && cfg.Encryption != tds.EncryptNotSup {
		cfg.TLS = tlsWith(cert)
	}
	if cfg.TLS == noTLS {
		cfg.TLS = nil
	}
	cfg.Login = r.login
	cfg.Trace = func(format string, a ...any) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.trace = append(r.trace, fmt.Sprintf(format, a...))
	}
	r.Server = tds.ServeContext(context.Background(), ln, cfg)
	r.addr = r.Addr().String()
	t.Cleanup(func() {
		r.Close()
		if t.Failed() {
			r.showTrace(t)
		}
		if r.opened != r.closed {
			t.Errorf("%d sessions opened, %d closed", r.opened, r.closed)
		}
		noGoroutines(t)
	})
	return r
}

// noGoroutines fails the test when code of the package still runs. The last
// instructions of a goroutine come after its WaitGroup is told, so it waits a little.
func noGoroutines(t testing.TB) {
	t.Helper()
	buf := make([]byte, 1<<20)
	for deadline := time.Now().Add(hang); ; time.Sleep(5 * time.Millisecond) {
		stacks := string(buf[:runtime.Stack(buf, true)])
		if !strings.Contains(stacks, "cdcseed/fakeserver/tds.") {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("goroutines left behind:\n%s", stacks)
			return
		}
	}
}

func (r *rig) showTrace(t testing.TB) {
	lines := r.trace[max(0, len(r.trace)-20):]
	for _, line := range lines {
		t.Logf("trace: %.300s", line)
	}
}

func (r *rig) logins() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.opened
}

// waitFor waits until sessions have been given so many requests.
func (r *rig) waitFor(t testing.TB, requests int) {
	t.Helper()
	for deadline := time.Now().Add(hang); ; time.Sleep(time.Millisecond) {
		r.mu.Lock()
		n := len(r.requests)
		r.mu.Unlock()
		if n >= requests {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d requests arrived, not %d", n, requests)
		}
	}
}

// last is the latest request that a session has been given.
func (r *rig) last(t testing.TB) tds.Request {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.requests) == 0 {
		t.Fatal("no request arrived")
	}
	return r.requests[len(r.requests)-1]
}

const (
	user = "sa"
	// plain keeps TLS away from tests that are not about it.
	plain    = "encrypt=disable"
	password = "Passw0rd!é"
)

func (r *rig) login(_ context.Context, l *tds.Login) (tds.Session, error) {
	if r.seen != nil {
		r.seen(l)
	}
	if l.UserName != user || l.Password != password {
		return nil, &tds.Error{Number: 18456, Class: 14, State: 1, Message: "Login failed for user '" + l.UserName + "'."}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opened++
	return &session{r: r}, nil
}

func (r *rig) dsn(options string) string {
	u := url.URL{Scheme: "sqlserver", User: url.UserPassword(user, password), Host: r.addr, RawQuery: options}
	return u.String()
}

func (r *rig) open(t testing.TB, options string) *sql.DB {
	t.Helper()
	return openDSN(t, r.dsn(options))
}

func openDSN(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlserver", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// hang is a time that nothing takes unless it hangs, however busy the machine is.
const hang = time.Minute

// within ends a test's calls once they hang.
func within(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	t.Cleanup(cancel)
	return ctx
}
