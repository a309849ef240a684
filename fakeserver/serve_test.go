package fakeserver_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	mssql "github.com/microsoft/go-mssqldb"

	"cdcseed/fakeserver"
)

// serve starts a world and stops it with the test.
func serve(t testing.TB, w *fakeserver.World, o fakeserver.Options) *fakeserver.Server {
	t.Helper()
	s, err := fakeserver.Start(w, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func catalogue(t testing.TB) *fakeserver.Server {
	return serve(t, load(t, "catalogue.json"), fakeserver.Options{})
}

func named(t testing.TB, name string) *fakeserver.Server {
	t.Helper()
	w, err := fakeserver.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, w, fakeserver.Options{})
}

// dsn is a connection string for another login than the first.
func dsn(s *fakeserver.Server, login, password, database string) string {
	u := url.URL{
		Scheme: "sqlserver", User: url.UserPassword(login, password), Host: s.Addr(),
		RawQuery: url.Values{"database": {database}, "encrypt": {"disable"}, "app name": {"test"}}.Encode(),
	}
	return u.String()
}

func connect(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlserver", dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// as connects with one of the test world's logins.
func as(t testing.TB, s *fakeserver.Server, login string) *sql.DB {
	return connect(t, dsn(s, login, "x", "Sales"))
}

// querier is a pool, one connection of it, or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// rows runs a query and shows each row as values with a space between them.
// Rows that came before an error are returned with it.
func rows(db querier, query string, args ...any) ([]string, error) {
	r, err := db.QueryContext(context.Background(), query, args...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cs, err := r.Columns()
	if err != nil {
		return nil, err
	}
	var out []string
	for r.Next() {
		vals, ptrs := make([]any, len(cs)), make([]any, len(cs))
		for i := range vals {
			ptrs[i] = &vals[i]
		}
		if err := r.Scan(ptrs...); err != nil {
			return nil, err
		}
		var words []string
		for _, v := range vals {
			words = append(words, show(v))
		}
		out = append(out, strings.Join(words, " "))
	}
	return out, r.Err()
}

func show(v any) string {
	switch x := v.(type) {
	case nil:
		return "NULL"
	case []byte:
		if isPrintable(x) {
			return string(x)
		}
		return fmt.Sprintf("0x%X", x)
	case time.Time:
		return x.Format("2006-01-02T15:04:05.9999999Z07:00")
	}
	return fmt.Sprint(v)
}

func isPrintable(b []byte) bool {
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return len(b) > 0
}

// want checks a query's rows.
func want(t *testing.T, db querier, query string, expected ...string) {
	t.Helper()
	got, err := rows(db, query)
	if err != nil {
		t.Errorf("%s: %v", query, err)
		return
	}
	if strings.Join(got, "\n") != strings.Join(expected, "\n") {
		t.Errorf("%s:\n got %s\nwant %s", query, strings.Join(got, "\n     "), strings.Join(expected, "\n     "))
	}
}

// wantError checks the number that a query fails with, and its words.
func wantError(t *testing.T, db querier, query string, number int32, words ...string) {
	t.Helper()
	got, err := rows(db, query)
	var e mssql.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: got rows %q, error %v; want error %d", query, got, err, number)
		return
	}
	if e.Number != number {
		t.Errorf("%s: error %d %s; want %d", query, e.Number, e.Message, number)
	}
	for _, w := range words {
		if !strings.Contains(e.Message, w) {
			t.Errorf("%s: %q does not say %q", query, e.Message, w)
		}
	}
}

// lsn reads the short form that the worlds use.
func lsn(t testing.TB, s string) fakeserver.LSN {
	t.Helper()
	l, err := fakeserver.ParseLSN(s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// full is the text of a short LSN as the server shows it.
func full(t testing.TB, s string) string { return lsn(t, s).String() }
