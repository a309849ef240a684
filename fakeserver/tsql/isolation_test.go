package tsql

import (
	"errors"
	"testing"

	"cdcseed/fakeserver/tds"
)

// Under snapshot isolation a table without row versions cannot be read, unless
// a hint gives the table another isolation level.
func TestSnapshotIsolation(t *testing.T) {
	w := &sampleWorld{unversioned: Errorf(3952, 16, "no row versions")}
	for _, c := range []struct {
		level, query string
		number       int32 // 0: the rows come
	}{
		{"READ COMMITTED", "SELECT Id FROM Orders", 0},
		{"SNAPSHOT", "SELECT Id FROM Orders", 3952},
		{"SNAPSHOT", "SELECT COUNT(*) FROM Customers c JOIN Orders o WITH (NOLOCK) ON o.CustomerId = c.Id", 3952},
		{"SNAPSHOT", "SELECT Id FROM Orders WITH (TABLOCK)", 3952},
		{"SNAPSHOT", "SELECT Id FROM Orders WITH (READCOMMITTED, ROWLOCK)", 0},
		{"SNAPSHOT", "SELECT 1 FROM numbers(1)", 0},
		{"SNAPSHOT", "SELECT 1", 0},
	} {
		text := "SET TRANSACTION ISOLATION LEVEL " + c.level + "; " + c.query
		err := NewSession(w, sampleNow).Run(t.Context(), &tds.Request{Kind: "batch", SQL: text}, &recorder{})
		if c.number == 0 {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if got := numberOf(t, err); got != c.number {
			t.Errorf("%s: %d (%v), want %d", text, got, err, c.number)
		}
	}
}

// A begin request carries its level, and a driver's reset takes it back.
func TestIsolationOfABeginRequest(t *testing.T) {
	s := newSample()
	for _, c := range []struct {
		q        *tds.Request
		snapshot bool
	}{
		{&tds.Request{Kind: tds.KindBegin, Iso: 2}, false},
		{&tds.Request{Kind: tds.KindBegin, Iso: 5}, true},
		{&tds.Request{Kind: tds.KindBegin}, true},
		{&tds.Request{Kind: tds.KindBatch, SQL: "SELECT 1", Reset: true}, false},
	} {
		if err := s.Run(t.Context(), c.q, &recorder{}); err != nil {
			t.Fatal(err)
		}
		if s.Snapshot() != c.snapshot {
			t.Errorf("after %+v: snapshot %v", c.q, s.Snapshot())
		}
	}
}

func TestResetKeepsTheTransaction(t *testing.T) {
	s := newSample()
	run := func(q tds.Request) {
		t.Helper()
		if err := s.Run(t.Context(), &q, &recorder{}); err != nil {
			t.Fatal(err)
		}
	}
	run(tds.Request{Kind: tds.KindBatch, SQL: "SET XACT_ABORT ON"})
	run(tds.Request{Kind: tds.KindBegin})
	run(tds.Request{Kind: tds.KindBatch, SQL: "SELECT 1", Reset: true, KeepTran: true})
	if s.TranCount() != 1 || s.Option("XACT_ABORT") != "" {
		t.Errorf("%d transactions, %v", s.TranCount(), s.options)
	}
	run(tds.Request{Kind: tds.KindBatch, SQL: "SELECT 1", Reset: true})
	if s.TranCount() != 0 {
		t.Errorf("%d transactions", s.TranCount())
	}
}

// An error that a caller puts in the place of a request's own ends what SQL
// Server would end with it.
func TestFailed(t *testing.T) {
	for _, c := range []struct {
		batch string
		err   error
		open  int
	}{
		{"BEGIN TRAN", Errorf(1205, 13, "deadlock"), 0},
		{"BEGIN TRAN", Errorf(1222, 16, "lock timeout"), 1},
		{"SET XACT_ABORT ON; BEGIN TRAN", Errorf(1222, 16, "lock timeout"), 0},
		{"SET XACT_ABORT ON; BEGIN TRAN", errors.New("the connection is cut"), 1},
	} {
		s, r := newSample(), &recorder{}
		if err := s.Run(t.Context(), &tds.Request{Kind: "batch", SQL: c.batch}, r); err != nil {
			t.Fatal(err)
		}
		s.Failed(c.err, r)
		if s.TranCount() != c.open {
			t.Errorf("%s, then %v: %d transactions, want %d", c.batch, c.err, s.TranCount(), c.open)
		}
	}
}
