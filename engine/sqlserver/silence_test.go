package sqlserver_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// encryptions are ways to reach a fake server, each in a subtest of its own.
func encryptions(t *testing.T, run func(*testing.T, *fakeserver.Server, sqlserver.Options)) {
	t.Helper()
	for _, how := range []sqlserver.Encrypt{"none", sqlserver.EncryptTrust, sqlserver.EncryptStrict} {
		t.Run(string(how), func(t *testing.T) {
			srv := serve(t, purgedCopy.world(t))
			o := options(t, srv)
			o.Encrypt = how
			if how == sqlserver.EncryptStrict {
				o.CertificateFile = filepath.Join(t.TempDir(), "server.pem")
				if err := os.WriteFile(o.CertificateFile, srv.Certificate(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			t.Parallel()
			run(t, srv, o)
		})
	}
}

// A server that stops answering at any point of the login holds nobody longer
// than the connect timeout.
func TestSilentLogin(t *testing.T) {
	encryptions(t, func(t *testing.T, srv *fakeserver.Server, o sqlserver.Options) {
		o.ConnectTimeout = 300 * time.Millisecond
		for frames := int64(0); ; frames++ {
			if frames > 100 {
				t.Fatal("never enough")
			}
			before(t, srv, &o, frames, false)
			src, err := sqlserver.Open(t.Context(), o)
			if err == nil {
				src.Close()
				if frames < 2 {
					t.Errorf("%d frames were enough to log in", frames)
				}
				return
			}
			refused(t, err, verdict.SourceUnreachable)
		}
	})
}

// A person who stops a login that gets no answer does not wait for it.
func TestStopOfSilentLogin(t *testing.T) {
	encryptions(t, func(t *testing.T, _ *fakeserver.Server, o sqlserver.Options) {
		mute, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer mute.Close()
		o.Server, o.ConnectTimeout = strings.Replace(mute.Addr().String(), ":", ",", 1), time.Hour
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go func() {
			if c, err := mute.Accept(); err == nil {
				defer c.Close()
				c.Read(make([]byte, 1)) // the client waits for an answer now
				stop()
				<-ctx.Done()
			}
		}()
		_, err = sqlserver.Open(ctx, o)
		refused(t, err, verdict.Stopped)
	})
}

// A statement that is not answered, or whose answer stops anywhere, ends after
// the limit, is not asked again, and the next one has a new connection.
func TestSilentStatement(t *testing.T) {
	encryptions(t, func(t *testing.T, srv *fakeserver.Server, o sqlserver.Options) {
		good := connect(t, srv)
		want, err := good.TimeZones(t.Context())
		if err != nil || len(want) < 100 {
			t.Fatal(len(want), err)
		}
		o.SilenceLimit = 200 * time.Millisecond
		p := before(t, srv, &o, endless, false)
		src, err := sqlserver.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		for frames := int64(0); ; frames++ {
			srv.ForgetStatements()
			p.left.Store(frames)
			got, err := src.TimeZones(t.Context())
			p.left.Store(endless)
			if err == nil {
				if len(got) != len(want) || frames < 2 {
					t.Errorf("%d frames brought %d zones, want %d", frames, len(got), len(want))
				}
				return
			}
			refused(t, err, verdict.SourceUnreachable, "sent nothing for 200ms")
			if n := asked(srv, "time_zones"); n > 1 {
				t.Errorf("%d frames: asked %d times", frames, n)
			}
			if l, err := src.MaxLSN(t.Context()); err != nil || l == nil {
				t.Fatalf("%d frames: the next statement: %v, %v", frames, l, err)
			}
		}
	})
}

// asked counts a statement of the package in the server's record.
func asked(srv *fakeserver.Server, name string) (n int) {
	for _, s := range srv.Statements() {
		if strings.HasPrefix(s.Text, "/* cdcseed: "+name+" */") {
			n++
		}
	}
	return n
}

// A stop does not wait for the acknowledgement of a server that gives none.
func TestStopOfSilentStatement(t *testing.T) {
	srv := serve(t, purgedCopy.world(t))
	o := options(t, srv)
	p := before(t, srv, &o, endless, false)
	src, err := sqlserver.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	p.left.Store(0)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for deadline := time.Now().Add(hang); asked(srv, "max_lsn") == 0 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	begun := time.Now()
	_, err = src.MaxLSN(ctx)
	refused(t, err, verdict.Stopped)
	if d := time.Since(begun); d > hang {
		t.Error("it took", d)
	}
	p.left.Store(endless)
	if l, err := src.MaxLSN(t.Context()); err != nil || l == nil {
		t.Error("afterwards:", l, err)
	}
}

// A connection that is cut after any number of frames is made anew, and what
// is found is the same.
func TestCutAnywhere(t *testing.T) {
	encryptions(t, func(t *testing.T, srv *fakeserver.Server, o sqlserver.Options) {
		for frames := int64(0); ; frames++ {
			if frames > 200 {
				t.Fatal("never enough")
			}
			p := before(t, srv, &o, frames, true)
			src, err := sqlserver.Open(t.Context(), o)
			if err != nil {
				t.Fatalf("cut after %d frames: %v", frames, err)
			}
			m, err := mapped(t.Context(), src, "2026-10-02T06:00:00Z", "", sqlserver.MapOptions{})
			src.Close()
			if err != nil || m.L.String() != lsnText("0200") {
				t.Fatalf("cut after %d frames: %v, %v", frames, m.L, err)
			}
			if !p.hit.Load() {
				if frames < 10 {
					t.Errorf("%d frames were enough", frames)
				}
				return
			}
		}
	})
}
