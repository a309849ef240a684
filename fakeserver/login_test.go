package fakeserver_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	mssql "github.com/microsoft/go-mssqldb"

	"cdcseed/fakeserver"
	"cdcseed/fakeserver/tds"
)

func TestURLConnectsAsItStands(t *testing.T) {
	s := catalogue(t)
	if !strings.HasPrefix(s.URL(), "sqlserver://reader:p%40ss%2F1%20%C3%A9@127.0.0.1:") {
		t.Errorf("URL() = %s", s.URL())
	}
	db := connect(t, s.URL())
	want(t, db, "SELECT DB_NAME(), SUSER_SNAME(), ORIGINAL_LOGIN(), USER_NAME(), DB_ID()", "Sales reader reader reader 5")
}

func TestEncryptedURL(t *testing.T) {
	w := load(t, "catalogue.json")
	s := serve(t, w, fakeserver.Options{Encryption: tds.EncryptReq})
	want(t, connect(t, s.URL()), "SELECT DB_NAME()", "Sales")

	file := filepath.Join(t.TempDir(), "server.pem")
	if err := os.WriteFile(file, s.Certificate(), 0o600); err != nil {
		t.Fatal(err)
	}
	pinned := strings.Replace(s.URL(), "TrustServerCertificate=true", "certificate="+file, 1)
	want(t, connect(t, pinned), "SELECT DB_NAME()", "Sales")
	if err := connect(t, strings.Replace(s.URL(), "TrustServerCertificate=true&", "", 1)).Ping(); err == nil {
		t.Error("a certificate that nobody vouches for was taken")
	}
}

// numbersOf lists all the numbers that the server's answer carries.
func numbersOf(err error) []int32 {
	var e mssql.Error
	errors.As(err, &e)
	var out []int32
	for _, x := range e.All {
		out = append(out, x.Number)
	}
	return out
}

func TestLoginFailures(t *testing.T) {
	s := catalogue(t)
	for _, c := range []struct {
		login, password, database string
		numbers                   []int32
	}{
		{"reader", "wrong", "Sales", []int32{18456}},
		{"nobody", "x", "Sales", []int32{18456}},
		{"dba", "x", "Nowhere", []int32{4060, 18456}},
		{"dba", "x", "Gone", []int32{4060, 18456}},
		{"stranger", "x", "Sales", []int32{4060, 18456}},
	} {
		err := connect(t, dsn(s, c.login, c.password, c.database)).Ping()
		if got := numbersOf(err); !slices.Equal(got, c.numbers) {
			t.Errorf("%s in %s: %v with %d, want %d", c.login, c.database, err, got, c.numbers)
		}
	}
}

func TestTransientLoginErrorPasses(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "busy")
	var e mssql.Error
	if err := db.Ping(); !errors.As(err, &e) || e.Number != 40613 {
		t.Errorf("first login: %v, want 40613", err)
	}
	if err := db.Ping(); err != nil {
		t.Errorf("second login: %v", err)
	}
}

func TestOnlyLoopback(t *testing.T) {
	w := load(t, "catalogue.json")
	for _, o := range []fakeserver.Options{{Listen: "0.0.0.0:0"}, {Listen: "192.168.1.1:0"}, {Listen: ":0"}, {Listen: "nonsense"}, {Control: "0.0.0.0:0"}} {
		if s, err := fakeserver.Start(w, o); err == nil {
			s.Close()
			t.Errorf("%+v: served", o)
		}
	}
}

func TestUse(t *testing.T) {
	s := catalogue(t)
	db := as(t, s, "dba")
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		statement string
		number    int32
	}{{"USE Nowhere", 911}, {"USE Gone", 942}, {"USE Plain", 0}} {
		_, err := conn.ExecContext(context.Background(), c.statement)
		var e mssql.Error
		if errors.As(err, &e); e.Number != c.number {
			t.Errorf("%s: %v, want %d", c.statement, err, c.number)
		}
	}
	var name string
	if err := conn.QueryRowContext(context.Background(), "SELECT DB_NAME()").Scan(&name); err != nil || name != "Plain" {
		t.Errorf("after USE Plain: %q, %v", name, err)
	}
	conn.Close() // back to the pool: the next request resets the session
	want(t, db, "SELECT DB_NAME()", "Sales")
	wantError(t, as(t, s, "nothing"), "USE Plain", 916, `"nothing"`, `"Plain"`)
}
