package sqlserver

import (
	"context"
	"errors"
	"testing"
)

// exerciseDoctor asks everything that only a diagnosis does. Some of it is
// refused to the login, which sends the statement all the same.
func exerciseDoctor(t *testing.T, s *Source) {
	t.Helper()
	ctx := t.Context()
	ask := func(what string, err error) {
		if err != nil && !Denied(err) && !Absent(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := s.Rights(ctx)
	ask("rights", err)
	_, err = s.ColumnRights(ctx, "dbo", "Orders")
	ask("column rights", err)
	_, err = s.MayReadChanges(ctx, "dbo_Orders")
	ask("change table", err)
	_, err = s.InRole(ctx, "db_owner")
	ask("role", err)
	_, _, _, err = s.Tracked(ctx, "dbo.Orders")
	ask("tracked", err)
	_, err = s.OwnersRetention(ctx)
	ask("help_jobs", err)
	_, err = s.MsdbRetention(ctx)
	ask("msdb", err)
	_, err = s.AgentJobs(ctx)
	ask("agent jobs", err)
	_, err = s.AgentService(ctx)
	ask("agent", err)
	_, err = s.ScanSession(ctx)
	ask("scan session", err)
	_, err = s.ScanErrors(ctx)
	ask("scan errors", err)
}

// What is no answer of the server is neither denied nor absent.
func TestDeniedIsTheServersAnswer(t *testing.T) {
	for _, err := range []error{nil, errors.New("permission was denied"), context.Canceled} {
		if Denied(err) || Absent(err) {
			t.Errorf("%v", err)
		}
	}
}
