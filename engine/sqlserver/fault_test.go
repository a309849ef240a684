package sqlserver_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// hang is a time that nothing takes unless it hangs, however busy the machine
// is. The delays that the tests ask the server for are longer.
const hang = 30 * time.Second

func fault(match string, number int32, times int) fakeserver.Fault {
	return fakeserver.Fault{Match: match, Times: times, Error: &fakeserver.FaultError{Number: number, Message: "A fault."}}
}

// Every error number that passes is tried again, a few times; no other one is.
func TestRetriesWhatPassesOnly(t *testing.T) {
	for _, n := range []int32{1205, 1222, 3960, 40197, 40501, 40613, 10928, 10929, 49918, 49919, 49920} {
		srv, src := purgedCopy.start(t)
		if err := srv.SetFault(fault("cdcseed: max_lsn", n, 3)); err != nil {
			t.Fatal(err)
		}
		if l, err := src.MaxLSN(t.Context()); err != nil || l.String() != lsnText("0300") {
			t.Errorf("%d three times: %v, %v", n, l, err)
		}
		if err := srv.SetFault(fault("cdcseed: max_lsn", n, 0)); err != nil {
			t.Fatal(err)
		}
		_, err := src.MaxLSN(t.Context())
		refused(t, err, verdict.SourceUnreachable)
	}
	for n, want := range map[int32]verdict.Code{229: verdict.SourceDenied, 230: verdict.SourceDenied, 297: verdict.SourceDenied, 208: verdict.CDCOff, 22901: verdict.CDCOff} {
		srv, src := purgedCopy.start(t)
		if err := srv.SetFault(fault("cdcseed: max_lsn", n, 1)); err != nil {
			t.Fatal(err)
		}
		_, err := src.MaxLSN(t.Context())
		refused(t, err, want)
		if gone := strings.Contains(err.Error(), `a table of change data capture is gone from database "Sales"`); gone != (n == 208) {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// A number that nothing expects is told as it is.
func TestUnexpectedNumber(t *testing.T) {
	srv, src := purgedCopy.start(t)
	if err := srv.SetFault(fault("cdcseed: max_lsn", 8134, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := src.MaxLSN(t.Context()); err == nil || verdict.As(err).Code != verdict.Unexpected {
		t.Error(err)
	}
}

// A connection that the server closed while it was idle, or drops in the
// middle of an answer, is made anew.
func TestReconnects(t *testing.T) {
	srv, src := purgedCopy.start(t)
	if _, err := src.MaxLSN(t.Context()); err != nil {
		t.Fatal(err)
	}
	srv.DropConnections()
	if l, err := src.MaxLSN(t.Context()); err != nil || l == nil {
		t.Error("after an idle drop:", l, err)
	}
	if err := srv.SetFault(fakeserver.Fault{Match: "cdcseed: mapping_range", Times: 2, After: true, Drop: true}); err != nil {
		t.Fatal(err)
	}
	m, err := mapped(t.Context(), src, "2026-10-02T06:00:00Z", "", sqlserver.MapOptions{})
	if err != nil || m.L.String() != lsnText("0200") {
		t.Error("after drops behind rows:", m.L, err)
	}
	if err := srv.SetFault(fakeserver.Fault{Match: "cdcseed: mapping_range", Times: 1, After: true, Error: &fakeserver.FaultError{Number: 1205}}); err != nil {
		t.Fatal(err)
	}
	if m, err = mapped(t.Context(), src, "2026-10-02T06:00:00Z", "", sqlserver.MapOptions{}); err != nil || m.L.String() != lsnText("0200") {
		t.Error("after a deadlock behind rows:", m.L, err)
	}
	srv.Close()
	_, err = src.MaxLSN(t.Context())
	refused(t, err, verdict.SourceUnreachable)
}

// Cancelling stops the statement, promptly, and leaves the connection usable.
func TestCancel(t *testing.T) {
	srv, src := purgedCopy.start(t)
	if err := srv.SetFault(fakeserver.Fault{Match: "cdcseed: max_lsn", Times: 1, Delay: "1m"}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	begun := time.Now()
	go func() {
		for !slices.ContainsFunc(srv.Statements(), func(s fakeserver.Statement) bool { return strings.Contains(s.Text, "cdcseed: max_lsn") }) && time.Since(begun) < hang {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	_, err := src.MaxLSN(ctx)
	refused(t, err, verdict.Stopped)
	if d := time.Since(begun); d > hang {
		t.Error("it took", d)
	}
	if l, err := src.MaxLSN(t.Context()); err != nil || l == nil {
		t.Error("after the cancel:", l, err)
	}
}

func TestOpenRefusals(t *testing.T) {
	srv := serve(t, purgedCopy.world(t))
	good := options(t, srv)
	for name, c := range map[string]struct {
		change func(*sqlserver.Options)
		want   verdict.Code
		says   string
	}{
		"a wrong password":        {func(o *sqlserver.Options) { o.Password = "Secret-42!!" }, verdict.LoginFailed, "password"},
		"no such user":            {func(o *sqlserver.Options) { o.User = "nobody" }, verdict.LoginFailed, "user nobody"},
		"no such database":        {func(o *sqlserver.Options) { o.Database = "Nowhere" }, verdict.LoginFailed, `database "Nowhere"`},
		"nobody listens":          {func(o *sqlserver.Options) { o.Server = "127.0.0.1,1" }, verdict.SourceUnreachable, "127.0.0.1,1"},
		"not encrypted, but must": {func(o *sqlserver.Options) { o.Encrypt = sqlserver.EncryptStrict }, verdict.SourceUnreachable, ""},
	} {
		o := good
		c.change(&o)
		src, err := sqlserver.Open(t.Context(), o)
		if err == nil {
			src.Close()
		}
		refused(t, err, c.want, c.says)
		t.Log(name, err)
	}
	if err := srv.SetOffline("Sales", true); err != nil {
		t.Fatal(err)
	}
	_, err := sqlserver.Open(t.Context(), good)
	refused(t, err, verdict.LoginFailed, "on line")
}

// A login that is refused for a while by a server that wakes up succeeds.
func TestOpenRetriesTransientLogins(t *testing.T) {
	w := purgedCopy.world(t)
	w.Logins[0].LoginError, w.Logins[0].LoginErrorTimes = 40613, 2
	connect(t, serve(t, w))
}

func TestOpenGivesUpInTime(t *testing.T) {
	w := purgedCopy.world(t)
	w.Faults = []fakeserver.Fault{{Match: "cdcseed: engine_edition", Delay: "1m"}}
	o := options(t, serve(t, w))
	o.ConnectTimeout = 200 * time.Millisecond
	begun := time.Now()
	_, err := sqlserver.Open(t.Context(), o)
	refused(t, err, verdict.SourceUnreachable)
	if d := time.Since(begun); d > hang || errors.Is(err, verdict.Stopped) {
		t.Error("it took", d, err)
	}
}
