package sqlserver_test

import (
	"errors"
	"slices"
	"testing"

	mssql "github.com/microsoft/go-mssqldb"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// passing are the errors after which the same read may succeed: lost races for
// locks and snapshots, and what Azure and its failovers say while they last.
var passing = []int32{1205, 1222, 3960, 4221, 10928, 10929, 40197, 40501, 40613, 49918, 49919, 49920}

// lasting are errors that a new try meets again. 4060 passes in Azure only.
var lasting = []int32{
	102, 105, 137, 156, 195, 207, 208, 229, 230, 241, 245, 262, 297, 300, 313, 701, 823, 911, 916, 942, 2812, 3952, 4060, 4064, 4121, 8114, 8115, 8134, 8180,
	9820, 18452, 18456, 18486, 18487, 18488, 22901, 22902, 22904, 22931, 22960, 22964, 22972, 22981, 22985, 22988, 40000, 40508, 40615, 50000,
}

// served is a world served with an edition, and the package connected to it.
func served(t *testing.T, engineEdition int) (*fakeserver.Server, *sqlserver.Source) {
	t.Helper()
	w := purgedCopy.world(t)
	w.Server.EngineEdition = engineEdition
	srv := serve(t, w)
	return srv, connect(t, srv)
}

// tries has every read of the newest LSN fail from the first on, times times,
// and counts how often it is asked for.
func tries(t *testing.T, srv *fakeserver.Server, src *sqlserver.Source, f fakeserver.Fault) (n int, err error) {
	t.Helper()
	f.Match = "cdcseed: max_lsn"
	if err := srv.SetFault(f); err != nil {
		t.Fatal(err)
	}
	srv.ForgetStatements()
	_, err = src.MaxLSN(t.Context())
	return asked(srv, "max_lsn"), err
}

// Each listed error is met again and again until the tries are used up, or
// until it is gone; no other one is met twice. It makes no difference whether
// it comes in place of the rows, behind the first row or behind the last.
func TestRetryTable(t *testing.T) {
	srv, src := served(t, 3)
	for name, when := range map[string]fakeserver.Fault{"before": {}, "during": {AfterRows: 1}, "after": {After: true}} {
		for _, n := range slices.Concat(passing, lasting) {
			f := when
			f.Error = &fakeserver.FaultError{Number: n, Class: 16, Message: "A fault."}
			wantTries := 1
			if slices.Contains(passing, n) {
				wantTries = 4
			}
			got, err := tries(t, srv, src, f)
			var e mssql.Error
			if !errors.As(err, &e) || e.Number != n || got != wantTries {
				t.Errorf("%d %s rows: %d tries, want %d, then %v", n, name, got, wantTries, err)
			}
			f.Times = 2
			if got, err = tries(t, srv, src, f); wantTries > 1 && (err != nil || got != 3) {
				t.Errorf("%d %s rows, twice: %d tries, then %v", n, name, got, err)
			}
		}
	}
}

// What ends the connection passes, whatever its number; a closed connection too.
func TestRetryOfLostConnections(t *testing.T) {
	srv, src := served(t, 3)
	for name, f := range map[string]fakeserver.Fault{
		"class 20": {Error: &fakeserver.FaultError{Number: 3314, Class: 20, Message: "A fault."}},
		"class 21": {Error: &fakeserver.FaultError{Number: 596}},
		"class 24": {After: true, Error: &fakeserver.FaultError{Number: 823, Class: 24, Message: "A fault."}},
		"dropped":  {Drop: true}, "dropped behind a row": {AfterRows: 1, Drop: true}, "dropped behind all rows": {After: true, Drop: true},
	} {
		n, err := tries(t, srv, src, f)
		if refused(t, err, verdict.SourceUnreachable); n != 4 {
			t.Errorf("%s: %d tries, want 4", name, n)
		}
		f.Times = 3
		if n, err = tries(t, srv, src, f); err != nil || n != 4 {
			t.Errorf("%s, three times: %d tries, then %v", name, n, err)
		}
	}
}

// In Azure a database that is waking up answers 4060 for a while.
func TestRetryOf4060(t *testing.T) {
	for edition, want := range map[int]int{3: 1, 5: 4, 8: 4} {
		srv, src := served(t, edition)
		n, err := tries(t, srv, src, fakeserver.Fault{Error: &fakeserver.FaultError{Number: 4060, Class: 11, Message: "A fault."}})
		if refused(t, err, verdict.LoginFailed); n != want {
			t.Errorf("edition %d: %d tries, want %d", edition, n, want)
		}
	}
}

// A storm of refused logins is outlived where the refusal passes, and a wrong
// password is never sent twice: accounts are locked so.
func TestLoginStorm(t *testing.T) {
	for _, c := range []struct {
		number int32
		times  int
		in     bool
	}{{40613, 3, true}, {40613, 4, false}, {4060, 1, false}, {18456, 1, false}} {
		w := purgedCopy.world(t)
		w.Logins[0].LoginError, w.Logins[0].LoginErrorTimes = c.number, c.times
		srv := serve(t, w)
		src, err := sqlserver.Open(t.Context(), options(t, srv))
		if (err == nil) != c.in {
			t.Errorf("%d, %d times: %v", c.number, c.times, err)
		}
		if err == nil {
			src.Close()
			continue
		}
		if c.times == 1 { // the next login is let in, which it would not be had there been a second
			connect(t, srv)
			continue
		}
		refused(t, err, verdict.SourceUnreachable)
	}
}
