package fakeserver_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	mssql "github.com/microsoft/go-mssqldb"

	"cdcseed/fakeserver"
)

// wantRowsThenError checks that a query gives so many rows and then the error.
func wantRowsThenError(t *testing.T, db querier, query string, n int, number int32) {
	t.Helper()
	got, err := rows(db, query)
	var e mssql.Error
	if len(got) != n || !errors.As(err, &e) || e.Number != number {
		t.Errorf("%s: %d rows, then %v; want %d, then %d", query, len(got), err, n, number)
	}
}

// single is one connection of its own, which nothing resets in between.
func single(t *testing.T, db *sql.DB) *sql.Conn {
	t.Helper()
	c, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() }) // a second close is none
	return c
}

func TestErrorInTheMiddleOfRows(t *testing.T) {
	s := named(t, "orders-clock-change")
	db := connect(t, s.URL())
	deadlock := &fakeserver.FaultError{Number: 1205}
	fault(t, s, fakeserver.Fault{Match: "dbo.Orders", AfterRows: 10, Error: deadlock})
	for _, c := range []struct {
		query string
		rows  int
	}{
		{"SELECT OrderId FROM dbo.Orders", 10},
		{"SELECT OrderId FROM dbo.Orders ORDER BY OrderId DESC", 10},
		{"SELECT TOP (10) OrderId FROM dbo.Orders", 10}, // behind the last row, too
	} {
		n, err := read(t, db, c.query)
		var e mssql.Error
		if n != c.rows || !errors.As(err, &e) || e.Number != 1205 || e.Class != 13 {
			t.Errorf("%s: %d rows, then %v; want %d, then 1205", c.query, n, err, c.rows)
		}
	}
	want(t, db, "SELECT COUNT(*) FROM (SELECT TOP (9) OrderId FROM dbo.Orders) x", "9")
	if got, err := rows(db, "SELECT TOP (9) OrderId FROM dbo.Orders"); err != nil || len(got) != 9 {
		t.Errorf("a statement with fewer rows: %d rows, %v", len(got), err)
	}
	fault(t, s, fakeserver.Fault{AfterRows: 3, Nth: 2, Times: 1, Error: deadlock})
	wantRows(t, db, "SELECT TOP (5) OrderId FROM dbo.Orders", 5)
	wantRowsThenError(t, db, "SELECT TOP (5) OrderId FROM dbo.Orders", 3, 1205)
	wantRows(t, db, "SELECT TOP (5) OrderId FROM dbo.Orders", 5)
}

// read begins a query, which must succeed, and counts its rows until rows.Err().
func read(t *testing.T, db *sql.DB, query string) (int, error) {
	t.Helper()
	r, err := db.QueryContext(context.Background(), query)
	if err != nil {
		t.Fatalf("%s: %v before the rows", query, err)
	}
	defer r.Close()
	n := 0
	for r.Next() {
		n++
	}
	return n, r.Err()
}

func wantRows(t *testing.T, db querier, query string, n int) {
	t.Helper()
	if got, err := rows(db, query); err != nil || len(got) != n {
		t.Errorf("%s: %d rows, %v; want %d", query, len(got), err, n)
	}
}

// The rows of a request are counted through all of its results, and what the
// error does is what SQL Server would do with it there.
func TestErrorInTheMiddleOfABatch(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	fault(t, s, fakeserver.Fault{AfterRows: 3, Error: &fakeserver.FaultError{Number: 1205}})
	r, err := db.QueryContext(context.Background(), "SELECT A FROM stage.Heap; SELECT A FROM stage.Heap; SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var counts []int
	for more := true; more; more = r.NextResultSet() {
		counts = append(counts, 0)
		for r.Next() {
			counts[len(counts)-1]++
		}
	}
	var e mssql.Error
	if len(counts) != 2 || counts[0] != 2 || counts[1] != 1 || !errors.As(r.Err(), &e) || e.Number != 1205 {
		t.Errorf("rows %v, then %v; want 2 and 1, then 1205", counts, r.Err())
	}
}

func TestErrorInTheMiddleCanBeCaught(t *testing.T) {
	s := catalogue(t)
	fault(t, s, fakeserver.Fault{AfterRows: 1, Times: 1, Error: &fakeserver.FaultError{Number: 1222}})
	r, err := as(t, s, "dba").QueryContext(context.Background(),
		"BEGIN TRY SELECT A FROM stage.Heap END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := 0
	for r.Next() {
		n++
	}
	var number int
	if n != 1 || !r.NextResultSet() || !r.Next() || r.Scan(&number) != nil || number != 1222 {
		t.Errorf("%d rows, then %d (%v); want 1, then 1222", n, number, r.Err())
	}
}

func TestDropInTheMiddleOfRows(t *testing.T) {
	s := named(t, "orders-clock-change")
	db := connect(t, s.URL())
	fault(t, s, fakeserver.Fault{AfterRows: 10, Times: 1, Drop: true})
	got, err := rows(db, "SELECT OrderId FROM dbo.Orders")
	var e mssql.Error
	if len(got) != 10 || err == nil || errors.As(err, &e) {
		t.Errorf("%d rows, then %v; want 10 and no message", len(got), err)
	}
	wantRows(t, db, "SELECT TOP (20) OrderId FROM dbo.Orders", 20) // on a new connection
}

// A deadlock takes the transaction with it, wherever the fault puts it.
func TestFaultEndsTheTransaction(t *testing.T) {
	for _, f := range []fakeserver.Fault{{}, {After: true}, {AfterRows: 1}} {
		for number, open := range map[int32]string{1205: "0", 1222: "1"} {
			s := catalogue(t)
			c := single(t, as(t, s, "dba"))
			if _, err := c.ExecContext(context.Background(), "BEGIN TRANSACTION"); err != nil {
				t.Fatal(err)
			}
			f.Match, f.Error = "stage.Heap", &fakeserver.FaultError{Number: number}
			fault(t, s, f)
			wantError(t, c, "SELECT A FROM stage.Heap", number)
			want(t, c, "SELECT @@TRANCOUNT", open)
		}
	}
}

// The pool asks for a reset with the next request; a fault in that request's
// place does not swallow it.
func TestFaultLeavesTheReset(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	c := single(t, db)
	if _, err := c.ExecContext(context.Background(), "SET LOCK_TIMEOUT 500; BEGIN TRANSACTION"); err != nil {
		t.Fatal(err)
	}
	want(t, c, "SELECT @@LOCK_TIMEOUT, @@TRANCOUNT", "500 1")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	fault(t, s, fakeserver.Fault{Times: 1, Error: &fakeserver.FaultError{Number: 1222}})
	c = single(t, db)
	wantError(t, c, "SELECT 1", 1222)
	want(t, c, "SELECT @@LOCK_TIMEOUT, @@TRANCOUNT", "-1 0")
}
