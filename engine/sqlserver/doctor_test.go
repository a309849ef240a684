package sqlserver_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/clock"
	"cdcseed/engine/schema"
	"cdcseed/engine/sqlserver"
	"cdcseed/fakeserver"
)

// asLogin connects to a built-in world with one of its logins.
func asLogin(t *testing.T, srv *fakeserver.Server, user string) *sqlserver.Source {
	t.Helper()
	o := options(t, srv)
	o.User, o.Password = user, "Demo-only!1"
	src, err := sqlserver.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

func stoppedCapture(t *testing.T, change func(*fakeserver.World)) *fakeserver.Server {
	t.Helper()
	w, err := fakeserver.Named("capture-stopped")
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(w)
	}
	return serve(t, w)
}

func TestRightsOfLogins(t *testing.T) {
	srv := stoppedCapture(t, func(w *fakeserver.World) {
		w.Logins = append(w.Logins, fakeserver.Login{Name: "watch]er", Password: "Demo-only!1", ServerState: true, Users: []fakeserver.User{{Database: "Sales", DatabaseState: true}}})
	})
	for user, want := range map[string]sqlserver.Rights{
		"dba":      {User: "dbo", Owner: true, DatabaseState: true, ServerState: true},
		"clerk":    {User: "clerk"},
		"watch]er": {User: "watch]er", DatabaseState: true, ServerState: true},
	} {
		got, err := asLogin(t, srv, user).Rights(t.Context())
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", user, got, err)
		}
	}
	clerk := asLogin(t, srv, "clerk")
	columns, err := clerk.ColumnRights(t.Context(), "dbo", "Orders")
	if err != nil || len(columns) != 23 {
		t.Fatal(columns, err)
	}
	for _, c := range columns {
		if c.MayRead != (c.Name == "OrderId" || c.Name == "StatusCode") {
			t.Errorf("clerk: %+v", c)
		}
	}
	if none, err := asLogin(t, srv, "watch]er").ColumnRights(t.Context(), "dbo", "Orders"); err != nil || len(none) != 0 {
		t.Errorf("a table without any right shows %v, %v", none, err)
	}
	for user, want := range map[string]bool{"dba": true, "clerk": false, "svc_cdc_ro": true} {
		src := asLogin(t, srv, user)
		if got, err := src.MayReadChanges(t.Context(), "dbo_Orders"); err != nil || got != want {
			t.Errorf("%s reads changes: %v, %v", user, got, err)
		}
		if got, err := src.InRole(t.Context(), "db_owner"); err != nil || got != (user == "dba") {
			t.Errorf("%s owns: %v, %v", user, got, err)
		}
	}
	for name, found := range map[string]bool{"dbo.Orders": true, "DBO_orders": true, "[dbo].[Orders]": true, "dbo.Nothing": false} {
		sch, table, got, err := clerk.Tracked(t.Context(), name)
		if err != nil || got != found || found && (sch != "dbo" || table != "Orders") {
			t.Errorf("%s: %s.%s %v, %v", name, sch, table, got, err)
		}
	}
}

// What only owners may know is denied to the others, and told to owners.
func TestJobsAndScans(t *testing.T) {
	srv := stoppedCapture(t, func(w *fakeserver.World) { w.Server.AgentStopped = true })
	wall := func(y int, m time.Month, d, h, min, s, ms int) *clock.Local {
		l := clock.WallOf(time.Date(y, m, d, h, min, s, ms*1e6, time.UTC))
		return &l
	}
	three := 72 * time.Hour
	owner, clerk := asLogin(t, srv, "dba"), asLogin(t, srv, "clerk")
	for what, c := range map[string]struct {
		ask  func(*sqlserver.Source) (any, error)
		want any
	}{
		"owners":  {func(s *sqlserver.Source) (any, error) { return s.OwnersRetention(t.Context()) }, &three},
		"msdb":    {func(s *sqlserver.Source) (any, error) { return s.MsdbRetention(t.Context()) }, &three},
		"service": {func(s *sqlserver.Source) (any, error) { return s.AgentService(t.Context()) }, "Stopped"},
		"jobs": {func(s *sqlserver.Source) (any, error) { return s.AgentJobs(t.Context()) }, []sqlserver.AgentJob{
			{Kind: "capture", Name: "cdc.Sales_capture", Enabled: true, Started: wall(2024, 5, 13, 9, 31, 0, 0), Ended: wall(2026, 10, 2, 11, 0, 0, 153)},
			{Kind: "cleanup", Name: "cdc.Sales_cleanup", Enabled: true, Started: wall(2026, 10, 5, 2, 0, 0, 0), Ended: wall(2026, 10, 5, 2, 0, 1, 0)},
		}},
		"session": {func(s *sqlserver.Source) (any, error) { return s.ScanSession(t.Context()) }, &sqlserver.ScanSession{
			ID: 1, Started: *wall(2026, 10, 2, 11, 0, 0, 153), Ended: wall(2026, 10, 2, 11, 0, 0, 153), Phase: "Done", Errors: 1,
		}},
		"errors": {func(s *sqlserver.Source) (any, error) { return s.ScanErrors(t.Context()) }, []sqlserver.ScanError{
			{At: *wall(2026, 10, 2, 11, 5, 3, 0), Number: 9002, Text: "The transaction log for database '%.*ls' is full due to '%ls'."},
		}},
	} {
		got, err := c.ask(owner)
		if err != nil {
			t.Errorf("%s: %v", what, err)
		} else if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", what, diff)
		}
		if _, err := c.ask(clerk); !sqlserver.Denied(err) || sqlserver.Absent(err) {
			t.Errorf("the clerk asks for %s: %v", what, err)
		}
	}
}

// Azure SQL Database has no msdb and no Agent to ask.
func TestWhatAServerHasNot(t *testing.T) {
	srv := stoppedCapture(t, func(w *fakeserver.World) { w.Server.EngineEdition = 5 })
	src := asLogin(t, srv, "svc_cdc_ro")
	for what, err := range map[string]error{
		"service": second(src.AgentService(t.Context())), "jobs": second(src.AgentJobs(t.Context())), "msdb": second(src.MsdbRetention(t.Context())),
	} {
		if !sqlserver.Absent(err) || sqlserver.Denied(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestEarliestAsOf(t *testing.T) {
	s := situation{
		now: "2026-11-28T12:00:00Z", instances: []instance{{"dbo_orders", "0200", "2026-11-27T00:00:00"}},
		mapping: []row{{"0100", "2026-11-28T10:00:00.500"}, {"0200", "2026-11-28T11:00:00.500"}},
	}
	_, src := s.start(t)
	now, err := src.Clock(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	at, err := src.EarliestAsOf(t.Context(), now.Clock, "dbo_orders")
	if err != nil || at == nil || at.String() != "2026-11-28T11:00:01Z" {
		t.Fatal(at, err)
	}
	// It is the edge itself: from there the changes are kept, a second before they are not.
	var table schema.Table
	if table, _, err = src.Table(t.Context(), "dbo.orders"); err != nil || table.Name != "orders" {
		t.Fatal(err)
	}
	if _, err := mapped(t.Context(), src, at.String(), "", sqlserver.MapOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := mapped(t.Context(), src, at.Add(-time.Second).String(), "", sqlserver.MapOptions{}); err == nil {
		t.Error("a second before the edge is kept too")
	}
}
