package fakeserver_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	mssql "github.com/microsoft/go-mssqldb"

	"cdcseed/fakeserver"
)

func fault(t *testing.T, s *fakeserver.Server, f ...fakeserver.Fault) {
	t.Helper()
	if err := s.SetFault(f...); err != nil {
		t.Fatal(err)
	}
}

func TestErrorFault(t *testing.T) {
	s := catalogue(t)
	db, other := as(t, s, "dba"), as(t, s, "nothing")
	fault(t, s, fakeserver.Fault{Match: "get_MAX_lsn", Login: "dba", Nth: 2, Times: 1, Error: &fakeserver.FaultError{Number: 1205}})
	query := "SELECT CONVERT(varchar(22), sys.fn_cdc_get_max_lsn(), 1)"
	want(t, db, query, full(t, "0x80"))
	want(t, other, query, full(t, "0x80"))
	want(t, db, "SELECT 1", "1")
	wantError(t, db, query, 1205, "deadlock victim")
	want(t, db, query, full(t, "0x80"))
	fault(t, s)
	want(t, db, query, full(t, "0x80"))
}

func TestErrorFaultHasClassAndState(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	for _, c := range []struct {
		give         fakeserver.FaultError
		class, state uint8
		message      string
	}{
		{fakeserver.FaultError{Number: 1205}, 13, 45, "Transaction"},
		{fakeserver.FaultError{Number: 1222, State: 7}, 16, 7, "Lock request"},
		{fakeserver.FaultError{Number: 8134, Message: "mine"}, 16, 1, "mine"},
		{fakeserver.FaultError{Number: 229, Class: 14, State: 5, Message: "denied"}, 14, 5, "denied"},
	} {
		fault(t, s, fakeserver.Fault{Error: &c.give})
		_, err := rows(db, "SELECT 1")
		var e mssql.Error
		if !errors.As(err, &e) || e.Number != c.give.Number || e.Class != c.class || e.State != c.state || !strings.HasPrefix(e.Message, c.message) {
			t.Errorf("%+v: %+v (%v)", c.give, e, err)
		}
	}
}

func TestErrorAfterRows(t *testing.T) {
	s := catalogue(t)
	fault(t, s, fakeserver.Fault{Match: "stage.Heap", After: true, Error: &fakeserver.FaultError{Number: 3960}})
	r, err := as(t, s, "dba").Query("SELECT A FROM stage.Heap")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := 0
	for r.Next() {
		n++
	}
	var e mssql.Error
	if n != 2 || !errors.As(r.Err(), &e) || e.Number != 3960 {
		t.Errorf("%d rows, then %v; want 2 rows, then 3960", n, r.Err())
	}
}

func TestFatalFaultEndsTheConnection(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	fault(t, s, fakeserver.Fault{Times: 1, Error: &fakeserver.FaultError{Number: 596}})
	if _, err := rows(db, "SELECT 1"); err == nil {
		t.Fatal("no error")
	}
	want(t, db, "SELECT 2", "2") // on a new connection
}

func TestDropFault(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	fault(t, s, fakeserver.Fault{Nth: 3, Times: 1, Drop: true})
	want(t, db, "SELECT 1", "1")
	want(t, db, "SELECT 2", "2")
	if got, err := rows(db, "SELECT 3"); err == nil {
		t.Errorf("got %q from a dropped connection", got)
	}
	want(t, db, "SELECT 4", "4")
}

func TestDelayFaultEndsWithTheRequest(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	fault(t, s, fakeserver.Fault{Match: "short", Delay: "30ms"}, fakeserver.Fault{Match: "long", Delay: "1h"})
	begin := time.Now()
	want(t, db, "SELECT 1 -- short", "1")
	if d := time.Since(begin); d < 30*time.Millisecond {
		t.Errorf("answered after %v", d)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(30*time.Millisecond, cancel)
	if _, err := db.ExecContext(ctx, "SELECT 1 -- long"); err == nil {
		t.Error("a cancelled request succeeded")
	}
	want(t, db, "SELECT 2", "2")
}

func TestDropConnections(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	want(t, db, "SELECT 1", "1")
	s.DropConnections()
	if got, err := rows(db, "SELECT 2"); err == nil {
		t.Errorf("got %q", got)
	}
	want(t, db, "SELECT 3", "3")
}

func TestOffline(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	want(t, db, "SELECT 1", "1")
	if err := s.SetOffline("Sales", true); err != nil {
		t.Fatal(err)
	}
	wantError(t, db, "SELECT 1", 942, "'Sales'")
	if got := numbersOf(as(t, s, "dba").Ping()); !slices.Equal(got, []int32{4060, 18456}) {
		t.Errorf("a login gets %d", got)
	}
	if err := s.SetOffline("Sales", false); err != nil {
		t.Fatal(err)
	}
	want(t, db, "SELECT 1", "1")
}

func TestStatementsAreRecorded(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "nothing")
	want(t, db, "SELECT 1", "1")
	if _, err := rows(db, "SELECT @p1, @p2", "té", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := rows(db, "sys.sp_cdc_help_change_data_capture"); err != nil {
		t.Fatal(err)
	}
	wantError(t, db, "SELECT nonsense FROM", 102)
	got := s.Statements()
	if len(got) != 4 {
		t.Fatalf("%d statements: %+v", len(got), got)
	}
	if g := got[0]; g.Text != "SELECT 1" || g.Login != "nothing" || g.Database != "Sales" || g.App != "test" || !g.Time.Equal(s.Now()) || g.Procedure {
		t.Errorf("first: %+v", g)
	}
	if p := got[1].Parameters; len(p) != 2 || p[0].Name != "@p1" || p[0].Value == nil || *p[0].Value != "té" || p[1].Value != nil {
		t.Errorf("parameters: %+v", p)
	}
	if g := got[2]; g.Text != "sys.sp_cdc_help_change_data_capture" || !g.Procedure {
		t.Errorf("procedure: %+v", g)
	}
	s.ForgetStatements()
	if len(s.Statements()) != 0 {
		t.Error("not forgotten")
	}
}

// A fault counts what it matches even while another one strikes.
func TestFaultsCountForThemselves(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	fault(t, s, fakeserver.Fault{Times: 1, Error: &fakeserver.FaultError{Number: 1205}}, fakeserver.Fault{Nth: 2, Times: 1, Error: &fakeserver.FaultError{Number: 1222}})
	wantError(t, db, "SELECT 1", 1205)
	wantError(t, db, "SELECT 1", 1222)
	want(t, db, "SELECT 1", "1")
}
