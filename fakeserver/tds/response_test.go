package tds_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	mssql "github.com/microsoft/go-mssqldb"

	"cdcseed/fakeserver/tds"
)

func TestErrors(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup, ServerName: "HERE"})
	db := r.open(t, plain)
	db.SetMaxOpenConns(1)
	for _, args := range [][]any{nil, {1}} { // as a batch and as sp_executesql
		_, err := db.ExecContext(within(t), "error 208 16", args...)
		var m mssql.Error
		if !errors.As(err, &m) {
			t.Fatalf("%T %v", err, err)
		}
		if m.Number != 208 || m.Class != 16 || m.State != 3 || m.Message != "scripted" || m.ServerName != "HERE" || m.ProcName != "dbo.p" || m.LineNo != 7 {
			t.Errorf("%+v", m)
		}
	}
	var m mssql.Error
	_, err := db.ExecContext(within(t), "plain")
	if !errors.As(err, &m) || m.Number != 2812 {
		t.Errorf("a bare word is a procedure: %v", err)
	}
	if _, err = db.ExecContext(within(t), "plain error"); !errors.As(err, &m) || m.Number != 50000 {
		t.Errorf("%v", err)
	}
	if _, err = db.ExecContext(within(t), "misfit value"); !errors.As(err, &m) || m.Number != 50000 || !strings.Contains(m.Message, `column 1 ("a")`) {
		t.Errorf("%v", err)
	}
	if r.logins() != 1 {
		t.Errorf("%d logins: an error of class 16 ended a connection", r.logins())
	}
}

// TestFatalError: class 20 reaches the client, then the connection is closed.
func TestFatalError(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(t, plain)
	_, err := db.ExecContext(within(t), "error 596 21")
	var m mssql.Error
	var fatal mssql.ServerError
	if !errors.As(err, &fatal) || !errors.As(err, &m) || m.Number != 596 || m.Class != 21 {
		t.Errorf("%T %v", err, err)
	}
	if err := db.PingContext(within(t)); err != nil {
		t.Error(err)
	}
	if r.logins() != 2 {
		t.Errorf("%d logins", r.logins())
	}

	c := loginRaw(t, r.addr, 0x74000004)
	c.send(pktBatch, eom, batch("error 596 20"))
	k := c.tokens()
	if len(k) != 2 || k[0].number() != 596 || k[1].status() != 0x102 {
		t.Errorf("%x", k)
	}
	if _, err := c.nc.Read(make([]byte, 1)); err == nil {
		t.Error("the connection is still open")
	}
}

func TestErrorAfterRows(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(t, plain)
	rows, err := db.QueryContext(within(t), "midway now")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		n++
	}
	var m mssql.Error
	if !errors.As(rows.Err(), &m) || m.Number != 1205 || n != 10 {
		t.Errorf("%d rows, %v", n, rows.Err())
	}
}

func TestSeveralResults(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(t, plain)
	for _, args := range [][]any{nil, {1}} {
		counts, err := countResults(within(t), db, "several results", args...)
		if err != nil || len(counts) < 2 || counts[0] != 2 || counts[1] != 1 {
			t.Errorf("%v, %v", counts, err)
		}
	}
	res, err := db.ExecContext(within(t), "info 12")
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := res.RowsAffected(); n != 12 {
		t.Errorf("%d rows affected", n)
	}
}

// TestDrop: rows flushed before the drop arrive, then the socket closes.
func TestDrop(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(t, plain)
	n, err := countRows(within(t), db, "drop 3")
	if err == nil || n != 3 {
		t.Errorf("%d rows, %v", n, err)
	}
	var m mssql.Error
	if errors.As(err, &m) {
		t.Errorf("a message for a dropped connection: %v", err)
	}
	if err := db.PingContext(within(t)); err != nil {
		t.Error(err)
	}
	r.DropConnections()
	if err := retryPing(t, db); err != nil {
		t.Error(err)
	}
}

// countRows runs a query to its end and counts the rows that came before it.
func countRows(ctx context.Context, db *sql.DB, query string) (int, error) {
	counts, err := countResults(ctx, db, query)
	if len(counts) == 0 {
		return 0, err
	}
	return counts[0], err
}

// countResults counts the rows of every result.
func countResults(ctx context.Context, db *sql.DB, query string, args ...any) (counts []int, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for ok := true; ok; ok = rows.NextResultSet() {
		counts = append(counts, 0)
		for rows.Next() {
			counts[len(counts)-1]++
		}
	}
	return counts, rows.Err()
}

// retryPing pings twice: a pooled connection that was closed while idle shows
// on the first use.
func retryPing(t *testing.T, db *sql.DB) error {
	t.Helper()
	if err := db.PingContext(within(t)); err == nil {
		return nil
	}
	return db.PingContext(within(t))
}
